/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stepped sine. */
#include "solver/analyses/frf/parts.h"

#include <math.h>
#include <stdio.h>

#include "contact/pair.h"
#include "core/unknown.h"
#include "solver/analyses/orbit_table.h"

/* Linear between two motions. */
static fw_status orbit_between(fw_context *ctx, const fw_model *model, int H, const fw_orbit *a, const fw_orbit *b,
                               double part, fw_orbit *out) {
  size_t sensors = (size_t)model->sensor_count * (size_t)(H + 1), pairs = (size_t)model->pair_count;
  *out = (fw_orbit){.normal_least = INFINITY, .periodic = true};
#define BETWEEN(member) out->member = a->member + part * (b->member - a->member)
  BETWEEN(frequency);
  BETWEEN(level);
  BETWEEN(drive);
  BETWEEN(structural);
  BETWEEN(friction);
  BETWEEN(normal);
  BETWEEN(kinetic);
  out->residual = fmax(a->residual, b->residual);
  fw_status status = fw_alloc(ctx, sensors, sizeof *out->sensors, &out->sensors);
  if (status == FW_OK) status = fw_alloc(ctx, pairs, sizeof *out->pairs, &out->pairs);
  for (size_t i = 0; status == FW_OK && i < sensors; i++) BETWEEN(sensors[i]);
  for (size_t p = 0; status == FW_OK && p < pairs; p++)
    for (int c = 0; c < FW_CONTACT_FIGURES; c++) BETWEEN(pairs[p].at[c]);
#undef BETWEEN
  if (status != FW_OK) fw_orbit_clear(out);
  return status;
}

/* Where the phase passes the wished one between the last two frequencies, by interpolation. */
static fw_status look_for_resonance(const fw_job *job, fw_response *out) {
  if (out->count < 2) return FW_OK;
  const fw_orbit *a = &out->orbits[out->count - 2], *b = &out->orbits[out->count - 1];
  fw_orbit orbit;
  double part;
  if (fw_response_passes(&out->options, a, b, &part) == 0) return FW_OK;
  FW_TRY(orbit_between(job->ctx, job->model, out->options.H, a, b, part, &orbit));
  fw_status status = fw_orbit_append(job->ctx, &out->resonances, &out->resonance_count, &out->resonance_room, &orbit);
  if (status != FW_OK) fw_orbit_clear(&orbit);
  return status;
}

static void write_note(const fw_time_end *end, double frequency, fw_response *out) {
  char far[32] = "how far from it is not known";
  if (isfinite(end->distance)) snprintf(far, sizeof far, "%.1e from it", end->distance);
  snprintf(out->note, sizeof out->note, "not steady after %d periods at %.6g Hz: %s, or not periodic", end->periods,
           frequency, far);
}

static fw_status step_through(fw_job *job, fw_frf_integration *in, fw_orbit_table *table, fw_state *state,
                              fw_response *out) {
  const fw_response_options *options = &out->options;
  for (int i = 0; i < options->points; i++) {
    fw_orbit orbit;
    fw_time_end end;
    in->options.frequency = options->f_from + (options->f_to - options->f_from) * i / (options->points - 1);
    FW_TRY(fw_time_orbit(&in->job, in->system, in->ops, &in->options, state, &orbit, &end));
    orbit.level = options->level;
    fw_status status = fw_orbit_append(job->ctx, &out->orbits, &out->count, &out->room, &orbit);
    if (status != FW_OK) fw_orbit_clear(&orbit);
    FW_TRY(status);
    const double own[] = {end.periods, end.distance};
    FW_TRY(fw_orbit_table_row(table, own, &orbit));
    out->periods = end.periods > out->periods ? end.periods : out->periods;
    bool known = !isnan(out->distance) && !isnan(end.distance);
    out->distance = known ? fmax(out->distance, end.distance) : fw_unknown();
    out->reached = in->options.frequency;
    if (!(end.distance <= in->options.tolerance) && !out->note[0]) write_note(&end, orbit.frequency, out);
    FW_TRY(look_for_resonance(job, out));
    fw_progress(job->ctx, job->id, (double)(i + 1) / options->points);
  }
  return FW_OK;
}

fw_status fw_frf_time(fw_job *job, const fw_response_options *options, bool both, fw_response *out) {
  static const fw_column own[] = {{"periods", ""}, {"distance", ""}};
  fw_status status = FW_OK;
  fw_frf_integration in = {0};
  fw_state *state = NULL;
  fw_orbit_table table = {0};
  char name[64];
  *out = (fw_response){.options = *options, .peak = -1, .bandwidth = fw_unknown(), .truncation = fw_unknown()};
  out->options.H = FW_TIME_HARMONICS;
  snprintf(name, sizeof name, "frf-%g%s", options->level, fw_frf_direction(options, both));
  fw_linear_range range = {0};
  FW_TRY_DONE(fw_frf_integration_init(job, &in));
  in.options.range = &range;
  in.options.most = fw_args_integer(job->args, "periods-most");
  in.options.tolerance = fw_args_number(job->args, "steady");
  FW_TRY_DONE(fw_job_begin_vibration(job, &state));
  FW_TRY_DONE(fw_job_loads(job, options->level, state->load_factors));
  FW_TRY_DONE(fw_orbit_table_open(job, name, own, 2, FW_TIME_HARMONICS, FW_ORBIT_RESPONSE | FW_ORBIT_GAIN, &table));
  status = step_through(job, &in, &table, state, out);
  fw_response_find_peak(out);
  if (status == FW_OK) status = fw_linear_range_judge(&range, job);
done:
  fw_orbit_table_close(&table);
  fw_state_destroy(&state);
  fw_frf_integration_clear(&in);
  return status;
}
