/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/frf_agreement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "contact/pair.h"
#include "solver/frf_integration.h"
#include "solver/hb/far_modes.h"

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
  double complex multiplier; /* where it is not within: largest growth of a disturbance, */
  double ringing;            /* its frequency (Hz), NaN: none was looked for or grows; */
  double halved;             /* and what half the time step changes in the first harmonic, NaN: was not tried */
  double resonance;          /* Hz, by time integration; NaN: not found */
  fw_data_table *table;
  char note[256];
} comparison;

enum { MORE = 4 };                 /* harmonics */
static const double LEFT = 0.1;    /* relative difference of the first harmonic that is no longer one of accuracy */
static const double BESIDE = 1e-3; /* relative distance of the second frequency from the resonance */

static void comparison_clear(comparison *c) {
  free(c->balance);
  free(c->time);
  free(c->finer);
  free(c->row);
  free(c->worst);
  free(c->spread);
}

/* Columns of the table; `names`: room for those made here. */
static void name_columns(const fw_model *model, const fw_response *r, int count, char (*names)[128], fw_column *list) {
  static const char *const kinds[] = {"balance", "time", "difference", "spread"};
  list[0] = (fw_column){"frequency", "Hz"};
  list[1] = (fw_column){"periods", ""};
  list[2] = (fw_column){"distance", ""};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 4; k++) {
      int at = 3 + 4 * i + k, figure = (i - 1) % PAIR_COMPARED;
      const char *owner = i ? model->pairs[(i - 1) / PAIR_COMPARED]->id : model->sensors[r->wish.sensor].id;
      snprintf(names[at], sizeof *names, "%s.%s.%s", owner, i ? compared[figure].name : "amplitude", kinds[k]);
      list[at] = (fw_column){names[at], k >= 2 ? "" : i ? compared[figure].unit : ""};
    }
}

static fw_status open_table(fw_job *job, const fw_response *r, bool both, size_t columns, comparison *c) {
  fw_status status = FW_OK;
  fw_column *list = NULL;
  char(*names)[128] = NULL, name[64];
  FW_TRY_DONE(fw_alloc(job->ctx, columns, sizeof *list, &list));
  FW_TRY_DONE(fw_alloc(job->ctx, columns, sizeof *names, &names));
  name_columns(job->model, r, c->count, names, list);
  snprintf(name, sizeof name, "agreement-%g%s", r->wish.level, fw_frf_direction(&r->wish, both));
  status = fw_sink_table(job->sink, job->ctx, job->id, name, list, (int)columns, false, &c->table);
done:
  free(list);
  free(names);
  return status;
}

static fw_status comparison_init(fw_job *job, const fw_response *r, bool both, comparison *c) {
  size_t count = (size_t)(1 + PAIR_COMPARED * job->model->pair_count), columns = 3 + 4 * count;
  *c = (comparison){
      .count = (int)count, .within = true, .multiplier = NAN, .ringing = NAN, .halved = NAN, .resonance = NAN};
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->balance, &c->balance));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->time, &c->time));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->finer, &c->finer));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->worst, &c->worst));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->spread, &c->spread));
  FW_TRY(fw_alloc(job->ctx, columns, sizeof *c->row, &c->row));
  return open_table(job, r, both, columns, c);
}

static double relative(double complex a, double complex b) {
  double size = fmax(cabs(a), cabs(b));
  return size > 0 ? cabs(a - b) / size : 0;
}

/* The orbit with twice as many harmonics and samples, a few more at a time (more of them where so few lead nowhere), or
 * as many as lead to a neighbour: H. Where corners make the series converge as 1/H, what is left beyond 2 H is as large
 * as what lies between H and 2 H. */
static fw_status refine_twice(fw_context *ctx, const fw_vibration *v, const fw_response *r, const fw_orbit *orbit,
                              fw_orbit *finer, int *H) {
  fw_response at = {.wish = r->wish};
  int twice = 2 * r->wish.H;
  *H = r->wish.H;
  for (int more = MORE; *H < twice && more <= 4 * MORE;) {
    fw_orbit next;
    int wanted = *H + more < twice ? *H + more : twice;
    at.wish.samples = 2 * r->wish.samples;
    fw_status status =
        fw_response_neighbour(ctx, v, &at, at.wish.H == r->wish.H ? orbit : finer, wanted, at.wish.samples, &next);
    if (status < 0) return status;
    if (status > 0) {
      more += MORE;
      continue;
    }
    fw_orbit_clear(finer);
    *finer = next;
    *H = at.wish.H = wanted;
    more = MORE;
  }
  return FW_OK;
}

/* ---- why they differ ------------------------------------------------------------------------ */

static fw_status integrate_from(fw_job *job, fw_frf_integration *in, const fw_frf *frf, const fw_response *r,
                                const fw_orbit *orbit, fw_state **state, fw_orbit *found, fw_time_end *end) {
  in->wish.frequency = orbit->frequency;
  FW_TRY(fw_frf_state_on(job->ctx, frf, r, orbit, 0, state));
  FW_TRY(fw_time_orbit(&in->job, in->system, in->ops, &in->wish, *state, found, end));
  found->level = orbit->level;
  return FW_OK;
}

/* The first harmonic once more, with half the time step. */
static fw_status halve_steps(fw_job *job, fw_frf_integration *in, const fw_frf *frf, const fw_response *r,
                             const fw_orbit *orbit, comparison *c) {
  fw_state *state = NULL;
  fw_orbit found = {0};
  fw_time_end end;
  in->wish.steps *= 2;
  fw_status status = integrate_from(job, in, frf, r, orbit, &state, &found, &end);
  in->wish.steps /= 2;
  if (status == FW_OK) {
    double complex finer = found.sensors[r->wish.sensor * (FW_TIME_HARMONICS + 1) + 1];
    c->halved = relative(c->time[0], finer);
    snprintf(
        c->note, sizeof c->note,
        "at %.6g Hz the first harmonic differs by %.2g; %.2g of it is changed by half the time step, %.2g by twice "
        "the harmonics%s",
        orbit->frequency, c->row[5], c->halved, c->row[6],
        c->row[5] > LEFT ? ": the motion may not be stable or not periodic" : "");
  }
  fw_orbit_clear(&found);
  fw_state_destroy(&state);
  return status;
}

/* Time integration that does not get through is a finding, not a failure of the analysis. */
static void note_failure(fw_job *job, const fw_orbit *orbit, comparison *c) {
  c->within = false;
  for (int i = 0; i < c->count; i++) c->worst[i] = c->spread[i] = INFINITY;
  snprintf(c->note, sizeof c->note, "time integration from the orbit at %.6g Hz: %s", orbit->frequency,
           fw_context_message(job->ctx));
}

/* A motion that does not last, or steps too long: the note says which. */
static fw_status explain(fw_job *job, fw_frf_integration *in, const fw_frf *frf, const fw_response *r,
                         const fw_orbit *orbit, comparison *c) {
  fw_stability stability;
  FW_TRY(fw_far_modes(job->ctx, frf->vibration, r, orbit, &stability));
  fw_status status = FW_OK;
  if (stability.growing && (isnan(c->ringing) || cabs(stability.multipliers[0]) > cabs(c->multiplier))) {
    c->multiplier = stability.multipliers[0];
    c->ringing = stability.frequency;
    char growth[64] = "a million times and more";
    if (cabs(c->multiplier) < 1e6) snprintf(growth, sizeof growth, "by a factor of %.3g", cabs(c->multiplier));
    snprintf(c->note, sizeof c->note,
             "time integration leaves the orbit at %.6g Hz, which is not stable: disturbances grow %s in a period, at "
             "about %.2g Hz; more damping there may keep it",
             orbit->frequency, growth, c->ringing);
  } else if (!stability.growing && !c->note[0]) {
    status = halve_steps(job, in, frf, r, orbit, c);
  }
  fw_stability_clear(&stability);
  return status;
}

/* ---- one orbit ------------------------------------------------------------------------------ */

/* Phase beyond the wished one (rad). */
static double phase_error(const fw_response_wish *wish, const fw_orbit *orbit) {
  return carg(fw_response_compliance(wish, orbit) * cexp(-I * wish->phase));
}

/* The resonance in time, by a second frequency on the side where the phase says it is. */
static fw_status find_resonance(fw_frf_integration *in, const fw_response *r, const fw_orbit *found, fw_state *state,
                                comparison *c) {
  fw_response_wish wish = r->wish;
  fw_orbit beside;
  fw_time_end end;
  wish.H = FW_TIME_HARMONICS;
  double before = phase_error(&wish, found), away = copysign(BESIDE * found->frequency, before);
  in->wish.frequency = found->frequency + away;
  FW_TRY(fw_time_orbit(&in->job, in->system, in->ops, &in->wish, state, &beside, &end));
  beside.level = found->level;
  double after = phase_error(&wish, &beside);
  if (after != before) c->resonance = found->frequency + away * before / (before - after);
  fw_orbit_clear(&beside);
  return FW_OK;
}

/* Takes the figures of the orbit, of the one found in time and, refined to H harmonics, of the finer one; fills the row
 * and the worst so far. False if a figure differs by more than it may. */
static bool take_figures(const fw_model *model, const fw_response *r, const fw_orbit *orbit, const fw_orbit *found,
                         const fw_orbit *finer, int H, comparison *c) {
  bool refined = H > r->wish.H, within = true;
  double as_twice = refined ? 0.5 / (1 - (double)r->wish.H / H) : 1; /* what 1/H makes of fewer than twice as many */
  figures(model, orbit, r->wish.sensor, r->wish.H, c->balance);
  figures(model, found, r->wish.sensor, FW_TIME_HARMONICS, c->time);
  if (refined) figures(model, finer, r->wish.sensor, H, c->finer);
  for (int i = 0; i < c->count; i++) {
    double difference = relative(c->balance[i], c->time[i]);
    double spread = refined ? as_twice * relative(c->balance[i], c->finer[i]) : INFINITY;
    double *cell = c->row + 3 + 4 * i;
    cell[0] = cabs(c->balance[i]);
    cell[1] = cabs(c->time[i]);
    cell[2] = difference;
    cell[3] = spread;
    c->worst[i] = fmax(c->worst[i], difference);
    c->spread[i] = fmax(c->spread[i], spread);
    within = within && refined && difference <= fmax(0.01, 2 * spread);
  }
  return within;
}

/* Compares the orbit with the one `found` in time, which ended in `state`; says why they differ, and finds the
 * resonance in time if this is it. */
static fw_status judge(fw_job *job, fw_frf_integration *in, const fw_frf *frf, const fw_response *r,
                       const fw_orbit *orbit, const fw_orbit *found, fw_state *state, comparison *c) {
  fw_orbit finer = {0};
  int H = 0;
  fw_status status = refine_twice(job->ctx, frf->vibration, r, orbit, &finer, &H);
  bool within = status == FW_OK && take_figures(job->model, r, orbit, found, &finer, H, c);
  fw_orbit_clear(&finer);
  FW_TRY(status);
  c->within = c->within && within;
  if (!within) FW_TRY(explain(job, in, frf, r, orbit, c));
  bool resonance = r->resonance_count && orbit == fw_frf_main(r) && c->row[5] <= fmax(LEFT, 2 * c->row[6]);
  return resonance ? find_resonance(in, r, found, state, c) : FW_OK;
}

static fw_status compare_at(fw_job *job, fw_frf_integration *in, const fw_frf *frf, const fw_response *r,
                            const fw_orbit *orbit, comparison *c) {
  fw_state *state = NULL;
  fw_orbit found = {0};
  fw_time_end end;
  fw_status status = integrate_from(job, in, frf, r, orbit, &state, &found, &end);
  if (status == FW_OK) {
    c->row[0] = orbit->frequency;
    c->row[1] = end.periods;
    c->row[2] = end.distance;
    status = judge(job, in, frf, r, orbit, &found, state, c);
    if (status == FW_OK) status = fw_sink_row(job->sink, job->ctx, c->table, c->row);
  } else if (status == FW_ERR_ANALYSIS) {
    note_failure(job, orbit, c);
    status = FW_OK;
  }
  fw_state_destroy(&state);
  fw_orbit_clear(&found);
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

/* The findings that there may be or not. */
static fw_status record_findings(fw_record *to, const fw_response *r, const comparison *c, const char *prefix) {
  if (c->note[0]) FW_TRY(fw_record_set_text(to, c->note, "%sagreement.note", prefix));
  if (!isnan(c->ringing)) {
    FW_TRY(fw_record_set_number(to, cabs(c->multiplier), "%sagreement.multiplier", prefix));
    FW_TRY(fw_record_set_number(to, c->ringing, "%sagreement.multiplier_frequency", prefix));
  }
  if (!isnan(c->halved)) FW_TRY(fw_record_set_number(to, c->halved, "%sagreement.half_step", prefix));
  if (isnan(c->resonance)) return FW_OK;
  FW_TRY(fw_record_set_number(to, c->resonance, "%sagreement.resonance.time", prefix));
  double difference = c->resonance / fw_frf_main(r)->frequency - 1;
  return fw_record_set_number(to, fabs(difference), "%sagreement.resonance.difference", prefix);
}

static fw_status record(fw_job *job, const fw_response *r, const comparison *c, int points, const char *prefix) {
  fw_record *to = job->summary;
  FW_TRY(fw_record_set_number(to, points, "%sagreement.points", prefix));
  FW_TRY(fw_record_set_number(to, c->within, "%sagreement.within", prefix));
  FW_TRY(record_findings(to, r, c, prefix));
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
  fw_frf_integration in = {0};
  comparison c = {0};
  FW_TRY_DONE(fw_frf_integration_init(job, &in));
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
  status = record(job, r, &c, points, prefix);
done:
  comparison_clear(&c);
  fw_frf_integration_clear(&in);
  return status;
}
