/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Ishigami function f = sin x1 + a sin^2 x2 + b x3^4 sin x1 with a = 7, b = 0.1, x uniform in (-pi, pi):
 *   V1 = (1 + b pi^4/5)^2/2, V2 = a^2/8, V13 = b^2 pi^8 (1/18 - 1/50), V = V1 + V2 + V13. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"

static fw_context *ctx;
static fw_results *results;

static int start(void **state) {
  (void)state;
  fw_deck *deck = NULL;
  if (fw_context_create(&ctx) != FW_OK) return -1;
  fw_status status = fw_deck_load(ctx, FW_SOURCE_DIR "/examples/study/ishigami.xml", &deck);
  if (status == FW_OK) status = fw_run(ctx, deck, NULL, &results);
  fw_deck_destroy(&deck);
  return status;
}

static int stop(void **state) {
  (void)state;
  fw_results_destroy(&results);
  fw_context_destroy(&ctx);
  return 0;
}

/* A figure of a parameter, wherever it ranks. */
static double figure(const char *study, const char *parameter, const char *name) {
  char path[128];
  const char *text;
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "studies.%s.ranking.f[%d].parameter", study, i);
    assert_int_equal(fw_results_text(results, path, &text), FW_OK);
    if (strcmp(text, parameter) != 0) continue;
    double number;
    snprintf(path, sizeof path, "studies.%s.ranking.f[%d].%s", study, i, name);
    assert_int_equal(fw_results_number(results, path, &number), FW_OK);
    return number;
  }
  fail_msg("%s does not rank", parameter);
  return NAN;
}

static void indices_to_two_digits(void **state) {
  (void)state;
  const double a = 7, b = 0.1;
  double v1 = pow(1 + b * pow(M_PI, 4) / 5, 2) / 2, v2 = a * a / 8, v13 = b * b * pow(M_PI, 8) * (1.0 / 18 - 1.0 / 50);
  double v = v1 + v2 + v13;
  const struct {
    const char *parameter, *name;
    double exact;
  } all[] = {{"x1", "first", v1 / v},         {"x2", "first", v2 / v}, {"x3", "first", 0},
             {"x1", "total", (v1 + v13) / v}, {"x2", "total", v2 / v}, {"x3", "total", v13 / v}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char low[32], high[32];
    double found = figure("indices", all[i].parameter, all[i].name);
    printf("%s %-5s  computed %8.5f  exact %8.5f  difference %9.2e\n", all[i].parameter, all[i].name, found,
           all[i].exact, found - all[i].exact);
    assert_near(found, all[i].exact, 0.005);
    snprintf(low, sizeof low, "%s_low", all[i].name);
    snprintf(high, sizeof high, "%s_high", all[i].name);
    assert_true(figure("indices", all[i].parameter, low) < all[i].exact);
    assert_true(figure("indices", all[i].parameter, high) > all[i].exact);
  }
}

/* x1 moves most; x3 acts only through x1, so its mean effect is small beside its spread. */
static void morris_ranks(void **state) {
  (void)state;
  const char *first;
  assert_int_equal(fw_results_text(results, "studies.screening.ranking.f[0].parameter", &first), FW_OK);
  assert_string_equal(first, "x1");
  assert_true(fabs(figure("screening", "x3", "mu")) < 0.3 * figure("screening", "x3", "sigma"));
  assert_true(figure("screening", "x3", "sigma") > figure("screening", "x2", "sigma"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(indices_to_two_digits), cmocka_unit_test(morris_ranks)};
  return cmocka_run_group_tests(tests, start, stop);
}
