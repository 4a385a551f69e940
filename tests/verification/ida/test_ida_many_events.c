/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 1e5 events in one run: no drift, no leak. Steady slip-slip on a shaken base turns twice a period at times that repeat
 * exactly; N |v| has the mean m g (2 A/(pi omega)) sqrt(1 - (pi mu g/(2 A))^2). */
#include <sys/resource.h>

#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/ida/" name ".xml"

static long memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static void many_events(void **unused) {
  (void)unused;
  static const char *const few[] = {"periods=5000", NULL};
  const double A = 15.0, omega = 2.0 * M_PI;
  deck_run run;
  deck_open(&run, DECK("shaken"), few);
  deck_close(&run);
  long before = memory();
  deck_open(&run, DECK("shaken"), NULL);
  long grown = memory() - before;
  size_t rows;
  const double *time = deck_column(&run, "shaken", "events", "time", &rows),
               *slip = deck_column(&run, "shaken", "events", "slip", &rows);
  assert_true(rows >= 100000);
  printf("%zu events\n", rows);
  size_t early = 200, late = early + (rows - 201 - early) / 2 * 2;
  compare("phase of the turns (s)", fmod(time[late], 1.0), fmod(time[early], 1.0), 1e-6);
  compare("place of the turns (m)", slip[late], slip[early], 1e-4);
  compare("work rate (W)", deck_number(&run, "shaken", "contact.sole.work_rate"),
          10.0 * 2.0 * A / (0.5 * omega * omega) * sqrt(1.0 - pow(0.25 * omega * 1.0 / A, 2)), 1e-5);
  double violation = deck_number(&run, "shaken", "statistics.constraint_violation");
  printf("  gap and creep while they should be 0: %.1e m at most\n", violation);
  assert_true(violation < 1e-9);
  /* the table of events itself takes 64 bytes a row, doubled as it grows */
  printf("  memory grew by %ld kB\n", grown);
  assert_true(grown < 40000);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(many_events)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
