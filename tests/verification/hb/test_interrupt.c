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

/* Runs one analysis, asked to end after some of its time; returns how long it went on (s). */
static double interrupt(const char *analysis, long microseconds, deck_run *run) {
  const fw_run_options options = {.only = &analysis, .only_count = 1};
  const struct itimerval later = {.it_value = {microseconds / 1000000, microseconds % 1000000}};
  *run = (deck_run){0};
  asked = 0;
  assert_int_equal(fw_context_create(&run->ctx), FW_OK);
  running = run->ctx;
  assert_int_equal(fw_deck_load(run->ctx, DECK, &run->deck), FW_OK);
  assert_int_equal(setitimer(ITIMER_PROF, &later, NULL), 0);
  assert_int_equal(fw_run(run->ctx, run->deck, &options, &run->results), FW_ERR_INTERRUPTED);
  assert_int_equal(asked, 1);
  return (double)(clock() - when) / CLOCKS_PER_SEC;
}

static void within_a_frequency(void **state) {
  (void)state;
  deck_run run;
  bounded("frf: went on (s)", interrupt("frf", 500000, &run), SOON);
  deck_close(&run);
}

static void keeps_its_points(const char *analysis, const char *table) {
  deck_run run;
  size_t rows = 0;
  const double *frequency = NULL;
  for (long time = 500000; rows < 2; time *= 2) { /* processors that others use have come less far by then */
    if (time > 500000) deck_close(&run);
    assert_in_range(time, 1, 8000000);
    bounded(analysis, interrupt(analysis, time, &run), SOON);
    if (fw_results_column(run.results, analysis, table, "frequency", &rows, &frequency) != FW_OK) rows = 0;
  }
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
