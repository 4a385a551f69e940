/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cross-sections against figures worked out by hand. */
#include <math.h>

#include "cmocka_all.h"
#include "elements/element.h"

static const char *fill(const char *name, const double *c, fw_properties *props) {
  const fw_section_ops *ops = (const fw_section_ops *)fw_table_find(&fw_sections, name);
  assert_non_null(ops);
  *props = (fw_properties){0};
  return ops->fill(c, 0.3, props);
}

static void near(double value, double reference) { assert_true(fabs(value - reference) <= 1e-12 * fabs(reference)); }

static void rectangle(void **unused) {
  (void)unused;
  fw_properties p;
  assert_null(fill("rectangle", (double[]){0.03, 0.02, 0}, &p));
  near(p.A, 6e-4);
  near(p.I, 2e-8);
  near(p.kappa, 13.0 / 15.3);
  near(p.height, 0.02);
  assert_null(fill("rectangle", (double[]){0.03, 0.02, 0.8}, &p));
  near(p.kappa, 0.8);
  assert_non_null(fill("rectangle", (double[]){0.03, 0, 0}, &p));
  assert_non_null(fill("rectangle", (double[]){0, 0.02, 0}, &p));
}

static void a_tube_lies_between_a_circle_and_a_thin_ring(void **unused) {
  (void)unused;
  fw_properties solid, tube, ring;
  assert_null(fill("circle", (double[]){0.02, 0}, &solid));
  near(solid.A, M_PI * 1e-4);
  near(solid.I, 7.853981633974483e-9);
  near(solid.kappa, 7.8 / 8.8);
  assert_null(fill("tube", (double[]){0.02, 0.01, 0}, &tube));
  near(tube.A, solid.A);
  near(tube.I, solid.I);
  near(tube.kappa, solid.kappa);
  assert_null(fill("tube", (double[]){0.02, 1e-9, 0}, &ring));
  /* Thin ring: kappa = 2(1 + nu)/(4 + 3 nu), A = pi d t, I = pi d^3 t/8 */
  assert_true(fabs(ring.kappa - 2.6 / 4.9) < 1e-7);
  assert_true(fabs(ring.A / (M_PI * 0.02 * 1e-9) - 1) < 1e-6);
  assert_true(fabs(ring.I / (M_PI * 8e-6 * 1e-9 / 8) - 1) < 1e-6);
  assert_non_null(fill("tube", (double[]){0.02, 0.011, 0}, &tube));
  assert_non_null(fill("tube", (double[]){0.02, 0, 0}, &tube));
  assert_non_null(fill("circle", (double[]){0, 0}, &solid));
}

static void general_takes_the_numbers(void **unused) {
  (void)unused;
  fw_properties p;
  assert_null(fill("general", (double[]){6e-4, 2e-8, 0.85, 0, 3e-8, 4e-8, 0}, &p));
  near(p.A, 6e-4);
  near(p.I, 2e-8);
  near(p.kappa, 0.85);
  near(p.height, 0.02);
  near(p.I_out, 3e-8);
  near(p.J, 4e-8);
  near(p.kappa_out, 0.85);
  assert_null(fill("general", (double[]){6e-4, 2e-8, 0.85, 0.05, 3e-8, 4e-8, 0.7}, &p));
  near(p.height, 0.05);
  near(p.kappa_out, 0.7);
  assert_non_null(fill("general", (double[]){0, 2e-8, 0.85, 0, 3e-8, 4e-8, 0}, &p));
  assert_non_null(fill("general", (double[]){6e-4, 0, 0.85, 0, 3e-8, 4e-8, 0}, &p));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rectangle),
      cmocka_unit_test(a_tube_lies_between_a_circle_and_a_thin_ring),
      cmocka_unit_test(general_takes_the_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
