/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/nnm/synthesis.h"

#include <math.h>
#include <stdio.h>

#include "core/unknown.h"

static const double RANGE = 0.1; /* of drive frequencies about the mode's: farther off other modes count */

/* The full response was sought at each point, and may not have been found. */
static bool has_full(const fw_synthesis_point *p) { return isfinite(cabs(p->full)) && p->full != 0; }

static double degrees(double complex x) { return carg(x) * 180 / M_PI; }

static double difference(const fw_synthesis_point *p) {
  return has_full(p) ? cabs(p->response / p->full - 1) : fw_unknown();
}

static fw_status write_table(fw_job *job, const fw_nnm *b, double level, const fw_synthesis *s) {
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
                          has_full(p) ? cabs(p->full) : fw_unknown(),
                          has_full(p) ? degrees(p->full) : fw_unknown(),
                          difference(p),
                          b->orbits[p->row].frequency,
                          b->zetas[p->row]};
    FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  return FW_OK;
}

/* The farthest that the full response is off at the points above half power; how many of these are without it. */
static double farthest(const fw_synthesis *s, double most, int *without) {
  double worst = 0;
  *without = 0;
  for (int i = 0; i < s->count; i++) {
    if (!(cabs(s->points[i].response) > most / sqrt(2))) continue;
    *without += !has_full(&s->points[i]);
    if (has_full(&s->points[i])) worst = fmax(worst, difference(&s->points[i]));
  }
  return *without ? fw_unknown() : worst;
}

/* The peak and how far the full response is from it there and about it. */
static fw_status summarise(fw_job *job, int level, double factor, const fw_synthesis *s) {
  int peak = 0, without;
  FW_TRY(fw_record_set_number(job->summary, factor, "levels[%d].level", level));
  FW_TRY(fw_record_set_number(job->summary, s->count, "levels[%d].points", level));
  if (!s->count)
    return fw_record_set_text(job->summary, "no point of the mode is driven by this level near its frequency",
                              "levels[%d].note", level);
  for (int i = 1; i < s->count; i++)
    if (cabs(s->points[i].response) > cabs(s->points[peak].response)) peak = i;
  const fw_synthesis_point *p = &s->points[peak];
  double most = cabs(p->response), worst = farthest(s, most, &without);
  FW_TRY(fw_record_set_number(job->summary, p->frequency, "levels[%d].peak.frequency", level));
  FW_TRY(fw_record_set_number(job->summary, most, "levels[%d].peak.amplitude", level));
  FW_TRY(fw_record_set_number(job->summary, has_full(p) ? cabs(p->full) : fw_unknown(),
                              "levels[%d].peak.full_amplitude", level));
  if (without) FW_TRY(fw_record_set_number(job->summary, without, "levels[%d].points_without_full_response", level));
  return fw_record_set_number(job->summary, worst, "levels[%d].difference", level);
}

fw_status fw_nnm_synthesise(fw_job *job, const fw_vibration *v, const fw_nnm *b) {
  const fw_value *levels = fw_args_value(job->args, "levels");
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
