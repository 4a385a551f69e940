/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section forces of beams, and what they refuse. */
#include <math.h>

#include "cmocka_all.h"
#include "elements/beam.h"

static const fw_properties props = {.E = 200e9, .nu = 0.25, .rho = 8000, .A = 1e-3, .I = 1e-7, .kappa = 0.8};

static const fw_element_ops *element(const char *name) {
  return (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, name);
}

static void near(double value, double reference) {
  assert_true(fabs(value - reference) <= 1e-9 * (1 + fabs(reference)));
}

/* A cantilever of length 2 along (0.6, 0.8), clamped at its first node, with end force (100 along, 5 across). */
static void cantilever_shows_its_section_forces(void **unused) {
  (void)unused;
  const double X[4] = {0, 0, 1.2, 1.6}, l = 2, EI = props.E * props.I, N = 100, P = 5;
  const char *names[] = {"euler-bernoulli", "timoshenko"};
  for (int k = 0; k < 2; k++)
    for (int kinematics = FW_LINEAR; kinematics <= FW_COROTATIONAL; kinematics++) {
      fw_properties p = props;
      p.kinematics = (fw_kinematics)kinematics;
      double shear = k ? P * l / (p.kappa * p.E / 2.5 * p.A) : 0;
      double u = N * l / (p.E * p.A), w = P * l * l * l / (3 * EI) + shear, t = P * l * l / (2 * EI), out[3];
      /* So small that all kinematics agree. */
      double scale = kinematics == FW_LINEAR ? 1 : 1e-6;
      const double q[6] = {0, 0, 0, scale * (0.6 * u - 0.8 * w), scale * (0.8 * u + 0.6 * w), scale * t};
      for (double xi = -1; xi < 1.1; xi += 0.5) {
        element(names[k])->field(&p, X, q, (double[]){xi, 0}, out);
        double x = l * (1 + xi) / 2, tolerance = kinematics == FW_LINEAR ? 1e-9 : 1e-5;
        assert_true(fabs(out[FW_BEAM_N] / scale - N) < tolerance * N);
        assert_true(fabs(out[FW_BEAM_V] / scale - P) < tolerance * P);
        assert_true(fabs(out[FW_BEAM_M] / scale - P * (l - x)) < tolerance * P * l);
      }
    }
}

static void bad_properties_are_refused(void **unused) {
  (void)unused;
  const double X[4] = {0, 0, 1, 0};
  fw_properties p = props;
  assert_null(element("timoshenko")->check(&p, X));
  p.kappa = 0;
  assert_non_null(element("timoshenko")->check(&p, X));
  assert_null(element("euler-bernoulli")->check(&p, X));
  p = props;
  p.E = 0;
  assert_non_null(element("euler-bernoulli")->check(&p, X));
  p = props;
  p.A = 0;
  assert_non_null(element("euler-bernoulli")->check(&p, X));
  p = props;
  p.I = -1;
  assert_non_null(element("euler-bernoulli")->check(&p, X));
}

/* A beam whose ends meet has no direction: a smaller step may help. */
static void a_vanished_chord_is_recoverable(void **unused) {
  (void)unused;
  const double X[4] = {0, 0, 1, 0}, q[6] = {0, 0, 0, -1, 0, 0};
  double f[6];
  fw_properties p = props;
  p.kinematics = FW_COROTATIONAL;
  assert_int_equal(element("euler-bernoulli")->force(&p, X, q, NULL, f, NULL, NULL), FW_RECOVER_ELEMENT);
}

/* Moment of inertia of a rigid turn about the middle, m l^2/12 (+ rho I l), is exact with every consistent mass. */
static void rigid_turns_have_their_inertia(void **unused) {
  (void)unused;
  const double X[4] = {-0.3, -0.4, 0.3, 0.4}, r[6] = {0.4, -0.3, 1, -0.4, 0.3, 1};
  double M[36], m = props.rho * props.A;
  for (int kinematics = FW_LINEAR; kinematics <= FW_COROTATIONAL; kinematics++) {
    fw_properties p = props;
    double inertia = 0;
    p.kinematics = (fw_kinematics)kinematics;
    element("timoshenko")->mass(&p, X, M);
    for (int k = 0; k < 36; k++) inertia += r[k / 6] * M[k] * r[k % 6];
    near(inertia, m / 12 + props.rho * props.I);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cantilever_shows_its_section_forces),
      cmocka_unit_test(bad_properties_are_refused),
      cmocka_unit_test(a_vanished_chord_is_recoverable),
      cmocka_unit_test(rigid_turns_have_their_inertia),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
