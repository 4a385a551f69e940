/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/frf/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "contact/pair.h"
#include "core/unknown.h"
#include "solver/hb/orbit_stability.h"

/* The figures compared: the response's first harmonic, then those of each pair. */
enum { PAIR_COMPARED = 4 }; /* the normal force first */
static const fw_contact_figure_index compared[PAIR_COMPARED] = {FW_NORMAL_MAX, FW_TANGENTIAL_MAX, FW_SLIP_AMPLITUDE,
                                                                FW_WORK_RATE};

static void figures(const fw_model *model, const fw_orbit *orbit, int sensor, int H, double complex *to) {
  *to++ = orbit->sensors[sensor * (H + 1) + 1];
  for (int p = 0; p < model->pair_count; p++)
    for (int k = 0; k < PAIR_COMPARED; k++) *to++ = orbit->pairs[p].at[compared[k]];
}

/* Columns of a row, those that each figure has from FIGURES on, and after them the phase of the response by the
 * methods. */
enum { FREQUENCY, PERIODS, STEPS, DISTANCE, FIGURES };
enum { BY_BALANCE, BY_TIME, BY_SHOOTING, DIFFERENCE, SPREAD, FROM_SHOOTING, COLUMNS };

/* What is known of one response. */
typedef struct comparison {
  int count; /* figures */
  double complex *balance, *time, *finer, *shot;
  double *worst, *spread, *from_shot;
  bool within;
  double complex multiplier; /* where it is not within: largest growth of a disturbance, */
  double ringing;            /* its frequency (Hz), NaN: none was looked for or grows; */
  double halved;             /* what half the time step changed in the first harmonic, at most; NaN: was not tried */
  double resonance;          /* Hz, by time integration; NaN: not found */
  fw_frf_shooter shooter;
  bool shooter_made, shoots; /* it does not where that would take several times as long as all else */
  int shot_points;           /* motions that shooting found */
  double growth;             /* largest multiplier of these; NaN: none */
  fw_sheet sheet;            /* rows are written in place */
  char note[256];
} comparison;

enum { MORE = 4 };                 /* harmonics */
static const double LEFT = 0.1;    /* relative difference of the first harmonic that is no longer one of accuracy */
static const double BESIDE = 1e-3; /* relative distance of the second frequency from the resonance */

static void comparison_clear(comparison *c) {
  free(c->balance);
  free(c->time);
  free(c->finer);
  fw_sheet_close(&c->sheet);
  free(c->worst);
  free(c->spread);
  free(c->shot);
  free(c->from_shot);
  if (c->shooter_made) fw_frf_shooter_clear(&c->shooter);
}

static fw_status open_table(fw_job *job, const fw_response *r, bool both, comparison *c) {
  static const char *const kinds[COLUMNS] = {"balance",    "time",   "shooting",
                                             "difference", "spread", "shooting-difference"};
  const fw_model *model = job->model;
  const fw_sensor *sensor = &model->sensors[r->options.sensor];
  c->sheet = fw_sheet_of(job->ctx, job->sink, job->id);
  fw_sheet_column(&c->sheet, "Hz", "frequency");
  fw_sheet_column(&c->sheet, "", "periods");
  fw_sheet_column(&c->sheet, "", "steps");
  fw_sheet_column(&c->sheet, "", "distance");
  for (int i = 0; i < c->count; i++) {
    const fw_contact_figure *figure = i ? &fw_contact_figures[compared[(i - 1) % PAIR_COMPARED]] : NULL;
    const char *owner = i ? model->pairs[(i - 1) / PAIR_COMPARED]->id : sensor->id;
    const char *unit = figure ? figure->unit : fw_sensor_unit(sensor);
    for (int k = 0; k < COLUMNS; k++)
      fw_sheet_column(&c->sheet, k < DIFFERENCE ? unit : "", "%s.%s.%s", owner, figure ? figure->name : "amplitude",
                      kinds[k]);
  }
  for (int k = 0; k < DIFFERENCE; k++) fw_sheet_column(&c->sheet, "deg", "%s.phase.%s", sensor->id, kinds[k]);
  return fw_sheet_open(&c->sheet, "agreement-%g%s", r->options.level, fw_frf_direction(&r->options, both));
}

static fw_status comparison_init(fw_job *job, const fw_response *r, bool both, comparison *c) {
  size_t count = (size_t)(1 + PAIR_COMPARED * job->model->pair_count);
  *c = (comparison){.count = (int)count,
                    .within = true,
                    .multiplier = fw_unknown(),
                    .ringing = fw_unknown(),
                    .halved = fw_unknown(),
                    .resonance = fw_unknown(),
                    .growth = fw_unknown()};
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->balance, &c->balance));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->time, &c->time));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->finer, &c->finer));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->shot, &c->shot));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->worst, &c->worst));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->from_shot, &c->from_shot));
  FW_TRY(fw_alloc(job->ctx, count, sizeof *c->spread, &c->spread));
  FW_TRY(open_table(job, r, both, c));
  c->shooter_made = true;
  FW_TRY(fw_frf_shooter_init(job, &r->options, FW_TIME_HARMONICS, &c->shooter));
  c->shoots = fw_shooting_is_cheap(&c->shooter.s);
  return FW_OK;
}

/* What two methods differ by over the larger; 0 where both are below `nothing`. */
static double relative(double complex a, double complex b, double nothing) {
  double size = fmax(cabs(a), cabs(b));
  return size > nothing ? cabs(a - b) / size : 0;
}

/* What rounding leaves of figure i where the contact sticks: no two methods agree on it. */
static double rounding_of(const comparison *c, int i) {
  if (i == 0) return 0;
  int k = (i - 1) % PAIR_COMPARED;
  if (compared[k] == FW_SLIP_AMPLITUDE) return FW_SLIP_ROUNDING;
  return compared[k] == FW_WORK_RATE ? FW_SLIP_RATE_ROUNDING * fmax(cabs(c->balance[i - k]), 1) : 0;
}

/* ---- one orbit ------------------------------------------------------------------------------ */

/* An orbit, and what more harmonics and time integration make of it. */
typedef struct encounter {
  fw_job *job;
  fw_frf_integration *in;
  const fw_frf *frf;
  const fw_response *r;
  const fw_orbit *orbit;
  fw_orbit finer; /* with H harmonics */
  int H;
  fw_orbit found;  /* in time, */
  fw_state *state; /* where it ended */
  fw_time_end end;
} encounter;

static void encounter_clear(encounter *e) {
  fw_orbit_clear(&e->finer);
  fw_orbit_clear(&e->found);
  fw_state_destroy(&e->state);
}

static fw_status integrate(encounter *e) {
  fw_orbit_clear(&e->found);
  fw_state_destroy(&e->state);
  e->in->options.frequency = e->orbit->frequency;
  FW_TRY(fw_frf_state_on(e->job->ctx, e->frf, e->r, e->orbit, 0, &e->state));
  FW_TRY(fw_time_orbit(&e->in->job, e->in->system, e->in->ops, &e->in->options, e->state, &e->found, &e->end));
  e->found.level = e->orbit->level;
  return FW_OK;
}

/* The orbit with twice as many harmonics and samples, a few more at a time (more of them where so few lead nowhere), or
 * as many as lead to a neighbour: H. Where corners make the series converge as 1/H, what is left beyond 2 H is as large
 * as what lies between H and 2 H. */
static fw_status refine_twice(encounter *e) {
  fw_response at = {.options = e->r->options};
  int first = e->r->options.H, twice = 2 * first;
  at.options.samples = 2 * e->r->options.samples;
  e->H = first;
  for (int more = MORE; e->H < twice && more <= 4 * MORE;) {
    fw_orbit next;
    int wanted = e->H + more < twice ? e->H + more : twice;
    const fw_orbit *from = e->H == first ? e->orbit : &e->finer;
    fw_status status =
        fw_response_neighbour(e->job->ctx, e->frf->vibration, &at, from, wanted, at.options.samples, &next);
    if (status < 0) return status;
    if (status > 0) {
      more += MORE;
      continue;
    }
    fw_orbit_clear(&e->finer);
    e->finer = next;
    e->H = at.options.H = wanted;
    more = MORE;
  }
  return FW_OK;
}

static double *figure_of(const comparison *c, int i) { return c->sheet.row + FIGURES + COLUMNS * i; }

/* Fills the row. False if a figure differs by more than it may. */
static bool fill_row(const encounter *e, comparison *c) {
  const fw_response_options *options = &e->r->options;
  bool refined = e->H > options->H, within = true;
  double as_twice =
      refined ? 0.5 / (1 - (double)options->H / e->H) : 1; /* what 1/H makes of fewer than twice as many */
  figures(e->job->model, e->orbit, options->sensor, options->H, c->balance);
  figures(e->job->model, &e->found, options->sensor, FW_TIME_HARMONICS, c->time);
  if (refined) figures(e->job->model, &e->finer, options->sensor, e->H, c->finer);
  c->sheet.row[FREQUENCY] = e->orbit->frequency;
  c->sheet.row[PERIODS] = e->end.periods;
  c->sheet.row[STEPS] = e->in->options.steps;
  c->sheet.row[DISTANCE] = isfinite(e->end.distance) ? e->end.distance : fw_unknown();
  for (int i = 0; i < c->count; i++) {
    double *cell = figure_of(c, i), nothing = rounding_of(c, i);
    cell[BY_BALANCE] = cabs(c->balance[i]);
    cell[BY_TIME] = cabs(c->time[i]);
    cell[DIFFERENCE] = relative(c->balance[i], c->time[i], nothing);
    cell[SPREAD] = refined ? as_twice * relative(c->balance[i], c->finer[i], nothing) : INFINITY;
    within = within && refined && cell[DIFFERENCE] <= fmax(0.01, 2 * cell[SPREAD]);
  }
  double *phase = figure_of(c, c->count);
  phase[BY_BALANCE] = carg(c->balance[0]) * 180 / M_PI;
  phase[BY_TIME] = carg(c->time[0]) * 180 / M_PI;
  return within;
}

static void remember_worst(comparison *c, bool within) {
  c->within = c->within && within;
  for (int i = 0; i < c->count; i++) {
    c->worst[i] = fmax(c->worst[i], figure_of(c, i)[DIFFERENCE]);
    c->spread[i] = fmax(c->spread[i], figure_of(c, i)[SPREAD]);
  }
}

/* ---- by shooting ---------------------------------------------------------------------------- */

static void fill_shot(const encounter *e, const fw_orbit *shot, comparison *c) {
  double *phase = figure_of(c, c->count);
  if (shot) figures(e->job->model, shot, e->r->options.sensor, FW_TIME_HARMONICS, c->shot);
  for (int i = 0; i < c->count; i++) {
    double *cell = figure_of(c, i);
    cell[BY_SHOOTING] = shot ? cabs(c->shot[i]) : fw_unknown();
    cell[FROM_SHOOTING] = shot ? relative(c->balance[i], c->shot[i], rounding_of(c, i)) : fw_unknown();
    if (shot) c->from_shot[i] = fmax(c->from_shot[i], cell[FROM_SHOOTING]);
  }
  phase[BY_SHOOTING] = shot ? carg(c->shot[0]) * 180 / M_PI : fw_unknown();
}

/* The motion that the steps of the deck repeat near the orbit, stable or not, if they do. */
static fw_status shoot(encounter *e, comparison *c) {
  fw_orbit shot;
  fw_state *near = NULL;
  fw_status status = FW_RECOVER_DIVERGED;
  if (c->shoots) {
    FW_TRY(fw_frf_state_on(e->job->ctx, e->frf, e->r, e->orbit, 0, &near));
    near->time = 0;
    status = fw_frf_shooter_at(&c->shooter, e->orbit->frequency, near, &shot);
    fw_state_destroy(&near);
  }
  if (status < 0) return status;
  fill_shot(e, status == FW_OK ? &shot : NULL, c);
  if (status > 0) return FW_OK;
  c->shot_points++;
  c->growth = fmax(c->growth, cabs(shot.multiplier));
  fw_orbit_clear(&shot);
  return FW_OK;
}

/* ---- why they differ ------------------------------------------------------------------------ */

static void note_growth(const encounter *e, const fw_floquet *stability, comparison *c) {
  if (!isnan(c->ringing) && cabs(stability->multipliers[0]) <= cabs(c->multiplier)) return;
  c->multiplier = stability->multipliers[0];
  c->ringing = stability->frequency;
  char growth[64] = "a million times and more";
  if (cabs(c->multiplier) < 1e6) snprintf(growth, sizeof growth, "by a factor of %.3g", cabs(c->multiplier));
  snprintf(c->note, sizeof c->note,
           "time integration leaves the orbit at %.6g Hz, which is not stable: disturbances grow %s in a period, at "
           "about %.2g Hz; more damping there may keep it",
           e->orbit->frequency, growth, c->ringing);
}

static void note_difference(const encounter *e, comparison *c) {
  const double *first = figure_of(c, 0);
  if (c->note[0]) return;
  snprintf(c->note, sizeof c->note,
           "at %.6g Hz the first harmonic differs by %.2g; half the time step changed it by %.2g, twice the harmonics "
           "change it by %.2g%s",
           e->orbit->frequency, first[DIFFERENCE], c->halved, first[SPREAD],
           first[DIFFERENCE] > LEFT ? ": the motion may not be stable or not periodic" : "");
}

/* Time integration that does not get through is a finding, not a failure of the analysis. */
static void note_failure(const encounter *e, comparison *c) {
  c->within = false;
  for (int i = 0; i < c->count; i++) c->worst[i] = c->spread[i] = INFINITY;
  snprintf(c->note, sizeof c->note, "time integration from the orbit at %.6g Hz: %s", e->orbit->frequency,
           fw_context_message(e->job->ctx));
}

/* The two methods differ: the motion does not last, or else the time step may be too long and is halved, which fills
 * the row anew. */
static fw_status look_closer(encounter *e, comparison *c, bool *within) {
  fw_floquet stability;
  FW_TRY(fw_far_modes(e->job->ctx, e->frf->vibration, e->r, e->orbit, &stability));
  bool lasts = !stability.growing;
  if (!lasts) note_growth(e, &stability, c);
  fw_floquet_clear(&stability);
  if (!lasts) return FW_OK;
  double complex before = c->time[0];
  e->in->options.steps *= 2;
  FW_TRY(integrate(e));
  *within = fill_row(e, c);
  double change = relative(before, c->time[0], 0);
  if (!(change <= c->halved)) c->halved = change;
  if (!*within) note_difference(e, c);
  return FW_OK;
}

/* ---- comparison ----------------------------------------------------------------------------- */

/* Phase beyond the wished one, or beyond its opposite if that is nearer (rad). */
static double phase_error(const fw_response_options *options, const fw_orbit *orbit) {
  double complex turned = fw_response_compliance(options, orbit) * cexp(-I * options->phase);
  return carg(options->either && creal(turned) < 0 ? -turned : turned);
}

/* The resonance in time, by a second frequency on the side where the phase says it is. */
static fw_status find_resonance(encounter *e, comparison *c) {
  fw_frf_integration *in = e->in;
  fw_response_options options = e->r->options;
  fw_orbit beside;
  fw_time_end end;
  options.H = FW_TIME_HARMONICS;
  double before = phase_error(&options, &e->found), away = copysign(BESIDE * e->found.frequency, before);
  in->options.frequency = e->found.frequency + away;
  FW_TRY(fw_time_orbit(&in->job, in->system, in->ops, &in->options, e->state, &beside, &end));
  beside.level = e->found.level;
  double after = phase_error(&options, &beside);
  if (after != before) c->resonance = e->found.frequency + away * before / (before - after);
  fw_orbit_clear(&beside);
  return FW_OK;
}

static fw_status judge(encounter *e, comparison *c) {
  FW_TRY(integrate(e));
  FW_TRY(refine_twice(e));
  bool within = fill_row(e, c);
  if (!within) FW_TRY(look_closer(e, c, &within));
  FW_TRY(shoot(e, c));
  remember_worst(c, within);
  const double *first = figure_of(c, 0);
  bool close = first[DIFFERENCE] <= fmax(LEFT, 2 * first[SPREAD]);
  if (close && e->r->resonance_count && e->orbit == fw_frf_main(e->r)) FW_TRY(find_resonance(e, c));
  for (int i = 0; i < c->count; i++)
    if (!isfinite(figure_of(c, i)[SPREAD])) figure_of(c, i)[SPREAD] = fw_unknown();
  return fw_sheet_row(&c->sheet);
}

static fw_status compare_at(fw_job *job, fw_frf_integration *in, const fw_frf *frf, const fw_response *r,
                            const fw_orbit *orbit, comparison *c) {
  encounter e = {.job = job, .in = in, .frf = frf, .r = r, .orbit = orbit};
  int steps = in->options.steps;
  fw_status status = judge(&e, c);
  in->options.steps = steps;
  if (status == FW_ERR_ANALYSIS) {
    note_failure(&e, c);
    status = FW_OK;
  }
  encounter_clear(&e);
  return status;
}

/* The orbit nearest to a frequency; of several there the one with the largest response, for it is stable. */
static const fw_orbit *orbit_near(const fw_response *r, double frequency) {
  const fw_orbit *best = NULL;
  double least = INFINITY, grid = fabs(r->options.f_to - r->options.f_from) / r->options.points;
  for (int i = 0; i < r->count; i++) least = fmin(least, fabs(r->orbits[i].frequency - frequency));
  for (int i = 0; i < r->count; i++) {
    const fw_orbit *o = &r->orbits[i];
    if (fabs(o->frequency - frequency) > least + 0.01 * grid) continue;
    if (!best || cabs(fw_response_compliance(&r->options, o)) > cabs(fw_response_compliance(&r->options, best)))
      best = o;
  }
  return best;
}

/* The findings that there may be or not. */
static fw_status record_findings(fw_record *to, const fw_response *r, const comparison *c, const char *prefix) {
  if (c->note[0]) FW_TRY(fw_record_set_text(to, c->note, "%sagreement.note", prefix));
  if (!isnan(c->ringing)) {
    FW_TRY(fw_record_set_number(to, cabs(c->multiplier), "%sagreement.multiplier", prefix));
    FW_TRY(fw_record_set_figure(to, c->ringing, "Hz", "%sagreement.multiplier_frequency", prefix));
  }
  if (!isnan(c->halved)) FW_TRY(fw_record_set_number(to, c->halved, "%sagreement.half_step", prefix));
  if (isnan(c->resonance)) return FW_OK;
  FW_TRY(fw_record_set_figure(to, c->resonance, "Hz", "%sagreement.resonance.time", prefix));
  double difference = c->resonance / fw_frf_main(r)->frequency - 1;
  return fw_record_set_number(to, fabs(difference), "%sagreement.resonance.difference", prefix);
}

/* The largest difference of a figure and its spread over harmonics, where there is one: time integration that does not
 * get through, or harmonics that cannot be more, leave none. */
static fw_status record_worst(fw_record *to, const comparison *c, int i, const char *prefix, const char *figure) {
  if (isfinite(c->worst[i])) FW_TRY(fw_record_set_figure(to, c->worst[i], "", "%sagreement.%s", prefix, figure));
  if (!isfinite(c->spread[i])) return FW_OK;
  return fw_record_set_figure(to, c->spread[i], "", "%sagreement.spread.%s", prefix, figure);
}

static fw_status record_shooting(fw_record *to, const comparison *c, const char *prefix) {
  if (!c->shoots)
    return fw_record_set_text(to, "left out: the model is large, and none of it or too little can be reduced",
                              "%sagreement.shooting.note", prefix);
  FW_TRY(fw_record_set_number(to, c->shot_points, "%sagreement.shooting.points", prefix));
  if (!c->shot_points) return FW_OK;
  FW_TRY(fw_record_set_number(to, c->from_shot[0], "%sagreement.shooting.first_harmonic", prefix));
  return fw_record_set_number(to, c->growth, "%sagreement.shooting.multiplier", prefix);
}

static fw_status record(fw_job *job, const fw_response *r, const comparison *c, int points, const char *prefix) {
  fw_record *to = job->summary;
  FW_TRY(fw_record_set_number(to, points, "%sagreement.points", prefix));
  FW_TRY(fw_record_set_number(to, c->within, "%sagreement.within", prefix));
  FW_TRY(record_findings(to, r, c, prefix));
  FW_TRY(record_shooting(to, c, prefix));
  FW_TRY(record_worst(to, c, 0, prefix, "first_harmonic"));
  for (int i = 1; i < c->count; i++) {
    char figure[160];
    snprintf(figure, sizeof figure, "contact.%s.%s", job->model->pairs[(i - 1) / PAIR_COMPARED]->id,
             fw_contact_figures[compared[(i - 1) % PAIR_COMPARED]].name);
    FW_TRY(record_worst(to, c, i, prefix, figure));
  }
  return FW_OK;
}

fw_status fw_frf_agreement(fw_job *job, const fw_frf *frf, const fw_response *r, bool both, const char *prefix) {
  fw_status status = FW_OK;
  int wanted = fw_args_integer(job->args, "check-points"), points = 0;
  const fw_orbit *middle = fw_frf_main(r), *last = NULL;
  if (!middle) return FW_OK; /* no orbits: nothing to compare */
  double width = isfinite(r->bandwidth) ? r->bandwidth : 0.1 * fabs(r->options.f_to - r->options.f_from);
  fw_frf_integration in = {0};
  comparison c = {0};
  FW_TRY_DONE(fw_frf_integration_init(job, &in));
  in.options.most = in.options.least;
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
