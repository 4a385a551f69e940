/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quartic energy of von Kármán beams: its stiffness is the derivative of its force, with or without it the force is the
 * same; the curvature of a reading is the second-order motion of the rest. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "solver/hb/reduction/reduced.h"

enum { N = 3, RANK = 2, ELEMENTS = 4, REST = 5, SQUARE = N * N };

typedef struct energy {
  fw_quartic q;
  double cubic[N * SQUARE], stretch[RANK], G[RANK * SQUARE], element_G[ELEMENTS * SQUARE],
      element_rest[ELEMENTS * REST];
} energy;

static double number(int seed) { return sin(12.9898 * seed + 1); }

/* The same for any order of the indices. */
static double symmetric(int seed, int i, int j, int k) { return number(seed + i * j * k + 10 * (i + j + k)); }

static void fill(energy *e) {
  e->q = (fw_quartic){N, RANK, ELEMENTS, REST, e->cubic, e->stretch, e->G, e->element_G, e->element_rest};
  for (int i = 0; i < SQUARE; i++) {
    for (int k = 0; k < N; k++) e->cubic[k * SQUARE + i] = symmetric(1, i / N, i % N, k);
    for (int r = 0; r < RANK; r++) e->G[r * SQUARE + i] = symmetric(100 + r, i / N, i % N, 0);
    for (int r = 0; r < ELEMENTS; r++) e->element_G[r * SQUARE + i] = symmetric(200 + r, i / N, i % N, 0);
  }
  for (int r = 0; r < RANK; r++) e->stretch[r] = 1 + r;
  for (int i = 0; i < ELEMENTS * REST; i++) e->element_rest[i] = number(300 + i);
}

static void stiffness_is_the_derivative(void **state) {
  (void)state;
  energy e;
  double z[N], f[N], alone[N], ahead[N], behind[N], K[SQUARE], work[N * (N + 1)], largest = 0;
  const double h = 1e-5;
  fill(&e);
  for (int i = 0; i < N; i++) z[i] = number(400 + i);
  fw_quartic_force(&e.q, z, f, K, work);
  fw_quartic_force(&e.q, z, alone, NULL, work);
  for (int j = 0; j < N; j++) {
    assert_float_equal(f[j], alone[j], 1e-15);
    z[j] += h;
    fw_quartic_force(&e.q, z, ahead, NULL, work);
    z[j] -= 2 * h;
    fw_quartic_force(&e.q, z, behind, NULL, work);
    z[j] += h;
    for (int i = 0; i < N; i++) largest = fmax(largest, fabs(K[i * N + j] - (ahead[i] - behind[i]) / (2 * h)));
  }
  print_message("stiffness beside differences of the force: largest difference %.1e\n", largest);
  assert_true(largest < 1e-8);
}

static void reading_is_the_motion_of_the_rest(void **state) {
  (void)state;
  energy e;
  double z[N], direction[REST], eta[REST] = {0}, curvature[SQUARE], motion = 0, form = 0;
  fill(&e);
  for (int i = 0; i < N; i++) z[i] = number(500 + i);
  for (int i = 0; i < REST; i++) direction[i] = number(600 + i);
  fw_quartic_rest(&e.q, z, eta);
  fw_quartic_reading(&e.q, direction, curvature);
  for (int i = 0; i < REST; i++) motion += direction[i] * eta[i];
  for (int i = 0; i < SQUARE; i++) form += 0.5 * z[i / N] * curvature[i] * z[i % N];
  print_message("reading %.15g, of the motion %.15g\n", form, motion);
  assert_true(fabs(motion) > 1e-3);
  assert_float_equal(form, motion, 1e-13);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stiffness_is_the_derivative),
                                     cmocka_unit_test(reading_is_the_motion_of_the_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
