/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Infinitely many impacts in a finite time: a ball that comes to rest does so in every integrator; one that cannot is
 * reported and does not hold up the run. */
#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/ida/" name ".xml"

/* Bounces end at 3 sqrt(0.2) s. Faster than g h, h the step, the ball is until 4 h before; by impulses each of the some
 * ten bounces before that takes place at the end of a step, up to h late and v h deep. */
static void comes_to_rest(void **unused) {
  (void)unused;
  static const struct {
    const char *analysis;
    double depth, end, steps;
  } cases[] = {{"ida", 1e-11, 1e-11, 5}, {"located", 1e-11, 1e-11, 5}, {"impulses", 4.5e-3, 1e-8, 10}};
  const double rest = 3.0 * sqrt(0.2), g = 10.0, h = 1e-3;
  deck_run run;
  deck_open(&run, DECK("at-rest"), NULL);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    size_t rows;
    const double *t = deck_column(&run, cases[k].analysis, "history", "time", &rows);
    const double *y = deck_column(&run, cases[k].analysis, "history", "y", &rows);
    const double *v = deck_column(&run, cases[k].analysis, "history", "v", &rows);
    double last = 0.0, deepest = 0.0;
    for (size_t i = 0; i < rows; i++) {
      if (fabs(v[i]) > g * h) last = t[i];
      deepest = fmax(deepest, -1.0 - y[i]);
    }
    printf("%s\n", cases[k].analysis);
    compare("rests from (s)", last, rest, cases[k].steps * h / rest);
    bounded("inside the floor (m)", deepest, cases[k].depth);
    bounded("height at the end (m)", y[rows - 1] + 1.0, cases[k].end);
  }
  deck_close(&run);
}

/* The ball leaves the floor with speed v = 1, 1.2, 1.4, ... and meets the ram g(t) = 0.1 (1 - t) above it. */
static double blow(int count) {
  double time = 0.05, v = 1.0;
  for (int k = 0; k < count; k++) {
    double up = 0.1 * (1.0 - time) / (v + 0.1);
    time += up + (k + 1 < count ? 0.1 * (1.0 - time - up) / (v + 0.2) : 0.0);
    v += 0.2;
  }
  return time;
}

static void chatters(deck_run *run, const char *path, const char *analysis) {
  assert_int_equal(deck_try_only(run, path, NULL, analysis), FW_ERR_ANALYSIS);
  printf("%s: %s\n", analysis, fw_context_message(run->ctx));
  assert_non_null(strstr(fw_context_message(run->ctx), "contact chatters at t = 0.99"));
}

/* Steps that are taken but come no further were taken for ever. */
static void crawling_is_reported(void **unused) {
  (void)unused;
  deck_run run;
  assert_int_equal(deck_try(&run, DECK("crawl"), NULL), FW_ERR_ANALYSIS);
  printf("%s\n", fw_context_message(run.ctx));
  assert_non_null(strstr(fw_context_message(run.ctx), "no step is short enough"));
  deck_close(&run);
}

static void is_reported(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  chatters(&run, DECK("crushed"), "ida");
  const double *time = deck_column(&run, "ida", "events", "time", &rows);
  assert_true(rows > 4000); /* a blow of the floor, one of the ram, ... */
  compare("10th blow of the ram (s)", time[19], blow(10), 1e-9);
  compare("2000th (s)", time[3999], blow(2000), 1e-9);
  deck_close(&run);
  chatters(&run, DECK("crushed"), "located");
  const double *y = deck_column(&run, "located", "history", "y", &rows),
               *t = deck_column(&run, "located", "history", "time", &rows);
  double beyond = 0.0;
  for (size_t i = 0; i < rows; i++) beyond = fmax(beyond, fmax(-0.05 - y[i], y[i] + 0.05 - 0.1 * (1.0 - t[i])));
  bounded("inside floor or ram until then (m)", beyond, 1e-9);
  deck_close(&run);
}

/* A ball that does not bounce lies still until the ram reaches it, at 1 s, and then cannot move on. */
static void what_is_caught_is_named(void **unused) {
  (void)unused;
  static const char *const dead[] = {"bounce=0", NULL};
  deck_run run;
  assert_int_equal(deck_try_only(&run, DECK("crushed"), dead, "impulses"), FW_ERR_ANALYSIS);
  printf("impulses: %s\n", fw_context_message(run.ctx));
  assert_non_null(strstr(fw_context_message(run.ctx), "step fails at t = 1 s"));
  assert_non_null(strstr(fw_context_message(run.ctx), "hard contact presses in below"));
  assert_null(strstr(fw_context_message(run.ctx), "mechanism"));
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(comes_to_rest), cmocka_unit_test(is_reported),
                                     cmocka_unit_test(crawling_is_reported), cmocka_unit_test(what_is_caught_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
