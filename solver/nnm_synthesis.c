/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/nnm_synthesis.h"

#include <math.h>
#include <stdio.h>

static const double RANGE = 0.1; /* of drive frequencies about the mode's: farther off other modes count */

static double degrees(double complex x) { return carg(x) * 180 / M_PI; }

static fw_status write_table(fw_job *job, const fw_backbone *b, double level, const fw_synthesis *s) {
  static const fw_column columns[] = {{"frequency", "Hz"},      {"amplitude", "m"},    {"phase", "deg"},
                                      {"full.amplitude", "m"},  {"full.phase", "deg"}, {"difference", ""},
                                      {"mode.frequency", "Hz"}, {"mode.damping", ""}};
  char name[64];
  fw_data_table *table;
  snprintf(name, sizeof name, "synthesis-%g", level);
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, name, columns, sizeof columns / sizeof *columns, false, &table));
  for (int i = 0; i < s->count; i++) {
    const fw_synthesis_point *p = &s->points[i];
    const double row[] = {p->frequency,
                          cabs(p->response),
                          degrees(p->response),
                          cabs(p->full),
                          degrees(p->full),
                          cabs(p->response / p->full - 1),
                          b->orbits[p->row].frequency,
                          b->zetas[p->row]};
    FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  return FW_OK;
}

/* The peak and how far the full response is from it there, and the farthest of the points above its half power. */
static fw_status summarise(fw_job *job, int level, double factor, const fw_synthesis *s) {
  int peak = 0;
  double worst = 0, most = 0;
  for (int i = 1; i < s->count; i++)
    if (cabs(s->points[i].response) > cabs(s->points[peak].response)) peak = i;
  if (s->count) most = cabs(s->points[peak].response);
  for (int i = 0; i < s->count; i++)
    if (cabs(s->points[i].response) > most / sqrt(2)) /* NaN counts */
      worst =
          fmax(worst, isnan(cabs(s->points[i].full)) ? INFINITY : cabs(s->points[i].response / s->points[i].full - 1));
  FW_TRY(fw_record_set_number(job->summary, factor, "levels[%d].level", level));
  FW_TRY(fw_record_set_number(job->summary, s->count, "levels[%d].points", level));
  if (!s->count) return FW_OK;
  const fw_synthesis_point *p = &s->points[peak];
  FW_TRY(fw_record_set_number(job->summary, p->frequency, "levels[%d].peak.frequency", level));
  FW_TRY(fw_record_set_number(job->summary, most, "levels[%d].peak.amplitude", level));
  FW_TRY(fw_record_set_number(job->summary, cabs(p->full), "levels[%d].peak.full_amplitude", level));
  return fw_record_set_number(job->summary, worst, "levels[%d].difference", level);
}

fw_status fw_nnm_synthesise(fw_job *job, const fw_vibration *v, const fw_backbone *b) {
  const fw_value *levels = fw_args_value(job->args, "levels");
  if (levels->count && !v->drive_count)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place, "levels needs loads: what drives the structure");
  for (int l = 0; l < levels->count; l++) {
    fw_synthesis s;
    FW_TRY(fw_synthesis_find(job->ctx, v, b, levels->numbers[l], RANGE, &s));
    fw_status status = write_table(job, b, levels->numbers[l], &s);
    if (status == FW_OK) status = summarise(job, l, levels->numbers[l], &s);
    fw_synthesis_clear(&s);
    FW_TRY(status);
  }
  return FW_OK;
}
