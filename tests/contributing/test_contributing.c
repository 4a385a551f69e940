/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What CONTRIBUTING.md promises, tried: a friction law, a normal law, a section, an element, a joint, a load, a
 * surface, a sampling, a method of identification, a time integrator and an analysis, each a file and a line in its list
 * (CMakeLists.txt here adds both), are known to the deck language and computed with; a contact figure, a line and a
 * formula, is told by analyses that know nothing of it; a command, again a file and a line, is one of the program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"
#undef FW_PROGRAM
#define FW_PROGRAM FW_TRIAL_PROGRAM
#include "program.h"

#define DECK FW_SOURCE_DIR "/tests/contributing/trial.xml"

static fw_context *ctx;
static fw_deck *deck;
static fw_results *results;

static int start(void **state) {
  (void)state;
  if (fw_context_create(&ctx) != FW_OK) return -1;
  if (fw_deck_load(ctx, DECK, &deck) != FW_OK || fw_run(ctx, deck, NULL, &results) != FW_OK) {
    print_error("%s\n", fw_context_message(ctx));
    return -1;
  }
  return 0;
}

static int stop(void **state) {
  (void)state;
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return 0;
}

static double number(const char *path) {
  double value = NAN;
  if (fw_results_number(results, path, &value) != FW_OK) fail_msg("%s is not there", path);
  return value;
}

static void surface_and_normal_law_carry(void **state) {
  (void)state;
  assert_near(number("analyses.seated.sensors.sunk"), -1e-3, 1e-9); /* 10 N on 1e4 N/m */
  assert_near(number("analyses.seated.contact.sole.normal"), 10, 1e-6);
}

static void joint_and_element_hold(void **state) {
  (void)state;
  assert_near(number("analyses.seated.sensors.pulled"), 5e-3, 1e-9); /* 5 N through the joint on 1000 N/m */
}

static void section_bends(void **state) {
  (void)state;
  double EI = 2e11 * pow(0.01, 4) / 12; /* 1 N at 1 m */
  assert_near(number("analyses.seated.sensors.tip"), 1 / (3 * EI), 1e-9 / EI);
}

/* 5 t^2 N against 2 N of friction: from t_0 = sqrt(0.4) s on x'' = 5 t^2 - 2. */
static void law_and_load_move(void **state) {
  (void)state;
  double t = 1.5, t0 = sqrt(0.4), v0 = -5 * pow(t0, 3) / 3 + 2 * t0;
  double exact = 5 * (pow(t, 4) - pow(t0, 4)) / 12 - (t * t - t0 * t0) + v0 * (t - t0);
  assert_near(number("analyses.pushed.sensors.x.final"), exact, 1e-4 * exact);
  assert_near(number("analyses.pushed.contact.sole.tangential_max"), 2, 1e-3);
}

static void integrator_steps(void **state) {
  (void)state;
  double other = number("analyses.pushed.sensors.x.final");
  assert_near(number("analyses.halved.sensors.x.final"), other, 1e-4 * other);
  assert_true(number("analyses.halved.statistics.halves") == 3000);
}

static void analysis_leaves_figure_and_table(void **state) {
  (void)state;
  size_t rows;
  const double *freedoms;
  assert_true(number("analyses.counted.freedoms") == 12);
  assert_int_equal(fw_results_column(results, "counted", "freedoms", "freedoms", &rows, &freedoms), FW_OK);
  assert_int_equal(rows, 3);
  assert_true(freedoms[2] == 12);
}

static void sampling_takes_its_samples(void **state) {
  (void)state;
  size_t rows;
  const double *k;
  assert_int_equal(fw_results_column(results, "softer", "samples", "k", &rows, &k), FW_OK);
  assert_int_equal(rows, 2);
  assert_true(k[0] == 750 && k[1] == 1250);
  assert_near(number("studies.softer.results.way.max"), 5.0 / 750, 1e-9);
}

static void method_reads_results(void **state) {
  (void)state;
  assert_near(number("identification.end.reach"), number("analyses.pushed.sensors.x.final"), 1e-12);
}

static void figure_is_told(void **state) {
  (void)state;
  double range = number("analyses.pushed.contact.sole.normal_max") - number("analyses.pushed.contact.sole.normal_min");
  assert_true(number("analyses.pushed.contact.sole.trial") == range);
  /* 1 N on a mass of 1 kg and 1e4 N/m: N by 1/(1 - (w/w0)^2) up and down */
  assert_near(number("analyses.shaken.contact.sole.trial"), 2 / (1 - pow(2 * M_PI * 6 / 100, 2)), 1e-3);
}

/* And nothing more had to be told to the lists of what there is. */
static void all_are_listed(void **state) {
  (void)state;
  static const char *const entries[][2] = {{"laws", "trial-law"},         {"normal", "trial-normal"},
                                           {"sections", "trial-section"}, {"elements", "trial-element"},
                                           {"joints", "trial-joint"},     {"loads", "trial-load"},
                                           {"surfaces", "trial-surface"}, {"sampling", "trial-sampling"},
                                           {"methods", "trial-method"},   {"analyses", "trial-analysis"}};
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    char *text = NULL;
    if (fw_list(ctx, entries[i][0], entries[i][1], &text) != FW_OK) fail_msg("%s", fw_context_message(ctx));
    assert_non_null(strstr(text, "on trial"));
    free(text);
  }
}

/* Help, the man page and the completion know it without being told. */
static void command_is_run_and_told(void **state) {
  (void)state;
  program p;
  PROGRAM_RUN(&p, "trial-command", "rub", "--times", "2");
  assert_int_equal(p.code, 0);
  assert_string_equal(p.out, "rub\nrub\n");
  PROGRAM_RUN(&p, "--help");
  assert_non_null(strstr(p.out, "a command on trial"));
  static const char *const pages[] = {"man", "bash"}, *const words[] = {"trial\\-command", "trial-command"};
  for (int i = 0; i < 2; i++) {
    PROGRAM_RUN(&p, "--page", pages[i]);
    assert_int_equal(p.code, 0);
    if (!strstr(p.out, words[i]) || !strstr(p.out, "times")) fail_msg("--page %s: %s", pages[i], p.out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(surface_and_normal_law_carry),
                                     cmocka_unit_test(joint_and_element_hold),
                                     cmocka_unit_test(section_bends),
                                     cmocka_unit_test(law_and_load_move),
                                     cmocka_unit_test(integrator_steps),
                                     cmocka_unit_test(analysis_leaves_figure_and_table),
                                     cmocka_unit_test(sampling_takes_its_samples),
                                     cmocka_unit_test(method_reads_results),
                                     cmocka_unit_test(figure_is_told),
                                     cmocka_unit_test(command_is_run_and_told),
                                     cmocka_unit_test(all_are_listed)};
  return cmocka_run_group_tests(tests, start, stop);
}
