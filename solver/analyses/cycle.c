/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limit cycles by shooting, followed while the speed of what joints move changes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/load.h"
#include "elements/joint.h"
#include "solver/analyses/multiplier_table.h"
#include "solver/analyses/orbit_table.h"
#include "solver/analyses/shot_orbit.h"
#include "solver/shooting/cycle.h"

static const fw_param cycle_params[] = {
    {"response", FW_PARAM_REF, "", NULL, 0, 0, "sensor", "sensor whose extremes and amplitude are told"},
    {"frequency", FW_PARAM_NUMBER, "Hz", NULL, 1e-9, 1e9, NULL,
     "about that of the cycle, within a factor of ten: until it is known, steps are its period over `steps`"},
    {"speed-to", FW_PARAM_NUMBER, "", "", 1e-6, 1e6, NULL,
     "factor of the velocities of all prescribed motions up to which the cycle is followed, from those of the deck (1) "
     "on; absent: it is not followed"},
    {"points", FW_PARAM_INTEGER, "", "50", 2, 100000, NULL, "points of the grid of speeds; bends add their own"},
    {"steps", FW_PARAM_INTEGER, "", "400", 8, 1000000, NULL, "steps of a period"},
    {"periods-most", FW_PARAM_INTEGER, "", "1000", 10, 100000000, NULL,
     "periods of time integration before the first cycle is given up"},
    {0}};

static const double NEWTON = 1e-8;   /* last step */
static const double VANISHES = 0.02; /* of the largest amplitude: where the curve ends */
enum { HARMONICS = 10 };             /* of the sensors */
enum { POINTS_PER_POINT = 30 };      /* the curve may take this many points per point of the grid */

/* What the curve is made of. */
typedef struct course {
  fw_job *job;
  fw_cycle cycle;
  fw_state *rest;
  fw_time_orbit_options options;
  fw_orbit_table table;
  fw_sheet multipliers;
  fw_orbit *orbits;
  int count, room;
  double lowest, highest; /* of the response in the cycle last measured, */
  double extremes[2];     /* and in the first */
  double largest;         /* amplitude so far */
  bool vanishes;          /* the curve has ended there, */
  bool rattles;           /* or where it goes to and fro */
  int iterations;
  fw_linear_range range;
  fw_state *first; /* at the beginning of the first cycle */
} course;

/* ---- one cycle --------------------------------------------------------------------------------- */

typedef struct watch {
  course *c;
  fw_orbit_recorder recorder;
} watch;

static void see(void *user, const fw_state *state, const fw_energy *energy) {
  watch *w = user;
  course *c = w->c;
  fw_orbit_recorder *r = &w->recorder;
  bool begins = r->steps < 0;
  double reading = fw_orbit_recorder_reading(r, state, c->options.sensor);
  c->lowest = begins ? reading : fmin(c->lowest, reading);
  c->highest = begins ? reading : fmax(c->highest, reading);
  if (begins)
    fw_orbit_recorder_begin(r, state, energy);
  else
    fw_orbit_recorder_step(r, state, energy);
  if (r->steps == c->options.steps) fw_orbit_recorder_end(r, energy);
}

/* Figures of the cycle that begins with y. */
static fw_status measure(course *c, const double *y, fw_orbit *orbit) {
  fw_shooting *s = &c->cycle.s;
  int n = s->map.n;
  watch w = {.c = c};
  double *drift = NULL;
  FW_TRY(fw_alloc(c->job->ctx, (size_t)c->job->model->dof_count, sizeof *drift, &drift));
  s->map.value = y[n + 1];
  for (int i = 0; i < c->job->model->dof_count; i++) drift[i] = fw_period_map_drift(&s->map, i);
  c->options.frequency = y[n] / (2 * M_PI);
  c->options.drift = drift;
  fw_status status = fw_orbit_recorder_init(c->job->ctx, c->job->model, &c->options, 1, orbit, &w.recorder);
  w.recorder.steps = -1;
  if (status == FW_OK) status = fw_period_map_run(&s->map, y, y[n], see, &w, s->end);
  fw_orbit_recorder_clear(&w.recorder);
  orbit->level = y[n + 1];
  c->options.drift = NULL;
  free(drift);
  if (status != FW_OK) fw_orbit_clear(orbit);
  return status;
}

/* The state at the end of the run just made, as one at time 0: what starts from the cycle goes on from it. */
static fw_status keep_state(course *c) {
  const fw_period_map *map = &c->cycle.s.map;
  FW_TRY(fw_state_copy(c->job->ctx, fw_alpha_state(map->alpha), &c->first));
  c->first->model = c->job->model;
  for (int i = 0; i < c->job->model->dof_count; i++) c->first->q[i] -= fw_period_map_drift(map, i) * c->first->time;
  c->first->time = 0;
  return FW_OK;
}

static double amplitude(const course *c, const fw_orbit *orbit) {
  return cabs(orbit->sensors[c->options.sensor * (HARMONICS + 1) + 1]);
}

/* As near as speeds are told apart by these steps. */
static bool is_close(const course *c, double level, double other) {
  return fabs(level / other - 1) <= fmax(1e-3, 1.0 / c->options.steps);
}

/* Where a phase of stick or slip shrinks to less than a step, the curve of the discrete motion goes to and fro within
 * what the steps resolve: the last points are close together and turn again and again. */
static bool goes_to_and_fro(const course *c) {
  enum { POINTS = 12, TURNS = 3 };
  int turns = 0;
  if (c->count < POINTS) return false;
  const fw_orbit *o = &c->orbits[c->count - POINTS];
  for (int i = 1; i < POINTS; i++) {
    if (!is_close(c, o[i].level, o[0].level)) return false;
    turns += i > 1 && (o[i].level - o[i - 1].level) * (o[i - 1].level - o[i - 2].level) < 0;
  }
  return turns >= TURNS;
}

/* Points before the curve goes to and fro: its turns there are those of the steps. */
static int resolved(const course *c) {
  int count = c->count, last = count - 1;
  while (c->rattles && count > 1 && is_close(c, c->orbits[count - 1].level, c->orbits[last].level)) count--;
  return count;
}

static fw_status collect(void *user, fw_continuation *curve, const double *y, const double *tangent) {
  course *c = user;
  fw_orbit orbit;
  (void)tangent;
  FW_TRY(measure(c, y, &orbit));
  if (!c->count) c->extremes[0] = c->lowest, c->extremes[1] = c->highest;
  fw_status status = c->first ? FW_OK : keep_state(c);
  if (status == FW_OK) status = fw_shot_orbit_judge(&c->cycle.s, y, &c->multipliers, orbit.level, &orbit);
  if (status == FW_OK) status = fw_orbit_append(c->job->ctx, &c->orbits, &c->count, &c->room, &orbit);
  if (status != FW_OK) fw_orbit_clear(&orbit);
  FW_TRY(status);
  const double own[] = {orbit.level, 1 / orbit.frequency,     c->lowest,          c->highest,
                        orbit.along, c->cycle.s.map.switches, c->cycle.s.families};
  FW_TRY(fw_orbit_table_row(&c->table, own, &orbit));
  fw_cycle_pin(&c->cycle, y);
  c->cycle.s.sequence = 0;
  double now = amplitude(c, &orbit);
  c->largest = fmax(c->largest, now);
  c->vanishes = now < VANISHES * c->largest;
  c->rattles = goes_to_and_fro(c);
  (void)curve;
  return c->vanishes || c->rattles ? FW_RECOVER_DIVERGED : FW_OK;
}

/* ---- the curve --------------------------------------------------------------------------------- */

static fw_status open_tables(course *c) {
  const char *unit = fw_sensor_unit(&c->job->model->sensors[c->options.sensor]);
  const fw_column own[] = {{"speed", ""}, {"period", "s"},  {"lowest", unit}, {"highest", unit},
                           {"along", ""}, {"switches", ""}, {"families", ""}};
  FW_TRY(
      fw_orbit_table_open(c->job, "cycles", own, sizeof own / sizeof *own, HARMONICS, FW_ORBIT_STABILITY, &c->table));
  return fw_multiplier_table_open(c->job, "multipliers", (fw_column){"speed", ""}, &c->multipliers);
}

static fw_status follow(course *c, double *y) {
  const fw_args *args = c->job->args;
  fw_continuation *curve = &c->cycle.s.curve;
  fw_arc_length sweep = {.from = 1,
                         .to = fw_args_number(args, "speed-to"),
                         .tolerance = NEWTON,
                         .most = POINTS_PER_POINT * fw_args_integer(args, "points"),
                         .user = c,
                         .accept = collect};
  sweep.step = fabs(sweep.to - sweep.from) / (fw_args_integer(args, "points") - 1);
  curve->scale[curve->n] = fabs(sweep.to - sweep.from);
  fw_status status = fw_arc_length_run(c->job->ctx, curve, &sweep, y);
  c->iterations += sweep.iterations;
  if (status <= 0 || c->vanishes || c->rattles) return status > 0 ? FW_OK : status;
  return fw_job_warn(c->job, FW_WARN_PARTIAL, "the cycle is lost at %.6g times the speeds of the deck", sweep.reached);
}

/* ---- what is told ------------------------------------------------------------------------------ */

/* The largest speed on the curve: a parabola through the three points around it. */
static double turning_speed(const course *c, int at) {
  const fw_orbit *o = &c->orbits[at];
  double a[3], s[3];
  for (int k = 0; k < 3; k++) a[k] = amplitude(c, &o[k - 1]), s[k] = o[k - 1].level;
  double left = (s[1] - s[0]) / (a[1] - a[0]), right = (s[2] - s[1]) / (a[2] - a[1]);
  double bend = (right - left) / (a[2] - a[0]), where = 0.5 * (a[0] + a[1]) - 0.5 * left / bend;
  double speed = s[0] + (where - a[0]) * (left + bend * (where - a[1]));
  bool between = (where - a[0]) * (where - a[2]) <= 0;
  return between && isfinite(speed) ? speed : s[1];
}

/* Where the square of the amplitude, which goes there along a line, comes to nothing. */
static double vanishing_speed(const course *c) {
  const fw_orbit *last = &c->orbits[c->count - 1], *before = last - 1;
  double b = pow(amplitude(c, before), 2), l = pow(amplitude(c, last), 2);
  return last->level + (before->level - last->level) * l / (l - b);
}

/* Speeds where the curve turns, and where it ends. */
static fw_status record_ends(const course *c) {
  fw_record *to = c->job->summary;
  int turns = 0, count = resolved(c);
  for (int i = 1; i + 1 < count; i++) {
    double before = c->orbits[i].level - c->orbits[i - 1].level, after = c->orbits[i + 1].level - c->orbits[i].level;
    if (before * after >= 0) continue;
    FW_TRY(fw_record_set_number(to, turning_speed(c, i), "turns[%d].speed", turns));
    FW_TRY(fw_record_set_number(to, amplitude(c, &c->orbits[i]), "turns[%d].amplitude", turns++));
  }
  if (c->vanishes && c->count > 1) {
    FW_TRY(fw_record_set_number(to, vanishing_speed(c), "ends.speed"));
    return fw_record_set_text(to, "the amplitude comes to nothing", "ends.how");
  }
  if (!c->rattles) return FW_OK;
  double beyond = fw_args_number(c->job->args, "speed-to") > 1 ? 1 : -1, furthest = c->orbits[c->count - 1].level;
  for (int i = 0; i < c->count; i++) furthest = beyond * fmax(beyond * furthest, beyond * c->orbits[i].level);
  FW_TRY(fw_record_set_number(to, furthest, "ends.speed"));
  return fw_record_set_text(to, "a phase of stick or slip is shorter than a step", "ends.how");
}

static fw_status summarise(const course *c) {
  fw_record *to = c->job->summary;
  const fw_orbit *first = &c->orbits[0];
  FW_TRY(fw_record_set_text(to, fw_sensor_unit(&c->job->model->sensors[c->options.sensor]), "units.amplitude"));
  FW_TRY(fw_record_set_figure(to, first->frequency, "Hz", "frequency"));
  FW_TRY(fw_record_set_figure(to, 1 / first->frequency, "s", "period"));
  FW_TRY(fw_record_set_number(to, amplitude(c, first), "amplitude"));
  FW_TRY(fw_record_set_number(to, c->extremes[0], "lowest"));
  FW_TRY(fw_record_set_number(to, c->extremes[1], "highest"));
  FW_TRY(fw_record_set_number(to, cabs(first->multiplier), "multiplier"));
  FW_TRY(fw_record_set_number(to, first->along, "along"));
  for (int p = 0; p < c->job->model->pair_count; p++)
    FW_TRY(fw_figures_record(&first->pairs[p], c->job->model->pairs[p]->id, "", to));
  FW_TRY(fw_record_set_number(to, first->residual, "energy.residual"));
  FW_TRY(fw_record_set_number(to, c->count, "points"));
  FW_TRY(fw_record_set_number(to, c->options.steps, "steps"));
  FW_TRY(fw_orbits_record_bifurcations(to, c->job->model, c->orbits, resolved(c),
                                       c->options.sensor * (HARMONICS + 1) + 1, (fw_unjudged){0}, ""));
  FW_TRY(record_ends(c));
  return fw_linear_range_judge(&c->range, c->job);
}

/* ---- the analysis ------------------------------------------------------------------------------ */

static fw_status run_curve(course *c) {
  const fw_args *args = c->job->args;
  double *y = NULL;
  size_t n = (size_t)c->cycle.s.map.n;
  FW_TRY(fw_alloc(c->job->ctx, n + 2, sizeof *y, &y));
  memcpy(y, fw_cycle_begin(&c->cycle), n * sizeof *y);
  y[n] = 2 * M_PI * fw_args_number(args, "frequency");
  y[n + 1] = 1;
  fw_status status = fw_cycle_find(&c->cycle, NEWTON, fw_args_integer(args, "periods-most"), y);
  if (status > 0) status = fw_fail(c->job->ctx, FW_ERR_ANALYSIS, "no limit cycle is found: %s", c->cycle.none);
  if (status == FW_OK) fw_cycle_pin(&c->cycle, y);
  if (status == FW_OK && fw_args_given(args, "speed-to"))
    status = follow(c, y);
  else if (status == FW_OK)
    status = collect(c, &c->cycle.s.curve, y, NULL);
  free(y);
  return status;
}

static fw_status begin(course *c, fw_args *transient) {
  fw_job *job = c->job;
  FW_TRY(fw_time_orbit_args(job->ctx, transient));
  FW_TRY(fw_job_begin_vibration(job, &c->rest));
  FW_TRY(fw_job_loads(job, 1, c->rest->load_factors));
  c->options = (fw_time_orbit_options){.H = HARMONICS,
                                       .steps = fw_args_integer(job->args, "steps"),
                                       .sensor = fw_model_sensor(job->model, fw_args_text(job->args, "response")),
                                       .rest = c->rest,
                                       .range = &c->range};
  fw_alpha_options how = fw_alpha_options_of(job->model, transient);
  FW_TRY(fw_cycle_init(job->ctx, job->model, c->rest, &how, c->options.steps, &c->cycle));
  return open_tables(c);
}

static fw_status cycle_run(fw_job *job, fw_outcome *outcome) {
  course c = {.job = job};
  fw_args transient = {0};
  fw_status status = begin(&c, &transient);
  if (status == FW_OK) status = run_curve(&c);
  if (status == FW_OK || (status == FW_ERR_INTERRUPTED && c.count)) {
    fw_status told = summarise(&c);
    status = status == FW_OK ? told : status;
  }
  fw_orbit_table_close(&c.table);
  fw_sheet_close(&c.multipliers);
  outcome->state = c.first ? c.first : c.rest;
  if (c.first) fw_state_destroy(&c.rest);
  for (int i = 0; i < c.count; i++) fw_orbit_clear(&c.orbits[i]);
  free(c.orbits);
  fw_cycle_clear(&c.cycle);
  fw_args_clear(&transient);
  return status;
}

/* A motion that is no constant speed drives: the motion is then no free one. */
static bool is_steady(const fw_model *model, const fw_joint *joint) {
  static const double times[] = {0, 0.1234567, 0.7654321};
  if (joint->motion) return false;
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    if (fw_joint_acceleration(model, joint, times[i]) != 0) return false;
  return true;
}

static bool moves(const fw_model *model, const fw_joint *joint) {
  double q[FW_JOINT_DOFS] = {0}, phi[FW_JOINT_EQUATIONS], rate[FW_JOINT_EQUATIONS] = {0};
  fw_joint_evaluate(model, joint, q, 0, NULL, phi, rate, NULL, NULL);
  for (int i = 0; i < joint->ops->equations; i++)
    if (rate[i] != 0) return true;
  return false;
}

static fw_status check_loads(fw_context *ctx, const fw_model *model, const fw_args *common) {
  const char *at = fw_args_text(common, "loads");
  for (int load; fw_next_load(model, &at, &load);)
    if (load >= 0 && !model->loads[load].ops->constant)
      return fw_fail_at(ctx, FW_ERR_DECK, common->place,
                        "attribute 'loads': '%s' depends on time: a limit cycle needs constant loads",
                        model->loads[load].id);
  return FW_OK;
}

static fw_status cycle_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  int moving = 0;
  FW_TRY(check_loads(ctx, model, common));
  for (int j = 0; j < model->joint_count; j++) {
    if (!is_steady(model, &model->joints[j]))
      return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                        "the joint '%s' drives: a limit cycle needs motions of constant velocity; use <frf> or "
                        "<transient>",
                        model->joints[j].id);
    moving += moves(model, &model->joints[j]);
  }
  if (fw_args_given(args, "speed-to") && !moving)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'speed-to': no joint prescribes a velocity");
  if (fw_args_given(args, "speed-to") && fw_args_number(args, "speed-to") == 1)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'speed-to': 1 is where the curve begins");
  return FW_OK;
}

const fw_analysis_ops fw_analysis_cycle = {
    .entry = {"cycle", "Limit cycle: a periodic motion that nothing drives but constant loads and speeds, by shooting",
              "P(x, omega) = x; the beginning pinned across the motion; continuation in the speeds",
              "Nayfeh and Balachandran, Applied Nonlinear Dynamics, 1995", cycle_params},
    .check = cycle_check,
    .run = cycle_run};
