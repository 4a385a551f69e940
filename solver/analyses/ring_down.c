/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free decay: instantaneous frequency and damping against amplitude, from the extremes of a sensor's displacement. */
#include <math.h>
#include <stdlib.h>

#include "core/reading.h"
#include "solver/time/integrator.h"

static const fw_param ring_down_params[] = {
    FW_INTEGRATOR_PARAMS,
    {"response", FW_PARAM_REF, "", NULL, 0, 0, "sensor", "sensor whose motion is watched, as a displacement"},
    {"at-level", FW_PARAM_NUMBER, "", "-1", 0, 0, NULL, "factor of the loads; -1 takes off what the start put on"},
    {"duration", FW_PARAM_NUMBER, "s", NULL, 1e-12, 1e9, NULL, "how long"},
    {"step", FW_PARAM_NUMBER, "s", NULL, 1e-15, 1e9, NULL, "time step; 50 a cycle are plenty for the extremes"},
    {"least", FW_PARAM_NUMBER, "m", "0", 0, 1e9, NULL, "smallest amplitude of interest: ends when it is reached"},
    {0}};

typedef struct fw_extreme {
  double time, value;
} fw_extreme;

typedef struct fw_ring_down {
  fw_job *job;
  const fw_functional *shape;
  fw_data_table *history, *decay;
  double time, x, v;     /* at the last step */
  fw_extreme extreme[3]; /* the last ones, newest last */
  int extremes;          /* since the beginning */
  double least, most;    /* displacement since the beginning */
  double largest;        /* swing */
  double first[4], last[4];
  int rows;
} fw_ring_down;

static fw_status open_tables(fw_ring_down *r) {
  static const fw_column history[] = {{"time", "s"}, {"displacement", "m"}, {"velocity", "m/s"}};
  static const fw_column decay[] = {{"time", "s"}, {"amplitude", "m"}, {"frequency", "Hz"}, {"damping", ""}};
  fw_job *job = r->job;
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, "history", history, 3, false, &r->history));
  return fw_sink_table(job->sink, job->ctx, job->id, "decay", decay, 4, false, &r->decay);
}

/* What coordinates round to, beside the largest reading. */
static double rounding_of(const fw_ring_down *r) { return 1e-12 * fmax(fabs(r->least), fabs(r->most)); }

/* Three extremes X_0, X_1, X_2: swings s_1 = |X_1 - X_0|, s_2 = |X_2 - X_1|, free of any offset. Their ratio
 * is exp(-pi zeta/sqrt(1 - zeta^2)); amplitude half their geometric mean, frequency of the cycle between. What is left
 * of a decay that has come to its end is rounding and has neither. */
static fw_status write_cycle(fw_ring_down *r) {
  static const double rounding = 1e-9; /* of the largest swing */
  const fw_extreme *e = r->extreme;
  double before = fabs(e[1].value - e[0].value), after = fabs(e[2].value - e[1].value);
  r->largest = fmax(r->largest, fmax(before, after));
  if (!(fmin(before, after) > fmax(rounding * r->largest, rounding_of(r)))) return FW_OK;
  double decrement = log(before / after);
  const double row[4] = {e[1].time, 0.5 * sqrt(before * after), 1.0 / (e[2].time - e[0].time),
                         decrement / sqrt(9.869604401089358 + decrement * decrement)};
  for (int k = 0; k < 4; k++) {
    if (r->rows == 0) r->first[k] = row[k];
    r->last[k] = row[k];
  }
  r->rows++;
  return fw_sink_row(r->job->sink, r->job->ctx, r->decay, row);
}

/* Extreme of the cubic through both ends of a step with their slopes, where the slope changes sign. */
static fw_extreme step_extreme(const fw_ring_down *r, double time, double x, double v) {
  double h = time - r->time, rise = (x - r->x) / h;
  double a = 3.0 * (r->v + v - 2.0 * rise), b = 2.0 * (3.0 * rise - 2.0 * r->v - v), c = r->v; /* a s^2 + b s + c = 0 */
  double root = sqrt(fmax(b * b - 4.0 * a * c, 0.0)), q = -0.5 * (b + copysign(root, b));
  double s = a != 0.0 ? q / a : -1.0;
  if (!(s >= 0.0 && s <= 1.0)) s = c / q;
  if (!(s >= 0.0 && s <= 1.0)) s = r->v / (r->v - v);
  double value = r->x + h * s * (c + s * (0.5 * b + s * a / 3.0));
  return (fw_extreme){r->time + s * h, value};
}

static fw_status look(fw_ring_down *r, const fw_state *state, bool begins) {
  double x = fw_functional_value(r->shape, state->q), v = fw_functional_value(r->shape, state->v);
  const double row[] = {state->time, x, v};
  FW_TRY(fw_sink_row(r->job->sink, r->job->ctx, r->history, row));
  if (begins || r->v * v < 0.0) {
    r->extreme[0] = r->extreme[1];
    r->extreme[1] = r->extreme[2];
    r->extreme[2] = begins ? (fw_extreme){state->time, x} : step_extreme(r, state->time, x, v);
    r->extremes++;
    if (r->extremes >= 3) FW_TRY(write_cycle(r));
  }
  r->least = begins ? x : fmin(r->least, x);
  r->most = begins ? x : fmax(r->most, x);
  r->time = state->time;
  r->x = x;
  r->v = v;
  return FW_OK;
}

static fw_status decay_to_the_end(fw_ring_down *r, const fw_integrator_ops *ops, void *self) {
  fw_context *ctx = r->job->ctx;
  const fw_args *args = r->job->args;
  double duration = fw_args_number(args, "duration"), least = fw_args_number(args, "least");
  long steps = lround(fmax(1.0, ceil(duration / fw_args_number(args, "step") - 1e-9)));
  FW_TRY(look(r, ops->state(self), true));
  for (long k = 0; k < steps && !(r->rows > 0 && r->last[1] < least); k++) {
    FW_TRY(fw_interrupted(ctx));
    FW_TRY(fw_integrator_advance(ctx, ops, self, duration / (double)steps));
    FW_TRY(look(r, ops->state(self), false));
    if (k % 64 == 0) fw_progress(ctx, r->job->id, (double)(k + 1) / (double)steps);
  }
  return FW_OK;
}

static fw_status summarise(const fw_ring_down *r) {
  static const char *const names[] = {"time", "amplitude", "frequency", "damping"};
  static const char *const units[] = {"s", "m", "Hz", ""};
  FW_TRY(fw_record_set_number(r->job->summary, r->rows, "cycles"));
  for (int k = 0; k < 4 && r->rows > 0; k++) {
    FW_TRY(fw_record_set_figure(r->job->summary, r->first[k], units[k], "first.%s", names[k]));
    FW_TRY(fw_record_set_figure(r->job->summary, r->last[k], units[k], "last.%s", names[k]));
  }
  return FW_OK;
}

/* Without a whole swing there is neither frequency nor damping to tell. */
static fw_status check_swings(const fw_ring_down *r) {
  const char *sensor = fw_args_text(r->job->args, "response");
  if (r->rows > 0) return FW_OK;
  if (r->most - r->least <= rounding_of(r))
    return fw_fail(r->job->ctx, FW_ERR_ANALYSIS, "nothing moves the sensor \"%s\": there is no decay to tell of",
                   sensor);
  return fw_fail(r->job->ctx, FW_ERR_ANALYSIS,
                 "the sensor \"%s\" does not swing within %g s (it moves from %s to %s): a frequency needs three "
                 "extremes, so a longer duration or less damping",
                 sensor, r->time, fw_say(r->least, "m").text, fw_say(r->most, "m").text);
}

static fw_status ring_down_run(fw_job *job, fw_outcome *outcome) {
  fw_status status = FW_OK;
  fw_ring_down r = {.job = job};
  fw_system *system = NULL;
  void *self = NULL;
  const fw_integrator_ops *ops = fw_integrator_chosen(job->args);
  r.shape = &job->model->sensors[fw_model_sensor(job->model, fw_args_text(job->args, "response"))].shape;
  FW_TRY_DONE(fw_job_begin(job, &outcome->state));
  outcome->state->time = 0.0;
  FW_TRY_DONE(fw_job_loads(job, fw_args_number(job->args, "at-level"), outcome->state->load_factors));
  FW_TRY_DONE(fw_job_check_steady(job, outcome->state));
  FW_TRY_DONE(fw_system_create(job->ctx, job->model, &system));
  FW_TRY_DONE(ops->create(job, system, outcome->state, 0.0, &self));
  FW_TRY_DONE(open_tables(&r));
  status = decay_to_the_end(&r, ops, self);
  fw_status reported = summarise(&r);
  if (reported == FW_OK) reported = ops->report(self, job->summary);
  if (status == FW_OK) status = reported;
  if (status == FW_OK) status = check_swings(&r);
  fw_state_assign(outcome->state, ops->state(self));
done:
  if (self) ops->destroy(self);
  fw_system_destroy(&system);
  return status;
}

static fw_status ring_down_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  FW_TRY(fw_check_steady(ctx, model, common, args));
  return fw_integrator_check(ctx, model, args);
}

const fw_analysis_ops fw_analysis_ring_down = {
    .entry = {"ring-down", "Frequency and damping against amplitude, from a free decay",
              "zeta/sqrt(1 - zeta^2) = ln(swing/next swing)/pi, f = 1/(time of two swings)", "", ring_down_params},
    .check = ring_down_check,
    .run = ring_down_run};
