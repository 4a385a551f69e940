/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line search on potentials whose slopes are known. */
#include <math.h>

#include "cmocka_all.h"
#include "solver/linalg/line_search.h"

/* slope(x) = of a potential with its minimum at `minimum`; nothing is known beyond `wall`. */
typedef struct line {
  double minimum, wall, at;
  int trials;
} line;

static fw_status saturating(void *user, double fraction, double *slope) {
  line *l = user;
  l->at = fraction;
  l->trials++;
  if (fraction > l->wall) return FW_RECOVER_ELEMENT;
  *slope = tanh(20.0 * (l->minimum - fraction));
  return FW_OK;
}

static void finds_the_minimum_on_the_way(void **unused) {
  (void)unused;
  for (double minimum = 0.05; minimum < 0.96; minimum += 0.1) {
    line l = {.minimum = minimum, .wall = 2.0};
    double first = tanh(20.0 * minimum), slope = NAN;
    assert_int_equal(fw_line_search(saturating, &l, first), FW_OK);
    double at = l.at;
    assert_int_equal(saturating(&l, at, &slope), FW_OK);
    assert_true(fabs(slope) <= 0.8 * first);
    assert_true(at > 0.0 && at <= 1.0);
  }
}

static void takes_a_whole_step_that_stops_short(void **unused) {
  (void)unused;
  line l = {.minimum = 3.0, .wall = 2.0};
  assert_int_equal(fw_line_search(saturating, &l, 1.0), FW_OK);
  assert_near(l.at, 1.0, 0.0);
  assert_int_equal(l.trials, 1);
}

static void stays_where_the_model_has_an_answer(void **unused) {
  (void)unused;
  line l = {.minimum = 0.3, .wall = 0.35};
  assert_int_equal(fw_line_search(saturating, &l, 1.0), FW_OK);
  assert_true(l.at <= 0.35);
}

static fw_status broken(void *user, double fraction, double *slope) {
  (void)user, (void)fraction, (void)slope;
  return FW_ERR_MEMORY;
}

static void hands_failures_on(void **unused) {
  (void)unused;
  assert_int_equal(fw_line_search(broken, NULL, 1.0), FW_ERR_MEMORY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_minimum_on_the_way), cmocka_unit_test(takes_a_whole_step_that_stops_short),
      cmocka_unit_test(stays_where_the_model_has_an_answer), cmocka_unit_test(hands_failures_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
