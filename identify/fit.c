/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/fit.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/quiet.h"
#include "identify/share.h"

typedef struct fitting {
  fw_context *ctx;
  const fw_fit_problem *problem;
  const fw_fit_options *options;
  double *p, *r, *r2, *j; /* room */
  double *points;         /* [2 parameters * parameters] that are evaluated next */
  double *best;           /* q of the best so far */
  double least;           /* its sum of squares */
  int evaluations, most;
  fw_status fatal;
} fitting;

/* ---- bounds ------------------------------------------------------------------------------ */

static double bounded(const fw_fit_parameter *x, double q) {
  double low = fw_fit_coordinate(x, x->low), high = fw_fit_coordinate(x, x->high);
  return fmin(fmax(fw_fit_from_coordinate(x, low + (high - low) * 0.5 * (1.0 + sin(q))), x->low), x->high);
}

/* dp/dq */
static double bounded_rate(const fw_fit_parameter *x, double q) {
  double wide = fw_fit_coordinate(x, x->high) - fw_fit_coordinate(x, x->low), rate = 0.5 * wide * cos(q);
  return x->logarithmic ? rate * bounded(x, q) : rate;
}

/* Starts keep away from the bounds, where p does not move with q. */
static double freed(const fw_fit_parameter *x, double p) {
  double low = fw_fit_coordinate(x, x->low), high = fw_fit_coordinate(x, x->high);
  double part = (fw_fit_coordinate(x, fmin(fmax(p, x->low), x->high)) - low) / (high - low);
  return asin(2.0 * fmin(fmax(part, 0.002), 0.998) - 1.0);
}

/* ---- evaluation -------------------------------------------------------------------------- */

static void place(const fitting *f, const double *q, double *p) {
  for (int k = 0; k < f->problem->parameters; k++) p[k] = bounded(&f->problem->list[k], q[k]);
}

/* Residuals at p; false: there are none here. */
static bool evaluate_at(fitting *f, const double *p, double *r) {
  f->evaluations++;
  if (f->fatal == FW_OK) f->fatal = fw_interrupted(f->ctx);
  if (f->fatal != FW_OK) return false;
  fw_status status = f->problem->residual(f->problem->user, f->ctx, p, r);
  if (status < 0 && status != FW_ERR_ANALYSIS && status != FW_ERR_SINGULAR) f->fatal = status;
  if (status != FW_OK) return false;
  for (int i = 0; i < f->problem->residuals; i++)
    if (!isfinite(r[i])) return false;
  return true;
}

static double sum_squares(const double *r, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) sum += r[i] * r[i];
  return sum;
}

/* Residuals at q, remembered if they are the best so far. */
static bool evaluate(fitting *f, const double *q, double *r) {
  place(f, q, f->p);
  if (!evaluate_at(f, f->p, r)) return false;
  double squares = sum_squares(r, f->problem->residuals);
  if (squares < f->least) {
    f->least = squares;
    memcpy(f->best, q, (size_t)f->problem->parameters * sizeof *q);
  }
  if (f->options->progress)
    fw_progress(f->ctx, f->options->progress, fmin(0.99, (double)f->evaluations / (double)f->most));
  return true;
}

/* Where column k of dr/dp is taken: p moved down and up, as far as the bounds allow. */
static void neighbours(const fitting *f, const double *p, int k, double *less, double *more) {
  const fw_fit_parameter *x = &f->problem->list[k];
  double step = (f->problem->step > 0.0 ? f->problem->step : 1e-5) *
                (fw_fit_coordinate(x, x->high) - fw_fit_coordinate(x, x->low));
  *more = fmin(fw_fit_from_coordinate(x, fw_fit_coordinate(x, p[k]) + step), x->high);
  *less = fmax(fw_fit_from_coordinate(x, fw_fit_coordinate(x, p[k]) - step), x->low);
}

/* One column of dr/dp by central differences; one-sided at a bound and beside a place without value. */
static bool difference(fitting *f, double *p, int k, double *j) {
  int n = f->problem->parameters, m = f->problem->residuals;
  double here = p[k], less, more;
  neighbours(f, p, k, &less, &more);
  p[k] = more;
  bool above = evaluate_at(f, p, f->r);
  p[k] = less;
  bool below = evaluate_at(f, p, f->r2);
  p[k] = here;
  if (!above && below) above = evaluate_at(f, p, f->r), more = here;
  if (above && !below) below = evaluate_at(f, p, f->r2), less = here;
  for (int i = 0; above && below && i < m; i++) j[i * n + k] = (f->r[i] - f->r2[i]) / (more - less);
  return above && below;
}

/* Says which points are evaluated next. */
static void prepare(fitting *f, int count) {
  if (f->fatal == FW_OK && f->problem->prepare)
    f->fatal = f->problem->prepare(f->problem->user, f->ctx, count, f->points);
}

static void prepare_differences(fitting *f, const double *p, const bool *known) {
  int n = f->problem->parameters, count = 0;
  for (int k = 0; k < n; k++) {
    if (known[k]) continue;
    double *less = f->points + (ptrdiff_t)2 * count++ * n, *more = less + n;
    memcpy(less, p, (size_t)n * sizeof *p);
    memcpy(more, p, (size_t)n * sizeof *p);
    neighbours(f, p, k, &less[k], &more[k]);
  }
  prepare(f, 2 * count);
}

/* dr/dp at p into j. */
static bool derive(fitting *f, double *p, double *j) {
  bool known[64];
  for (int k = 0; k < f->problem->parameters; k++) known[k] = f->problem->jacobian != NULL;
  if (f->problem->jacobian) {
    fw_status status = f->problem->jacobian(f->problem->user, f->ctx, p, j, known);
    if (status < 0 && status != FW_ERR_ANALYSIS) f->fatal = status;
    if (status != FW_OK) return false;
  }
  prepare_differences(f, p, known);
  for (int k = 0; k < f->problem->parameters; k++)
    if (!known[k] && !difference(f, p, k, j)) return false;
  return true;
}

static double ends_at(const fitting *f) { return f->options->tolerance > 0.0 ? f->options->tolerance : 1e-10; }

/* ---- Levenberg-Marquardt ----------------------------------------------------------------- */

static int lm_residual(const gsl_vector *q, void *user, gsl_vector *r) {
  fitting *f = user;
  if (evaluate(f, q->data, r->data)) return GSL_SUCCESS;
  gsl_vector_set_all(r, 1e100); /* nothing here: the step is taken back and made shorter */
  return f->fatal == FW_OK ? GSL_SUCCESS : GSL_EFAILED;
}

static int lm_jacobian(const gsl_vector *q, void *user, gsl_matrix *j) {
  fitting *f = user;
  int n = f->problem->parameters;
  double p[64];
  place(f, q->data, p);
  if (!derive(f, p, f->j)) return GSL_EFAILED;
  for (int i = 0; i < f->problem->residuals; i++)
    for (int k = 0; k < n; k++)
      gsl_matrix_set(j, (size_t)i, (size_t)k,
                     f->j[i * n + k] * bounded_rate(&f->problem->list[k], gsl_vector_get(q, (size_t)k)));
  return GSL_SUCCESS;
}

static fw_status levenberg_marquardt(fitting *f, double *q) {
  size_t n = (size_t)f->problem->parameters, m = (size_t)f->problem->residuals;
  if (m < n) return FW_OK; /* it asks for as many residuals as parameters: the simplex does what can be done */
  gsl_multifit_nlinear_parameters settings = gsl_multifit_nlinear_default_parameters();
  settings.trs = gsl_multifit_nlinear_trs_lm;
  settings.scale = gsl_multifit_nlinear_scale_levenberg;
  gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &settings, m, n);
  if (!w) return fw_fail(f->ctx, FW_ERR_MEMORY, "out of memory");
  gsl_multifit_nlinear_fdf system = {.f = lm_residual, .df = lm_jacobian, .n = m, .p = n, .params = f};
  gsl_vector_view start = gsl_vector_view_array(q, n);
  int info, before = f->evaluations;
  int status = gsl_multifit_nlinear_init(&start.vector, &system, w);
  while (status == GSL_SUCCESS && f->evaluations - before < f->most) {
    status = gsl_multifit_nlinear_iterate(w);
    if (gsl_multifit_nlinear_test(ends_at(f), 1e-12, 1e-14, &info, w) == GSL_SUCCESS) break;
  }
  gsl_multifit_nlinear_free(w);
  return f->fatal;
}

/* ---- simplex ----------------------------------------------------------------------------- */

static double simplex_value(const gsl_vector *q, void *user) {
  fitting *f = user;
  return evaluate(f, q->data, f->r) ? sum_squares(f->r, f->problem->residuals) : 1e300;
}

static const double SIMPLEX = 0.2; /* how far its corners are from its start */

static void prepare_simplex(fitting *f, const double *q) {
  int n = f->problem->parameters;
  double corner[64];
  memcpy(corner, q, (size_t)n * sizeof *q);
  for (int k = -1; k < n; k++) {
    if (k >= 0) corner[k] = q[k] + SIMPLEX;
    place(f, corner, f->points + (ptrdiff_t)(k + 1) * n);
    if (k >= 0) corner[k] = q[k];
  }
  prepare(f, n + 1);
}

static fw_status simplex(fitting *f, double *q) {
  size_t n = (size_t)f->problem->parameters, m = (size_t)f->problem->residuals;
  gsl_multimin_fminimizer *s = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
  gsl_vector *size = gsl_vector_alloc(n);
  fw_status status = s && size ? FW_OK : fw_fail(f->ctx, FW_ERR_MEMORY, "out of memory");
  if (status == FW_OK) {
    gsl_multimin_function system = {.f = simplex_value, .n = n, .params = f};
    gsl_vector_view start = gsl_vector_view_array(q, n);
    gsl_vector_set_all(size, SIMPLEX);
    prepare_simplex(f, q);
    /* where another search follows, it only has to find the valley */
    double least = f->options->search == FW_FIT_BOTH && m >= n ? 0.02 : 10.0 * ends_at(f);
    int before = f->evaluations, code = gsl_multimin_fminimizer_set(s, &system, &start.vector, size);
    while (code == GSL_SUCCESS && f->fatal == FW_OK && f->evaluations - before < f->most) {
      code = gsl_multimin_fminimizer_iterate(s);
      if (gsl_multimin_fminimizer_size(s) < least) break;
    }
    memcpy(q, f->best, n * sizeof *q);
    status = f->fatal;
  }
  if (s) gsl_multimin_fminimizer_free(s);
  if (size) gsl_vector_free(size);
  return status;
}

/* ---- starts ------------------------------------------------------------------------------ */

/* What is known of a search: a row of numbers. */
enum { LEAST, EVALUATIONS, PLACE };

static fw_status make_search_room(fitting *f) {
  size_t n = (size_t)f->problem->parameters, m = (size_t)f->problem->residuals;
  FW_TRY(fw_alloc(f->ctx, n, sizeof(double), &f->p));
  FW_TRY(fw_alloc(f->ctx, n, sizeof(double), &f->best));
  FW_TRY(fw_alloc(f->ctx, m, sizeof(double), &f->r));
  FW_TRY(fw_alloc(f->ctx, m, sizeof(double), &f->r2));
  FW_TRY(fw_alloc(f->ctx, 2 * n * n + 1, sizeof(double), &f->points));
  return fw_alloc(f->ctx, m * n, sizeof(double), &f->j);
}

static void free_search_room(fitting *f) {
  double *const arrays[] = {f->p, f->best, f->r, f->r2, f->j, f->points};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

typedef struct starting {
  const fw_fit_problem *problem;
  const fw_fit_options *options;
  const double *places; /* [starts * parameters] q */
} starting;

static fw_status search_from(void *user, fw_context *ctx, int start, double *results) {
  const starting *s = user;
  int n = s->problem->parameters;
  fitting f = {.ctx = ctx, .problem = s->problem, .options = s->options, .least = INFINITY};
  double q[64];
  fw_status status;
  f.most = s->options->most > 0 ? s->options->most : 2000;
  memcpy(q, s->places + (ptrdiff_t)start * n, (size_t)n * sizeof *q);
  FW_TRY_DONE(make_search_room(&f));
  if (s->options->search != FW_FIT_LEVENBERG_MARQUARDT || s->problem->residuals < n) FW_TRY_DONE(simplex(&f, q));
  if (s->options->search != FW_FIT_SIMPLEX) FW_TRY_DONE(levenberg_marquardt(&f, q));
  results[LEAST] = f.least;
  results[EVALUATIONS] = f.evaluations;
  memcpy(results + PLACE, f.best, (size_t)n * sizeof *q);
done:
  free_search_room(&f);
  return status;
}

/* Start 0 is the given one; the others are a Sobol sequence over the bounds. */
static void spread_starts(const fitting *f, int starts, double *places) {
  int n = f->problem->parameters;
  double u[64];
  gsl_qrng *spread = n <= 40 ? gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)n) : NULL;
  for (unsigned long skip = 0; spread && skip < f->options->seed % 64; skip++) gsl_qrng_get(spread, u);
  for (int s = 0; s < starts; s++) {
    if (s > 0 && spread) gsl_qrng_get(spread, u);
    for (int k = 0; k < n; k++)
      places[s * n + k] = s == 0 || !spread ? freed(&f->problem->list[k], f->problem->list[k].start)
                                            : asin(2.0 * fmin(fmax(u[k], 0.002), 0.998) - 1.0);
  }
  if (spread) gsl_qrng_free(spread);
}

/* The best of all starts counts, of equal ones the first. */
static void take_best(fitting *f, int starts, const double *results) {
  int n = f->problem->parameters;
  for (int s = 0; s < starts; s++) {
    const double *one = results + (ptrdiff_t)s * (PLACE + n);
    if (f->options->progress && starts > 1)
      fw_log(f->ctx, "%s: start %d of %d leaves %.6g after %.0f evaluations", f->options->progress, s + 1, starts,
             one[LEAST], one[EVALUATIONS]);
    if (isfinite(one[EVALUATIONS])) f->evaluations += (int)one[EVALUATIONS];
    if (!(one[LEAST] < f->least)) continue;
    f->least = one[LEAST];
    memcpy(f->best, one + PLACE, (size_t)n * sizeof *one);
  }
}

static fw_status search_all(fitting *f) {
  int n = f->problem->parameters, starts = f->options->starts > 1 ? f->options->starts : 1;
  starting s = {.problem = f->problem, .options = f->options};
  double *places = NULL, *results = NULL;
  fw_status status;
  FW_TRY_DONE(fw_alloc(f->ctx, (size_t)(starts * n), sizeof *places, &places));
  FW_TRY_DONE(fw_alloc(f->ctx, (size_t)(starts * (PLACE + n)), sizeof *results, &results));
  spread_starts(f, starts, places);
  s.places = places;
  if (starts == 1) {
    FW_TRY_DONE(search_from(&s, f->ctx, 0, results));
  } else {
    const fw_share share = {starts, PLACE + n, f->options->workers, &s, search_from, f->options->progress, NULL, NULL};
    FW_TRY_DONE(fw_share_run(f->ctx, &share, results));
  }
  take_best(f, starts, results);
done:
  free(places);
  free(results);
  if (status != FW_OK || isfinite(f->least)) return status;
  return fw_fail(f->ctx, FW_ERR_ANALYSIS, "the fit cannot be evaluated where it starts");
}

/* ---- life -------------------------------------------------------------------------------- */

static fw_status make_room(fw_context *ctx, fw_fit *fit) {
  size_t n = (size_t)fit->parameters, m = (size_t)fit->residuals;
  FW_TRY(fw_alloc(ctx, n, sizeof(double), &fit->p));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &fit->r));
  FW_TRY(fw_alloc(ctx, m * n, sizeof(double), &fit->jacobian));
  FW_TRY(fw_alloc(ctx, n * n, sizeof(double), &fit->covariance));
  FW_TRY(fw_alloc(ctx, n, sizeof(double), &fit->deviation));
  FW_TRY(fw_alloc(ctx, n, sizeof(double), &fit->singular));
  FW_TRY(fw_alloc(ctx, n * n, sizeof(double), &fit->directions));
  FW_TRY(fw_alloc(ctx, n, sizeof(bool), &fit->on_bound));
  return fw_alloc(ctx, n, sizeof(bool), &fit->idle);
}

/* The best of all, and what it is worth. */
static fw_status finish(fitting *f, fw_fit *fit) {
  place(f, f->best, fit->p);
  if (!evaluate_at(f, fit->p, fit->r) || !derive(f, fit->p, fit->jacobian))
    return f->fatal != FW_OK ? f->fatal : fw_fail(f->ctx, FW_ERR_ANALYSIS, "the fit has no derivatives where it ends");
  fit->squares = sum_squares(fit->r, fit->residuals);
  fit->evaluations = f->evaluations;
  return fw_fit_judge(f->ctx, f->problem, f->options, fit);
}

static fw_status search(fitting *f, fw_fit *fit) {
  FW_TRY(make_room(f->ctx, fit));
  FW_TRY(make_search_room(f));
  FW_TRY(search_all(f));
  return finish(f, fit);
}

fw_status fw_fit_run(fw_context *ctx, const fw_fit_problem *problem, const fw_fit_options *options, fw_fit *fit) {
  enum { MOST_PARAMETERS = 64 };
  *fit = (fw_fit){.parameters = problem->parameters, .residuals = problem->residuals};
  if (problem->parameters < 1 || problem->parameters > MOST_PARAMETERS || problem->residuals < 1)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "a fit of %d parameters to %d residuals", problem->parameters,
                   problem->residuals);
  fitting f = {.ctx = ctx, .problem = problem, .options = options, .least = INFINITY};
  fw_gsl_enter();
  fw_status status = search(&f, fit);
  fw_gsl_leave();
  free_search_room(&f);
  if (status != FW_OK) fw_fit_clear(fit);
  return status;
}

void fw_fit_clear(fw_fit *fit) {
  double *const arrays[] = {fit->p,         fit->r,        fit->jacobian,  fit->covariance,
                            fit->deviation, fit->singular, fit->directions};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  free(fit->on_bound);
  free(fit->idle);
  *fit = (fw_fit){0};
}
