/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patterns, shared by matrices, and the two kinds of factors against each other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "solver/linalg/sparse.h"

static fw_context *ctx;

static int setup(void **unused) {
  (void)unused;
  return fw_context_create(&ctx) == FW_OK ? 0 : -1;
}

static int teardown(void **unused) {
  (void)unused;
  fw_context_destroy(&ctx);
  return 0;
}

static void two_cliques(const void *user, fw_entries *entries) {
  static const int a[] = {3, -1, 0}, b[] = {0, 1};
  (void)user;
  fw_entries_clique(entries, a, 3);
  fw_entries_clique(entries, b, 2);
  fw_entries_clique(entries, b, 2);
  fw_entries_add(entries, 2, 2);
}

static void entries_are_sorted_and_merged(void **unused) {
  (void)unused;
  static const int64_t p[] = {0, 3, 5, 6, 8}, i[] = {0, 1, 3, 0, 1, 2, 0, 3};
  fw_sparse *A = NULL;
  assert_int_equal(fw_sparse_create(ctx, 4, two_cliques, NULL, &A), FW_OK);
  assert_memory_equal(A->p, p, sizeof p);
  assert_memory_equal(A->i, i, sizeof i);
  for (int k = 0; k < 8; k++) assert_true(A->x[k] == 0.0);
  assert_int_equal(fw_sparse_position(A, 3, 0), 2);
  assert_int_equal(fw_sparse_position(A, 2, 0), -1);
  fw_sparse_destroy(&A);
}

static void a_pattern_lives_as_long_as_its_last_matrix(void **unused) {
  (void)unused;
  fw_sparse *A = NULL, *B = NULL;
  assert_int_equal(fw_sparse_create(ctx, 4, two_cliques, NULL, &A), FW_OK);
  A->x[0] = 7.0;
  assert_int_equal(fw_sparse_like(ctx, A, &B), FW_OK);
  assert_ptr_equal(A->i, B->i);
  assert_true(B->x[0] == 0.0);
  fw_sparse_destroy(&A);
  assert_int_equal(B->p[4], 8);
  assert_int_equal(fw_sparse_position(B, 0, 3), 6);
  fw_sparse_destroy(&B);
}

/* Of 8 entries 3 are zero in both matrices; of 5 none. */
static void copies_leave_out_what_is_zero_in_all(void **unused) {
  (void)unused;
  fw_sparse *A = NULL, *B = NULL, *copies[2], *again[2];
  double x[] = {1.0, 2.0, 3.0, 4.0}, whole[4] = {0}, part[4] = {0};
  assert_int_equal(fw_sparse_create(ctx, 4, two_cliques, NULL, &A), FW_OK);
  assert_int_equal(fw_sparse_like(ctx, A, &B), FW_OK);
  A->x[0] = 7.0, A->x[4] = 5.0, A->x[7] = -2.0, B->x[2] = 3.0, B->x[5] = 4.0;
  assert_int_equal(fw_sparse_filled(ctx, 2, (const fw_sparse *const[]){A, B}, copies), FW_OK);
  assert_int_equal(copies[0]->p[4], 5);
  assert_ptr_equal(copies[0]->i, copies[1]->i);
  fw_sparse_multiply_sum(A, 1.0, B, 2.0, x, whole);
  fw_sparse_multiply_sum(copies[0], 1.0, copies[1], 2.0, x, part);
  assert_memory_equal(whole, part, sizeof whole);
  assert_int_equal(fw_sparse_filled(ctx, 2, (const fw_sparse *const[]){copies[0], copies[1]}, again), FW_OK);
  assert_null(again[0]);
  for (int k = 0; k < 2; k++) fw_sparse_destroy(&copies[k]);
  fw_sparse_destroy(&A);
  fw_sparse_destroy(&B);
}

/* A chain of springs of very different units: k = 1 at even freedoms, 1e12 at odd ones, scaled to both sides. Each link
 * holds to the next `width`: 1 is factored by columns, 60 by supernodes. */
enum { LINKS = 5000 };
static const int widths[] = {1, 60};

static void chain(const void *user, fw_entries *entries) {
  const int *width = user;
  for (int i = 0; i < LINKS; i++)
    for (int k = 1; k <= *width; k++) fw_entries_clique(entries, (int[]){i, i + k < LINKS ? i + k : -1}, 2);
}

static double unit(int64_t i) { return i % 2 ? 1e6 : 1.0; }

/* Springs of stiffness 1, and ground springs at the first and last link: without either the chain is free. */
static void fill(fw_sparse *A, double first, double last) {
  for (int64_t j = 0; j < A->n; j++) {
    double links = (double)(A->p[j + 1] - A->p[j] - 1), ground = j == 0 ? first : j == A->n - 1 ? last : 0.0;
    for (int64_t k = A->p[j]; k < A->p[j + 1]; k++)
      A->x[k] = (A->i[k] != j ? -1.0 : links + ground) * unit(A->i[k]) * unit(j);
  }
}

static void check_both_kinds(const int *width) {
  fw_sparse *A = NULL;
  fw_factor *definite = NULL, *general = NULL;
  double *x = calloc(2 * LINKS, sizeof *x), *y = x + LINKS, worst = 0.0;
  assert_non_null(x);
  assert_int_equal(fw_sparse_create(ctx, LINKS, chain, width, &A), FW_OK);
  fill(A, 1.0, 0.0);
  assert_int_equal(fw_factor_create_definite(ctx, A, &definite), FW_OK);
  assert_int_equal(fw_factor_create(ctx, A, &general), FW_OK);
  assert_int_equal(fw_factor_compute(ctx, definite, A, NULL), FW_OK);
  assert_int_equal(fw_factor_compute(ctx, general, A, NULL), FW_OK);
  assert_true(fw_factor_memory(definite) >= LINKS * sizeof(double));
  assert_true(fw_factor_memory(general) >= LINKS * sizeof(double));
  for (int i = 0; i < LINKS; i++) x[i] = y[i] = unit(i);
  assert_int_equal(fw_factor_solve(ctx, definite, x, 1), FW_OK);
  assert_int_equal(fw_factor_solve(ctx, general, y, 1), FW_OK);
  for (int i = 0; i < LINKS; i++) worst = fmax(worst, fabs(x[i] / y[i] - 1.0));
  printf("chain of %d links, %d wide: Cholesky and LU differ by %.1e\n", LINKS, *width, worst);
  assert_true(worst < 1e-8); /* condition 1e7 */
  fw_factor_destroy(&definite);
  fw_factor_destroy(&general);
  fw_sparse_destroy(&A);
  free(x);
}

static void both_kinds_of_factors_agree(void **unused) {
  (void)unused;
  for (int w = 0; w < 2; w++) check_both_kinds(&widths[w]);
}

static void check_told(const int *width) {
  static const struct {
    double first, last;
    fw_status status;
  } cases[] = {{0.0, 0.0, FW_ERR_SINGULAR}, {0.0, -4.0, FW_OK}, {0.0, 0.5, FW_OK}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    fw_sparse *A = NULL;
    fw_factor *factor = NULL;
    bool sound = true;
    int64_t column = -1;
    assert_int_equal(fw_sparse_create(ctx, LINKS, chain, width, &A), FW_OK);
    fill(A, cases[c].first, cases[c].last);
    assert_int_equal(fw_factor_create_definite(ctx, A, &factor), FW_OK);
    assert_int_equal(fw_factor_try(ctx, factor, A, &sound), FW_OK);
    assert_int_equal(sound, c == 2);
    if (c > 0 || *width == 1) /* of the wide free chain elimination leaves LU a pivot above its round-off */
      assert_int_equal(fw_factor_compute(ctx, factor, A, &column), cases[c].status);
    fw_factor_destroy(&factor);
    fw_sparse_destroy(&A);
  }
}

static void singular_and_indefinite_matrices_are_told(void **unused) {
  (void)unused;
  for (int w = 0; w < 2; w++) check_told(&widths[w]);
}

static void masses_on_rails(const void *user, fw_entries *entries) {
  static const int first[] = {0, 2}, second[] = {1, 3};
  fw_entries_clique(entries, first, 2);
  fw_entries_clique(entries, user ? first : second, 2);
  if (user) fw_entries_add(entries, 1, 1), fw_entries_add(entries, 3, 0), fw_entries_add(entries, 0, 3);
  fw_entries_add(entries, 3, 3);
}

/* Two masses over the square of a tiny step, each held by a multiplier: pivots of 1e-16 that are no round-off. Where
 * both multipliers hold the same one, the matrix is singular. */
static void multipliers_beside_stiff_rows_are_sound(void **unused) {
  (void)unused;
  for (int redundant = 0; redundant < 2; redundant++) {
    fw_sparse *A = NULL;
    fw_factor *factor = NULL;
    bool sound = redundant;
    assert_int_equal(fw_sparse_create(ctx, 4, masses_on_rails, redundant ? ctx : NULL, &A), FW_OK);
    for (int i = 0; i < 2; i++) A->x[fw_sparse_position(A, i, i)] = 1e16;
    int second = redundant ? 0 : 1;
    A->x[fw_sparse_position(A, 0, 2)] = A->x[fw_sparse_position(A, 2, 0)] = 1.0;
    A->x[fw_sparse_position(A, second, 3)] = A->x[fw_sparse_position(A, 3, second)] = 1.0;
    assert_int_equal(fw_factor_create(ctx, A, &factor), FW_OK);
    assert_int_equal(fw_factor_try(ctx, factor, A, &sound), FW_OK);
    assert_int_equal(sound, !redundant);
    fw_factor_destroy(&factor);
    fw_sparse_destroy(&A);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(entries_are_sorted_and_merged),
                                     cmocka_unit_test(a_pattern_lives_as_long_as_its_last_matrix),
                                     cmocka_unit_test(copies_leave_out_what_is_zero_in_all),
                                     cmocka_unit_test(both_kinds_of_factors_agree),
                                     cmocka_unit_test(singular_and_indefinite_matrices_are_told),
                                     cmocka_unit_test(multipliers_beside_stiff_rows_are_sound)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
