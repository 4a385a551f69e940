/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares with bounds: known answers, known covariance, rank, and what cannot be fitted. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "identify/fit.h"

/* y = a exp(-b x) at 20 places, with a perturbation that a straight formula gives. */
enum { PLACES = 20 };
static double place_of(int i) { return 0.2 * i; }
static double wiggle(int i) { return 0.01 * ((i * 7) % 5 - 2); }

static fw_status decay(void *user, fw_context *ctx, const double *p, double *r) {
  (void)ctx;
  double sigma = *(const double *)user;
  for (int i = 0; i < PLACES; i++)
    r[i] = (p[0] * exp(-p[1] * place_of(i)) - 3.0 * exp(-0.7 * place_of(i)) - wiggle(i)) / sigma;
  return FW_OK;
}

static const fw_fit_parameter decay_list[2] = {{"a", "m", 1.0, 0.1, 10.0, false}, {"b", "1/s", 5.0, 0.01, 10.0, true}};

static void all_searches_meet(void **unused) {
  (void)unused;
  fw_context *ctx;
  double sigma = 0.02, first[2] = {0};
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_fit_problem problem = {
      .parameters = 2, .residuals = PLACES, .list = decay_list, .user = &sigma, .residual = decay};
  for (int search = 0; search < 3; search++) {
    fw_fit_options options = {.search = (fw_fit_search)search, .starts = 2};
    fw_fit fit;
    assert_int_equal(fw_fit_run(ctx, &problem, &options, &fit), FW_OK);
    printf("search %d: a %.8g b %.8g squares %.8g rank %d deviations %.4g %.4g after %d\n", search, fit.p[0], fit.p[1],
           fit.squares, fit.rank, fit.deviation[0], fit.deviation[1], fit.evaluations);
    if (search == 0)
      for (int k = 0; k < 2; k++) first[k] = fit.p[k];
    for (int k = 0; k < 2; k++) assert_true(fabs(fit.p[k] - first[k]) < 1e-5 * first[k]);
    assert_int_equal(fit.rank, 2);
    /* C = (J^T J)^-1 by hand */
    double aa = 0, ab = 0, bb = 0;
    for (int i = 0; i < PLACES; i++) {
      double e = exp(-fit.p[1] * place_of(i)) / sigma, d = -fit.p[0] * place_of(i) * e;
      aa += e * e;
      ab += e * d;
      bb += d * d;
    }
    double det = aa * bb - ab * ab;
    assert_true(fabs(fit.deviation[0] - sqrt(bb / det)) < 1e-4 * fit.deviation[0]);
    assert_true(fabs(fit.deviation[1] - sqrt(aa / det)) < 1e-4 * fit.deviation[1]);
    assert_true(fabs(fw_fit_correlation(&fit, 0, 1) + ab / sqrt(aa * bb)) < 1e-4);
    fw_fit_clear(&fit);
  }
  fw_context_destroy(&ctx);
}

static void bounds_hold_and_are_told(void **unused) {
  (void)unused;
  fw_context *ctx;
  double sigma = 0.02;
  fw_fit_parameter list[2] = {decay_list[0], decay_list[1]};
  list[0].high = 2.0;
  fw_fit_problem problem = {.parameters = 2, .residuals = PLACES, .list = list, .user = &sigma, .residual = decay};
  fw_fit_options options = {.search = FW_FIT_BOTH, .starts = 1};
  fw_fit fit;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_fit_run(ctx, &problem, &options, &fit), FW_OK);
  printf("a at most 2: a %.8g, b %.8g\n", fit.p[0], fit.p[1]);
  assert_true(fit.p[0] <= 2.0 && fit.p[0] > 1.999);
  assert_true(fit.on_bound[0] && !fit.on_bound[1]);
  fw_fit_clear(&fit);
  fw_context_destroy(&ctx);
}

/* Only the product of p[0] and p[1] counts, p[2] not at all. */
static fw_status product(void *user, fw_context *ctx, const double *p, double *r) {
  (void)user;
  (void)ctx;
  for (int i = 0; i < 4; i++) r[i] = (i + 1) * (p[0] * p[1] - 6.0);
  return FW_OK;
}

static void rank_tells_what_is_not_determined(void **unused) {
  (void)unused;
  fw_context *ctx;
  static const fw_fit_parameter list[3] = {
      {"a", "", 1.0, 0.1, 10.0, true}, {"b", "", 1.0, 0.1, 10.0, true}, {"idle", "", 1.0, 0.0, 2.0, false}};
  fw_fit_problem problem = {.parameters = 3, .residuals = 4, .list = list, .residual = product};
  fw_fit_options options = {.search = FW_FIT_BOTH, .starts = 1};
  fw_fit fit;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_fit_run(ctx, &problem, &options, &fit), FW_OK);
  printf("a b = %.8g, rank %d of 3\n", fit.p[0] * fit.p[1], fit.rank);
  assert_true(fabs(fit.p[0] * fit.p[1] - 6.0) < 1e-6);
  assert_int_equal(fit.rank, 1);
  assert_true(isinf(fit.deviation[0]) && isinf(fit.deviation[1]) && isinf(fit.deviation[2]));
  assert_true(fit.idle[2] && !fit.idle[0]);
  fw_fit_clear(&fit);
  fw_context_destroy(&ctx);
}

static fw_status nowhere(void *user, fw_context *ctx, const double *p, double *r) {
  (void)user;
  (void)ctx;
  (void)p;
  r[0] = NAN;
  return FW_OK;
}

static void a_fit_that_cannot_be_evaluated_fails(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_fit_problem problem = {.parameters = 1, .residuals = 1, .list = decay_list, .residual = nowhere};
  fw_fit_options options = {.search = FW_FIT_BOTH, .starts = 2, .most = 50};
  fw_fit fit;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_fit_run(ctx, &problem, &options, &fit), FW_ERR_ANALYSIS);
  assert_non_null(fw_context_message(ctx)[0] ? fw_context_message(ctx) : NULL);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_searches_meet),
      cmocka_unit_test(bounds_hold_and_are_told),
      cmocka_unit_test(rank_tells_what_is_not_determined),
      cmocka_unit_test(a_fit_that_cannot_be_evaluated_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
