/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/experiments.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reading.h"
#include "core/unknown.h"
#include "identify/quiet.h"
#include "identify/report.h"

static fw_status refuse(const fw_identify_job *job, const char *why) {
  return fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place, "attribute 'data': %s", why);
}

/* ---- constant speeds --------------------------------------------------------------------- */

enum { MOST_SPEEDS = 512, LEAST_ROWS = 8, STRIBECK = 4 };
static const char *const stribeck_numbers[STRIBECK] = {"mu-s", "mu-c", "v-s", "sigma-2"};

typedef struct speeds {
  double v[MOST_SPEEDS], mu[MOST_SPEEDS], deviation[MOST_SPEEDS];
  int count;
  int which[STRIBECK]; /* numbers that are fitted */
  int fitted;
  double held[STRIBECK];
} speeds;

/* Mean of |T|/N over the later half of rows [from, to), when it has settled. */
static void take_speed(const fw_loop_data *l, size_t from, size_t to, speeds *s) {
  double n = 0.0, mean = 0.0, square = 0.0, speed = 0.0, normal = 0.0;
  for (size_t i = (from + to) / 2; i < to; i++, n++) {
    double mu = l->N[i] > 0.0 ? copysign(l->T[i] / l->N[i], l->T[i] * l->v[i]) : 0.0;
    mean += mu;
    square += mu * mu;
    speed += fabs(l->v[i]);
    normal += l->N[i];
  }
  mean /= n;
  double scatter = sqrt(fmax(square / n - mean * mean, 0.0)), own = l->assumed ? 0.0 : l->deviation / (normal / n);
  s->v[s->count] = speed / n;
  s->mu[s->count] = mean;
  s->deviation[s->count++] = fmax(fmax(scatter, own) / sqrt(n), 1e-4 * fabs(mean));
}

/* Stretches in which the velocity keeps within 2 % of where it began. */
static void take_stretches(const fw_loop_data *l, speeds *s) {
  for (size_t from = 0, i = 1; i <= l->count; i++) {
    if (i < l->count && fabs(l->v[i] - l->v[from]) <= 0.02 * fabs(l->v[from])) continue;
    if (l->v[from] != 0.0 && i - from >= LEAST_ROWS && s->count < MOST_SPEEDS) take_speed(l, from, i, s);
    from = i;
  }
}

/* "name=value" of a list; false: it does not have it. */
static bool is_held(const char *hold, const char *name, double *value) {
  size_t length = strlen(name);
  for (const char *at = hold; at && (at = strstr(at, name)); at += length)
    if ((at == hold || strchr(", \t\n", at[-1])) && at[length] == '=')
      return sscanf(at + length + 1, "%lf", value) == 1;
  return false;
}

/* Words of a list. */
static int count_words(const char *text) {
  int count = 0;
  for (const char *at = text; at && *at; at += strcspn(at, ", \t\n")) {
    at += strspn(at, ", \t\n");
    count += *at != '\0';
  }
  return count;
}

static void read_speeds(const fw_loops *loops, const char *hold, speeds *s) {
  *s = (speeds){0};
  for (int i = 0; i < loops->count; i++) take_stretches(&loops->list[i], s);
  for (int k = 0; k < STRIBECK; k++)
    if (!is_held(hold, stribeck_numbers[k], &s->held[k])) s->which[s->fitted++] = k;
}

static int different_speeds(const speeds *s) {
  int count = 0;
  for (int i = 0; i < s->count; i++) {
    bool again = false;
    for (int k = 0; k < i; k++) again |= fabs(s->v[i] - s->v[k]) <= 0.02 * s->v[i];
    count += !again;
  }
  return count;
}

static void numbers_of(const speeds *s, const double *p, double *all) {
  memcpy(all, s->held, STRIBECK * sizeof *all);
  for (int k = 0; k < s->fitted; k++) all[s->which[k]] = p[k];
}

static double stribeck_at(const double *n, double v) {
  return n[1] + (n[0] - n[1]) * exp(-(v / n[2]) * (v / n[2])) + n[3] * v;
}

static fw_status speed_residual(void *user, fw_context *ctx, const double *p, double *r) {
  const speeds *s = user;
  double all[STRIBECK];
  (void)ctx;
  numbers_of(s, p, all);
  for (int i = 0; i < s->count; i++) r[i] = (stribeck_at(all, s->v[i]) - s->mu[i]) / s->deviation[i];
  return FW_OK;
}

/* Where the search begins and how far it may go: friction at the slowest and at the fastest speed, the middle of the
 * range of speeds. */
static void state_numbers(const speeds *s, fw_fit_parameter *list) {
  int slow = 0, fast = 0;
  for (int i = 0; i < s->count; i++) {
    if (s->v[i] < s->v[slow]) slow = i;
    if (s->v[i] > s->v[fast]) fast = i;
  }
  const fw_fit_parameter all[STRIBECK] = {
      {"mu-s", "", fabs(s->mu[slow]), 1e-4, 10.0, true},
      {"mu-c", "", fabs(s->mu[fast]), 1e-4, 10.0, true},
      {"v-s", "m/s", sqrt(s->v[slow] * s->v[fast]), 0.1 * s->v[slow], 10.0 * s->v[fast], true},
      {"sigma-2", "s/m", 0.0, -2.0 * fabs(s->mu[fast]) / s->v[fast], 2.0 * fabs(s->mu[fast]) / s->v[fast], false}};
  for (int k = 0; k < s->fitted; k++) list[k] = all[s->which[k]];
}

static fw_status write_speeds(fw_identify_job *job, const speeds *s, const double *all) {
  static const fw_column columns[] = {{"speed", "m/s"}, {"measured", ""}, {"fitted", ""}, {"deviation", ""}};
  fw_data_table *table;
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, "speeds", columns, 4, false, &table));
  for (int i = 0; i < s->count; i++) {
    const double row[] = {s->v[i], s->mu[i], stribeck_at(all, s->v[i]), s->deviation[i]};
    FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  return FW_OK;
}

static fw_status warn_of_range(fw_identify_job *job, const speeds *s, double v_s) {
  double low = INFINITY, high = 0.0;
  for (int i = 0; i < s->count; i++) {
    low = fmin(low, s->v[i]);
    high = fmax(high, s->v[i]);
  }
  if (low < v_s && v_s < high) return FW_OK;
  return fw_identify_warn(job, "v-s = %g m/s is outside the speeds, %g to %g m/s", v_s, low, high);
}

static fw_status run_speeds(fw_identify_job *job, const fw_loops *loops, const fw_experiment_options *options) {
  speeds *s;
  fw_fit_parameter list[STRIBECK];
  double all[STRIBECK];
  fw_fit fit = {0};
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *s, &s));
  fw_status status;
  read_speeds(loops, options->hold, s);
  state_numbers(s, list);
  fw_fit_problem problem = {
      .parameters = s->fitted, .residuals = s->count, .list = list, .user = s, .residual = speed_residual};
  fw_fit_report report = {"", &problem, &options->fit, &fit, options->profiles};
  FW_TRY_DONE(fw_fit_run(job->ctx, &problem, &options->fit, &fit));
  FW_TRY_DONE(fw_fit_tell(job, &report));
  numbers_of(s, fit.p, all);
  FW_TRY_DONE(write_speeds(job, s, all));
  FW_TRY_DONE(warn_of_range(job, s, all[2]));
done:
  fw_fit_clear(&fit);
  free(s);
  return status;
}

/* ---- a ramp of force --------------------------------------------------------------------- */

/* Slope at the beginning of T = a + k u + q u^2: presliding bends long before it breaks. */
static void fit_slope(const fw_loop_data *l, size_t rows, fw_ramp *r) {
  gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc(rows, 3);
  gsl_matrix *X = gsl_matrix_alloc(rows, 3), *C = gsl_matrix_alloc(3, 3);
  gsl_vector *c = gsl_vector_alloc(3);
  double squares, way = l->u[rows - 1] - l->u[0];
  if (w && X && C && c) {
    gsl_vector_const_view T = gsl_vector_const_view_array(l->T, rows);
    for (size_t i = 0; i < rows; i++)
      for (int k = 0; k < 3; k++) gsl_matrix_set(X, i, (size_t)k, pow((l->u[i] - l->u[0]) / way, k));
    gsl_multifit_linear(X, &T.vector, c, C, &squares, w);
    r->stiffness = gsl_vector_get(c, 1) / way;
    r->error = sqrt(gsl_matrix_get(C, 1, 1)) / fabs(way);
  }
  if (w) gsl_multifit_linear_free(w);
  gsl_matrix_free(X);
  gsl_matrix_free(C);
  gsl_vector_free(c);
}

/* The largest force before it first falls by a twentieth; where it never does, where the largest of all is nearly
 * reached. */
static size_t breakaway(const fw_loop_data *l) {
  size_t at = 0, first = 0;
  for (size_t i = 1; i < l->count; i++) {
    if (fabs(l->T[i]) > fabs(l->T[at])) at = i;
    if (fabs(l->T[i]) < 0.95 * fabs(l->T[at]) && at > 0) return at;
  }
  while (fabs(l->T[first]) < 0.99 * fabs(l->T[at])) first++;
  return first;
}

fw_ramp fw_ramp_take(const fw_loop_data *l) {
  enum { LEAST = 5 };
  fw_ramp r = {.stiffness = NAN, .error = NAN};
  size_t rows = 0;
  r.at = breakaway(l);
  r.force = fabs(l->T[r.at]);
  r.normal = l->N[r.at];
  r.rate = r.at > 0 ? fabs(l->T[r.at] - l->T[0]) / (l->t[r.at] - l->t[0]) : NAN;
  while (rows < r.at && fabs(l->T[rows]) < r.force / 3.0) rows++;
  if (rows < LEAST || l->u[rows - 1] == l->u[0]) return r; /* rigid stick, or too coarse a record */
  fw_gsl_enter();
  fit_slope(l, rows, &r);
  fw_gsl_leave();
  return r;
}

/* After its largest force the contact must have gone on, farther than its spring reached. */
static bool breaks_away(const fw_loop_data *l, const fw_ramp *r) {
  double reach = isnan(r->stiffness) ? fabs(l->u[r->at] - l->u[0]) : fabs(r->force / r->stiffness);
  return r->normal > 0.0 && fabs(l->u[l->count - 1] - l->u[r->at]) > 2.0 * reach;
}

static fw_status check_ramp(fw_identify_job *job, const fw_loops *loops) {
  for (int i = 0; i < loops->count; i++) {
    fw_ramp r = fw_ramp_take(&loops->list[i]);
    if (breaks_away(&loops->list[i], &r)) continue;
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place,
                      "attribute 'data': '%s' never breaks away: at its largest force of %g N nothing slides",
                      loops->list[i].id, r.force);
  }
  return FW_OK;
}

/* Mean of several and the deviation of that mean; of one the deviation that it has itself. */
static fw_status tell_mean(fw_identify_job *job, const char *name, const char *unit, const double *x, int count,
                           double own) {
  double mean = 0.0, square = 0.0;
  for (int i = 0; i < count; i++) mean += x[i] / count;
  for (int i = 0; i < count; i++) square += (x[i] - mean) * (x[i] - mean);
  if (!isfinite(mean)) return FW_OK;
  return fw_identify_figure(job, name, unit, mean, count > 1 ? sqrt(square / (count - 1) / count) : own);
}

static double known(double value) { return isfinite(value) ? value : fw_unknown(); }

static fw_status run_ramp(fw_identify_job *job, const fw_loops *loops) {
  static const fw_column columns[] = {
      {"rate", "N/s"}, {"friction", "N"}, {"mu-s", ""}, {"stiffness", "N/m"}, {"reach", "m"}};
  double mu[64], stiffness[64], reach[64];
  fw_data_table *table;
  fw_ramp r = {0};
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, "ramps", columns, 5, false, &table));
  for (int i = 0; i < loops->count; i++) {
    r = fw_ramp_take(&loops->list[i]);
    mu[i] = r.force / r.normal;
    stiffness[i] = r.stiffness;
    reach[i] = r.force / r.stiffness;
    const double row[] = {r.rate, r.force, mu[i], known(stiffness[i]), known(reach[i])};
    FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  FW_TRY(tell_mean(job, "mu-s", "", mu, loops->count, loops->list[0].deviation / r.normal));
  FW_TRY(tell_mean(job, "sigma-0", "N/m", stiffness, loops->count, r.error));
  return tell_mean(job, "reach", "m", reach, loops->count, NAN);
}

/* ---- small signals ----------------------------------------------------------------------- */

typedef struct signal {
  double omega, slip, normal;
  double stiffness, stiffness_deviation, damping, damping_deviation; /* T = k u + d v over the last cycle */
  double left;                                                       /* part of T that this leaves */
} signal;

/* Regression of T on 1, u, v. */
static fw_status fit_signal(fw_context *ctx, const fw_loop_data *l, signal *s) {
  size_t n = l->count - l->cycle;
  gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc(n, 3);
  gsl_matrix *X = gsl_matrix_alloc(n, 3), *C = gsl_matrix_alloc(3, 3);
  gsl_vector *c = gsl_vector_alloc(3);
  double squares = 0.0, all = 0.0, mean = 0.0;
  fw_status status = w && X && C && c ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (status == FW_OK) {
    gsl_vector_const_view T = gsl_vector_const_view_array(l->T + l->cycle, n);
    for (size_t i = 0; i < n; i++) {
      gsl_matrix_set(X, i, 0, 1.0);
      gsl_matrix_set(X, i, 1, l->u[l->cycle + i]);
      gsl_matrix_set(X, i, 2, l->v[l->cycle + i]);
      mean += l->T[l->cycle + i] / (double)n;
    }
    gsl_multifit_linear(X, &T.vector, c, C, &squares, w);
    for (size_t i = 0; i < n; i++) all += pow(l->T[l->cycle + i] - mean, 2);
    s->stiffness = gsl_vector_get(c, 1);
    s->damping = gsl_vector_get(c, 2);
    s->stiffness_deviation = sqrt(gsl_matrix_get(C, 1, 1));
    s->damping_deviation = sqrt(gsl_matrix_get(C, 2, 2));
    s->left = sqrt(squares / all);
  }
  if (w) gsl_multifit_linear_free(w);
  gsl_matrix_free(X);
  gsl_matrix_free(C);
  gsl_vector_free(c);
  return status;
}

/* w = largest speed over largest slip. */
static fw_status take_signal(fw_context *ctx, const fw_loop_data *l, signal *s) {
  double low = INFINITY, high = -INFINITY, speed = 0.0;
  *s = (signal){0};
  for (size_t i = l->cycle; i < l->count; i++) {
    low = fmin(low, l->u[i]);
    high = fmax(high, l->u[i]);
    speed = fmax(speed, fabs(l->v[i]));
    s->normal += l->N[i] / (double)(l->count - l->cycle);
  }
  s->slip = 0.5 * (high - low);
  s->omega = speed / s->slip;
  fw_gsl_enter();
  fw_status status = fit_signal(ctx, l, s);
  fw_gsl_leave();
  return status;
}

/* d = sigma_1 + loss/w by weighted least squares: what slip loses in every cycle, whatever its frequency, is no damper. */
static void split_damping(const signal *s, int count, double *sigma, double *sigma_deviation, double *loss) {
  double a = 0, b = 0, c = 0, d = 0, e = 0;
  for (int i = 0; i < count; i++) {
    double weight = 1.0 / pow(fmax(s[i].damping_deviation, 1e-9 * fabs(s[i].damping)), 2), x = 1.0 / s[i].omega;
    a += weight;
    b += weight * x;
    c += weight * x * x;
    d += weight * s[i].damping;
    e += weight * x * s[i].damping;
  }
  double determinant = a * c - b * b;
  bool several = count > 1 && determinant > 1e-6 * a * c;
  *sigma = several ? (c * d - b * e) / determinant : d / a;
  *loss = several ? (a * e - b * d) / determinant : 0.0;
  *sigma_deviation = several ? sqrt(c / determinant) : sqrt(1.0 / a);
}

static fw_status write_signals(fw_identify_job *job, const signal *s, int count) {
  static const fw_column columns[] = {{"frequency", "Hz"},  {"slip", "m"},       {"stiffness", "N/m"},
                                      {"damping", "N s/m"}, {"loss_factor", ""}, {"left", ""}};
  fw_data_table *table;
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, "signals", columns, 6, false, &table));
  for (int i = 0; i < count; i++) {
    const double row[] = {s[i].omega / (2 * M_PI),
                          s[i].slip,
                          s[i].stiffness,
                          s[i].damping,
                          s[i].omega * s[i].damping / s[i].stiffness,
                          s[i].left};
    FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  return FW_OK;
}

static fw_status tell_signals(fw_identify_job *job, const signal *s, int count) {
  double weights = 0.0, stiffness = 0.0, sigma, deviation, loss, normal = 0.0;
  for (int i = 0; i < count; i++) {
    double weight = 1.0 / pow(fmax(s[i].stiffness_deviation, 1e-9 * fabs(s[i].stiffness)), 2);
    weights += weight;
    stiffness += weight * s[i].stiffness;
    normal += s[i].normal / count;
    if (s[i].left > 0.05)
      FW_TRY(fw_identify_warn(
          job, "a spring and a damper leave %.1f %% of the friction at %g Hz: the slip of %s is not small",
          100.0 * s[i].left, s[i].omega / (2 * M_PI), fw_say(s[i].slip, "m").text));
  }
  stiffness /= weights;
  split_damping(s, count, &sigma, &deviation, &loss);
  if (count == 1)
    FW_TRY(fw_identify_warn(
        job, "one frequency does not tell a damper from what slip loses in every cycle: sigma-1 holds both"));
  FW_TRY(fw_identify_figure(job, "sigma-0", "N/m", stiffness, sqrt(1.0 / weights)));
  FW_TRY(fw_identify_figure(job, "sigma-1", "N s/m", sigma, deviation));
  FW_TRY(fw_identify_figure(job, "loss", "N/m", loss, NAN));
  if (!(normal > 0.0)) return FW_OK;
  FW_TRY(fw_identify_figure(job, "sigma-0_over_N", "1/m", stiffness / normal, NAN));
  return fw_identify_figure(job, "sigma-1_over_N", "s/m", sigma / normal, NAN);
}

static fw_status run_small_signal(fw_identify_job *job, const fw_loops *loops) {
  signal *s;
  FW_TRY(fw_alloc(job->ctx, (size_t)loops->count, sizeof *s, &s));
  fw_status status = FW_OK;
  for (int i = 0; i < loops->count && status == FW_OK; i++) status = take_signal(job->ctx, &loops->list[i], &s[i]);
  if (status == FW_OK) status = tell_signals(job, s, loops->count);
  if (status == FW_OK) status = write_signals(job, s, loops->count);
  free(s);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

static fw_status check_speeds(fw_identify_job *job, const fw_loops *loops, const char *hold) {
  speeds *s;
  char why[160];
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *s, &s));
  read_speeds(loops, hold, s);
  int speeds_there = different_speeds(s), unknown = s->fitted;
  free(s);
  if (count_words(hold) != STRIBECK - unknown)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place,
                      "attribute 'hold': a word of \"%s\" is not one of mu-s, mu-c, v-s, sigma-2 with =value", hold);
  if (unknown < 1)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place, "attribute 'hold': nothing is left to be found");
  if (speeds_there >= unknown) return FW_OK;
  snprintf(why, sizeof why, "%d constant speeds are too few for %d numbers", speeds_there, unknown);
  return refuse(job, why);
}

fw_status fw_experiment_check(fw_identify_job *job, const fw_loops *loops, const fw_experiment_options *options) {
  if (options->kind == FW_EXPERIMENT_SPEEDS) return check_speeds(job, loops, options->hold);
  return options->kind == FW_EXPERIMENT_RAMP ? check_ramp(job, loops) : FW_OK;
}

fw_status fw_experiment_run(fw_identify_job *job, const fw_loops *loops, const fw_experiment_options *options) {
  FW_TRY(fw_experiment_check(job, loops, options));
  if (options->kind == FW_EXPERIMENT_SPEEDS) return run_speeds(job, loops, options);
  return options->kind == FW_EXPERIMENT_RAMP ? run_ramp(job, loops) : run_small_signal(job, loops);
}
