/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Impacts and sliding told apart, forces of impacts by bins, and the spread of means over windows. */
#include <math.h>

#include "cmocka_all.h"
#include "contact/episodes.h"

/* Steps of 1 ms: so many with a force, each doing the work of 1 J. */
static const fw_episode_limits limits = {5.5e-3, 2.5e-3};

static void go(fw_episodes *e, int steps, double N) {
  for (int i = 0; i < steps; i++) fw_episodes_step(&limits, N, N > 0 ? 1 : 0, 1e-3, e);
}

static bool is(double found, double wanted) { return fabs(found - wanted) < 1e-12; }

static void short_contact_is_an_impact(void **unused) {
  (void)unused;
  fw_episodes e = {0};
  go(&e, 3, 30);
  go(&e, 1, 70);
  go(&e, 1, 40);
  assert_true(is(e.impacts, 0)); /* it may rebound */
  go(&e, 3, 0);
  assert_true(is(e.impacts, 1) && is(e.slidings, 0));
  assert_true(is(e.impact_work, 5) && is(e.peak_most, 70) && is(e.closed, 5e-3));
  go(&e, 2, 150);
  go(&e, 3, 0);
  assert_true(is(e.impacts, 2) && is(e.peak_sum, 220) && is(e.peak_most, 150));
}

static void rebounds_belong_to_it(void **unused) {
  (void)unused;
  fw_episodes e = {0};
  go(&e, 1, 30);
  go(&e, 2, 0);
  go(&e, 1, 20); /* 4 ms in all */
  go(&e, 9, 0);
  assert_true(is(e.impacts, 1) && is(e.peak_most, 30) && is(e.closed, 2e-3));
  go(&e, 2, 10);
  go(&e, 2, 0);
  go(&e, 2, 10); /* 6 ms in all: too long */
  go(&e, 9, 0);
  assert_true(is(e.impacts, 1) && is(e.slidings, 1) && is(e.sliding_work, 4));
}

static void long_contact_slides(void **unused) {
  (void)unused;
  fw_episodes e = {0};
  go(&e, 20, 5);
  fw_episodes_end(&limits, &e);
  assert_true(is(e.slidings, 1) && is(e.impacts, 0) && is(e.sliding_work, 20));
  fw_episodes_end(&limits, &e);
  assert_true(is(e.slidings, 1));
}

static void forces_have_bins(void **unused) {
  (void)unused;
  static const double forces[] = {1e-5, 0.0015, 1, 1.99, 2, 4.9, 5, 99, 1e7};
  static const int bins[] = {0, 0, 9, 9, 10, 10, 11, 14, FW_FORCE_BINS - 1};
  fw_episodes e = {0};
  double counted = 0;
  for (int i = 0; i < 9; i++) {
    double before = e.bins[bins[i]];
    go(&e, 1, forces[i]);
    go(&e, 3, 0);
    assert_true(is(e.bins[bins[i]], before + 1));
  }
  for (int b = 0; b < FW_FORCE_BINS; b++) counted += e.bins[b];
  assert_true(is(counted, 9));
  assert_true(is(fw_force_bin(9), 1) && fabs(fw_force_bin(FW_FORCE_BINS) - 1e5) < 1e-6);
}

static void windows_tell_the_error(void **unused) {
  (void)unused;
  static const double rising[] = {1, 2, 3, 4, 5}, turning[] = {1, 3, 1, 3}, even[] = {2, 2, 2};
  fw_batches s = fw_batches_of(rising, 5);
  assert_true(is(s.mean, 3) && is(s.error, sqrt(2.5 / 5)) && is(s.correlation, 0.4));
  s = fw_batches_of(turning, 4);
  assert_true(is(s.mean, 2) && is(s.correlation, -0.75));
  s = fw_batches_of(even, 3);
  assert_true(is(s.error, 0) && is(s.correlation, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_contact_is_an_impact), cmocka_unit_test(rebounds_belong_to_it),
      cmocka_unit_test(long_contact_slides),        cmocka_unit_test(forces_have_bins),
      cmocka_unit_test(windows_tell_the_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
