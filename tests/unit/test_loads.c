/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time functions of loads against what their equations say. */
#include <math.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "core/load.h"

static const double two_pi = 6.283185307179586;

static const fw_load_ops *find(const char *name) {
  const fw_entry *entry = fw_table_find(&fw_loads, name);
  assert_non_null(entry);
  return (const fw_load_ops *)(const void *)entry;
}

/* Constants from single numbers or lists, as a deck would give them. */
static double *pack(const fw_load_ops *ops, const fw_given *given) {
  int count = ops->pack(given, NULL);
  double *c = calloc((size_t)count, sizeof *c);
  assert_non_null(c);
  ops->pack(given, c);
  return c;
}

static void table_interpolates(void **unused) {
  (void)unused;
  const double times[] = {0, 1, 3}, values[] = {0, 2, -2};
  double *c = pack(find("table"), (fw_given[]){{.count = 3, .values = times}, {.count = 3, .values = values}});
  assert_null(find("table")->check(c));
  assert_true(fabs((find("table")->value(c, -1, 0)) - (0)) <= 0);
  assert_true(fabs((find("table")->value(c, 0.5, 0)) - (1)) <= 1e-15);
  assert_true(fabs((find("table")->value(c, 2, 0)) - (0)) <= 1e-15);
  assert_true(fabs((find("table")->value(c, 9, 0)) - (-2)) <= 0);
  free(c);
}

static void table_refuses_falling_times(void **unused) {
  (void)unused;
  const double times[] = {0, 2, 1}, values[] = {0, 1, 2};
  double *c = pack(find("table"), (fw_given[]){{.count = 3, .values = times}, {.count = 3, .values = values}});
  assert_string_equal(find("table")->check(c), "times must rise");
  free(c);
  c = pack(find("table"), (fw_given[]){{.count = 3, .values = times}, {.count = 2, .values = values}});
  assert_non_null(find("table")->check(c));
  free(c);
}

/* The frequency seen at t, from the zero crossings' phase: d/dt asin is ill-posed, so differentiate numerically. */
static double slope_at_zero(const fw_load_ops *ops, const double *c, double t) {
  return (ops->value(c, t + 1e-6, 0) - ops->value(c, t - 1e-6, 0)) / 2e-6;
}

static void chirp_sweeps_from_f_from_to_f_to(void **unused) {
  (void)unused;
  const fw_load_ops *ops = find("chirp");
  for (int sweep = 0; sweep < 2; sweep++) {
    const double c[] = {10, 20, 1, sweep};
    assert_true(fabs((slope_at_zero(ops, c, 1e-6)) - (two_pi * 10)) <= 0.1);
    double cycles = sweep ? 10 / log(2.0) : 15; /* integral of the frequency over the sweep */
    assert_true(fabs((ops->value(c, 1, 0)) - (sin(two_pi * cycles))) <= 1e-9);
    assert_true(fabs((ops->value(c, 1.5, 0)) - (sin(two_pi * (cycles + 10)))) <= 1e-9);
  }
}

static void stepped_sine_is_continuous(void **unused) {
  (void)unused;
  const double frequencies[] = {2, 5}, cycles[] = {4};
  const fw_load_ops *ops = find("stepped-sine");
  double *c = pack(ops, (fw_given[]){{.count = 2, .values = frequencies}, {.count = 1, .values = cycles}});
  assert_true(fabs((ops->value(c, 0.125, 0)) - (1)) <= 1e-12);
  assert_true(fabs((ops->value(c, 2, 0)) - (0)) <= 1e-12); /* 4 cycles of 2 Hz */
  assert_true(fabs((ops->value(c, 2.05, 0)) - (1)) <= 1e-12);
  free(c);
}

static void random_has_unit_rms_and_its_seed(void **unused) {
  (void)unused;
  const fw_load_ops *ops = find("random");
  const double low[] = {5}, high[] = {50}, seed[] = {7}, other[] = {8}, lines[] = {300};
  double *a = pack(ops, (fw_given[]){{.count = 1, .values = low},
                                     {.count = 1, .values = high},
                                     {.count = 1, .values = seed},
                                     {.count = 1, .values = lines}});
  double *b = pack(ops, (fw_given[]){{.count = 1, .values = low},
                                     {.count = 1, .values = high},
                                     {.count = 1, .values = seed},
                                     {.count = 1, .values = lines}});
  double *c = pack(ops, (fw_given[]){{.count = 1, .values = low},
                                     {.count = 1, .values = high},
                                     {.count = 1, .values = other},
                                     {.count = 1, .values = lines}});
  double square = 0, apart = 0;
  for (int i = 0; i < 20000; i++) {
    double t = i * 0.0037, x = ops->value(a, t, 0);
    assert_true(x == ops->value(b, t, 0));
    square += x * x / 20000;
    apart = fmax(apart, fabs(x - ops->value(c, t, 0)));
  }
  assert_true(fabs((square) - (1)) <= 0.1);
  assert_true(apart > 0.5);
  free(a);
  free(b);
  free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_interpolates),
      cmocka_unit_test(table_refuses_falling_times),
      cmocka_unit_test(chirp_sweeps_from_f_from_to_f_to),
      cmocka_unit_test(stepped_sine_is_continuous),
      cmocka_unit_test(random_has_unit_rms_and_its_seed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
