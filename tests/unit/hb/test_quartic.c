/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quartic energy of von Kármán beams: its stiffness is the derivative of its force, with or without it the force is the
 * same; so with its damping; the curvature of a reading is the second-order motion of the rest. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "solver/hb/reduction/reduced.h"

enum { N = 3, RANK = 2, ELEMENTS = 4, REST = 5, SQUARE = N * N };

typedef struct energy {
  fw_quartic q;
  double cubic[N * SQUARE], cubic_drag[N * SQUARE], stretch[RANK], G[RANK * SQUARE], element_G[ELEMENTS * SQUARE],
      element_rest[ELEMENTS * REST];
} energy;

static double number(int seed) { return sin(12.9898 * seed + 1); }

/* The same for any order of the indices. */
static double symmetric(int seed, int i, int j, int k) { return number(seed + i * j * k + 10 * (i + j + k)); }

static void fill(energy *e) {
  e->q = (fw_quartic){.n = N,
                      .elements = ELEMENTS,
                      .rest = REST,
                      .cubic = e->cubic,
                      .stretch = {RANK, e->stretch, e->G},
                      .cubic_drag = e->cubic_drag,
                      .drag = {RANK, e->stretch, e->G},
                      .element_G = e->element_G,
                      .element_rest = e->element_rest};
  for (int i = 0; i < SQUARE; i++) {
    for (int k = 0; k < N; k++) {
      e->cubic[k * SQUARE + i] = symmetric(1, i / N, i % N, k);
      e->cubic_drag[i * N + k] = symmetric(40 + k, i / N, i % N, 0);
    }
    for (int r = 0; r < RANK; r++) e->G[r * SQUARE + i] = symmetric(100 + r, i / N, i % N, 0);
    for (int r = 0; r < ELEMENTS; r++) e->element_G[r * SQUARE + i] = symmetric(200 + r, i / N, i % N, 0);
  }
  for (int r = 0; r < RANK; r++) e->stretch[r] = 1 + r;
  for (int i = 0; i < ELEMENTS * REST; i++) e->element_rest[i] = number(300 + i);
}

static void stiffness_is_the_derivative(void **state) {
  (void)state;
  energy e;
  double z[N], f[N], alone[N], ahead[N], behind[N], K[SQUARE], work[SQUARE + RANK * (N + 1)], largest = 0;
  const double h = 1e-5;
  fill(&e);
  for (int i = 0; i < N; i++) z[i] = number(400 + i);
  fw_quartic_force(&e.q, 1, z, f, K, work);
  fw_quartic_force(&e.q, 1, z, alone, NULL, work);
  for (int j = 0; j < N; j++) {
    assert_near(f[j], alone[j], 1e-15);
    z[j] += h;
    fw_quartic_force(&e.q, 1, z, ahead, NULL, work);
    z[j] -= 2 * h;
    fw_quartic_force(&e.q, 1, z, behind, NULL, work);
    z[j] += h;
    for (int i = 0; i < N; i++) largest = fmax(largest, fabs(K[i * N + j] - (ahead[i] - behind[i]) / (2 * h)));
  }
  print_message("stiffness beside differences of the force: largest difference %.1e\n", largest);
  assert_true(largest < 1e-8);
}

/* Many samples at once as one after the other. */
static void samples_do_not_meet(void **state) {
  (void)state;
  enum { SAMPLES = 3 };
  energy e;
  double rows[N * SAMPLES], f[SAMPLES * N], K[SAMPLES * SQUARE], work[SAMPLES * (SQUARE + RANK * (N + 1))];
  fill(&e);
  for (int i = 0; i < N * SAMPLES; i++) rows[i] = number(500 + i);
  fw_quartic_force(&e.q, SAMPLES, rows, f, K, work);
  for (int s = 0; s < SAMPLES; s++) {
    double z[N], f_alone[N], K_alone[SQUARE];
    for (int i = 0; i < N; i++) z[i] = rows[i * SAMPLES + s];
    fw_quartic_force(&e.q, 1, z, f_alone, K_alone, work);
    for (int i = 0; i < N; i++) assert_near(f[s * N + i], f_alone[i], 1e-13);
    for (int i = 0; i < SQUARE; i++) assert_near(K[s * SQUARE + i], K_alone[i], 1e-13);
  }
}

/* C is the derivative of the force with respect to v, C_z with respect to z; the force takes power. */
static void drag_has_its_derivatives(void **state) {
  (void)state;
  energy e;
  double z[N], v[N], f[N], ahead[N], behind[N], C[SQUARE], C_z[SQUARE], spare[SQUARE], other[SQUARE], work[N];
  double largest = 0;
  const double h = 1e-5;
  fill(&e);
  for (int i = 0; i < N; i++) z[i] = number(700 + i), v[i] = number(800 + i);
  fw_quartic_drag(&e.q, z, v, f, C, C_z, work);
  for (int of = 0; of < 2; of++)
    for (int j = 0; j < N; j++) {
      double *at = of ? &v[j] : &z[j];
      *at += h;
      fw_quartic_drag(&e.q, z, v, ahead, spare, other, work);
      *at -= 2 * h;
      fw_quartic_drag(&e.q, z, v, behind, spare, other, work);
      *at += h;
      for (int i = 0; i < N; i++)
        largest = fmax(largest, fabs((of ? C : C_z)[i * N + j] - (ahead[i] - behind[i]) / (2 * h)));
    }
  print_message("damping beside differences of the force: largest difference %.1e\n", largest);
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
  assert_near(form, motion, 1e-13);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stiffness_is_the_derivative),
                                     cmocka_unit_test(samples_do_not_meet), cmocka_unit_test(drag_has_its_derivatives),
                                     cmocka_unit_test(reading_is_the_motion_of_the_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
