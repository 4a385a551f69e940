/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every element of the table passes the suite, and elements made wrong in one place do not. */
#include <string.h>

#include "cmocka_all.h"
#include "element_suite.h"

static const fw_element_ops *element(const char *name) {
  return (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, name);
}

static void every_element_passes(void **unused) {
  (void)unused;
  int wrong = 0;
  for (const fw_entry *const *entry = fw_elements.entries; *entry; entry++) {
    const char *check;
    const char *message = fw_element_suite((const fw_element_ops *)(const void *)*entry, &check);
    print_message("%-20s %s%s%s\n", (*entry)->name, message ? check : "passes", message ? ": " : "",
                  message ? message : "");
    wrong += message != NULL;
  }
  assert_int_equal(wrong, 0);
}

/* ---- wrong elements ---------------------------------------------------------------------- */

/* A beam with one sign of the tangent flipped. */
static fw_status wrong_tangent(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                               double *K, double *C) {
  fw_status status = element("euler-bernoulli")->force(props, X, q, v, f, K, C);
  if (K) K[7] = -K[7];
  return status;
}

/* A beam with one sign of the force flipped, and the tangent to match. */
static fw_status wrong_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                             double *K, double *C) {
  fw_status status = element("euler-bernoulli")->force(props, X, q, v, f, K, C);
  f[1] = -f[1];
  for (int j = 0; K && j < 6; j++) K[6 + j] = -K[6 + j];
  return status;
}

/* A beam held by a weak spring to the ground. */
static fw_status held_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                            double *K, double *C) {
  fw_status status = element("euler-bernoulli")->force(props, X, q, v, f, K, C);
  f[0] += 1e-6 * q[0];
  if (K) K[0] += 1e-6;
  return status;
}

static double held_energy(const fw_properties *props, const double *X, const double *q) {
  return element("euler-bernoulli")->energy(props, X, q) + 0.5e-6 * q[0] * q[0];
}

/* A von Kármán beam that claims to be co-rotational. */
static fw_status stiff_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                             double *K, double *C) {
  fw_properties other = *props;
  if (other.kinematics == FW_COROTATIONAL) other.kinematics = FW_VON_KARMAN;
  return element("euler-bernoulli")->force(&other, X, q, v, f, K, C);
}

static double stiff_energy(const fw_properties *props, const double *X, const double *q) {
  fw_properties other = *props;
  if (other.kinematics == FW_COROTATIONAL) other.kinematics = FW_VON_KARMAN;
  return element("euler-bernoulli")->energy(&other, X, q);
}

/* A damper that pushes along. */
static fw_status wrong_damper(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                              double *K, double *C) {
  fw_status status = element("damper")->force(props, X, q, v, f, K, C);
  for (int i = 0; i < 4; i++) f[i] = -f[i];
  for (int i = 0; K && i < 16; i++) K[i] = -K[i];
  for (int i = 0; C && i < 16; i++) C[i] = -C[i];
  return status;
}

/* The damper's C with the sign of one entry flipped. */
static fw_status wrong_damping(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                               double *K, double *C) {
  fw_status status = element("damper")->force(props, X, q, v, f, K, C);
  if (C) C[1] = -C[1];
  return status;
}

static void wrong_mass(const fw_properties *props, const double *X, double *M) {
  element("euler-bernoulli")->mass(props, X, M);
  M[2] = -M[2];
}

static void heavy_mass(const fw_properties *props, const double *X, double *M) {
  element("euler-bernoulli")->mass(props, X, M);
  M[0] *= 1.001;
}

static void wrong_interpolation(const fw_properties *props, const double *X, const double *xi, double *weights) {
  element("euler-bernoulli")->interpolate(props, X, xi, weights);
  weights[2] = -weights[2];
}

static const char *careless_check(const fw_properties *props, const double *X) {
  (void)props, (void)X;
  return NULL;
}

static void a_wrong_element_is_caught(void **unused) {
  (void)unused;
  enum { WRONG = 10 };
  fw_element_ops wrong[WRONG];
  const char *expected[WRONG] = {"tangents are derivatives",     "force is the gradient of energy",
                                 "translations change no force", "velocity only dissipates",
                                 "tangents are derivatives",     "mass is sound",
                                 "mass has the right total",     "interpolation reproduces rigid motion",
                                 "refuses a degenerate element", "large rotations turn the force"};
  for (int i = 0; i < WRONG; i++) wrong[i] = *element(i == 3 || i == 4 ? "damper" : "euler-bernoulli");
  wrong[0].force = wrong_tangent;
  wrong[1].force = wrong_force;
  wrong[2].force = held_force;
  wrong[2].energy = held_energy;
  wrong[3].force = wrong_damper;
  wrong[4].force = wrong_damping;
  wrong[5].mass = wrong_mass;
  wrong[6].mass = heavy_mass;
  wrong[7].interpolate = wrong_interpolation;
  wrong[8].check = careless_check;
  wrong[9].force = stiff_force;
  wrong[9].energy = stiff_energy;
  for (int i = 0; i < WRONG; i++) {
    const char *failed;
    assert_non_null(fw_element_suite(&wrong[i], &failed));
    assert_string_equal(failed, expected[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_element_passes),
      cmocka_unit_test(a_wrong_element_is_caught),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
