/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling `local`: derivatives from harmonic balance, by the chain rule, against central differences of whole runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"

static fw_context *ctx;
static fw_deck *deck;

static int start(void **state) {
  (void)state;
  if (fw_context_create(&ctx) != FW_OK) return 1;
  return fw_deck_load(ctx, FW_SOURCE_DIR "/examples/study/rig-local.xml", &deck);
}

static int stop(void **state) {
  (void)state;
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return 0;
}

static fw_results *run(const char *only) {
  fw_results *results = NULL;
  assert_int_equal(fw_run(ctx, deck, &(fw_run_options){.threads = 1, .only = &only, .only_count = 1}, &results), FW_OK);
  return results;
}

static double number(const fw_results *results, const char *path) {
  double value = NAN;
  assert_int_equal(fw_results_number(results, path, &value), FW_OK);
  return value;
}

enum { FREQUENCY, AMPLITUDE, WORK, LOSS, FIGURES };

static void figures_at(const char *parameter, double value, double figures[FIGURES]) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  assert_int_equal(fw_deck_set(ctx, deck, parameter, text), FW_OK);
  fw_results *results = run("frf");
  figures[FREQUENCY] = number(results, "analyses.frf.levels[0].resonance.frequency");
  figures[AMPLITUDE] = number(results, "analyses.frf.levels[0].resonance.amplitude");
  figures[WORK] = number(results, "analyses.frf.levels[0].contact.foot.work_rate");
  double mu = strcmp(parameter, "mu") == 0 ? value : 0.5;
  figures[LOSS] = figures[WORK] / figures[FREQUENCY] / (mu * 83);
  fw_results_destroy(&results);
}

/* The derivative of a result in the ranking of a study. */
static double derivative(const fw_results *results, const char *result, const char *parameter) {
  for (int i = 0; i < 4; i++) {
    char path[128];
    const char *name;
    snprintf(path, sizeof path, "studies.local.ranking.%s[%d].parameter", result, i);
    assert_int_equal(fw_results_text(results, path, &name), FW_OK);
    if (strcmp(name, parameter) != 0) continue;
    snprintf(path, sizeof path, "studies.local.ranking.%s[%d].derivative", result, i);
    return number(results, path);
  }
  fail_msg("no derivative of %s by %s", result, parameter);
  return NAN;
}

static void agrees_with_central_differences(void **state) {
  (void)state;
  static const char *const names[FIGURES] = {"frequency", "amplitude", "W", "loss"};
  static const struct {
    const char *name;
    double value, step;
  } parameters[] = {{"mu", 0.50, 1e-4}, {"sigma0", 1.003e7, 1e-4}};
  fw_results *results = run("local");
  assert_true(number(results, "studies.local.samples") == 5); /* friction needs no samples of its own */
  for (size_t p = 0; p < 2; p++) {
    double step = parameters[p].step * parameters[p].value, low[FIGURES], high[FIGURES];
    figures_at(parameters[p].name, parameters[p].value - step, low);
    figures_at(parameters[p].name, parameters[p].value + step, high);
    char back[40];
    snprintf(back, sizeof back, "%.17g", parameters[p].value);
    assert_int_equal(fw_deck_set(ctx, deck, parameters[p].name, back), FW_OK);
    for (int f = 0; f < FIGURES; f++) {
      double found = derivative(results, names[f], parameters[p].name), difference = (high[f] - low[f]) / (2 * step);
      printf("d %s / d %s: %.8g, differences %.8g (%.1e)\n", names[f], parameters[p].name, found, difference,
             fabs(found / difference - 1));
      assert_true(fabs(found - difference) <= 1e-5 * fabs(difference));
    }
  }
  fw_results_destroy(&results);
}

/* Preload and damping move more than friction laws: differences of samples, and the strongest parameter comes first. */
static void ranks_by_the_change_over_the_range(void **state) {
  (void)state;
  fw_results *results = run("local");
  const char *first, *last;
  assert_int_equal(fw_results_text(results, "studies.local.ranking.frequency[0].parameter", &first), FW_OK);
  assert_int_equal(fw_results_text(results, "studies.local.ranking.frequency[3].parameter", &last), FW_OK);
  assert_string_equal(first, "sigma0");
  assert_string_equal(last, "alpha");
  double slope = derivative(results, "frequency", "sigma0");
  assert_near(number(results, "studies.local.ranking.frequency[0].measure"), slope * 1.5e7, 1e-9 * slope * 1.5e7);
  double low[FIGURES], high[FIGURES];
  figures_at("P", 82.9, low);
  figures_at("P", 83.1, high);
  assert_int_equal(fw_deck_set(ctx, deck, "P", "83"), FW_OK);
  double found = derivative(results, "frequency", "P"), difference = (high[FREQUENCY] - low[FREQUENCY]) / 0.2;
  printf("d frequency / d P: %.8g, differences %.8g\n", found, difference);
  assert_near(found, difference, 1e-3 * fabs(difference));
  fw_results_destroy(&results);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_central_differences),
                                     cmocka_unit_test(ranks_by_the_change_over_the_range)};
  return cmocka_run_group_tests(tests, start, stop);
}
