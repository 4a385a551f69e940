/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GMRES whose space is too small for its matrix begins anew from where it came to. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"
#include "solver/linalg/krylov.h"

enum { N = 60, VECTORS = 6 };

/* Eigenvalues from 1 to N. */
static void apply(void *user, const double *x, double *out) {
  (void)user;
  for (int i = 0; i < N; i++) out[i] = (1.0 + i) * x[i];
}

static void same(void *user, const double *x, double *out) {
  (void)user;
  memcpy(out, x, N * sizeof *x);
}

/* What is left of b, by the answer itself. */
static double solve(double enough, fw_krylov_result *result) {
  fw_krylov *krylov = NULL;
  fw_context *ctx = NULL;
  double b[N], x[N], product[N], left = 0.0;
  for (int i = 0; i < N; i++) b[i] = 1.0;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_krylov_create(ctx, N, VECTORS, &krylov), FW_OK);
  assert_int_equal(fw_krylov_solve(krylov, (fw_krylov_matrix){NULL, apply, same}, 1e-10, enough, b, x, result), FW_OK);
  apply(NULL, x, product);
  for (int i = 0; i < N; i++) left += (b[i] - product[i]) * (b[i] - product[i]) / N;
  fw_krylov_destroy(&krylov);
  fw_context_destroy(&ctx);
  return sqrt(left);
}

static void a_space_that_is_used_up_begins_anew(void **unused) {
  (void)unused;
  fw_krylov_result once, again;
  double first = solve(1.0, &once), second = solve(0.1, &again);
  printf("%d products leave %.3f, %d leave %.3f\n", once.iterations, first, again.iterations, second);
  assert_int_equal(once.iterations, VECTORS);
  assert_true(fabs(once.left - first) < 1e-12 && fabs(again.left - second) < 1e-12);
  assert_true(first > 0.1 && second < 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_space_that_is_used_up_begins_anew)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
