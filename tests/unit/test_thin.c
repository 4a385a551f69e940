/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines with the points left out that nobody can see. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "output/thin.h"

enum { MANY = 2000 };

/* Distance of a point from the nearest piece of a line, with both axes in their own unit. */
static double away(double px, double py, int n, const double *x, const double *y, double near_x, double near_y) {
  double least = INFINITY;
  for (int i = 0; i + 1 < n; i++) {
    double ax = (x[i + 1] - x[i]) / near_x, ay = (y[i + 1] - y[i]) / near_y;
    double bx = (px - x[i]) / near_x, by = (py - y[i]) / near_y, length = ax * ax + ay * ay;
    double along = length > 0.0 ? fmin(fmax((ax * bx + ay * by) / length, 0.0), 1.0) : 0.0;
    least = fmin(least, hypot(bx - along * ax, by - along * ay));
  }
  return least;
}

static int thin_copy(const double *x, const double *y, double *u, double *v) {
  memcpy(u, x, MANY * sizeof *x);
  memcpy(v, y, MANY * sizeof *y);
  int left = fw_thin(MANY, u, v, 1e-3, 2e-3);
  assert_true(u[0] == x[0] && v[0] == y[0]);
  assert_true(u[left - 1] == x[MANY - 1] && v[left - 1] == y[MANY - 1]);
  for (int i = 0; i < MANY; i++) assert_true(away(x[i], y[i], left, u, v, 1e-3, 2e-3) < 2.0);
  return left;
}

static void stays_near_every_point(void **unused) {
  (void)unused;
  static double x[MANY], y[MANY], u[MANY], v[MANY];
  for (int i = 0; i < MANY; i++) x[i] = (double)i / MANY, y[i] = sin(6.0 * x[i]);
  assert_in_range(thin_copy(x, y, u, v), 20, 100);
  for (int i = 0; i < MANY; i++)
    x[i] = cos(0.05 * i), y[i] = sin(0.07 * i); /* a line that turns back and crosses itself */
  assert_in_range(thin_copy(x, y, u, v), 200, MANY - 1);
  for (int i = 0; i < MANY; i++) x[i] = i, y[i] = i % 2; /* nothing to leave out */
  assert_int_equal(thin_copy(x, y, u, v), MANY);
  for (int i = 0; i < MANY; i++) x[i] = i, y[i] = 3.0 * i; /* a straight one */
  assert_int_equal(thin_copy(x, y, u, v), 2);
  for (int i = 0; i < MANY; i++) x[i] = fabs(i - 0.3 * MANY), y[i] = 0.0; /* there and back */
  assert_int_equal(thin_copy(x, y, u, v), 3);
}

static void takes_short_lines(void **unused) {
  (void)unused;
  double x[] = {0, 1, 2}, y[] = {0, 1e-9, 0};
  assert_int_equal(fw_thin(0, x, y, 1, 1), 0);
  assert_int_equal(fw_thin(1, x, y, 1, 1), 1);
  assert_int_equal(fw_thin(2, x, y, 1, 1), 2);
  assert_int_equal(fw_thin(3, x, y, 1, 1), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stays_near_every_point), cmocka_unit_test(takes_short_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
