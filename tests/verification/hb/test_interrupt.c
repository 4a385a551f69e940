/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonic balance ends soon after it is asked to, with the points it has. Times are of the processor: a busy machine
 * changes nothing. */
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "verification/deck_run.h"

#define DECK FW_SOURCE_DIR "/tests/verification/hb/interrupted.xml"

static const double SOON = 1; /* s */
static fw_context *volatile running;
static volatile sig_atomic_t asked;
static volatile clock_t when;

static void ask(int number) {
  (void)number;
  asked = 1;
  fw_context_interrupt(running, true);
  when = clock();
}

/* Runs one analysis, asked to end after half a second of its time; returns how long it went on (s). */
static double interrupt(const char *analysis, deck_run *run) {
  const fw_run_options options = {.only = &analysis, .only_count = 1};
  const struct itimerval half_a_second = {.it_value = {0, 500000}};
  *run = (deck_run){0};
  asked = 0;
  assert_int_equal(fw_context_create(&run->ctx), FW_OK);
  running = run->ctx;
  assert_int_equal(fw_deck_load(run->ctx, DECK, &run->deck), FW_OK);
  assert_int_equal(setitimer(ITIMER_PROF, &half_a_second, NULL), 0);
  assert_int_equal(fw_run(run->ctx, run->deck, &options, &run->results), FW_ERR_INTERRUPTED);
  assert_int_equal(asked, 1);
  return (double)(clock() - when) / CLOCKS_PER_SEC;
}

static void within_a_frequency(void **state) {
  (void)state;
  deck_run run;
  bounded("frf: went on (s)", interrupt("frf", &run), SOON);
  deck_close(&run);
}

static void keeps_its_points(const char *analysis, const char *table) {
  deck_run run;
  size_t rows;
  bounded(analysis, interrupt(analysis, &run), SOON);
  const double *frequency = deck_column(&run, analysis, table, "frequency", &rows);
  assert_in_range(rows, 2, 99999);
  for (size_t i = 0; i < rows; i++) assert_true(frequency[i] > 15 && frequency[i] < 55);
  deck_close(&run);
}

static void along_a_curve_of_resonances(void **state) {
  (void)state;
  keeps_its_points("resonance", "locus");
}

static void along_a_nonlinear_mode(void **state) {
  (void)state;
  keeps_its_points("nnm", "nnm");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(within_a_frequency),
                                     cmocka_unit_test(along_a_curve_of_resonances),
                                     cmocka_unit_test(along_a_nonlinear_mode)};
  struct sigaction action = {.sa_handler = ask};
  sigaction(SIGPROF, &action, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
