/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The membrane term that harmonic balance projects is the one the element's force contains. */
#include <math.h>

#include "cmocka_all.h"
#include "elements/von_karman.h"

static const double X[4] = {0.1, -0.2, 0.4, 0.2}; /* length 0.5, direction (0.6, 0.8) */
static const fw_properties steel = {.E = 210e9, .nu = 0.3, .rho = 7800, .A = 1e-4, .I = 1e-9, .kappa = 0.85};

static const fw_element_ops *element(const char *name) {
  const fw_element_ops *ops = (const fw_element_ops *)fw_table_find(&fw_elements, name);
  assert_non_null(ops);
  return ops;
}

static void is_offered_by_von_karman_beams_only(void **unused) {
  (void)unused;
  fw_membrane membrane;
  fw_properties props = steel;
  assert_false(fw_von_karman_membrane(element("euler-bernoulli"), &props, X, &membrane));
  props.kinematics = FW_VON_KARMAN;
  assert_true(fw_von_karman_membrane(element("euler-bernoulli"), &props, X, &membrane));
}

/* A straight line turned by a small angle w/l has w' = w/l everywhere: eps = (u2 - u1)/l + (w/l)^2/2. */
static void has_the_strain_of_a_straight_line(void **unused) {
  (void)unused;
  fw_membrane membrane;
  fw_properties props = steel;
  props.kinematics = FW_VON_KARMAN;
  fw_von_karman_membrane(element("euler-bernoulli"), &props, X, &membrane);
  double along = 2e-4, across = 1e-2, turn = across / 0.5;
  const double q[6] = {0, 0, turn, 0.6 * along - 0.8 * across, 0.8 * along + 0.6 * across, turn};
  assert_true(fabs(membrane.D - 210e9 * 1e-4 * 0.5) < 1e-6);
  assert_true(fabs(fw_membrane_strain(&membrane, q, NULL) - (along / 0.5 + 0.5 * turn * turn)) < 1e-17);
}

/* f(q) = (K(0) - D b b^T) q + D eps (b + G q), exactly. */
static void rebuilds_the_force(void **unused) {
  (void)unused;
  const fw_element_ops *ops = element("euler-bernoulli");
  const double q[6] = {1e-4, -2e-3, 0.02, 3e-4, 1e-3, -0.01}, zero[6] = {0};
  double f[6], f0[6], K0[36], gradient[6];
  fw_membrane membrane;
  fw_properties props = steel;
  props.kinematics = FW_VON_KARMAN;
  assert_true(fw_von_karman_membrane(ops, &props, X, &membrane));
  assert_int_equal(ops->force(&props, X, zero, NULL, f0, K0, NULL), FW_OK);
  assert_int_equal(ops->force(&props, X, q, NULL, f, NULL, NULL), FW_OK);
  double eps = fw_membrane_strain(&membrane, q, gradient), elongation = 0;
  for (int i = 0; i < 6; i++) elongation += membrane.b[i] * q[i];
  for (int i = 0; i < 6; i++) {
    double rebuilt = membrane.D * (eps * gradient[i] - elongation * membrane.b[i]);
    for (int j = 0; j < 6; j++) rebuilt += K0[6 * i + j] * q[j];
    assert_true(fabs(rebuilt - f[i]) < 1e-12 * fabs(f[i]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_offered_by_von_karman_beams_only),
      cmocka_unit_test(has_the_strain_of_a_straight_line),
      cmocka_unit_test(rebuilds_the_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
