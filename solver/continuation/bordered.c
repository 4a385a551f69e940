/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/continuation/bordered.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/linalg/krylov.h"

enum { VECTORS = 120 };         /* of GMRES at most, */
enum { FEW = 12 };              /* or where P is near */
enum { LONG = 16 };             /* more iterations than with its factors when new: P is worth factoring anew */
static const double NEAR = 0.1; /* a residual left by GMRES that still makes a Newton step, */
static const double HALF = 0.5; /* or of an answer */

struct fw_bordered {
  fw_core core;
  int q, border, m; /* m = q + border */
  fw_krylov *krylov;
  bool factored, current;    /* P has factors; they are of the point last set */
  int usual;                 /* iterations with factors when new, */
  bool worn;                 /* and now it takes much longer */
  const double *scale, *row; /* lent */
  double *columns, *rows;    /* scaled: q x border, border x q (a row after the other) */
  double *corner, *schur;    /* border squared, column major */
  lapack_int *pivot;
  double *eliminated; /* P^{-1} columns */
  double *x, *room;   /* m */
  double *image;      /* m */
};

fw_status fw_bordered_create(fw_context *ctx, fw_core core, int border, fw_bordered **bordered) {
  fw_bordered *b;
  FW_TRY(fw_alloc(ctx, 1, sizeof *b, &b));
  *b = (fw_bordered){.core = core, .q = core.size, .border = border, .m = core.size + border};
  size_t q = (size_t)b->q, e = (size_t)border, m = (size_t)b->m;
  int most = core.left > 0 ? FEW : VECTORS;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_krylov_create(ctx, b->m, b->m < most ? b->m : most, &b->krylov));
  FW_TRY_DONE(fw_alloc(ctx, q * e, sizeof(double), &b->columns));
  FW_TRY_DONE(fw_alloc(ctx, q * e, sizeof(double), &b->rows));
  FW_TRY_DONE(fw_alloc(ctx, e * e, sizeof(double), &b->corner));
  FW_TRY_DONE(fw_alloc(ctx, e * e, sizeof(double), &b->schur));
  FW_TRY_DONE(fw_alloc(ctx, e, sizeof *b->pivot, &b->pivot));
  FW_TRY_DONE(fw_alloc(ctx, q * e, sizeof(double), &b->eliminated));
  FW_TRY_DONE(fw_alloc(ctx, m, sizeof(double), &b->x));
  FW_TRY_DONE(fw_alloc(ctx, m, sizeof(double), &b->room));
  FW_TRY_DONE(fw_alloc(ctx, m, sizeof(double), &b->image));
done:
  if (status != FW_OK) fw_bordered_destroy(&b);
  *bordered = b;
  return status;
}

void fw_bordered_destroy(fw_bordered **bordered) {
  fw_bordered *b = *bordered;
  if (!b) return;
  fw_krylov_destroy(&b->krylov);
  free(b->columns);
  free(b->rows);
  free(b->corner);
  free(b->schur);
  free(b->pivot);
  free(b->eliminated);
  free(b->x);
  free(b->room);
  free(b->image);
  free(b);
  *bordered = NULL;
}

/* x = (P scaled)^{-1} x: rows are multiplied back, the answer is in units of scale. */
static void solve_near(const fw_bordered *b, double *x) {
  for (int i = 0; i < b->q; i++) x[i] *= b->row[i];
  b->core.solve(b->core.user, x);
  for (int i = 0; i < b->q; i++) x[i] /= b->scale[i];
}

/* eliminated = P^{-1} columns, schur = corner - rows P^{-1} columns in factors. */
static fw_status eliminate(fw_bordered *b) {
  int q = b->q, e = b->border;
  memcpy(b->eliminated, b->columns, (size_t)q * (size_t)e * sizeof(double));
  for (int k = 0; k < e; k++) solve_near(b, b->eliminated + (size_t)k * (size_t)q);
  memcpy(b->schur, b->corner, (size_t)(e * e) * sizeof(double));
  for (int i = 0; i < e; i++)
    for (int k = 0; k < e; k++)
      b->schur[k * e + i] -=
          cblas_ddot(q, b->rows + (size_t)i * (size_t)q, 1, b->eliminated + (size_t)k * (size_t)q, 1);
  return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, e, e, b->schur, e, b->pivot) == 0 ? FW_OK : FW_RECOVER_DIVERGED;
}

static fw_status renew(fw_bordered *b) {
  FW_TRY(b->core.factor(b->core.user));
  b->factored = b->current = true;
  b->worn = false;
  b->usual = 0;
  return eliminate(b);
}

fw_status fw_bordered_set(fw_bordered *b, const double *columns, const double *rows, const double *scale,
                          const double *row) {
  int q = b->q, e = b->border, m = b->m;
  b->scale = scale;
  b->row = row;
  for (int k = 0; k < e; k++) {
    const double *from = columns + (size_t)k * (size_t)m;
    for (int i = 0; i < q; i++) b->columns[(size_t)k * (size_t)q + (size_t)i] = from[i] * scale[q + k] / row[i];
    for (int i = 0; i < e; i++) b->corner[k * e + i] = from[q + i] * scale[q + k] / row[q + i];
    for (int j = 0; j < q; j++) {
      size_t at = (size_t)k * (size_t)q + (size_t)j;
      b->rows[at] = rows[at] * scale[j] / row[q + k];
    }
  }
  b->current = false;
  return b->factored && !b->worn ? eliminate(b) : renew(b);
}

static void apply(void *user, const double *x, double *out) {
  fw_bordered *b = user;
  int q = b->q, e = b->border, known = q + b->core.carried;
  for (int i = 0; i < q; i++) b->room[i] = b->scale[i] * x[i];
  b->core.apply(b->core.user, b->room, out);
  for (int i = 0; i < known; i++) out[i] /= b->row[i];
  for (int i = known; i < b->m; i++) out[i] = cblas_ddot(q, b->rows + (size_t)(i - q) * (size_t)q, 1, x, 1);
  cblas_dgemv(CblasColMajor, CblasNoTrans, q, e, 1, b->columns, q, x + q, 1, 1, out, 1);
  cblas_dgemv(CblasColMajor, CblasNoTrans, e, e, 1, b->corner, e, x + q, 1, 1, out + q, 1);
}

static void precondition(void *user, const double *x, double *out) {
  fw_bordered *b = user;
  int q = b->q, e = b->border;
  memcpy(out, x, (size_t)b->m * sizeof(double));
  solve_near(b, out);
  cblas_dgemv(CblasColMajor, CblasTrans, q, e, -1, b->rows, q, out, 1, 1, out + q, 1);
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', e, 1, b->schur, e, b->pivot, out + q, e);
  cblas_dgemv(CblasColMajor, CblasNoTrans, q, e, -1, b->eliminated, q, out + q, 1, 1, out, 1);
}

static void apply_near(void *user, const double *x, double *out) {
  fw_bordered *b = user;
  apply(b, x, b->image);
  precondition(b, b->image, out);
}

static void copy(void *user, const double *x, double *out) {
  const fw_bordered *b = user;
  memcpy(out, x, (size_t)b->m * sizeof(double));
}

/* P^-1 A x = P^-1 rhs. */
static fw_status iterate_near(fw_bordered *b, const double *rhs, fw_krylov_result *result) {
  fw_krylov_matrix matrix = {b, apply_near, copy};
  double *start = b->image;
  precondition(b, rhs, start);
  FW_TRY(fw_krylov_solve(b->krylov, matrix, b->core.left, HALF, start, b->x, result));
  return result->left <= HALF ? FW_OK : FW_RECOVER_DIVERGED;
}

static fw_status iterate(fw_bordered *b, double tolerance, const double *rhs, fw_krylov_result *result) {
  fw_krylov_matrix matrix = {b, apply, precondition};
  if (b->core.left > 0) return iterate_near(b, rhs, result);
  FW_TRY(fw_krylov_solve(b->krylov, matrix, tolerance, NEAR, rhs, b->x, result));
  return result->left <= NEAR ? FW_OK : FW_RECOVER_DIVERGED;
}

fw_status fw_bordered_solve(fw_bordered *b, double tolerance, double *rhs) {
  fw_krylov_result result;
  fw_status status = iterate(b, tolerance, rhs, &result);
  if ((status != FW_OK || result.left > fmax(tolerance, b->core.left)) && !b->current) {
    FW_TRY(renew(b));
    status = iterate(b, tolerance, rhs, &result);
  }
  if (b->current && result.iterations > b->usual) b->usual = result.iterations;
  b->worn = result.iterations > b->usual + (b->core.left > 0 ? b->core.patience : LONG);
  if (status == FW_OK) memcpy(rhs, b->x, (size_t)b->m * sizeof(double));
  return status;
}
