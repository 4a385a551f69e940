/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Viscous and Coulomb damping from a free decay. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "core/unknown.h"
#include "identify/free_decay.h"

#define WORD(name, text, meaning) "|" text

static const fw_param decrement_params[] = {
    {"analysis", FW_PARAM_REF, "", "", 0, 0, "analysis",
     "ring-down or transient whose history is taken instead of data"},
    {"sensor", FW_PARAM_REF, "", "", 0, 0, "sensor", "which sensor, where there are several; a displacement"},
    {"from", FW_PARAM_NUMBER, "s", "", 0, 0, NULL, "when the part of the signal that counts begins"},
    {"to", FW_PARAM_NUMBER, "s", "", 0, 0, NULL, "when it ends"},
    {"offset", FW_PARAM_NUMBER, "m", "", 0, 0, NULL, "reading where the spring is free; absent: it is found too"},
    {"stiffness", FW_PARAM_NUMBER, "N/m", "", 1e-300, 1e300, NULL, "of the oscillator: turns lengths into forces"},
    {"mass", FW_PARAM_NUMBER, "kg", "", 1e-300, 1e300, NULL, "of the oscillator, instead of its stiffness"},
    {"normal", FW_PARAM_NUMBER, "N", "", 1e-300, 1e300, NULL, "normal force: turns friction into its coefficient"},
    {"estimator", FW_PARAM_CHOICE, "", "auto", 0, 0, "auto" FW_DECAY_ESTIMATORS(WORD),
     "which estimate counts; auto: least-squares, or regression where the extremes scatter more than the measurement"},
    {"half-cycles", FW_PARAM_INTEGER, "", "", 1, 100000, NULL, "of the estimators that take first and last"},
    {"window", FW_PARAM_NUMBER, "", "0.5", 0.05, 0.9, NULL, "part of a half swing that is fitted beside each extreme"},
    {0}};

typedef struct decrement {
  fw_identify_job *job;
  fw_signal signal;
  fw_free_decay found;
} decrement;

/* ---- the signal -------------------------------------------------------------------------- */

static double number_or_nan(const fw_args *args, const char *name) {
  return fw_args_given(args, name) ? fw_args_number(args, name) : NAN;
}

static const char *text_or_null(const fw_args *args, const char *name) {
  return fw_args_given(args, name) ? fw_args_text(args, name) : NULL;
}

static fw_status check_source(const fw_identify_job *job) {
  bool data = fw_args_given(job->common, "data"), analysis = fw_args_given(job->args, "analysis");
  if (data != analysis) return FW_OK;
  return fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place,
                    data ? "attributes 'data' and 'analysis': one of them, not both"
                         : "attribute 'data' (a <signals>) or 'analysis' (a ring-down or transient) is needed");
}

static fw_status read_signal(const fw_identify_job *job, fw_signal *signal) {
  const char *sensor = text_or_null(job->args, "sensor");
  const fw_item *data;
  if (fw_args_given(job->args, "analysis"))
    FW_TRY(fw_signals_history(job, fw_args_text(job->args, "analysis"), sensor, signal));
  else {
    FW_TRY(fw_identify_data(job, "signals", &data));
    FW_TRY(fw_signals_read(job, data, sensor, FW_DISPLACEMENT, signal));
  }
  fw_signal_cut(signal, number_or_nan(job->args, "from"), number_or_nan(job->args, "to"));
  return FW_OK;
}

static fw_status decrement_check(fw_identify_job *job) {
  fw_signal signal = {0};
  FW_TRY(check_source(job));
  if (fw_args_given(job->args, "analysis")) return FW_OK;
  fw_status status = read_signal(job, &signal);
  fw_signal_clear(&signal);
  return status;
}

/* ---- what is told ------------------------------------------------------------------------ */

static fw_status tell_forces(decrement *d, const fw_decay *e) {
  const fw_args *args = d->job->args;
  double omega = d->found.turns.omega / sqrt(1.0 - e->zeta * e->zeta), k = number_or_nan(args, "stiffness");
  if (isnan(k)) k = number_or_nan(args, "mass") * omega * omega;
  if (isnan(k)) return FW_OK;
  FW_TRY(fw_identify_figure(d->job, "f_k", "N", k * e->x_k, k * e->x_k_deviation));
  FW_TRY(fw_identify_figure(d->job, "c", "N s/m", 2.0 * e->zeta * k / omega, 2.0 * e->zeta_deviation * k / omega));
  double normal = number_or_nan(args, "normal");
  return isnan(normal) ? FW_OK
                       : fw_identify_figure(d->job, "mu", "", k * e->x_k / normal, k * e->x_k_deviation / normal);
}

static fw_status tell_interval(decrement *d, const char *name, double value, double deviation) {
  int freedom = d->found.turns.count - 4;
  if (!isfinite(deviation) || freedom < 1) return FW_OK;
  double half = gsl_cdf_tdist_Pinv(0.975, freedom) * deviation;
  FW_TRY(fw_record_set_number(d->job->summary, value - half, "interval.%s[0]", name));
  return fw_record_set_number(d->job->summary, value + half, "interval.%s[1]", name);
}

static fw_status tell_chosen(decrement *d) {
  const fw_decay *e = &d->found.estimates[d->found.chosen];
  double omega = d->found.turns.omega / sqrt(1.0 - e->zeta * e->zeta);
  FW_TRY(fw_record_set_text(d->job->summary, fw_decay_name(d->found.chosen), "estimator"));
  FW_TRY(fw_record_set_number(d->job->summary, d->found.turns.count, "extremes"));
  FW_TRY(fw_record_set_figure(d->job->summary, d->found.turns.omega / (2.0 * M_PI), "Hz", "frequency"));
  FW_TRY(fw_identify_figure(d->job, "natural_frequency", "Hz", omega / (2.0 * M_PI), NAN));
  FW_TRY(fw_identify_figure(d->job, "zeta", "", e->zeta, e->zeta_deviation));
  FW_TRY(fw_identify_figure(d->job, "beta", "", e->beta, NAN));
  FW_TRY(fw_identify_figure(d->job, "x_k", "m", e->x_k, e->x_k_deviation));
  FW_TRY(fw_identify_figure(d->job, "offset", "m", e->offset, e->offset_deviation));
  FW_TRY(tell_interval(d, "zeta", e->zeta, e->zeta_deviation));
  FW_TRY(tell_interval(d, "x_k", e->x_k, e->x_k_deviation));
  FW_TRY(tell_forces(d, e));
  bool given = !isnan(d->signal.deviation);
  FW_TRY(fw_identify_figure(d->job, "noise", "m", given ? d->signal.deviation : d->found.turns.noise, NAN));
  return fw_record_set_text(d->job->summary, given ? "given" : "assumed: what the local fits leave", "noise_source");
}

/* A figure that is negative, or no larger than what it may be wrong by. */
static fw_status warn_of_size(decrement *d, const char *name, double value, double deviation, const char *negative) {
  const double deviations = 2.0;
  bool sure = !isfinite(deviation) || fabs(value) > deviations * deviation;
  if (!sure)
    return fw_identify_warn(d->job, "%s is not told from 0: %.3g with a deviation of %.3g", name, value, deviation);
  return value < 0.0 ? fw_identify_warn(d->job, "%s is negative: %s", name, negative) : FW_OK;
}

/* Stiffness and mass together say a frequency, which the decay says too. */
static fw_status warn_of_frequency(decrement *d, double omega) {
  const double most = 0.05;
  double k = number_or_nan(d->job->args, "stiffness"), m = number_or_nan(d->job->args, "mass");
  if (isnan(k) || isnan(m) || fabs(sqrt(k / m) / omega - 1.0) < most) return FW_OK;
  return fw_identify_warn(d->job, "stiffness and mass say %.4g Hz, the decay %.4g Hz", sqrt(k / m) / (2.0 * M_PI),
                          omega / (2.0 * M_PI));
}

static fw_status warn_of_chosen(decrement *d) {
  const fw_decay *e = &d->found.estimates[d->found.chosen];
  FW_TRY(warn_of_size(d, "zeta", e->zeta, e->zeta_deviation, "the damping feeds energy in"));
  FW_TRY(warn_of_size(d, "x_k", e->x_k, e->x_k_deviation, "friction of a constant size does not slow these swings"));
  return warn_of_frequency(d, d->found.turns.omega / sqrt(1.0 - e->zeta * e->zeta));
}

static fw_status tell_estimates(decrement *d) {
  fw_record *to = d->job->summary;
  FW_TRY(fw_record_set_text(to, "m", "units.x_k_deviation"));
  for (int k = 0, row = 0; k < FW_DECAY_COUNT; k++) {
    const fw_decay *e = &d->found.estimates[k];
    if (!e->found) continue;
    FW_TRY(fw_record_set_text(to, fw_decay_name((fw_decay_estimator)k), "estimates[%d].estimator", row));
    const struct {
      const char *name;
      double value;
    } all[] = {{"beta", e->beta},
               {"zeta", e->zeta},
               {"zeta_deviation", e->zeta_deviation},
               {"x_k", e->x_k},
               {"x_k_deviation", e->x_k_deviation},
               {"offset", e->offset}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      FW_TRY(fw_record_set_number(to, all[i].value, "estimates[%d].%s", row, all[i].name));
    row++;
  }
  return FW_OK;
}

/* ---- drift ------------------------------------------------------------------------------- */

static fw_status warn_of_drift(decrement *d, const char *name, double large, double small, double deviation) {
  const double share = 0.05, deviations = 3.0;
  double change = fabs(large - small), size = fmax(fabs(large), fabs(small));
  if (change < share * size || (isfinite(deviation) && change < deviations * deviation)) return FW_OK;
  return fw_identify_warn(d->job,
                          "%s drifts with amplitude: %g in the first half of the decay, %g in the second; viscous and "
                          "Coulomb damping do not explain it (friction with elastic stick, as Dahl's and LuGre's, does "
                          "this)",
                          name, large, small);
}

/* The same regression in both halves of the decay. */
static fw_status look_for_drift(decrement *d) {
  enum { ENOUGH = 10 };
  int half = d->found.turns.count / 2;
  fw_decay large, small;
  if (d->found.turns.count < ENOUGH) return FW_OK;
  fw_decay_data first = fw_free_decay_part(&d->found, 0, half + 1),
                last = fw_free_decay_part(&d->found, half, d->found.turns.count - half);
  first.offset = last.offset = d->found.estimates[d->found.chosen].offset;
  FW_TRY(fw_decay_regression(d->job->ctx, &first, &large));
  FW_TRY(fw_decay_regression(d->job->ctx, &last, &small));
  if (!large.found || !small.found) return FW_OK;
  const double figures[2][2] = {{large.zeta, large.x_k}, {small.zeta, small.x_k}};
  static const char *const names[] = {"drift.first_half", "drift.second_half"};
  for (int k = 0; k < 2; k++) {
    FW_TRY(fw_record_set_number(d->job->summary, figures[k][0], "%s.zeta", names[k]));
    FW_TRY(fw_record_set_number(d->job->summary, figures[k][1], "%s.x_k", names[k]));
  }
  FW_TRY(warn_of_drift(d, "zeta", large.zeta, small.zeta, hypot(large.zeta_deviation, small.zeta_deviation)));
  return warn_of_drift(d, "x_k", large.x_k, small.x_k, hypot(large.x_k_deviation, small.x_k_deviation));
}

/* ---- tables ------------------------------------------------------------------------------ */

/* The estimate's decay begins at its fitted first extreme, or at the measured one. */
static fw_decay fitted_decay(const decrement *d) {
  fw_decay e = d->found.estimates[d->found.chosen];
  if (isnan(e.amplitude)) e.amplitude = d->found.turns.side * (d->found.x[0] - e.offset);
  return e;
}

static fw_status write_extremes(decrement *d) {
  static const fw_column columns[] = {
      {"time", "s"}, {"measured", "m"}, {"fitted", "m"}, {"residual", "m"}, {"deviation", "m"}};
  fw_data_table *table;
  fw_decay e = fitted_decay(d);
  FW_TRY(fw_sink_table(d->job->sink, d->job->ctx, d->job->id, "extremes", columns, 5, false, &table));
  for (int i = 0; i < d->found.turns.count; i++) {
    double fitted = fw_decay_extreme(&e, d->found.turns.side, i);
    const double row[] = {d->found.turns.list[i].t, d->found.x[i], fitted, d->found.x[i] - fitted,
                          d->found.deviation[i]};
    FW_TRY(fw_sink_row(d->job->sink, d->job->ctx, table, row));
  }
  return FW_OK;
}

/* The decay at a time after extreme i: about a centre that friction shifts towards that extreme. */
static double decay_at(const decrement *d, const fw_decay *e, int i, double t) {
  double side = i % 2 ? -d->found.turns.side : d->found.turns.side, centre = e->offset + side * e->x_k;
  double angle = d->found.turns.omega * (t - d->found.turns.list[i].t);
  return centre + (fw_decay_extreme(e, d->found.turns.side, i) - centre) * exp(-e->beta * angle) *
                      (cos(angle) + e->beta * sin(angle));
}

static fw_status write_signal(decrement *d) {
  static const fw_column columns[] = {{"time", "s"}, {"measured", "m"}, {"fitted", "m"}};
  fw_data_table *table;
  fw_decay e = fitted_decay(d);
  double end = d->found.turns.list[d->found.turns.count - 1].t;
  FW_TRY(fw_sink_table(d->job->sink, d->job->ctx, d->job->id, "decay", columns, 3, false, &table));
  int i = 0;
  for (size_t r = 0; r < d->signal.count; r++) {
    double t = d->signal.t[r];
    while (i + 1 < d->found.turns.count && t >= d->found.turns.list[i + 1].t) i++;
    bool within = t >= d->found.turns.list[0].t && t <= end;
    const double row[] = {t, d->signal.x[r], within ? decay_at(d, &e, i, t) : fw_unknown()};
    FW_TRY(fw_sink_row(d->job->sink, d->job->ctx, table, row));
  }
  return FW_OK;
}

/* What every four neighbours say, over their amplitude: flat where the damping is viscous and Coulomb's. */
static fw_status write_local(decrement *d) {
  static const fw_column columns[] = {{"amplitude", "m"}, {"zeta", ""}, {"x_k", "m"}};
  fw_data_table *table;
  FW_TRY(fw_sink_table(d->job->sink, d->job->ctx, d->job->id, "over-amplitude", columns, 3, false, &table));
  for (int i = 0; i + 4 <= d->found.turns.count; i++) {
    fw_decay_data four = fw_free_decay_part(&d->found, i, 4);
    fw_decay e;
    four.offset = d->found.estimates[d->found.chosen].offset;
    FW_TRY(fw_decay_regression(d->job->ctx, &four, &e));
    const double row[] = {0.5 * fabs(d->found.x[i] - d->found.x[i + 1]), e.found ? e.zeta : fw_unknown(),
                          e.found ? e.x_k : fw_unknown()};
    FW_TRY(fw_sink_row(d->job->sink, d->job->ctx, table, row));
  }
  return FW_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

static fw_status decrement_run(fw_identify_job *job) {
  decrement d = {.job = job};
  fw_status status;
  FW_TRY_DONE(read_signal(job, &d.signal));
  const fw_free_decay_options options = {.window = fw_args_number(job->args, "window"),
                                         .offset = number_or_nan(job->args, "offset"),
                                         .half_cycles = fw_args_integer(job->args, "half-cycles"),
                                         .estimator = fw_args_integer(job->args, "estimator") - 1};
  FW_TRY_DONE(fw_free_decay_find(job->ctx, &d.signal, &options, &d.found));
  FW_TRY_DONE(tell_chosen(&d));
  FW_TRY_DONE(warn_of_chosen(&d));
  FW_TRY_DONE(tell_estimates(&d));
  FW_TRY_DONE(look_for_drift(&d));
  FW_TRY_DONE(write_extremes(&d));
  FW_TRY_DONE(write_signal(&d));
  FW_TRY_DONE(write_local(&d));
done:
  fw_free_decay_clear(&d.found);
  fw_signal_clear(&d.signal);
  return status;
}

extern const fw_method_ops fw_method_decrement;
const fw_method_ops fw_method_decrement = {
    .entry =
        {"decrement", "viscous and Coulomb damping of an oscillator from its free decay",
         "X_(i+1) - d = -r (X_i - d) + s_i (1 + r) x_k, r = exp(-beta pi), beta = zeta/sqrt(1 - zeta^2), x_k = f_k/k",
         "Feeny and Liang, Journal of Sound and Vibration 195 (1996)", decrement_params},
    .check = decrement_check,
    .run = decrement_run,
    .of_results = true};
