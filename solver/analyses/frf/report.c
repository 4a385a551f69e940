/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/frf/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/unknown.h"
#include "solver/analyses/orbit_table.h"
#include "solver/hb/peak.h"

const char *fw_frf_direction(const fw_response_options *options, bool both) {
  return !both ? "" : options->f_from < options->f_to ? "-up" : "-down";
}

fw_status fw_frf_write(fw_job *job, const fw_response *r, bool both) {
  char name[64];
  snprintf(name, sizeof name, "frf-%g%s", r->options.level, fw_frf_direction(&r->options, both));
  fw_orbit_table table;
  unsigned extra = FW_ORBIT_GAIN | (r->options.stability ? FW_ORBIT_STABILITY : 0U) |
                   (r->options.constant_response ? FW_ORBIT_LEVEL : 0U);
  FW_TRY(fw_orbit_table_open(job, name, NULL, 0, r->options.H, extra, &table));
  fw_status status = FW_OK;
  for (int i = 0; i < r->count && status == FW_OK; i++) status = fw_orbit_table_row(&table, NULL, &r->orbits[i]);
  fw_orbit_table_close(&table);
  return status;
}

/* ---- summary ------------------------------------------------------------------------------- */

/* Of several resonances at one level the one with the largest response; NULL: none. */
static const fw_orbit *main_resonance(const fw_response *r) {
  const fw_orbit *best = NULL;
  for (int i = 0; i < r->resonance_count; i++)
    if (!best ||
        cabs(fw_response_compliance(&r->options, &r->resonances[i])) > cabs(fw_response_compliance(&r->options, best)))
      best = &r->resonances[i];
  return best;
}

const fw_orbit *fw_frf_main(const fw_response *r) {
  const fw_orbit *main = main_resonance(r);
  return main || !r->count ? main : &r->orbits[r->peak < 0 ? 0 : r->peak];
}

static double amplitude(const fw_response *r, const fw_orbit *orbit) {
  return cabs(orbit->sensors[r->options.sensor * (r->options.H + 1) + 1]);
}

static fw_status record_contact(fw_record *to, const fw_model *model, const fw_orbit *orbit, const char *prefix) {
  for (int p = 0; p < model->pair_count; p++)
    FW_TRY(fw_figures_record(&orbit->pairs[p], model->pairs[p]->id, prefix, to));
  return FW_OK;
}

static const fw_sensor *response_sensor(const fw_model *model, const fw_frf *frf) {
  return &model->sensors[frf->responses[0].options.sensor];
}

/* A row per resonance: level, frequency, amplitude of the response, damping, contact figures. */
static fw_status write_resonances(fw_job *job, const fw_frf *frf) {
  fw_sheet sheet = fw_sheet_of(job->ctx, job->sink, job->id);
  fw_sheet_column(&sheet, "", "level");
  fw_sheet_column(&sheet, "Hz", "frequency");
  fw_sheet_column(&sheet, fw_sensor_unit(response_sensor(job->model, frf)), "amplitude");
  fw_sheet_column(&sheet, "", "damping");
  fw_figures_columns(job->model, &sheet);
  fw_status status = fw_sheet_open(&sheet, "resonances");
  for (int i = 0; i < frf->count; i++)
    for (int j = 0; j < frf->responses[i].resonance_count && status == FW_OK; j++) {
      const fw_response *r = &frf->responses[i];
      const fw_orbit *orbit = &r->resonances[j];
      fw_sheet_put(&sheet, orbit->level);
      fw_sheet_put(&sheet, orbit->frequency);
      fw_sheet_put(&sheet, amplitude(r, orbit));
      fw_sheet_put(&sheet, fw_orbit_damping(orbit));
      for (int p = 0; p < job->model->pair_count; p++) fw_figures_cells(&orbit->pairs[p], &sheet);
      status = fw_sheet_row(&sheet);
    }
  fw_sheet_close(&sheet);
  return status;
}

static fw_status record_resonances(fw_record *to, const fw_response *r, const char *level) {
  const fw_orbit *main = main_resonance(r);
  FW_TRY(fw_record_set_figure(to, main ? main->frequency : fw_unknown(), "Hz", "%sresonance.frequency", level));
  FW_TRY(fw_record_set_number(to, main ? amplitude(r, main) : fw_unknown(), "%sresonance.amplitude", level));
  FW_TRY(fw_record_set_number(to, main ? fw_orbit_damping(main) : fw_unknown(), "%sresonance.damping", level));
  if (r->options.constant_response)
    FW_TRY(fw_record_set_number(to, main ? main->level : fw_unknown(), "%sresonance.level", level));
  for (int i = 0; i < r->resonance_count; i++) {
    FW_TRY(fw_record_set_figure(to, r->resonances[i].frequency, "Hz", "%sresonances[%d].frequency", level, i));
    FW_TRY(fw_record_set_number(to, amplitude(r, &r->resonances[i]), "%sresonances[%d].amplitude", level, i));
    FW_TRY(fw_record_set_number(to, fw_orbit_damping(&r->resonances[i]), "%sresonances[%d].damping", level, i));
    if (r->options.constant_response)
      FW_TRY(fw_record_set_number(to, r->resonances[i].level, "%sresonances[%d].level", level, i));
  }
  if (r->peak < 0) return FW_OK;
  const fw_orbit *peak = r->top.y ? &r->top : fw_peak_highest(r);
  FW_TRY(fw_record_set_figure(to, peak->frequency, "Hz", "%speak.frequency", level));
  FW_TRY(fw_record_set_number(to, amplitude(r, peak), "%speak.amplitude", level));
  if (r->options.constant_response) FW_TRY(fw_record_set_number(to, peak->level, "%speak.level", level));
  FW_TRY(fw_record_set_figure(to, r->bandwidth, "Hz", "%speak.bandwidth", level));
  return fw_record_set_number(to, r->bandwidth / (2 * peak->frequency), "%speak.damping", level);
}

static fw_status record_harmonics(fw_record *to, const fw_response *r, const char *level) {
  FW_TRY(fw_record_set_number(to, r->options.H, "%sharmonics", level));
  FW_TRY(fw_record_set_number(to, r->options.samples, "%ssamples", level));
  return fw_record_set_number(to, isfinite(r->truncation) ? r->truncation : fw_unknown(), "%struncation", level);
}

static fw_status record_level(fw_record *to, const fw_model *model, const fw_response *r, const char *level) {
  FW_TRY(fw_record_set_number(to, r->options.level, "%slevel", level));
  FW_TRY(record_resonances(to, r, level));
  const fw_orbit *at = fw_frf_main(r);
  if (at) FW_TRY(record_contact(to, model, at, level));
  if (at) FW_TRY(fw_record_set_number(to, at->residual, "%senergy.residual", level));
  FW_TRY(fw_record_set_number(to, r->count, "%spoints", level));
  if (r->periods) {
    FW_TRY(fw_record_set_number(to, r->periods, "%speriods", level));
    FW_TRY(fw_record_set_number(to, r->distance, "%sdistance", level));
  } else {
    if (r->steps) FW_TRY(fw_record_set_number(to, r->steps, "%ssteps", level));
    if (r->integrated) FW_TRY(fw_record_set_number(to, (double)r->integrated, "%speriods_integrated", level));
    if (r->options.samples) FW_TRY(record_harmonics(to, r, level));
    FW_TRY(fw_record_set_number(to, r->iterations, "%siterations", level));
    FW_TRY(fw_record_set_figure(to, r->seconds, "s", "%scpu_seconds", level));
  }
  if (r->options.stability)
    FW_TRY(fw_orbits_record_bifurcations(to, model, r->orbits, r->count, r->options.sensor * (r->options.H + 1) + 1,
                                         r->unjudged, level));
  if (r->note[0]) FW_TRY(fw_record_set_text(to, r->note, "%snote", level));
  return FW_OK;
}

/* Worst energy residual and largest contact figures over every orbit. */
static fw_status record_extremes(fw_record *to, const fw_model *model, const fw_frf *frf) {
  double residual = 0;
  for (int i = 0; i < frf->count; i++)
    for (int j = 0; j < frf->responses[i].count; j++) residual = fmax(residual, frf->responses[i].orbits[j].residual);
  FW_TRY(fw_record_set_number(to, residual, "energy.residual"));
  for (int p = 0; p < model->pair_count; p++) {
    double most[FW_CONTACT_FIGURES];
    for (int c = 0; c < FW_CONTACT_FIGURES; c++) most[c] = fw_unknown();
    for (int i = 0; i < frf->count; i++)
      for (int j = 0; j < frf->responses[i].count; j++) {
        const double *values = frf->responses[i].orbits[j].pairs[p].at;
        for (int c = 0; c < FW_CONTACT_FIGURES; c++)
          most[c] = c == FW_NORMAL_MIN ? fmin(most[c], values[c]) : fmax(most[c], values[c]);
      }
    for (int c = 0; c < FW_CONTACT_FIGURES; c++)
      FW_TRY(fw_record_set_figure(to, most[c], fw_contact_figures[c].unit, "contact.%s.%s", model->pairs[p]->id,
                                  fw_contact_figures[c].name));
  }
  return FW_OK;
}

void fw_frf_prefix(const fw_frf *frf, int i, char *prefix, size_t room) {
  snprintf(prefix, room, i % frf->directions == 0 ? "levels[%d]." : "levels[%d].down.", i / frf->directions);
}

fw_status fw_frf_summarise(fw_job *job, const fw_frf *frf) {
  FW_TRY(fw_record_set_text(job->summary, fw_sensor_unit(response_sensor(job->model, frf)), "units.amplitude"));
  for (int i = 0; i < frf->count; i++) {
    char prefix[64];
    fw_frf_prefix(frf, i, prefix, sizeof prefix);
    FW_TRY(record_level(job->summary, job->model, &frf->responses[i], prefix));
  }
  FW_TRY(record_extremes(job->summary, job->model, frf));
  FW_TRY(write_resonances(job, frf));
  if (!frf->vibration) return FW_OK;
  FW_TRY(fw_record_set_number(job->summary, frf->vibration->reduced.coordinates, "reduction.coordinates"));
  FW_TRY(fw_record_set_number(job->summary, frf->vibration->reduced.modes, "reduction.modes"));
  FW_TRY(fw_record_set_number(job->summary, frf->vibration->error[0], "reduction.error"));
  FW_TRY(fw_record_set_number(job->summary, frf->vibration->error[1], "reduction.error_at_5_f_max"));
  FW_TRY(fw_record_set_figure(job->summary, frf->vibration->seconds, "s", "reduction.cpu_seconds"));
  return fw_record_set_number(job->summary, frf->vibration->reduced.rest, "reduction.condensed");
}

/* ---- states -------------------------------------------------------------------------------- */

/* The orbit nearest in frequency among the responses at that level; upward sweeps come first. */
static const fw_response *nearest(const fw_frf *frf, double level, double frequency, const fw_orbit **orbit) {
  const fw_response *best = NULL;
  double least = INFINITY;
  for (int i = 0; i < frf->count; i++) {
    const fw_response *r = &frf->responses[i];
    if (fabs(r->options.level - level) > 1e-9 * fabs(level)) continue;
    for (int j = 0; j < r->count; j++) {
      double distance = fabs(r->orbits[j].frequency - frequency);
      if (distance < least) {
        least = distance;
        best = r;
        *orbit = &r->orbits[j];
      }
    }
  }
  return best;
}

fw_status fw_frf_state_on(fw_context *ctx, const fw_frf *frf, const fw_response *r, const fw_orbit *orbit, double phase,
                          fw_state **state) {
  return fw_solver_state(ctx, frf->vibration, &r->options, orbit->y, phase, state);
}

fw_status fw_frf_state(fw_context *ctx, const fw_frf *frf, double level, double frequency, double phase,
                       fw_state **state) {
  const fw_orbit *orbit = NULL;
  const fw_response *r = nearest(frf, level, frequency, &orbit);
  if (!r) return fw_fail(ctx, FW_ERR_ANALYSIS, "the frequency response has no orbit at level %g", level);
  if (!orbit->y)
    return fw_fail(ctx, FW_ERR_ANALYSIS,
                   "orbits of time integration and shooting are not kept: start from method=\"both\"");
  if (frequency <= 0 || frequency == orbit->frequency) return fw_frf_state_on(ctx, frf, r, orbit, phase, state);
  fw_orbit moved = *orbit, there = {0};
  moved.frequency = frequency;
  fw_status status = fw_response_refine(ctx, frf->vibration, r, &moved, r->options.H, r->options.samples, &there);
  if (status > 0)
    status = fw_fail(ctx, FW_ERR_ANALYSIS, "no periodic motion found at level %g and %g Hz", level, frequency);
  if (status == FW_OK) status = fw_frf_state_on(ctx, frf, r, &there, phase, state);
  fw_orbit_clear(&there);
  return status;
}
