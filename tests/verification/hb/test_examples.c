/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The example decks of the rig by harmonic balance and by time integration (their analysis "orbit"): at the resonance
 * and on both sides of it the two agree, in every figure within 1 % or twice what more harmonics change, or the summary
 * says that the motion is not stable. With the argument "others" those that take longer. */
#include "verification/deck_run.h"

typedef enum finding { AGREES, UNSTABLE } finding;

typedef struct example {
  const char *deck;
  double level, frequency; /* near the resonance by harmonic balance */
  const char *beta;        /* stiffness-proportional damping: friction that follows N feeds modes of some kHz, which
                              0.1 % of damping at 2 kHz, beta = 1.5e-7 s, calms */
  finding finding;
} example;

static const example some[] = {{"beam-dahl-linear", 1, 55.05, "0", AGREES},
                               {"beam-hybrid", 1, 54.89, "0", AGREES},
                               {"beam-lugre", 1, 54.6, "0", AGREES},
                               {"beam-coulomb-penalty", 1, 55.34, "0", UNSTABLE},
                               {"beam-stribeck", 1, 53.83, "0", UNSTABLE}};

static const example others[] = {{"beam-dahl", 1, 55.05, "0", AGREES},
                                 {"beam-dahl", 3, 52.52, "0", AGREES},
                                 {"beam-dahl", 6.5, 48.28, "0", AGREES},
                                 {"beam-dahl-elastic-clamp", 1, 52.83, "0", AGREES},
                                 {"beam-hybrid", 3, 52.46, "0", AGREES},
                                 {"beam-hybrid", 6.5, 48.28, "0", AGREES},
                                 {"beam-coulomb-penalty", 1, 55.34, "1.5e-7", AGREES},
                                 {"beam-coulomb-penalty", 3, 54.46, "5e-7", AGREES},
                                 {"beam-coulomb-penalty", 6.5, 48.6, "5e-7", AGREES},
                                 {"beam-coulomb-lagrange", 1, 64.84, "0", UNSTABLE},
                                 {"beam-decay", 1, 56.84, "0", UNSTABLE},
                                 {"plane-dahl", 1, 55.1, "0", AGREES}};

static double figure(const deck_run *run, const char *name) {
  char path[100];
  double value = NAN;
  snprintf(path, sizeof path, "analyses.orbit.levels[0].agreement.%s", name);
  fw_results_number(run->results, path, &value);
  return value;
}

static void judge(const deck_run *run, const example *e) {
  const char *note = "";
  double off = figure(run, "resonance.difference"), multiplier = figure(run, "multiplier");
  fw_results_text(run->results, "analyses.orbit.levels[0].agreement.note", &note);
  printf("%-24s %3g N, beta %-7s first harmonic %.4f (spread %.4f), work rate %.4f, resonance %.1e; %s\n", e->deck,
         e->level, e->beta, figure(run, "first_harmonic"), figure(run, "spread.first_harmonic"),
         figure(run, "contact.foot.work_rate"), off, note);
  if (e->finding == AGREES) {
    assert_int_equal(figure(run, "points"), 3);
    assert_int_equal(figure(run, "within"), 1);
    assert_true(off < 1e-3);
  } else {
    assert_int_equal(figure(run, "within"), 0);
    assert_non_null(strstr(note, "which is not stable"));
    assert_true(multiplier > 1);
  }
}

static void compare_both(const example *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char path[200], level[40], frequency[40], beta[40];
    snprintf(path, sizeof path, FW_SOURCE_DIR "/examples/rig/%s.xml", list[i].deck);
    snprintf(level, sizeof level, "check_level=%g", list[i].level);
    snprintf(frequency, sizeof frequency, "check_frequency=%g", list[i].frequency);
    snprintf(beta, sizeof beta, "beta=%s", list[i].beta);
    const char *settings[] = {level, frequency, beta, NULL};
    deck_run run;
    if (deck_try_only(&run, path, settings, "orbit") != FW_OK) fail_msg("%s: %s", path, fw_context_message(run.ctx));
    judge(&run, &list[i]);
    deck_close(&run);
  }
}

static void one_of_each_kind(void **unused) {
  (void)unused;
  compare_both(some, sizeof some / sizeof *some);
}

static void all_others(void **unused) {
  (void)unused;
  compare_both(others, sizeof others / sizeof *others);
}

int main(int argc, char **argv) {
  const struct CMUnitTest quick[] = {cmocka_unit_test(one_of_each_kind)}, rest[] = {cmocka_unit_test(all_others)};
  if (argc > 1 && strcmp(argv[1], "others") == 0) return cmocka_run_group_tests(rest, NULL, NULL);
  return cmocka_run_group_tests(quick, NULL, NULL);
}
