/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The condensation of reduced.h at one frequency w: of A z = f, split into coordinates z and the rest,
 *
 *   [A_zz A_zr] [ z ]   [f_z]        eta = A_rr^-1 (f_r - A_rz z)
 *   [A_rz A_rr] [eta] = [f_r],       D z = f_z - A_zr A_rr^-1 f_r,    D = A_zz - A_zr A_rr^-1 A_rz.
 *
 * Nothing is left out: D is exact at every w, where static condensation (Guyan) would be so at w = 0 only, and
 * truncation (Craig and Bampton 1968, AIAA J. 6) well below the highest mode kept. It costs no factorisation: the rest
 * are modes of unit stiffness with mass M_r and proportional damping, a diagonal P^-1, but for what point masses and
 * dampers add, of low rank:
 *
 *   A_rr = P^-1 + U L U^T,   A_rr^-1 = P - W (L^-1 + U^T W)^-1 W^T,   W = P U        (Woodbury)
 *   1/P_j = 1 - w^2 M_r + i (w (alpha M_r + beta) + eta)
 *
 * Skew parts of K and C (reduced.h) make the second term U L Y^T, and what multiplies from the left, A_zr A_rr^-1, is no
 * longer the transpose of what does from the right: it has columns of its own, G_left = A_rr^-T A_zr^T.
 *
 * For nonlinear modes C is that of EPMC, C - epmc_damping M: alpha - epmc_damping in place of alpha. */
#include "solver/hb/reduction/reduced.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

fw_status fw_dynamic_init(fw_context *ctx, const fw_reduced *reduced, fw_dynamic *dynamic) {
  *dynamic = (fw_dynamic){.reduced = reduced, .set_epmc_damping = NAN};
  size_t c = (size_t)reduced->coordinates, rest = (size_t)reduced->rest, rank = (size_t)reduced->rank;
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double complex), &dynamic->D));
  FW_TRY(fw_alloc(ctx, (c + 1) * 2 * rest, sizeof(double), &dynamic->G));
  FW_TRY(fw_alloc(ctx, 2 * rest, sizeof(double), &dynamic->P));
  FW_TRY(fw_alloc(ctx, 2 * rest * rank, sizeof(double), &dynamic->W));
  dynamic->G_left = dynamic->G;
  dynamic->W_left = dynamic->W;
  if (reduced->skew) {
    dynamic->G_left = dynamic->W_left = NULL;
    FW_TRY(fw_alloc(ctx, c * 2 * rest, sizeof(double), &dynamic->G_left));
    FW_TRY(fw_alloc(ctx, 2 * rest * rank, sizeof(double), &dynamic->W_left));
  }
  FW_TRY(fw_alloc(ctx, rank * rank, sizeof(double complex), &dynamic->S));
  return fw_alloc(ctx, 2 * rank, sizeof(double complex), &dynamic->t);
}

void fw_dynamic_clear(fw_dynamic *dynamic) {
  if (dynamic->G_left != dynamic->G) free(dynamic->G_left);
  if (dynamic->W_left != dynamic->W) free(dynamic->W_left);
  free(dynamic->D);
  free(dynamic->G);
  free(dynamic->P);
  free(dynamic->W);
  free(dynamic->S);
  free(dynamic->t);
  *dynamic = (fw_dynamic){0};
}

/* ---- long vectors --------------------------------------------------------------------------- */

static double *column(const fw_dynamic *d, int j) { return d->G + 2 * (size_t)j * (size_t)d->reduced->rest; }
static double *left_column(const fw_dynamic *d, int j) { return d->G_left + 2 * (size_t)j * (size_t)d->reduced->rest; }
static double *work_space(const fw_dynamic *d) { return column(d, d->reduced->coordinates); }
/* Column u of W or W_left. */
static double *far_column(const fw_dynamic *d, double *W, int u) {
  return W + 2 * (size_t)u * (size_t)d->reduced->rest;
}

/* Sum of a b, both complex; and with a real. */
static double complex dot(int n, const double *a, const double *b) {
  double real = cblas_ddot(n, a, 1, b, 1) - cblas_ddot(n, a + n, 1, b + n, 1);
  return real + (cblas_ddot(n, a, 1, b + n, 1) + cblas_ddot(n, a + n, 1, b, 1)) * I;
}

static double complex real_dot(int n, const double *a, const double *b) {
  return cblas_ddot(n, a, 1, b, 1) + cblas_ddot(n, a, 1, b + n, 1) * I;
}

/* x = P x. */
static void multiply(int n, const double *P, double *x) {
  for (int j = 0; j < n; j++) {
    double real = P[j] * x[j] - P[n + j] * x[n + j];
    x[n + j] = P[j] * x[n + j] + P[n + j] * x[j];
    x[j] = real;
  }
}

/* x -= factor a. */
static void subtract(int n, double complex factor, const double *a, double *x) {
  double real = creal(factor), imag = cimag(factor);
  for (int j = 0; j < n; j++) {
    x[j] -= real * a[j] - imag * a[n + j];
    x[n + j] -= real * a[n + j] + imag * a[j];
  }
}

/* ---- the rest ------------------------------------------------------------------------------- */

/* Hysteretic damping has no meaning at rest. */
static double complex losses(double w, double C, double H) { return (w * C + (w != 0 ? H : 0)) * I; }

static void invert_diagonal(fw_dynamic *d) {
  const fw_reduced *r = d->reduced;
  int n = r->rest;
  double w = d->w, viscous = w * (r->alpha - d->epmc_damping), other = w * r->beta + (w != 0 ? r->eta : 0);
  for (int j = 0; j < n; j++) {
    double real = 1 - w * w * r->M_r[j], loss = viscous * r->M_r[j] + other, size = real * real + loss * loss;
    bool singular = size < 1e-28; /* exactly on an undamped resonance of the held structure */
    real = singular ? 1e-14 : real;
    size = singular ? 1e-28 : size;
    d->P[j] = real / size;
    d->P[n + j] = -loss / size;
  }
}

static fw_status invert_small(int n, double complex *S) {
  if (n == 1) {
    S[0] = 1 / S[0];
    return isfinite(cabs(S[0])) ? FW_OK : FW_RECOVER_NAN;
  }
  lapack_int *pivot = malloc((size_t)n * sizeof *pivot);
  if (!pivot) return FW_ERR_MEMORY;
  int info = LAPACKE_zgetrf(LAPACK_COL_MAJOR, n, n, S, n, pivot);
  if (info == 0) info = LAPACKE_zgetri(LAPACK_COL_MAJOR, n, S, n, pivot);
  free(pivot);
  return info == 0 ? FW_OK : FW_RECOVER_NAN;
}

/* How many columns Woodbury's formula has: at rest nothing is lost. */
static int rank_now(const fw_dynamic *d) { return d->w != 0 ? d->reduced->rank : d->reduced->still; }

/* W = P U. */
static void multiply_far(const fw_dynamic *d, const double *U, double *W) {
  int n = d->reduced->rest, rank = rank_now(d);
  for (int u = 0; u < rank; u++, U += n, W += 2 * (size_t)n)
    for (int j = 0; j < n; j++) {
      W[j] = d->P[j] * U[j];
      W[n + j] = d->P[n + j] * U[j];
    }
}

/* Column u's entry of L: losses of far dampers, stiffness of a flow. */
static double complex weight(const fw_dynamic *d, int u) {
  const fw_reduced *r = d->reduced;
  return losses(d->w, r->C_u[u], r->H_u[u]) + (r->skew ? r->K_u[u] : 0);
}

/* P, W and S = (L^-1 + Y^T W)^-1 of Woodbury's formula. */
static fw_status invert_rest(fw_dynamic *d) {
  const fw_reduced *r = d->reduced;
  int n = r->rest, rank = rank_now(d);
  const double *Y = r->skew ? r->Y : r->U;
  invert_diagonal(d);
  multiply_far(d, r->U, d->W);
  if (r->skew) multiply_far(d, r->Y, d->W_left);
  for (int u = 0; u < rank; u++)
    for (int v = 0; v < rank; v++)
      d->S[u * rank + v] =
          real_dot(n, Y + (size_t)v * (size_t)n, far_column(d, d->W, u)) + (u == v ? 1 / weight(d, u) : 0);
  return rank ? invert_small(rank, d->S) : FW_OK;
}

/* x = A_rr^{-1} x, or with A_rr transposed. */
static void apply_rest(const fw_dynamic *d, bool transposed, double *x) {
  int n = d->reduced->rest, rank = rank_now(d), row = transposed ? rank : 1, column = transposed ? 1 : rank;
  double *first = transposed ? d->W : d->W_left, *last = transposed ? d->W_left : d->W;
  double complex *t = d->t;
  for (int u = 0; u < rank; u++) t[u] = dot(n, far_column(d, first, u), x);
  multiply(n, d->P, x);
  for (int u = 0; u < rank; u++) {
    double complex s = 0;
    for (int v = 0; v < rank; v++) s += d->S[v * column + u * row] * t[v];
    subtract(n, s, far_column(d, last, u), x);
  }
}

/* Row i of A_zr (sign 1) or column i of A_rz (-1: skew parts change theirs). */
static void coupling(const fw_dynamic *d, int i, double sign, double *A) {
  const fw_reduced *r = d->reduced;
  double w = d->w;
  for (int k = 0; k < r->rest; k++) {
    size_t at = (size_t)k * (size_t)r->coordinates + (size_t)i;
    A[k] = -w * w * r->M_zr[at];
    A[r->rest + k] = w * (r->C_zr[at] - d->epmc_damping * r->M_zr[at]) + (w != 0 ? r->H_zr[at] : 0);
    if (!r->skew) continue;
    A[k] += sign * r->K_skew_zr[at];
    A[r->rest + k] += sign * w * r->C_skew_zr[at];
  }
}

/* How many columns G has: coordinates beyond are modes orthogonal to the rest, and at rest all are. */
static int coupled_now(const fw_dynamic *d) { return d->w != 0 || d->reduced->skew ? d->reduced->coupled : 0; }

/* G = A_rr^-1 A_rz, and G_left. */
static void fill_columns(fw_dynamic *d) {
  const fw_reduced *r = d->reduced;
  int coupled = coupled_now(d);
  for (int j = 0; j < coupled; j++) {
    coupling(d, j, -1, column(d, j));
    apply_rest(d, false, column(d, j));
  }
  if (!r->skew) return;
  for (int j = 0; j < coupled; j++) {
    coupling(d, j, 1, left_column(d, j));
    apply_rest(d, true, left_column(d, j));
  }
}

/* D and the columns, of which A_zr A_rr^-1 A_rz and, later, loads and readings are made. */
fw_status fw_dynamic_set(fw_dynamic *d, double w) {
  const fw_reduced *r = d->reduced;
  int c = r->coordinates, rest = r->rest;
  if (d->w == w && d->set_epmc_damping == d->epmc_damping) return FW_OK;
  d->w = w;
  d->set_epmc_damping = NAN; /* until it is done */
  FW_TRY(invert_rest(d));
  for (int j = 0; j < c * c; j++)
    d->D[j] = r->K[j] - w * w * r->M[j] + losses(w, r->C[j] - d->epmc_damping * r->M[j], r->H[j]);
  int coupled = coupled_now(d);
  fill_columns(d);
  for (int i = 0; i < coupled; i++) {
    double *A = work_space(d);
    coupling(d, i, 1, A);
    for (int j = r->skew ? 0 : i; j < coupled; j++) {
      double complex sum = dot(rest, A, column(d, j));
      d->D[j * c + i] -= sum;
      if (i != j && !r->skew) d->D[i * c + j] -= sum;
    }
  }
  d->set_epmc_damping = d->epmc_damping;
  return FW_OK;
}

fw_status fw_projected_init(fw_context *ctx, const fw_reduced *r, const double *f, fw_projected *p) {
  *p = (fw_projected){0};
  FW_TRY(fw_alloc(ctx, (size_t)r->coordinates, sizeof(double), &p->z));
  FW_TRY(fw_alloc(ctx, (size_t)r->rest, sizeof(double), &p->r));
  for (int j = 0; j < r->coordinates; j++)
    for (int i = 0; i < r->n; i++) p->z[j] += r->V[(size_t)j * (size_t)r->n + (size_t)i] * f[i];
  for (int j = 0; j < r->rest; j++)
    for (int i = 0; i < r->n; i++) p->r[j] += r->R[(size_t)j * (size_t)r->n + (size_t)i] * f[i];
  return FW_OK;
}

void fw_projected_clear(fw_projected *projected) {
  free(projected->z);
  free(projected->r);
  *projected = (fw_projected){0};
}

void fw_dynamic_load(const fw_dynamic *d, const fw_projected *f, double complex factor, double complex *out) {
  int coupled = coupled_now(d);
  for (int j = 0; j < d->reduced->coordinates; j++)
    out[j] += factor * (f->z[j] - (j < coupled ? real_dot(d->reduced->rest, f->r, left_column(d, j)) : 0));
}

void fw_dynamic_reading(const fw_dynamic *d, const fw_projected *s, double complex *row) {
  int coupled = coupled_now(d);
  for (int j = 0; j < d->reduced->coordinates; j++)
    row[j] = s->z[j] - (j < coupled ? real_dot(d->reduced->rest, s->r, column(d, j)) : 0);
}

/* A_rr^{-1} f_r, in the work space. */
static const double *rest_under(const fw_dynamic *d, const fw_projected *f) {
  size_t n = (size_t)d->reduced->rest;
  double *x = work_space(d);
  memcpy(x, f->r, n * sizeof *x);
  memset(x + n, 0, n * sizeof *x);
  apply_rest(d, false, x);
  return x;
}

double complex fw_dynamic_direct(const fw_dynamic *d, const fw_projected *s, const fw_projected *f) {
  return real_dot(d->reduced->rest, s->r, rest_under(d, f));
}

void fw_dynamic_rest_load(const fw_dynamic *d, const fw_projected *f, double complex factor, double complex *eta) {
  int n = d->reduced->rest;
  const double *x = rest_under(d, f);
  for (int i = 0; i < n; i++) eta[i] += factor * (x[i] + x[n + i] * I);
}

void fw_dynamic_rest_motion(const fw_dynamic *d, const double complex *z, double complex *eta) {
  int n = d->reduced->rest, coupled = coupled_now(d);
  double *parts = (double *)eta; /* real and imaginary by turns */
  for (int j = 0; j < coupled; j++) {
    const double *G = column(d, j), real = creal(z[j]), imag = cimag(z[j]);
    for (int i = 0; z[j] != 0 && i < n; i++) {
      parts[2 * i] -= G[i] * real - G[n + i] * imag;
      parts[2 * i + 1] -= G[i] * imag + G[n + i] * real;
    }
  }
}
