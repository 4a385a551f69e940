/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contact forces from the harmonics of accelerometers, through the receptances of the deck's own model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "identify/contact_forces.h"
#include "identify/fitted_forces.h"
#include "identify/report.h"
#include "identify/second_order.h"
#include "identify/varied.h"

static const fw_param inverse_params[] = {
    {"shapes", FW_PARAM_CHOICE, "", "model", 0, 0, "model|" FW_APPROACHES,
     "the deck's own receptances, or shapes fitted to sensors along a beam"},
    {"start", FW_PARAM_REF, "", NULL, 0, 0, "analysis", "state in which the contact is pressed"},
    {"drive", FW_PARAM_REF, "", NULL, 0, 0, "load", "the load that drives, times the level of the data"},
    {"response", FW_PARAM_REF, "", "", 0, 0, "sensor",
     "of data without phases: its displacement lags the drive by 90 degrees, as at resonance"},
    {"pair", FW_PARAM_REF, "", NULL, 0, 0, "pair", "contact whose forces are looked for; closed, of one point"},
    {"parameters", FW_PARAM_REFS, "", "", 0, 0, "parameter", "parameters of the deck that are unknown besides"},
    {"harmonics", FW_PARAM_INTEGER, "", "5", 1, 99, NULL, "of data with phases: how many"},
    {"coupling", FW_PARAM_CHOICE, "", "coupled", 0, 0, "coupled|orthogonal",
     "of fitted shapes: every test shape sees all harmonics, or its own (as if they were orthogonal; the mean counts)"},
    {"test-shape", FW_PARAM_INTEGER, "", "1", 1, 2, NULL, "of sub-harmonic shapes: which of the two tests"},
    {"end-slope", FW_PARAM_FLAG, "", "yes", 0, 0, NULL,
     "of fitted shapes: with the part T y'(L) of the force at the end"},
    {"modes", FW_PARAM_INTEGER, "", "3", 1, 6, NULL, "of linear modes and the single form: how many"},
    {"windows", FW_PARAM_INTEGER, "", "4", 2, 1000, NULL,
     "of signals over time: parts whose harmonics are compared, which tells their errors"},
    {"limits", FW_PARAM_NUMBERS, "m/s^2", "", 1e-300, 1e300, NULL,
     "linear limit of each sensor, or one for all: harmonics below 0.4 and 0.2 of it are told"},
    {"residuals", FW_PARAM_CHOICE, "", "relative", 0, 0, "relative|absolute",
     "differences over what was measured, or plain"},
    {"profiles", FW_PARAM_FLAG, "", "yes", 0, 0, NULL,
     "with parameters: the misfit along each, the others fitted anew"},
    {0}};

typedef struct inverse {
  fw_identify_job *job;
  fw_harmonics data;
  fw_varied_deck varied;
  fw_fit_parameter list[FW_VARIED_MOST + 1]; /* amplitude of the response, then the deck's parameters */
  int load, pair, response;
  bool relative;
  double assumed; /* deviation as part of what was measured, or of its largest */
  double omega;
  fw_receptance *receptances; /* [orders_of] by harmonic; of amplitudes the first alone */
  bool fits;                  /* shapes, instead of the model's receptances */
  fw_fitted_job fitted;
} inverse;

static int orders_of(const inverse *v) {
  int asked = fw_args_integer(v->job->args, "harmonics");
  return asked < v->data.orders ? asked : v->data.orders;
}

static void choose_shapes(inverse *v) {
  const fw_args *args = v->job->args;
  int shapes = fw_args_integer(args, "shapes");
  v->fits = shapes > 0;
  v->fitted = (fw_fitted_job){.job = v->job,
                              .data = &v->data,
                              .load = v->load,
                              .pair = v->pair,
                              .forms = {.approach = (fw_approach)(shapes - 1),
                                        .orders = orders_of(v),
                                        .modes = fw_args_integer(args, "modes"),
                                        .without = -1},
                              .weak = {.coupled = fw_args_integer(args, "coupling") == 0,
                                       .part = fw_args_integer(args, "test-shape"),
                                       .end_slope = fw_args_flag(args, "end-slope")}};
}

/* Whether the data allow what is asked of them. */
static fw_status check_unknowns(const inverse *v) {
  fw_context *ctx = v->job->ctx;
  fw_place place = v->job->args->place;
  int unknowns = 1 + v->varied.count;
  const fw_pair *pair = v->job->built->model->pairs[v->pair];
  if (pair->count != 1)
    return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'pair': '%s' has %d contact points; one is asked for",
                      pair->id, pair->count);
  if (v->data.value && v->varied.count > 0)
    return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'parameters': only from amplitudes; these data have phases");
  if (v->fits) return fw_fitted_check(&v->fitted);
  if (v->data.value) return FW_OK;
  if (v->response < 0)
    return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'response': missing, and the data have no phases");
  if (v->data.sensors >= unknowns) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, place, "%d sensors are too few for %d unknowns", v->data.sensors, unknowns);
}

static fw_status open_job(fw_identify_job *job, inverse *v) {
  const fw_model *model = job->built->model;
  *v = (inverse){.job = job, .assumed = 0.1, .response = -1};
  v->load = fw_model_load(model, fw_args_text(job->args, "drive"));
  v->pair = fw_model_pair(model, fw_args_text(job->args, "pair"));
  if (fw_args_given(job->args, "response")) v->response = fw_model_sensor(model, fw_args_text(job->args, "response"));
  v->relative = fw_args_integer(job->args, "residuals") == 0;
  FW_TRY(
      fw_harmonics_read(job, fw_args_integer(job->args, "harmonics"), fw_args_integer(job->args, "windows"), &v->data));
  v->omega = 2 * M_PI * v->data.frequency;
  const char *names = fw_args_given(job->args, "parameters") ? fw_args_text(job->args, "parameters") : NULL;
  FW_TRY(fw_varied_deck_open(job, names, &v->varied));
  int limits = fw_args_value(job->args, "limits")->count;
  if (limits > 1 && limits != v->data.sensors)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place, "attribute 'limits': one for all, or one for each of %d",
                      v->data.sensors);
  choose_shapes(v);
  FW_TRY(fw_alloc(job->ctx, (size_t)orders_of(v), sizeof *v->receptances, &v->receptances));
  return check_unknowns(v);
}

static void close_job(inverse *v) {
  for (int r = 0; v->receptances && r < orders_of(v); r++) fw_receptance_clear(&v->receptances[r]);
  free(v->receptances);
  fw_varied_deck_close(&v->varied);
  fw_harmonics_clear(&v->data);
}

static fw_status inverse_check(fw_identify_job *job) {
  inverse v;
  fw_status status = open_job(job, &v);
  close_job(&v);
  return status;
}

/* ---- receptances ------------------------------------------------------------------------- */

static fw_status take_receptance(inverse *v, fw_context *ctx, const fw_reached *reached, int r) {
  fw_receptance_clear(&v->receptances[r - 1]);
  return fw_receptance_of(ctx, reached->model, reached->state, v->load, v->pair, r * v->omega, &v->receptances[r - 1]);
}

static fw_status take_first(void *user, fw_context *ctx, const fw_reached *reached) {
  return take_receptance(user, ctx, reached, 1);
}

/* Of the first harmonic, with the deck's parameters at p. */
static fw_status receptance_at(inverse *v, const double *p) {
  return fw_varied_deck_reach(&v->varied, p, fw_args_text(v->job->args, "start"), take_first, v);
}

/* Friction that makes the response's displacement -i Y: Y behind the drive by 90 degrees. */
static double complex friction_for(const inverse *v, double Y) {
  fw_answer a = v->receptances[0].sensors[v->response];
  return (-_Complex_I * Y - a.drive * v->data.level) / a.friction;
}

/* Acceleration of a sensor at harmonic r. */
static double complex acceleration(const inverse *v, int sensor, int r, double complex T) {
  fw_answer a = v->receptances[r - 1].sensors[v->data.sensor[sensor]];
  double w = r * v->omega;
  return -w * w * (a.drive * (r == 1 ? v->data.level : 0.0) + a.beyond + a.friction * T);
}

/* Deviation of a sensor's harmonic: given, or a part of the value or of the largest. */
static double deviation_of(const inverse *v, int r, int sensor) {
  const double *row = v->data.amplitude + (ptrdiff_t)(r - 1) * v->data.sensors;
  double most = 0.0;
  if (v->data.given) return v->data.spread[(r - 1) * v->data.sensors + sensor];
  if (!isnan(v->data.deviation)) return v->data.deviation;
  if (v->data.spread) return fmax(v->data.spread[(r - 1) * v->data.sensors + sensor], 1e-3 * row[sensor]);
  if (v->relative) return v->assumed * row[sensor];
  for (int j = 0; j < v->data.sensors; j++) most = fmax(most, row[j]);
  return v->assumed * most;
}

/* ---- what is told of a harmonic ---------------------------------------------------------- */

static fw_status tell_sensors(inverse *v, int r, double complex T, double *mean) {
  double sum = 0.0;
  for (int j = 0; j < v->data.sensors; j++) {
    double measured = v->data.amplitude[(r - 1) * v->data.sensors + j], computed = cabs(acceleration(v, j, r, T));
    double off = 100.0 * (computed / measured - 1.0);
    if (r == 1) {
      const char *id = v->job->built->model->sensors[v->data.sensor[j]].id;
      FW_TRY(fw_record_set_text(v->job->summary, id, "sensors[%d].sensor", j));
      FW_TRY(fw_record_set_number(v->job->summary, measured, "sensors[%d].measured", j));
      FW_TRY(fw_record_set_number(v->job->summary, computed, "sensors[%d].computed", j));
      FW_TRY(fw_record_set_number(v->job->summary, off, "sensors[%d].difference_percent", j));
    }
    sum += fabs(off) / v->data.sensors;
  }
  *mean = sum;
  return FW_OK;
}

/* First harmonics measured and computed, in the order of the data. */
static fw_status write_sensors(inverse *v, double complex T) {
  static const fw_column columns[] = {{"sensor", ""}, {"measured", "m/s^2"}, {"computed", "m/s^2"}};
  fw_data_table *table;
  FW_TRY(fw_sink_table(v->job->sink, v->job->ctx, v->job->id, "sensors", columns, 3, false, &table));
  for (int j = 0; j < v->data.sensors; j++) {
    const double row[] = {j + 1, v->data.amplitude[j], cabs(acceleration(v, j, 1, T))};
    FW_TRY(fw_sink_row(v->job->sink, v->job->ctx, table, row));
  }
  return FW_OK;
}

/* ---- amplitudes alone -------------------------------------------------------------------- */

static fw_status amplitude_residual(void *user, fw_context *ctx, const double *p, double *r) {
  inverse *v = user;
  (void)ctx;
  FW_TRY(receptance_at(v, p + 1));
  double complex T = friction_for(v, p[0]);
  for (int j = 0; j < v->data.sensors; j++)
    r[j] = (cabs(acceleration(v, j, 1, T)) - v->data.amplitude[j]) / deviation_of(v, 1, j);
  return FW_OK;
}

/* The contact where the response has amplitude p[0] and the deck's parameters are p + 1. */
static fw_status contact_at(inverse *v, const double *p, double forces[FW_CONTACT_COUNT]) {
  FW_TRY(receptance_at(v, p + 1));
  fw_contact_forces_of(&v->receptances[0], v->data.level, v->omega, friction_for(v, p[0]), forces);
  return FW_OK;
}

/* What the covariance of the fit makes of the contact: g^T C g with the slopes g by differences within the bounds. */
static fw_status contact_deviation(inverse *v, const fw_fit *fit, double deviation[FW_CONTACT_COUNT]) {
  const double part = 1e-4; /* of a parameter */
  double p[FW_VARIED_MOST + 1], slopes[FW_CONTACT_COUNT][FW_VARIED_MOST + 1], less[FW_CONTACT_COUNT],
      more[FW_CONTACT_COUNT];
  int n = fit->parameters;
  memcpy(p, fit->p, (size_t)n * sizeof *p);
  for (int k = 0; k < n; k++) {
    double step = part * fabs(p[k]), low = fmax(p[k] - step, v->list[k].low), high = fmin(p[k] + step, v->list[k].high);
    p[k] = low;
    FW_TRY(contact_at(v, p, less));
    p[k] = high;
    FW_TRY(contact_at(v, p, more));
    p[k] = fit->p[k];
    for (int i = 0; i < FW_CONTACT_COUNT; i++) slopes[i][k] = (more[i] - less[i]) / (high - low);
  }
  for (int i = 0; i < FW_CONTACT_COUNT; i++) {
    double variance = 0.0;
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++) variance += slopes[i][a] * fit->covariance[a * n + b] * slopes[i][b];
    deviation[i] = fit->rank == n ? sqrt(fmax(variance, 0.0)) : NAN;
  }
  return FW_OK;
}

static fw_status from_amplitudes(inverse *v) {
  double most = 0.0, mean;
  for (int j = 0; j < v->data.sensors; j++) most = fmax(most, v->data.amplitude[j]);
  double size = most / (v->omega * v->omega);
  v->list[0] = (fw_fit_parameter){"response", "m", 0.2 * size, 1e-3 * size, 10.0 * size, true};
  memcpy(v->list + 1, v->varied.list, (size_t)v->varied.count * sizeof *v->list);
  fw_fit_problem problem = {.parameters = 1 + v->varied.count,
                            .residuals = v->data.sensors,
                            .list = v->list,
                            .user = v,
                            .residual = amplitude_residual};
  fw_fit_options options = {.search = FW_FIT_BOTH,
                            .starts = 4,
                            .tolerance = 1e-7,
                            .scaled = isnan(v->data.deviation) && !v->data.given,
                            .progress = v->job->id};
  fw_fit fit;
  FW_TRY(fw_fit_run(v->job->ctx, &problem, &options, &fit));
  fw_fit_report report = {"", &problem, &options, &fit, fw_args_flag(v->job->args, "profiles")};
  double forces[FW_CONTACT_COUNT], deviation[FW_CONTACT_COUNT];
  fw_status status;
  FW_TRY_DONE(contact_deviation(v, &fit, deviation));
  FW_TRY_DONE(contact_at(v, fit.p, forces));
  FW_TRY_DONE(fw_contact_forces_tell(v->job, forces, deviation));
  double complex T = friction_for(v, fit.p[0]);
  FW_TRY_DONE(tell_sensors(v, 1, T, &mean));
  FW_TRY_DONE(write_sensors(v, T));
  FW_TRY_DONE(fw_record_set_number(v->job->summary, mean, "mean_error_percent"));
  FW_TRY_DONE(fw_fit_tell(v->job, &report));
done:
  fw_fit_clear(&fit);
  return status;
}

/* ---- amplitudes and phases --------------------------------------------------------------- */

/* Least squares for one complex unknown: T = sum w conj(g) (m - h)/sum w |g|^2 over the sensors but `without`. */
static double complex friction_from(const inverse *v, int r, int without, double *deviation) {
  double complex above = 0.0;
  double below = 0.0;
  for (int j = 0; j < v->data.sensors; j++) {
    if (j == without) continue;
    double sigma = deviation_of(v, r, j);
    double complex h = acceleration(v, j, r, 0.0), g = acceleration(v, j, r, 1.0) - h;
    if (!(sigma > 0.0)) continue;
    above += conj(g) * (v->data.value[(r - 1) * v->data.sensors + j] - h) / (sigma * sigma);
    below += cabs(g) * cabs(g) / (sigma * sigma);
  }
  *deviation = 1.0 / sqrt(below);
  return above / below;
}

/* Difference at a sensor that has no part in the friction it is foretold from, over what was measured. */
static double left_out_error(const inverse *v, int r, int sensor) {
  double deviation;
  double complex T = friction_from(v, r, sensor, &deviation);
  double complex measured = v->data.value[(r - 1) * v->data.sensors + sensor];
  return cabs(acceleration(v, sensor, r, T) - measured) / cabs(measured);
}

/* What is told of the contact in its first harmonic. */
static fw_status tell_first(inverse *v, double complex T, double deviation) {
  double forces[FW_CONTACT_COUNT], errors[FW_CONTACT_COUNT];
  fw_contact_forces_of(&v->receptances[0], v->data.level, v->omega, T, forces);
  fw_contact_forces_error(&v->receptances[0], v->data.level, v->omega, T, deviation, errors);
  FW_TRY(fw_contact_forces_tell(v->job, forces, errors));
  return write_sensors(v, T);
}

typedef struct found {
  double complex T, u, N;
} found;

static fw_status find_harmonic(inverse *v, int r, found *f) {
  double deviation, mean, worst = 0.0, drive = r == 1 ? v->data.level : 0.0;
  f->T = friction_from(v, r, -1, &deviation);
  f->u = fw_contact_slip(&v->receptances[r - 1], drive, f->T);
  f->N = fw_contact_normal(&v->receptances[r - 1], drive, f->T);
  if (r == 1) FW_TRY(tell_first(v, f->T, deviation));
  FW_TRY(tell_sensors(v, r, f->T, &mean));
  for (int j = 0; j < v->data.sensors; j++) worst = fmax(worst, left_out_error(v, r, j));
  fw_record *to = v->job->summary;
  FW_TRY(fw_record_set_number(to, r, "orders[%d].harmonic", r - 1));
  FW_TRY(fw_record_set_number(to, cabs(f->T), "orders[%d].friction", r - 1));
  FW_TRY(fw_record_set_number(to, deviation, "orders[%d].friction_deviation", r - 1));
  FW_TRY(fw_record_set_figure(to, carg(f->T) * 360.0 / (2 * M_PI), "deg", "orders[%d].phase", r - 1));
  FW_TRY(fw_record_set_number(to, cabs(f->u), "orders[%d].slip", r - 1));
  FW_TRY(fw_record_set_number(to, mean, "orders[%d].mean_error_percent", r - 1));
  return fw_record_set_number(to, 100.0 * worst, "orders[%d].left_out_error_percent", r - 1);
}

static fw_status write_period(inverse *v, const found *all, int orders) {
  enum { SAMPLES = 257 };
  static const fw_column columns[] = {
      {"time", "s"}, {"slip", "m"}, {"slip velocity", "m/s"}, {"normal", "N"}, {"tangential", "N"}};
  fw_data_table *table;
  FW_TRY(fw_sink_table(v->job->sink, v->job->ctx, v->job->id, "period", columns, 5, false, &table));
  for (int i = 0; i < SAMPLES; i++) {
    double phase = 2 * M_PI * i / (SAMPLES - 1), row[5] = {phase / v->omega};
    for (int r = 1; r <= orders; r++) {
      double complex turn = cexp(_Complex_I * (r * phase));
      row[1] += creal(all[r - 1].u * turn);
      row[2] -= r * v->omega * cimag(all[r - 1].u * turn);
      row[3] += creal(all[r - 1].N * turn);
      row[4] += creal(all[r - 1].T * turn);
    }
    FW_TRY(fw_sink_row(v->job->sink, v->job->ctx, table, row));
  }
  return FW_OK;
}

static void fit_friction(const void *user, double complex *T) {
  const inverse *v = user;
  double deviation;
  for (int r = 1; r <= orders_of(v); r++) T[r - 1] = friction_from(v, r, -1, &deviation);
}

/* Forces that are not linear in the motion. */
static fw_status add_second_order(inverse *v, fw_context *ctx, const fw_reached *reached) {
  const fw_second_order_case given = {.model = reached->model,
                                      .state = reached->state,
                                      .load = v->load,
                                      .pair = v->pair,
                                      .orders = orders_of(v),
                                      .level = v->data.level,
                                      .omega = v->omega,
                                      .fit = fit_friction,
                                      .user = v,
                                      .receptances = v->receptances};
  fw_second_order_result added;
  FW_TRY(fw_second_order_add(ctx, &given, &added));
  if (added.steps == 0) return FW_OK;
  if (!added.settled)
    return fw_identify_warn(v->job,
                            "the forces beyond the linear ones did not settle in %d steps: friction is what "
                            "receptances alone say",
                            added.steps);
  FW_TRY(fw_record_set_number(v->job->summary, added.steps, "second_order.steps"));
  return fw_record_set_number(v->job->summary, 100.0 * added.change, "second_order.change_percent");
}

static fw_status take_all(void *user, fw_context *ctx, const fw_reached *reached) {
  inverse *v = user;
  for (int r = 1; r <= orders_of(v); r++) FW_TRY(take_receptance(v, ctx, reached, r));
  return add_second_order(v, ctx, reached);
}

static fw_status from_phases(inverse *v) {
  int orders = orders_of(v);
  found *all;
  FW_TRY(fw_varied_deck_reach(&v->varied, NULL, fw_args_text(v->job->args, "start"), take_all, v));
  FW_TRY(fw_alloc(v->job->ctx, (size_t)orders, sizeof *all, &all));
  fw_status status = FW_OK;
  for (int r = 1; r <= orders && status == FW_OK; r++) status = find_harmonic(v, r, &all[r - 1]);
  if (status == FW_OK) status = write_period(v, all, orders);
  free(all);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

static fw_status fit_shapes(void *user, fw_context *ctx, const fw_reached *reached) {
  return fw_fitted_run(ctx, reached->model, reached->state, user);
}

static fw_status find_forces(inverse *v) {
  int asked = fw_args_integer(v->job->args, "harmonics");
  if (v->data.value && orders_of(v) < asked)
    FW_TRY(fw_identify_warn(v->job, "the data have %d harmonics, not %d", v->data.orders, asked));
  if (v->fits)
    return fw_varied_deck_reach(&v->varied, NULL, fw_args_text(v->job->args, "start"), fit_shapes, &v->fitted);
  return v->data.value ? from_phases(v) : from_amplitudes(v);
}

static const char *source_of_deviation(const inverse *v) {
  if (v->data.given || !isnan(v->data.deviation)) return "given";
  return v->data.spread ? "spread over windows" : "assumed: 10 %";
}

static fw_status inverse_run(fw_identify_job *job) {
  inverse v;
  fw_status status;
  FW_TRY_DONE(open_job(job, &v));
  FW_TRY_DONE(fw_record_set_number(job->summary, v.data.level, "level"));
  FW_TRY_DONE(fw_record_set_figure(job->summary, v.data.frequency, "Hz", "frequency"));
  FW_TRY_DONE(fw_record_set_text(job->summary, source_of_deviation(&v), "deviation_source"));
  FW_TRY_DONE(fw_harmonics_tell(job, &v.data));
  FW_TRY_DONE(fw_harmonics_tell_limits(job, &v.data, fw_args_value(job->args, "limits")));
  FW_TRY_DONE(find_forces(&v));
done:
  if (status != FW_OK && v.varied.aside && fw_context_message(v.varied.aside)[0])
    fw_fail(job->ctx, status, "%s", fw_context_message(v.varied.aside));
  close_job(&v);
  return status;
}

extern const fw_method_ops fw_method_inverse_harmonic_balance;
const fw_method_ops fw_method_inverse_harmonic_balance = {
    .entry = {"inverse-harmonic-balance", "contact forces and slip from harmonics of accelerometers",
              "(K + i r w C - (r w)^2 M) q_r = f F - s_q T_r, least squares for T_r at the sensors", "",
              inverse_params},
    .check = inverse_check,
    .run = inverse_run};
