/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fit of loops looks at, for a square loop and one half as high again. */
#include <math.h>

#include "cmocka_all.h"
#include "identify/loops.h"

/* Slip to and fro by 1 m under 1 N: 2 J over a way of 2 m. At 1.5 N, with a deviation of 0.1 N, all is missed by five deviations. */
static void residuals_are_in_deviations(void **unused) {
  (void)unused;
  double u[] = {0, 1, 1, 0, 0}, T[] = {1, 1, -1, -1, 1};
  const double higher[] = {1.5, 1.5, -1.5, -1.5, 1.5};
  fw_loop_data loop = {.id = "square", .count = 5, .u = u, .T = T, .deviation = 0.1};
  const fw_loops loops = {&loop, 1};
  static const struct {
    fw_loop_objective objective;
    int count;
    double r[4];
  } expected[] = {{FW_LOOP_BY_LOOP, 4, {5, -5, -5, 5}},
                  {FW_LOOP_BY_RANGE, 1, {5}},
                  {FW_LOOP_BY_EXTREMES, 2, {5, -5}},
                  {FW_LOOP_BY_ENERGY, 1, {5}}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    double r[4];
    assert_int_equal(fw_loop_residual_count(&loops, expected[i].objective), expected[i].count);
    assert_int_equal(fw_loop_residuals(&loop, expected[i].objective, higher, r), expected[i].count);
    for (int k = 0; k < expected[i].count; k++) assert_near(r[k], expected[i].r[k], 1e-12);
  }
  assert_near(fw_loop_shape_of(&loop, T).energy, 2.0, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(residuals_are_in_deviations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
