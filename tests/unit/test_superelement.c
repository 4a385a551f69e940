/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pairs of a superelement sum up to its matrices. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "elements/superelement.h"

enum { NODES = 5, N = 3 * NODES };

/* A symmetric matrix with every entry different. */
static void fill(double scale, double *A) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) A[N * i + j] = scale * (1 + (i < j ? i + 17.0 * j : j + 17.0 * i));
}

static void pairs_sum_up(void **unused) {
  (void)unused;
  double K[N * N], M[N * N], C[N * N], q[N], v[N], f[N] = {0}, expected[N] = {0}, mass[N * N] = {0}, energy = 0,
                                                   sum = 0;
  fill(2, K);
  fill(0.5, M);
  fill(0.1, C);
  for (int i = 0; i < N; i++) {
    q[i] = sin(i + 1.0);
    v[i] = cos(3.0 * i);
  }
  assert_null(fw_superelement_check(NODES, K, M, C));
  assert_int_equal(fw_superelement_pairs(N), 10);
  for (int pair = 0; pair < fw_superelement_pairs(N); pair++) {
    int ends[2];
    double constants[FW_PAIR_CONSTANTS], qe[6], ve[6], fe[6], Ke[36], Ce[36], Me[36];
    const double X[4] = {0};
    fw_superelement_pair(N, K, M, C, pair, ends, constants);
    assert_true(0 <= ends[0] && ends[0] < ends[1] && ends[1] < NODES);
    fw_properties props = {.constants = constants, .constant_count = FW_PAIR_CONSTANTS};
    assert_null(fw_element_pair.check(&props, X));
    for (int i = 0; i < 6; i++) {
      qe[i] = q[3 * ends[i / 3] + i % 3];
      ve[i] = v[3 * ends[i / 3] + i % 3];
    }
    assert_int_equal(fw_element_pair.force(&props, X, qe, ve, fe, Ke, Ce), FW_OK);
    fw_element_pair.mass(&props, X, Me);
    energy += fw_element_pair.energy(&props, X, qe);
    for (int i = 0; i < 6; i++) {
      int row = 3 * ends[i / 3] + i % 3;
      f[row] += fe[i];
      for (int j = 0; j < 6; j++) mass[N * row + 3 * ends[j / 3] + j % 3] += Me[6 * i + j];
    }
  }
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) expected[i] += K[N * i + j] * q[j] + C[N * i + j] * v[j];
    for (int j = 0; j < N; j++) sum += 0.5 * q[i] * K[N * i + j] * q[j];
    assert_true(fabs(f[i] - expected[i]) < 1e-10);
  }
  assert_true(fabs(energy - sum) < 1e-9);
  assert_memory_equal(mass, M, sizeof M);
}

/* A matrix that ends within its last node is that with zeros up to the node's end; what is zero is told to be. */
static void last_node_may_be_short(void **unused) {
  (void)unused;
  enum { SIZE = N - 2 };
  double whole[N * N], A[SIZE * SIZE], expected[FW_PAIR_CONSTANTS], constants[FW_PAIR_CONSTANTS];
  int ends[2], same[2];
  fill(1, whole);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (i >= SIZE || j >= SIZE) whole[N * i + j] = 0;
  for (int i = 0; i < SIZE; i++) memcpy(A + SIZE * i, whole + N * i, SIZE * sizeof *A);
  assert_int_equal(fw_superelement_nodes(SIZE), NODES);
  assert_int_equal(fw_superelement_nodes(1), 2);
  for (int pair = 0; pair < fw_superelement_pairs(SIZE); pair++) {
    assert_true(fw_superelement_pair(N, whole, NULL, whole, pair, same, expected));
    assert_true(fw_superelement_pair(SIZE, A, NULL, A, pair, ends, constants));
    assert_memory_equal(constants, expected, sizeof expected);
    assert_memory_equal(ends, same, sizeof ends);
  }
  memset(A, 0, sizeof A);
  assert_false(fw_superelement_pair(SIZE, A, NULL, A, 0, ends, constants));
}

static void bad_matrices_are_refused(void **unused) {
  (void)unused;
  double K[N * N], M[N * N];
  fill(1, K);
  fill(1, M);
  assert_null(fw_superelement_check(NODES, K, NULL, NULL));
  assert_non_null(fw_superelement_check(1, K, NULL, NULL));
  M[0] = -1;
  assert_non_null(fw_superelement_check(NODES, K, M, NULL));
  K[1] = NAN;
  assert_non_null(fw_superelement_check(NODES, K, NULL, NULL));
  fill(1, K);
  fill(1, M);
  M[1] += 1; /* masses are symmetric, stiffness and damping need not be */
  assert_null(fw_superelement_check(NODES, M, NULL, M));
  assert_non_null(fw_superelement_check(NODES, K, M, NULL));
  M[1] = INFINITY;
  assert_non_null(fw_superelement_check(NODES, K, K, M));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_sum_up),
      cmocka_unit_test(last_node_may_be_short),
      cmocka_unit_test(bad_matrices_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
