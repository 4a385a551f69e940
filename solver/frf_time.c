/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/frf_time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/friction/setting.h"
#include "contact/pair.h"
#include "solver/orbit_table.h"
#include "solver/time_orbit.h"

enum { TIME_HARMONICS = 10 };

extern const fw_analysis_ops fw_analysis_transient;

/* What both uses need: the job as a transient with its defaults, the system, the state before the vibration. */
typedef struct integration {
  fw_job job;
  fw_args args;
  fw_system *system;
  fw_state *rest;
  const fw_integrator_ops *ops;
  fw_time_wish wish;
} integration;

static fw_status integration_init(const fw_job *job, integration *in) {
  const fw_args *args = job->args;
  *in = (integration){.job = *job, .ops = fw_integrators[fw_args_integer(args, "solver")]};
  FW_TRY(fw_setting_args(job->ctx, "transient", fw_analysis_transient.entry.params, NULL, 0, &in->args));
  in->job.args = &in->args;
  FW_TRY(fw_system_create(job->ctx, job->model, &in->system));
  FW_TRY(fw_job_begin(job, &in->rest));
  in->wish = (fw_time_wish){.H = TIME_HARMONICS,
                            .steps = fw_args_integer(args, "steps"),
                            .sensor = fw_model_sensor(job->model, fw_args_text(args, "response")),
                            .least = fw_args_integer(args, "periods"),
                            .rest = in->rest};
  return FW_OK;
}

static void integration_clear(integration *in) {
  fw_state_destroy(&in->rest);
  fw_system_destroy(&in->system);
  fw_args_clear(&in->args);
}

static const char *direction(const fw_response_wish *wish, bool both) {
  return !both ? "" : wish->f_from < wish->f_to ? "-up" : "-down";
}

/* ---- stepped sine -------------------------------------------------------------------------- */

/* Linear between two motions. */
static fw_status orbit_between(fw_context *ctx, const fw_model *model, int H, const fw_orbit *a, const fw_orbit *b,
                               double part, fw_orbit *out) {
  size_t sensors = (size_t)model->sensor_count * (size_t)(H + 1), pairs = (size_t)model->pair_count;
  *out = (fw_orbit){.normal_least = INFINITY, .periodic = true};
#define BETWEEN(member) out->member = a->member + part * (b->member - a->member)
  BETWEEN(frequency);
  BETWEEN(drive);
  BETWEEN(structural);
  BETWEEN(friction);
  BETWEEN(normal);
  BETWEEN(kinetic);
  out->residual = fmax(a->residual, b->residual);
  fw_status status = fw_alloc(ctx, sensors, sizeof *out->sensors, &out->sensors);
  if (status == FW_OK) status = fw_alloc(ctx, pairs, sizeof *out->pairs, &out->pairs);
  for (size_t i = 0; status == FW_OK && i < sensors; i++) BETWEEN(sensors[i]);
  for (size_t p = 0; status == FW_OK && p < pairs; p++) {
    BETWEEN(pairs[p].work_rate);
    BETWEEN(pairs[p].dissipated);
    BETWEEN(pairs[p].sliding);
    BETWEEN(pairs[p].presliding);
    BETWEEN(pairs[p].slip_amplitude);
    BETWEEN(pairs[p].slip_velocity_max);
    BETWEEN(pairs[p].stick_fraction);
    BETWEEN(pairs[p].N_mean);
    BETWEEN(pairs[p].N_max);
    BETWEEN(pairs[p].N_min);
    BETWEEN(pairs[p].T_max);
  }
#undef BETWEEN
  if (status != FW_OK) fw_orbit_clear(out);
  return status;
}

/* Where the phase passes the wished one between the last two frequencies, by interpolation. */
static fw_status look_for_resonance(const fw_job *job, fw_response *out) {
  if (out->count < 2) return FW_OK;
  const fw_orbit *a = &out->orbits[out->count - 2], *b = &out->orbits[out->count - 1];
  double complex turn = cexp(-I * out->wish.phase);
  double complex at_a = fw_response_compliance(&out->wish, a) * turn,
                 at_b = fw_response_compliance(&out->wish, b) * turn;
  if (cimag(at_a) * cimag(at_b) > 0 || cimag(at_a) == cimag(at_b) || creal(at_a) + creal(at_b) <= 0) return FW_OK;
  fw_orbit orbit;
  double part = cimag(at_a) / (cimag(at_a) - cimag(at_b));
  FW_TRY(orbit_between(job->ctx, job->model, out->wish.H, a, b, part, &orbit));
  fw_status status = fw_orbit_append(job->ctx, &out->resonances, &out->resonance_count, &out->resonance_room, &orbit);
  if (status != FW_OK) fw_orbit_clear(&orbit);
  return status;
}

static fw_status step_through(fw_job *job, integration *in, fw_orbit_table *table, fw_state *state, fw_response *out) {
  const fw_response_wish *wish = &out->wish;
  for (int i = 0; i < wish->points; i++) {
    fw_orbit orbit;
    fw_time_end end;
    in->wish.frequency = wish->f_from + (wish->f_to - wish->f_from) * i / (wish->points - 1);
    FW_TRY(fw_time_orbit(&in->job, in->system, in->ops, &in->wish, state, &orbit, &end));
    fw_status status = fw_orbit_append(job->ctx, &out->orbits, &out->count, &out->room, &orbit);
    if (status != FW_OK) fw_orbit_clear(&orbit);
    FW_TRY(status);
    const double own[] = {end.periods, end.distance};
    FW_TRY(fw_orbit_table_row(job, table, own, &orbit));
    out->periods = end.periods > out->periods ? end.periods : out->periods;
    out->distance = fmax(out->distance, end.distance);
    out->reached = in->wish.frequency;
    if (end.distance > in->wish.tolerance && !out->note[0])
      snprintf(out->note, sizeof out->note, "not steady after %d periods at %.6g Hz: %.1e from it, or not periodic",
               end.periods, orbit.frequency, end.distance);
    FW_TRY(look_for_resonance(job, out));
    fw_progress(job->ctx, job->id, (double)(i + 1) / wish->points);
  }
  return FW_OK;
}

fw_status fw_frf_time(fw_job *job, const fw_response_wish *wish, bool both, fw_response *out) {
  static const fw_column own[] = {{"periods", ""}, {"distance", ""}};
  fw_status status = FW_OK;
  integration in = {0};
  fw_state *state = NULL;
  fw_orbit_table table = {0};
  char name[64];
  *out = (fw_response){.wish = *wish, .peak = -1, .bandwidth = NAN, .truncation = NAN};
  out->wish.H = TIME_HARMONICS;
  snprintf(name, sizeof name, "frf-%g%s", wish->level, direction(wish, both));
  FW_TRY_DONE(integration_init(job, &in));
  in.wish.most = fw_args_integer(job->args, "periods-most");
  in.wish.tolerance = fw_args_number(job->args, "steady");
  FW_TRY_DONE(fw_job_begin(job, &state));
  FW_TRY_DONE(fw_job_loads(job, wish->level, state->load_factors));
  FW_TRY_DONE(fw_orbit_table_open(job, name, own, 2, TIME_HARMONICS, false, &table));
  status = step_through(job, &in, &table, state, out);
  fw_response_find_peak(out);
done:
  fw_orbit_table_close(&table);
  fw_state_destroy(&state);
  integration_clear(&in);
  return status;
}

/* ---- agreement ----------------------------------------------------------------------------- */

/* The figures compared: the response's first harmonic, then those of each pair. */
enum { PAIR_COMPARED = 4 };
static const struct {
  const char *name, *unit;
} compared[PAIR_COMPARED] = {{"normal_max", "N"}, {"tangential_max", "N"}, {"slip_amplitude", "m"}, {"work_rate", "W"}};

static void figures(const fw_model *model, const fw_orbit *orbit, int sensor, int H, double complex *to) {
  *to++ = orbit->sensors[sensor * (H + 1) + 1];
  for (int p = 0; p < model->pair_count; p++) {
    const fw_pair_orbit *pair = &orbit->pairs[p];
    *to++ = pair->N_max;
    *to++ = pair->T_max;
    *to++ = pair->slip_amplitude;
    *to++ = pair->work_rate;
  }
}

/* Table of one response: frequency, periods, distance, then per figure the two values and their difference. */
typedef struct comparison {
  int count; /* figures */
  double complex *balance, *time, *finer;
  double *row, *worst, *spread;
  bool within;
  fw_data_table *table;
  char note[160];
} comparison;

static const double LEFT = 0.1; /* relative difference of the first harmonic that is no longer one of accuracy */

static void comparison_clear(comparison *c) {
  free(c->balance);
  free(c->time);
  free(c->finer);
  free(c->row);
  free(c->worst);
  free(c->spread);
}

static fw_status comparison_init(fw_job *job, const fw_response *r, bool both, comparison *c) {
  const fw_model *model = job->model;
  static const char *const kinds[] = {"balance", "time", "difference", "spread"};
  size_t count = (size_t)(1 + PAIR_COMPARED * model->pair_count), columns = 3 + 4 * count;
  *c = (comparison){.count = (int)count, .within = true};
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->balance, &c->balance));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->time, &c->time));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->finer, &c->finer));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->worst, &c->worst));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->spread, &c->spread));
  FW_TRY(fw_alloc(job->ctx, columns, sizeof *c->row, &c->row));
  fw_column *list;
  char(*names)[128];
  FW_TRY(fw_alloc(job->ctx, columns, sizeof *list, &list));
  fw_status status = fw_alloc(job->ctx, columns, sizeof *names, &names);
  if (status == FW_OK) {
    list[0] = (fw_column){"frequency", "Hz"};
    list[1] = (fw_column){"periods", ""};
    list[2] = (fw_column){"distance", ""};
    for (int i = 0; i < c->count; i++)
      for (int k = 0; k < 4; k++) {
        int at = 3 + 4 * i + k, figure = (i - 1) % PAIR_COMPARED;
        const char *owner = i ? model->pairs[(i - 1) / PAIR_COMPARED]->id : model->sensors[r->wish.sensor].id;
        snprintf(names[at], sizeof *names, "%s.%s.%s", owner, i ? compared[figure].name : "amplitude", kinds[k]);
        list[at] = (fw_column){names[at], k >= 2 ? "" : i ? compared[figure].unit : ""};
      }
    char name[64];
    snprintf(name, sizeof name, "agreement-%g%s", r->wish.level, direction(&r->wish, both));
    status = fw_sink_table(job->sink, job->ctx, job->id, name, list, (int)columns, false, &c->table);
  }
  free(list);
  free(names);
  return status;
}

static double relative(double complex a, double complex b) {
  double size = fmax(cabs(a), cabs(b));
  return size > 0 ? cabs(a - b) / size : 0;
}

/* The orbit with twice as many harmonics and samples, a few more at a time, or as many as lead to a neighbour: H. Where
 * corners make the series converge as 1/H, what is left beyond 2 H is as large as what lies between H and 2 H. */
static fw_status refine_twice(fw_context *ctx, const fw_vibration *v, const fw_response *r, const fw_orbit *orbit,
                              fw_orbit *finer, int *H) {
  fw_response at = {.wish = r->wish};
  for (*H = r->wish.H; *H < 2 * r->wish.H;) {
    fw_orbit next;
    int more = *H + 4 < 2 * r->wish.H ? *H + 4 : 2 * r->wish.H;
    at.wish.samples = 2 * r->wish.samples;
    fw_status status =
        fw_response_neighbour(ctx, v, &at, at.wish.H == r->wish.H ? orbit : finer, more, at.wish.samples, &next);
    if (status > 0) return FW_OK;
    FW_TRY(status);
    fw_orbit_clear(finer);
    *finer = next;
    *H = at.wish.H = more;
  }
  return FW_OK;
}

static fw_status compare_at(fw_job *job, integration *in, const fw_frf *frf, const fw_response *r,
                            const fw_orbit *orbit, comparison *c) {
  fw_status status = FW_OK;
  fw_state *state = NULL;
  fw_orbit found = {0}, finer = {0};
  fw_time_end end;
  in->wish.frequency = orbit->frequency;
  FW_TRY_DONE(fw_frf_state_on(job->ctx, frf, r, orbit, 0, &state));
  FW_TRY_DONE(fw_time_orbit(&in->job, in->system, in->ops, &in->wish, state, &found, &end));
  figures(job->model, orbit, r->wish.sensor, r->wish.H, c->balance);
  figures(job->model, &found, r->wish.sensor, TIME_HARMONICS, c->time);
  int H = 0;
  FW_TRY_DONE(refine_twice(job->ctx, frf->vibration, r, orbit, &finer, &H));
  bool refined = H > r->wish.H;
  if (refined) figures(job->model, &finer, r->wish.sensor, H, c->finer);
  c->row[0] = orbit->frequency;
  c->row[1] = end.periods;
  c->row[2] = end.distance;
  for (int i = 0; i < c->count; i++) {
    double difference = relative(c->balance[i], c->time[i]);
    double spread = refined ? relative(c->balance[i], c->finer[i]) : INFINITY;
    c->row[3 + 4 * i] = cabs(c->balance[i]);
    c->row[4 + 4 * i] = cabs(c->time[i]);
    c->row[5 + 4 * i] = difference;
    c->row[6 + 4 * i] = spread;
    c->worst[i] = fmax(c->worst[i], difference);
    c->spread[i] = fmax(c->spread[i], spread);
    c->within = c->within && refined && difference <= fmax(0.01, 2 * spread);
  }
  if (c->row[5] > LEFT && !c->note[0])
    snprintf(
        c->note, sizeof c->note,
        "time integration leaves the orbit at %.6g Hz (first harmonic differs by %.2g): not stable or not periodic",
        orbit->frequency, c->row[5]);
  status = fw_sink_row(job->sink, job->ctx, c->table, c->row);
done:
  fw_state_destroy(&state);
  fw_orbit_clear(&found);
  fw_orbit_clear(&finer);
  return status;
}

/* The orbit nearest to a frequency; of several there the one with the largest response, for it is stable. */
static const fw_orbit *orbit_near(const fw_response *r, double frequency) {
  const fw_orbit *best = NULL;
  double least = INFINITY, grid = fabs(r->wish.f_to - r->wish.f_from) / r->wish.points;
  for (int i = 0; i < r->count; i++) least = fmin(least, fabs(r->orbits[i].frequency - frequency));
  for (int i = 0; i < r->count; i++) {
    const fw_orbit *o = &r->orbits[i];
    if (fabs(o->frequency - frequency) > least + 0.01 * grid) continue;
    if (!best || cabs(fw_response_compliance(&r->wish, o)) > cabs(fw_response_compliance(&r->wish, best))) best = o;
  }
  return best;
}

static fw_status record(fw_job *job, const comparison *c, int points, const char *prefix) {
  fw_record *to = job->summary;
  FW_TRY(fw_record_set_number(to, points, "%sagreement.points", prefix));
  FW_TRY(fw_record_set_number(to, c->within, "%sagreement.within", prefix));
  if (c->note[0]) FW_TRY(fw_record_set_text(to, c->note, "%sagreement.note", prefix));
  FW_TRY(fw_record_set_number(to, c->worst[0], "%sagreement.first_harmonic", prefix));
  FW_TRY(fw_record_set_number(to, c->spread[0], "%sagreement.spread.first_harmonic", prefix));
  for (int i = 1; i < c->count; i++) {
    const char *pair = job->model->pairs[(i - 1) / PAIR_COMPARED]->id, *name = compared[(i - 1) % PAIR_COMPARED].name;
    FW_TRY(fw_record_set_number(to, c->worst[i], "%sagreement.contact.%s.%s", prefix, pair, name));
    FW_TRY(fw_record_set_number(to, c->spread[i], "%sagreement.spread.contact.%s.%s", prefix, pair, name));
  }
  return FW_OK;
}

fw_status fw_frf_agreement(fw_job *job, const fw_frf *frf, const fw_response *r, bool both, const char *prefix) {
  fw_status status = FW_OK;
  int wanted = fw_args_integer(job->args, "check-points"), points = 0;
  const fw_orbit *middle = fw_frf_main(r), *last = NULL;
  if (!middle) return FW_OK; /* no orbits: nothing to compare */
  double width = isfinite(r->bandwidth) ? r->bandwidth : 0.1 * fabs(r->wish.f_to - r->wish.f_from);
  integration in = {0};
  comparison c = {0};
  FW_TRY_DONE(integration_init(job, &in));
  in.wish.most = in.wish.least;
  FW_TRY_DONE(comparison_init(job, r, both, &c));
  for (int i = 0; i < wanted; i++) {
    double off = wanted > 1 ? 2.0 * i / (wanted - 1) - 1 : 0;
    bool centre = 2 * i == wanted - 1;
    const fw_orbit *orbit = centre ? middle : orbit_near(r, middle->frequency + off * width);
    if (orbit == last || orbit->normal_least < 0) continue;
    last = orbit;
    points++;
    FW_TRY_DONE(compare_at(job, &in, frf, r, orbit, &c));
    fw_progress(job->ctx, job->id, (double)(i + 1) / wanted);
  }
  status = record(job, &c, points, prefix);
done:
  comparison_clear(&c);
  integration_clear(&in);
  return status;
}
