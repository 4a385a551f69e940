/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A straight line through places with known deviations: its posterior is Gaussian, with mean and covariance of the
 * normal equations; what it foretells is Gaussian too. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "identify/posterior.h"

enum { PLACES = 12, WALKERS = 20 };
static const double SIGMA = 0.3, AHEAD = 3.0; /* where the line is foretold */

static double place_of(int i) { return 0.1 * i; }
static double measured(int i) { return 2.0 + 5.0 * place_of(i) + 0.2 * ((i * 5) % 7 - 3); }

typedef struct line {
  double ahead;                  /* of the last residual */
  double announced[2 * WALKERS]; /* points of the last preparation */
  int count, asked, surprises;   /* how many, residuals asked for, those that were not announced */
} line;

static fw_status residual(void *user, fw_context *ctx, const double *p, double *r) {
  (void)ctx;
  for (int i = 0; i < PLACES; i++) r[i] = (p[0] + p[1] * place_of(i) - measured(i)) / SIGMA;
  line *l = user;
  bool known = false;
  for (int i = 0; i < l->count; i++) known |= memcmp(l->announced + 2 * i, p, 2 * sizeof *p) == 0;
  l->asked++;
  l->surprises += !known;
  l->ahead = p[0] + p[1] * AHEAD;
  return FW_OK;
}

static fw_status prepare(void *user, fw_context *ctx, int count, const double *points) {
  line *l = user;
  (void)ctx;
  assert_true(count <= WALKERS);
  memcpy(l->announced, points, (size_t)count * 2 * sizeof *points);
  l->count = count;
  return FW_OK;
}

static void look_ahead(const void *user, double *values) { values[0] = ((const line *)user)->ahead; }

static const fw_fit_parameter wide[2] = {{"a", "", 0.0, -50.0, 50.0, false}, {"b", "", 1.0, -50.0, 50.0, false}};

typedef struct exact {
  double mean[2], covariance[3]; /* aa, ab, bb */
} exact;

static exact normal_equations(void) {
  double s = 0, t = 0, tt = 0, y = 0, ty = 0, w = 1 / (SIGMA * SIGMA);
  for (int i = 0; i < PLACES; i++) {
    s += w;
    t += w * place_of(i);
    tt += w * place_of(i) * place_of(i);
    y += w * measured(i);
    ty += w * place_of(i) * measured(i);
  }
  double det = s * tt - t * t;
  return (exact){{(tt * y - t * ty) / det, (s * ty - t * y) / det}, {tt / det, -t / det, s / det}};
}

static line sample(fw_context *ctx, const fw_fit_parameter *list, int steps, fw_ensemble *ensemble) {
  line user = {0};
  fw_fit_problem problem = {.parameters = 2, .residuals = PLACES, .list = list, .user = &user, .residual = residual};
  fw_fit_options options = {.search = FW_FIT_LEVENBERG_MARQUARDT, .starts = 1};
  fw_fit fit;
  assert_int_equal(fw_fit_run(ctx, &problem, &options, &fit), FW_OK);
  fw_posterior_options posterior = {.problem = &problem,
                                    .fit = &fit,
                                    .walkers = WALKERS,
                                    .skip = 200,
                                    .steps = steps,
                                    .seed = 7,
                                    .extras = 1,
                                    .extra = look_ahead};
  problem.prepare = prepare;
  user = (line){0};
  assert_int_equal(fw_posterior_run(ctx, &posterior, ensemble), FW_OK);
  fw_fit_clear(&fit);
  return user;
}

/* Within four of its own standard errors. */
static void near(const char *what, double value, double reference, double error) {
  printf("%-32s %.5g, exact %.5g, standard error %.2g\n", what, value, reference, error);
  assert_true(fabs(value - reference) < 4 * error);
}

static void line_has_its_posterior(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_ensemble e;
  fw_ensemble_figures f[2];
  exact x = normal_equations();
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  sample(ctx, wide, 4000, &e);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(fw_ensemble_look(ctx, &e, k, &f[k]), FW_OK);
    double sd = sqrt(x.covariance[2 * k]), n = f[k].effective;
    printf("time %.3g steps, worth %.4g of %d, split %.5f\n", f[k].time, n, e.steps * e.walkers, f[k].split);
    near("mean", f[k].mean, x.mean[k], sd / sqrt(n));
    near("median", f[k].median, x.mean[k], 1.26 * sd / sqrt(n));
    near("deviation", f[k].deviation, sd, sd / sqrt(2 * n));
    near("2.5 %", f[k].low, x.mean[k] - 1.96 * sd, 2.7 * sd / sqrt(n)); /* sqrt(p q)/density of the quantile */
    near("97.5 %", f[k].high, x.mean[k] + 1.96 * sd, 2.7 * sd / sqrt(n));
    assert_true(f[k].split < 1.02);
    assert_true(n > 2000);
  }
  double product = 0;
  int rows = e.steps * e.walkers;
  for (int i = 0; i < rows; i++) product += (e.points[2 * i] - f[0].mean) * (e.points[2 * i + 1] - f[1].mean) / rows;
  near("covariance", product, x.covariance[1], sqrt(2 * x.covariance[0] * x.covariance[2] / f[0].effective));
  assert_true(e.accepted > 0.5 && e.accepted < 0.9); /* 0.71 in two dimensions */
  fw_ensemble_clear(&e);
  fw_context_destroy(&ctx);
}

static void what_it_foretells_is_known(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_ensemble e;
  exact x = normal_equations();
  double values[3], sd = sqrt(x.covariance[0] + 2 * AHEAD * x.covariance[1] + AHEAD * AHEAD * x.covariance[2]);
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  sample(ctx, wide, 4000, &e);
  assert_int_equal(fw_ensemble_percentiles(ctx, &e, 0, (const double[]){0.16, 0.5, 0.84}, 3, values), FW_OK);
  double middle = x.mean[0] + AHEAD * x.mean[1], error = 1.6 * sd / sqrt(2000);
  near("16 %", values[0], middle - 0.9945 * sd, error);
  near("50 %", values[1], middle, error);
  near("84 %", values[2], middle + 0.9945 * sd, error);
  fw_ensemble_clear(&e);
  fw_context_destroy(&ctx);
}

/* With a bound at its mean, a parameter that is alone has half a Gaussian: mean sqrt(2/pi) deviations above. */
static void bounds_cut_it(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_ensemble e;
  fw_ensemble_figures f;
  exact x = normal_equations();
  fw_fit_parameter list[2] = {wide[0], wide[1]};
  list[0].low = x.mean[0];
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  sample(ctx, list, 6000, &e);
  assert_int_equal(fw_ensemble_look(ctx, &e, 0, &f), FW_OK);
  double sd = sqrt(x.covariance[0]);
  for (int i = 0; i < e.steps * e.walkers; i++) assert_true(e.points[2 * i] >= list[0].low);
  near("mean above the bound", f.mean - x.mean[0], sqrt(2 / M_PI) * sd, 0.603 * sd / sqrt(f.effective));
  fw_ensemble_clear(&e);
  fw_context_destroy(&ctx);
}

/* Whoever has processes to share points knows all of them before one is asked for. */
static void points_are_announced(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_ensemble e;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  line l = sample(ctx, wide, 10, &e);
  printf("%d residuals, %d of them not announced\n", l.asked, l.surprises);
  assert_int_equal(l.asked, WALKERS * (1 + 200 + 10));
  assert_int_equal(l.surprises, 0);
  fw_ensemble_clear(&e);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(line_has_its_posterior),
                                     cmocka_unit_test(what_it_foretells_is_known), cmocka_unit_test(bounds_cut_it),
                                     cmocka_unit_test(points_are_announced)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
