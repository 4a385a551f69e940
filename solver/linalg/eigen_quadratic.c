/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With the state w = (x, lambda x/w0) the problem is linear; near a real shift s the operator
 *
 *   y_1 = -Q(s)^-1 [w0 M w_2 + (C + s M) w_1],   y_2 = (w_1 + s y_1)/w0,   Q(s) = s^2 M + s C + K,
 *
 * has the eigenvalues theta = 1/(lambda - s): those of smallest |lambda - s| are its largest. w0, near the lowest
 * frequency, makes both halves of the state alike in size. */
#include "solver/linalg/eigen_quadratic.h"

#include <arpack.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/linalg/arpack.h"

typedef struct quadratic {
  fw_context *ctx;
  const fw_sparse *K, *C, *M;
  int64_t n;
  double shift, w0;
  fw_factor *factor;
  double *sum; /* [n] */
} quadratic;

/* Eigenvalues theta with their vectors as LAPACK and ARPACK leave them: a complex pair in two columns. */
typedef struct spectrum {
  int count;
  double *real, *imaginary, *vectors; /* vectors: 2 n each */
} spectrum;

/* ---- the operator -------------------------------------------------------------------------- */

static double highest(const quadratic *q) {
  double most = 0.0;
  for (int64_t i = 0; i < q->n; i++) {
    int64_t at = fw_sparse_position(q->K, i, i);
    if (q->M->x[at] > 0.0) most = fmax(most, fabs(q->K->x[at]) / q->M->x[at]);
  }
  return sqrt(most);
}

/* Factors Q(s), at s = 0 unless K is singular: something moves freely. */
static fw_status factor(quadratic *q, int64_t *loose) {
  fw_sparse *A = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_sparse_like(q->ctx, q->K, &A));
  FW_TRY_DONE(fw_factor_create(q->ctx, A, &q->factor));
  bool sound = false;
  FW_TRY_DONE(fw_factor_try(q->ctx, q->factor, q->K, &sound));
  if (sound) goto done;
  double top = highest(q);
  q->shift = top > 0.0 ? 3e-5 * top : 1.0;
  fw_sparse_combine(q->C, q->shift, q->M, q->shift * q->shift, A);
  fw_sparse_combine(q->K, 1.0, A, 1.0, A);
  status = fw_factor_compute(q->ctx, q->factor, A, loose);
done:
  fw_sparse_destroy(&A);
  return status;
}

static fw_status apply(quadratic *q, const double *w, double *y) {
  size_t n = (size_t)q->n;
  memset(q->sum, 0, n * sizeof *q->sum);
  fw_sparse_multiply(q->M, -q->w0, w + n, q->sum);
  fw_sparse_multiply_sum(q->C, -1.0, q->M, -q->shift, w, q->sum);
  FW_TRY(fw_factor_solve(q->ctx, q->factor, q->sum, 1));
  for (size_t i = 0; i < n; i++) {
    y[n + i] = (w[i] + q->shift * q->sum[i]) / q->w0;
    y[i] = q->sum[i];
  }
  return FW_OK;
}

static double length(const double *x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* By a few powers of Q^-1 M. */
static fw_status find_frequency(quadratic *q) {
  enum { POWERS = 6 };
  size_t n = (size_t)q->n;
  double *x = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(q->ctx, n, sizeof *x, &x));
  fw_arpack_start(n, x);
  for (int k = 0; k < POWERS; k++) {
    double before = length(x, n);
    memset(q->sum, 0, n * sizeof *q->sum);
    fw_sparse_multiply(q->M, 1.0 / before, x, q->sum);
    FW_TRY_DONE(fw_factor_solve(q->ctx, q->factor, q->sum, 1));
    memcpy(x, q->sum, n * sizeof *x);
    double now = length(x, n);
    if (!(now > 0.0) || !isfinite(now)) {
      status = fw_fail(q->ctx, FW_ERR_ANALYSIS, "nothing that can move has mass: there are no modes");
      goto done;
    }
    q->w0 = 1.0 / sqrt(now);
  }
done:
  free(x);
  return status;
}

/* ---- its spectrum -------------------------------------------------------------------------- */

static fw_status dense_spectrum(quadratic *q, spectrum *found) {
  lapack_int m = 2 * (lapack_int)q->n;
  size_t rows = (size_t)m;
  double *A = NULL, *unit = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(q->ctx, rows * rows, sizeof *A, &A));
  FW_TRY_DONE(fw_alloc(q->ctx, rows, sizeof *unit, &unit));
  for (size_t j = 0; j < rows; j++) {
    unit[j] = 1.0;
    FW_TRY_DONE(apply(q, unit, A + j * rows));
    unit[j] = 0.0;
  }
  if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', m, A, m, found->real, found->imaginary, NULL, 1, found->vectors, m) !=
      0)
    status = fw_fail(q->ctx, FW_ERR_LIBRARY, "LAPACK dgeev failed");
  found->count = m;
done:
  free(A);
  free(unit);
  return status;
}

static fw_status arpack_spectrum(quadratic *q, int wanted, spectrum *found) {
  a_int n = 2 * (a_int)q->n, nev = wanted, ncv = 2 * nev + 20 < n ? 2 * nev + 20 : n;
  a_int lworkl = 3 * ncv * (ncv + 2), ido = 0, info = 1, iparam[11] = {1, 0, 3000, 1, 0, 0, 1}, ipntr[14] = {0};
  size_t rows = (size_t)n, memory_size = rows * (size_t)(ncv + 4) + (size_t)lworkl + 3 * (size_t)ncv;
  double *memory = NULL;
  a_int *select = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(q->ctx, memory_size, sizeof *memory, &memory));
  FW_TRY_DONE(fw_alloc(q->ctx, (size_t)ncv, sizeof *select, &select));
  double *resid = memory, *v = resid + rows, *workd = v + rows * (size_t)ncv, *workl = workd + 3 * rows,
         *workev = workl + lworkl;
  fw_arpack_start(rows, resid);
  for (;;) {
    dnaupd_c(&ido, "I", n, "LM", nev, 1e-13, resid, ncv, v, n, iparam, ipntr, workd, workl, lworkl, &info);
    if (ido != -1 && ido != 1) break;
    FW_TRY_DONE(apply(q, workd + ipntr[0] - 1, workd + ipntr[1] - 1));
  }
  if (info < 0) {
    status = fw_fail(q->ctx, FW_ERR_LIBRARY, "ARPACK dnaupd failed (%d)", (int)info);
    goto done;
  }
  dneupd_c(1, "A", select, found->real, found->imaginary, found->vectors, n, 0.0, 0.0, workev, "I", n, "LM", nev, 1e-13,
           resid, ncv, v, n, iparam, ipntr, workd, workl, lworkl, &info);
  if (info != 0) status = fw_fail(q->ctx, FW_ERR_LIBRARY, "ARPACK dneupd failed (%d)", (int)info);
  found->count = (int)iparam[4];
done:
  free(memory);
  free(select);
  return status;
}

/* ---- from theta to lambda ------------------------------------------------------------------- */

typedef struct candidate {
  int column;
  double growth, omega;
} candidate;

static int by_size(const void *a, const void *b) {
  const candidate *one = a, *other = b;
  double difference = hypot(one->growth, one->omega) - hypot(other->growth, other->omega);
  return difference < 0 ? -1 : difference > 0 ? 1 : one->column - other->column;
}

/* One of each pair of conjugates, and the real ones; infinite ones, theta = 0, are left out. The part of rounding that
 * makes a real eigenvalue twice there a pair is taken for what it is by whoever reads omega. */
static int select_finite(const quadratic *q, const spectrum *s, candidate *list) {
  double most = 0.0;
  int count = 0;
  for (int k = 0; k < s->count; k++) most = fmax(most, hypot(s->real[k], s->imaginary[k]));
  for (int k = 0; k < s->count; k++) {
    double square = s->real[k] * s->real[k] + s->imaginary[k] * s->imaginary[k];
    if (!(sqrt(square) > 1e-13 * most)) continue;
    if (s->imaginary[k] >= 0.0) /* the first column of a pair; lambda = s + conj(theta)/|theta|^2 has omega <= 0 */
      list[count++] = (candidate){k, q->shift + s->real[k] / square, s->imaginary[k] / square};
  }
  qsort(list, (size_t)count, sizeof *list, by_size);
  return count;
}

/* x of lambda with omega >= 0: the conjugate of the first column's vector; scaled so that its largest entry is 1. */
static void take_vector(const quadratic *q, const spectrum *s, const candidate *c, double *real, double *imaginary) {
  size_t n = (size_t)q->n, peak = 0;
  const double *re = s->vectors + (size_t)c->column * 2 * n, *im = c->omega > 0.0 ? re + 2 * n : NULL;
  double most = -1.0;
  for (size_t i = 0; i < n; i++) {
    real[i] = re[i];
    imaginary[i] = im ? -im[i] : 0.0;
    double size = hypot(real[i], imaginary[i]);
    if (size > most * (1.0 + 1e-6)) most = size, peak = i;
  }
  double a = real[peak], b = imaginary[peak], square = a * a + b * b;
  for (size_t i = 0; i < n && square > 0.0; i++) {
    double x = real[i], y = imaginary[i];
    real[i] = (x * a + y * b) / square;
    imaginary[i] = (y * a - x * b) / square;
  }
}

static fw_status take_pairs(const quadratic *q, const spectrum *s, int wanted, fw_quadratic_pairs *pairs) {
  fw_status status = FW_OK;
  size_t n = (size_t)q->n, room = (size_t)wanted;
  candidate *list = NULL;
  FW_TRY_DONE(fw_alloc(q->ctx, (size_t)s->count, sizeof *list, &list));
  int count = select_finite(q, s, list);
  FW_TRY_DONE(fw_alloc(q->ctx, room, sizeof(double), &pairs->growth));
  FW_TRY_DONE(fw_alloc(q->ctx, room, sizeof(double), &pairs->omega));
  FW_TRY_DONE(fw_alloc(q->ctx, room * n, sizeof(double), &pairs->real));
  FW_TRY_DONE(fw_alloc(q->ctx, room * n, sizeof(double), &pairs->imaginary));
  pairs->count = count < wanted ? count : wanted;
  for (int i = 0; i < pairs->count; i++) {
    pairs->growth[i] = list[i].growth;
    pairs->omega[i] = list[i].omega;
    take_vector(q, s, &list[i], pairs->real + (size_t)i * n, pairs->imaginary + (size_t)i * n);
  }
done:
  free(list);
  return status;
}

void fw_quadratic_pairs_clear(fw_quadratic_pairs *pairs) {
  free(pairs->growth);
  free(pairs->omega);
  free(pairs->real);
  free(pairs->imaginary);
  *pairs = (fw_quadratic_pairs){0};
}

enum { DENSE_MOST = 100 }; /* unknowns up to which all eigenvalues are found */

static fw_status find_spectrum(quadratic *q, int count, spectrum *s) {
  int wanted = 2 * count + 2;
  bool dense = q->n <= DENSE_MOST || 2 * wanted + 20 >= 2 * q->n;
  size_t room = dense ? 2 * (size_t)q->n : (size_t)wanted + 1;
  FW_TRY(fw_alloc(q->ctx, room, sizeof(double), &s->real));
  FW_TRY(fw_alloc(q->ctx, room, sizeof(double), &s->imaginary));
  FW_TRY(fw_alloc(q->ctx, room * 2 * (size_t)q->n, sizeof(double), &s->vectors));
  if (dense) return dense_spectrum(q, s);
  fw_arpack_enter();
  fw_status status = arpack_spectrum(q, wanted, s);
  fw_arpack_leave();
  return status;
}

fw_status fw_eigen_quadratic(fw_context *ctx, const fw_sparse *K, const fw_sparse *C, const fw_sparse *M, int count,
                             fw_quadratic_pairs *pairs, int64_t *loose) {
  fw_status status = FW_OK;
  quadratic q = {.ctx = ctx, .K = K, .C = C, .M = M, .n = K->n};
  spectrum s = {0};
  *pairs = (fw_quadratic_pairs){0};
  *loose = -1;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)q.n, sizeof *q.sum, &q.sum));
  FW_TRY_DONE(factor(&q, loose));
  FW_TRY_DONE(find_frequency(&q));
  FW_TRY_DONE(find_spectrum(&q, count, &s));
  FW_TRY_DONE(take_pairs(&q, &s, count, pairs));
done:
  fw_factor_destroy(&q.factor);
  free(q.sum);
  free(s.real);
  free(s.imaginary);
  free(s.vectors);
  return status;
}
