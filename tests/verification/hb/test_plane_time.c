/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block on 25 touching nodes (the deck of the benchmarks), all of which slip at the resonance, beside time integration at
 * three frequencies: amplitude, slip and work within 1 %. In gross slip friction feeds modes of tens of kilohertz, which
 * the deck damps by its mass alone: there its stiffness does too. */
#include <stdlib.h>
#include <unistd.h>

#include "verification/deck_run.h"

/* Writes the text with its first `old` replaced, up to there; returns what follows. */
static const char *replace(FILE *out, const char *text, const char *old, const char *by) {
  const char *at = strstr(text, old);
  assert_non_null(at);
  fprintf(out, "%.*s%s", (int)(at - text), text, by);
  return at + strlen(old);
}

/* The deck with its response by both methods and a damping beta, as a file. */
static void write_both(char *path, const char *beta) {
  static char text[20000];
  FILE *deck = fopen(FW_SOURCE_DIR "/benchmarks/decks/plane-contact.xml", "r");
  assert_non_null(deck);
  size_t length = fread(text, 1, sizeof text - 1, deck);
  assert_true(length > 0 && length < sizeof text - 1);
  assert_int_equal(fclose(deck), 0);
  FILE *out = fdopen(mkstemp(path), "w");
  assert_non_null(out);
  const char *rest = replace(out, text, "beta=\"0\"", beta);
  rest = replace(out, rest, "samples=\"64\"",
                 "samples=\"128\" method=\"both\" check-points=\"3\" periods=\"20\" steps=\"400\"");
  fputs(rest, out);
  assert_int_equal(fclose(out), 0);
}

static void agrees(const char *level, const char *beta) {
  char path[] = "/tmp/fretwork-plane-XXXXXX";
  deck_run run;
  write_both(path, beta);
  deck_open(&run, path, (const char *const[]){"nodes=25", "points=20", "harmonics=5", level, NULL});
  double first = deck_number(&run, "frf", "levels[0].agreement.first_harmonic");
  double slip = deck_number(&run, "frf", "levels[0].agreement.contact.contact.slip_amplitude");
  double work = deck_number(&run, "frf", "levels[0].agreement.contact.contact.work_rate");
  double frequency = deck_number(&run, "frf", "levels[0].agreement.resonance.difference");
  double slides = 1 - deck_number(&run, "frf", "levels[0].contact.contact.stick_fraction");
  printf("%s N: slips %.3f of the time; first harmonic %.1e, slip %.1e, work %.1e, resonance %.1e\n",
         level + strlen("level="), slides, first, slip, work, frequency);
  assert_true(slides > 0);
  assert_true(first < 0.01 && slip < 0.01 && work < 0.01 && fabs(frequency) < 1e-3);
  deck_close(&run);
  unlink(path);
}

static void both_methods_agree(void **unused) {
  (void)unused;
  agrees("level=200", "beta=\"0\"");
  agrees("level=400", "beta=\"1e-6\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_methods_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
