/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The condensed structure against a direct complex solution, with damping that is not proportional and with matrices
 * that are not symmetric. */
#include "solver/hb/reduction/reduced.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmocka_all.h"

enum { N = 12, ROWS = 2 };

/* Gaussian elimination with row exchanges, b in place. */
static void solve(double complex A[N][N], double complex *b) {
  for (int k = 0; k < N; k++) {
    int p = k;
    for (int i = k + 1; i < N; i++)
      if (cabs(A[i][k]) > cabs(A[p][k])) p = i;
    for (int j = 0; j < N; j++) {
      double complex swap = A[k][j];
      A[k][j] = A[p][j];
      A[p][j] = swap;
    }
    double complex swap = b[k];
    b[k] = b[p];
    b[p] = swap;
    for (int i = k + 1; i < N; i++) {
      double complex factor = A[i][k] / A[k][k];
      for (int j = k; j < N; j++) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int i = N - 1; i >= 0; i--) {
    for (int j = i + 1; j < N; j++) b[i] -= A[i][j] * b[j];
    b[i] /= A[i][i];
  }
}

/* A chain of masses (one of them massless) on springs, dampers here and there; functionals mix two freedoms each. */
static void chain(fw_context *ctx, fw_structure *s) {
  assert_int_equal(fw_structure_init(ctx, N, ROWS, 0, s), FW_OK);
  assert_int_equal(fw_alloc(ctx, N * N, sizeof(double), &s->H), FW_OK);
  for (int i = 0; i < N; i++) {
    double k = 1 + 0.1 * i, c = i == 3 ? 0.3 : i == 8 ? 0.1 : 0;
    s->M[i * N + i] = i == 5 ? 0 : 1 + 0.05 * i;
    s->K[i * N + i] += k;
    s->C[i * N + i] += c + 0.02 * s->M[i * N + i];
    if (i == 0) continue;
    s->K[(i - 1) * N + i - 1] += k;
    s->K[(i - 1) * N + i] -= k;
    s->K[i * N + i - 1] -= k;
    s->C[(i - 1) * N + i - 1] += c;
    s->C[(i - 1) * N + i] -= c;
    s->C[i * N + i - 1] -= c;
  }
  for (int i = 0; i < N * N; i++) s->H[i] = 0.01 * s->K[i];
  s->H[0] += 0.05;
  s->alpha = 0.02;
  s->eta = 0.01;
  s->B[N - 1] = 1;
  s->B[N - 2] = 0.5;
  s->B[N + 4] = 1;
  s->B[N + 7] = -1;
}

/* Neighbours push each other without a potential; skew damping too. */
static void add_skew(fw_structure *s) {
  for (int i = 1; i < N; i++) {
    double k = 0.2 + 0.03 * i, c = 0.05 - 0.01 * i;
    s->K[(i - 1) * N + i] += k;
    s->K[i * N + i - 1] -= k;
    s->C[(i - 1) * N + i] += c;
    s->C[i * N + i - 1] -= c;
  }
}

static double condensed_error(int modes, bool skew, double w) {
  fw_context *ctx;
  fw_structure s;
  fw_reduced r;
  fw_dynamic d;
  fw_projected f, sensor;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  chain(ctx, &s);
  if (skew) add_skew(&s);
  assert_int_equal(fw_reduced_create(ctx, &s, (fw_retained){modes, modes, 0}, &r), FW_OK);
  assert_int_equal(fw_dynamic_init(ctx, &r, &d), FW_OK);
  assert_int_equal(fw_dynamic_set(&d, w), FW_OK);
  double load[N] = {0}, read[N] = {0};
  load[2] = 1;
  load[9] = -0.4;
  read[6] = 1;
  assert_int_equal(fw_projected_init(ctx, &r, load, &f), FW_OK);
  assert_int_equal(fw_projected_init(ctx, &r, read, &sensor), FW_OK);
  double complex A[N][N], x[N], z[N] = {0}, row[N] = {0}, reading, residual[N] = {0};
  for (int i = 0; i < N; i++) {
    x[i] = load[i];
    for (int j = 0; j < N; j++)
      A[i][j] = s.K[j * N + i] - w * w * s.M[j * N + i] + I * (w * s.C[j * N + i] + (w > 0 ? s.H[j * N + i] : 0));
  }
  solve(A, x);
  for (int c = 0; c < ROWS; c++)
    for (int i = 0; i < N; i++) z[c] += s.B[c * N + i] * x[i];
  /* coordinates that are modes: of x less the static shapes, by stiffness */
  for (int m = 0; m < r.modes; m++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        z[ROWS + m] += r.V[(ROWS + m) * N + i] * 0.5 * (s.K[j * N + i] + s.K[i * N + j]) * x[j];
  fw_dynamic_load(&d, &f, -1, residual);
  double worst = 0;
  for (int i = 0; i < r.coordinates; i++) {
    for (int j = 0; j < r.coordinates; j++) residual[i] += d.D[j * r.coordinates + i] * z[j];
    worst = fmax(worst, cabs(residual[i]));
  }
  fw_dynamic_reading(&d, &sensor, row);
  reading = fw_dynamic_direct(&d, &sensor, &f);
  for (int j = 0; j < r.coordinates; j++) reading += row[j] * z[j];
  worst = fmax(worst, cabs(reading - x[6]));
  fw_projected_clear(&f);
  fw_projected_clear(&sensor);
  fw_dynamic_clear(&d);
  fw_reduced_clear(&r);
  fw_structure_clear(&s);
  fw_context_destroy(&ctx);
  return worst;
}

static void condensation_is_exact(void **unused) {
  (void)unused;
  for (int modes = 0; modes <= 4; modes += 2)
    for (double w = 0.1; w < 3; w *= 1.7) {
      double error = condensed_error(modes, false, w);
      printf("%d modes kept, w = %.3f: %.1e\n", modes, w, error);
      assert_true(error < 1e-11);
    }
}

/* At rest too, where skew stiffness couples what statics has apart. */
static void skew_parts_are_condensed_as_well(void **unused) {
  (void)unused;
  for (int modes = 0; modes <= 4; modes += 2)
    for (int step = 0; step <= 6; step++) {
      double w = step ? 0.1 * pow(1.7, step) : 0, error = condensed_error(modes, true, w);
      printf("skew, %d modes kept, w = %.3f: %.1e\n", modes, w, error);
      assert_true(error < 1e-11);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(condensation_is_exact),
                                     cmocka_unit_test(skew_parts_are_condensed_as_well)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
