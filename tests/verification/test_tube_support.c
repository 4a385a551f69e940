/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tubes in loose supports under random drive, compliant and hard, examples/tube-support: no abort, and mean work rate
 * and forces that do not depend on the time step: within 5 % when it is halved, with the same seed. FW_SECONDS: how
 * long is simulated. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"

static const char *const figures[] = {"work_rate", "normal_mean", "normal_rms"};
enum { FIGURES = sizeof figures / sizeof *figures };

static void run(const char *deck_name, const char *pair, const char *dt, double *values) {
  char path[512];
  fw_context *ctx = NULL;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  snprintf(path, sizeof path, FW_SOURCE_DIR "/examples/tube-support/%s.xml", deck_name);
  assert_int_equal(fw_deck_load(ctx, path, &deck), FW_OK);
  assert_int_equal(fw_deck_set(ctx, deck, "seconds", FW_SECONDS), FW_OK);
  assert_int_equal(fw_deck_set(ctx, deck, "dt", dt), FW_OK);
  assert_int_equal(fw_run(ctx, deck, NULL, &results), FW_OK);
  for (int i = 0; i < FIGURES; i++) {
    snprintf(path, sizeof path, "analyses.shaken.contact.%s.%s", pair, figures[i]);
    assert_int_equal(fw_results_number(results, path, &values[i]), FW_OK);
  }
  double residual;
  assert_int_equal(fw_results_number(results, "analyses.shaken.energy.residual", &residual), FW_OK);
  assert_true(fabs(residual) < 2e-3);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
}

static void halving_the_step_changes_little(const char *deck, const char *pair, const char *dt, const char *half) {
  double coarse[FIGURES], fine[FIGURES];
  run(deck, pair, dt, coarse);
  run(deck, pair, half, fine);
  for (int i = 0; i < FIGURES; i++) {
    double change = coarse[i] / fine[i] - 1.0;
    printf("%-12s %-12s dt %-8s %-10.5g dt/2 %-10.5g change %6.2f %%\n", deck, figures[i], dt, coarse[i], fine[i],
           100 * change);
    assert_true(fine[i] > 0.0 && fabs(change) < 0.05);
  }
}

static void tube_between_bars(void **unused) {
  (void)unused;
  halving_the_step_changes_little("tube", "below", "1e-4", "5e-5");
}

static void tube_between_hard_bars(void **unused) {
  (void)unused;
  halving_the_step_changes_little("tube-hard", "below", "1e-4", "5e-5");
}

/* The section whirls: its means settle only over a minute. */
static void section_settles(const char *deck) {
  if (strcmp(FW_SECONDS, "60") != 0) {
    double values[FIGURES];
    run(deck, "wall", "5e-5", values);
    for (int i = 0; i < FIGURES; i++) assert_true(values[i] > 0.0);
    return;
  }
  halving_the_step_changes_little(deck, "wall", "5e-5", "2.5e-5");
}

static void section_in_a_hole(void **unused) {
  (void)unused;
  section_settles("section");
}

static void section_in_a_hard_hole(void **unused) {
  (void)unused;
  section_settles("section-hard");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tube_between_bars), cmocka_unit_test(tube_between_hard_bars),
                                     cmocka_unit_test(section_in_a_hole), cmocka_unit_test(section_in_a_hard_hole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
