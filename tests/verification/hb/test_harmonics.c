/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Automatic harmonics: as many as the tolerance asks for, also beyond 33; a note where it is not reached. */
#include "verification/deck_run.h"

#define DECK FW_SOURCE_DIR "/tests/verification/hb/harmonics.xml"

/* NULL: none. */
static const char *note(const deck_run *run) {
  const char *text = NULL;
  fw_results_text(run->results, "analyses.frf.levels[0].note", &text);
  return text;
}

static void as_many_as_the_tolerance_asks_for(void **unused) {
  (void)unused;
  deck_run few, many;
  deck_open(&few, DECK, (const char *const[]){"tolerance=1e-4", NULL});
  deck_open(&many, DECK, (const char *const[]){"tolerance=1e-6", NULL});
  double H = deck_number(&many, "frf", "levels[0].harmonics");
  printf("  harmonics for 1e-4: %g, for 1e-6: %g\n", deck_number(&few, "frf", "levels[0].harmonics"), H);
  assert_true(H > 33 && H <= 99);
  bounded("truncation", deck_number(&many, "frf", "levels[0].truncation"), 1e-6);
  compare("peak amplitude (m)", deck_number(&few, "frf", "levels[0].peak.amplitude"),
          deck_number(&many, "frf", "levels[0].peak.amplitude"), 5e-4);
  assert_null(note(&many));
  deck_close(&few);
  deck_close(&many);
}

static void the_tolerance_is_not_reached(void **unused) {
  (void)unused;
  static const char *const settings[][3] = {{"tolerance=1e-8", NULL}, {"tolerance=1e-6", "most=21", NULL}};
  static const double harmonics[] = {33, 21};
  for (int i = 0; i < 2; i++) {
    deck_run run;
    deck_open(&run, DECK, settings[i]);
    assert_int_equal(deck_number(&run, "frf", "levels[0].harmonics"), harmonics[i]);
    assert_non_null(note(&run));
    printf("  %s\n", note(&run));
    assert_non_null(strstr(note(&run), "is not reached"));
    deck_close(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_as_the_tolerance_asks_for),
                                     cmocka_unit_test(the_tolerance_is_not_reached)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
