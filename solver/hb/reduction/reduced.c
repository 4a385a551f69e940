/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/reduction/reduced.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memo.h"

#define AT(A, rows, i, j) ((A)[(size_t)(j) * (size_t)(rows) + (size_t)(i)])

fw_status fw_structure_init(fw_context *ctx, int n, int rows, int held, fw_structure *structure) {
  *structure = (fw_structure){.n = n, .rows = rows, .held = held};
  size_t square = (size_t)n * (size_t)n;
  FW_TRY(fw_alloc(ctx, square, sizeof(double), &structure->M));
  FW_TRY(fw_alloc(ctx, square, sizeof(double), &structure->C));
  FW_TRY(fw_alloc(ctx, square, sizeof(double), &structure->K));
  return fw_alloc(ctx, (size_t)n * (size_t)(rows + held), sizeof(double), &structure->B);
}

void fw_structure_clear(fw_structure *structure) {
  free(structure->M);
  free(structure->C);
  free(structure->K);
  free(structure->H);
  free(structure->B);
  *structure = (fw_structure){0};
}

/* ---- small dense helpers ------------------------------------------------------------------ */

/* C (rows x columns) = A^T B with A: n x rows, B: n x columns. */
static void transpose_times(int n, int rows, int columns, const double *A, const double *B, double *C) {
  if (rows && columns)
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, columns, n, 1, A, n, B, n, 0, C, rows);
}

/* out = X^T S Y. */
static fw_status project(fw_context *ctx, int n, const double *S, const double *X, int rows, const double *Y,
                         int columns, double **out) {
  FW_TRY(fw_alloc(ctx, (size_t)rows * (size_t)columns, sizeof(double), out));
  if (!S || !rows || !columns) return FW_OK;
  double *SY;
  FW_TRY(fw_alloc(ctx, (size_t)n * (size_t)columns, sizeof(double), &SY));
  cblas_dsymm(CblasColMajor, CblasLeft, CblasUpper, n, columns, 1, S, n, Y, n, 0, SY, n);
  transpose_times(n, rows, columns, X, SY, *out);
  free(SY);
  return FW_OK;
}

/* ---- reduction ---------------------------------------------------------------------------- */

typedef struct basis {
  int n, r, f;    /* freedoms, functionals, n - r */
  double *Q;      /* n x n orthogonal: first r columns span B, the others its null space */
  double *L;      /* r x r upper factor: B = Q_1 L */
  double *K, *M;  /* f x f projected on the null space; then factor and modes */
  double *theta;  /* 1 / omega^2, rising */
  double *shapes; /* n x r static shapes of unit functionals */
} basis;

static void basis_clear(basis *b) {
  free(b->Q);
  free(b->L);
  free(b->K);
  free(b->M);
  free(b->theta);
  free(b->shapes);
}

static double *null_space(const basis *b) { return b->Q + (size_t)b->n * (size_t)b->r; }

static fw_status held_twice(fw_context *ctx) {
  return fw_fail(ctx, FW_ERR_ARGUMENT, "harmonic balance: joints or ties hold the same motion twice");
}

/* B = Q L. */
static fw_status factor_functionals(fw_context *ctx, const fw_structure *s, basis *b) {
  int n = b->n, r = b->r;
  double *tau = NULL;
  if (r > n) return held_twice(ctx);
  FW_TRY(fw_alloc(ctx, (size_t)n * (size_t)n, sizeof(double), &b->Q));
  FW_TRY(fw_alloc(ctx, (size_t)r * (size_t)r, sizeof(double), &b->L));
  if (r == 0) {
    for (int i = 0; i < n; i++) AT(b->Q, n, i, i) = 1;
    return FW_OK;
  }
  FW_TRY(fw_alloc(ctx, (size_t)r, sizeof(double), &tau));
  memcpy(b->Q, s->B, (size_t)n * (size_t)r * sizeof(double));
  int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, r, b->Q, n, tau);
  double least = INFINITY;
  for (int j = 0; j < r; j++) {
    double size = cblas_dnrm2(n, s->B + (size_t)j * (size_t)n, 1);
    for (int i = 0; i <= j; i++) AT(b->L, r, i, j) = AT(b->Q, n, i, j);
    least = fmin(least, size > 0 ? fabs(AT(b->L, r, j, j)) / size : 0);
  }
  if (info == 0) info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, r, b->Q, n, tau);
  free(tau);
  if (info != 0) return fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK: QR of the contact functionals failed (%d)", info);
  return least < 1e-10 ? held_twice(ctx) : FW_OK;
}

/* Static shapes: Psi = Q_1 L^{-T} + Q_2 y with Q_2^T K Psi = 0. K in b is the Cholesky factor by now. */
static fw_status static_shapes(fw_context *ctx, const fw_structure *s, basis *b) {
  int n = b->n, r = b->r, f = b->f;
  FW_TRY(fw_alloc(ctx, (size_t)n * (size_t)r, sizeof(double), &b->shapes));
  if (r == 0) return FW_OK;
  memcpy(b->shapes, b->Q, (size_t)n * (size_t)r * sizeof(double));
  cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasTrans, CblasNonUnit, n, r, 1, b->L, r, b->shapes, n);
  double *y;
  FW_TRY(project(ctx, n, s->K, null_space(b), f, b->shapes, r, &y));
  if (f) {
    LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'U', f, r, b->K, f, y, f);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, r, f, -1, null_space(b), n, y, f, 1, b->shapes, n);
  }
  free(y);
  return FW_OK;
}

/* Held modes: M v = theta K v, v^T K v = 1, so that massless freedoms give theta = 0. */
static fw_status held_modes(fw_context *ctx, const fw_structure *s, basis *b) {
  FW_TRY(project(ctx, b->n, s->K, null_space(b), b->f, null_space(b), b->f, &b->K));
  FW_TRY(project(ctx, b->n, s->M, null_space(b), b->f, null_space(b), b->f, &b->M));
  FW_TRY(fw_alloc(ctx, (size_t)b->f, sizeof(double), &b->theta));
  if (b->f == 0) return FW_OK;
  int info = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'U', b->f, b->M, b->f, b->K, b->f, b->theta);
  if (info > b->f)
    return fw_fail(ctx, FW_ERR_SINGULAR,
                   "harmonic balance: the structure with all its contact points held is a mechanism or buckles");
  if (info != 0) return fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK: eigenvalues of the held structure failed (%d)", info);
  return FW_OK;
}

/* V = [static shapes of rows, lowest modes], R = the others; frequencies from low to high. */
static fw_status fill_shapes(fw_context *ctx, const basis *b, fw_reduced *out) {
  int n = b->n, f = b->f;
  double *modes;
  FW_TRY(fw_alloc(ctx, (size_t)n * (size_t)f, sizeof(double), &modes));
  if (f) cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, f, f, 1, null_space(b), n, b->M, f, 0, modes, n);
  memcpy(out->V, b->shapes, (size_t)n * (size_t)out->rows * sizeof(double));
  for (int j = 0; j < f; j++) { /* LAPACK sorts theta upwards: the lowest mode is last */
    const double *mode = modes + (size_t)n * (size_t)(f - 1 - j);
    double *to = j < out->modes ? &AT(out->V, n, 0, out->rows + j) : &AT(out->R, n, 0, j - out->modes);
    memcpy(to, mode, (size_t)n * sizeof(double));
    double theta = b->theta[f - 1 - j];
    out->frequency[j] = theta > 0 ? 1 / sqrt(theta) : INFINITY;
  }
  free(modes);
  return FW_OK;
}

/* Eigenvectors of X (rest squared, overwritten) whose eigenvalues matter beside `size`, appended to U. */
static fw_status append_low_rank(fw_context *ctx, double *X, double size, double *values, fw_reduced *out,
                                 double *eigenvalues) {
  int rest = out->rest;
  if (rest == 0 || cblas_dnrm2(rest * rest, X, 1) <= 1e-9 * size) return FW_OK; /* no eigenvalue is larger */
  if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', rest, X, rest, values) != 0)
    return fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK: eigenvalues of the damping failed");
  for (int j = 0; j < rest; j++) {
    if (fabs(values[j]) <= 1e-9 * size) continue;
    memcpy(&AT(out->U, rest, 0, out->rank), &AT(X, rest, 0, j), (size_t)rest * sizeof(double));
    if (out->skew) memcpy(&AT(out->Y, rest, 0, out->rank), &AT(X, rest, 0, j), (size_t)rest * sizeof(double));
    eigenvalues[out->rank++] = values[j];
  }
  return FW_OK;
}

static double largest_of(const double *X, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++) largest = fmax(largest, fabs(X[i]));
  return largest;
}

/* Splits the damping of the rest into its proportional part and one of low rank. */
static fw_status split_damping(fw_context *ctx, const fw_structure *s, fw_reduced *out) {
  int rest = out->rest;
  double *C = NULL, *H = NULL, *values = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(project(ctx, s->n, s->C, out->R, rest, out->R, rest, &C));
  FW_TRY_DONE(project(ctx, s->n, s->H, out->R, rest, out->R, rest, &H));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)rest, sizeof(double), &values));
  double C_size = largest_of(C, rest * rest), H_size = largest_of(H, rest * rest);
  out->alpha = s->alpha;
  out->beta = s->beta;
  out->eta = s->eta;
  for (int j = 0; j < rest; j++) {
    AT(C, rest, j, j) -= out->alpha * out->M_r[j] + out->beta;
    AT(H, rest, j, j) -= out->eta;
  }
  FW_TRY_DONE(append_low_rank(ctx, C, C_size, values, out, out->C_u));
  FW_TRY_DONE(append_low_rank(ctx, H, H_size, values, out, out->H_u));
done:
  free(C);
  free(H);
  free(values);
  return status;
}

/* Retained modes are orthogonal to the rest unless damping or a flow couples them. */
static void count_coupled(fw_reduced *out) {
  double rows = 0, modes = 0;
  for (int j = 0; j < out->rest; j++)
    for (int i = 0; i < out->coordinates; i++) {
      double *most = i < out->rows ? &rows : &modes;
      *most = fmax(*most, fabs(AT(out->C_zr, out->coordinates, i, j)));
      *most = fmax(*most, fabs(AT(out->H_zr, out->coordinates, i, j)));
    }
  double own = fmax(largest_of(out->C, out->coordinates * out->coordinates),
                    largest_of(out->H, out->coordinates * out->coordinates));
  out->coupled = out->skew || modes > 1e-9 * fmax(own, rows) ? out->coordinates : out->rows;
}

/* Room for all columns of what is not proportional: two matrices, with skew parts four. */
static fw_status make_columns(fw_context *ctx, fw_reduced *out) {
  size_t rest = (size_t)out->rest, most = (out->skew ? 4 : 2) * rest;
  FW_TRY(fw_alloc(ctx, rest * most, sizeof(double), &out->U));
  FW_TRY(fw_alloc(ctx, most, sizeof(double), &out->C_u));
  FW_TRY(fw_alloc(ctx, most, sizeof(double), &out->H_u));
  if (!out->skew) return FW_OK;
  FW_TRY(fw_alloc(ctx, rest * most, sizeof(double), &out->Y));
  return fw_alloc(ctx, most, sizeof(double), &out->K_u);
}

/* skew: those parts of K and C, one after the other; NULL: there are none. */
static fw_status fill_matrices(fw_context *ctx, const fw_structure *s, const double *skew, fw_reduced *out) {
  int n = s->n, c = out->coordinates, rest = out->rest;
  FW_TRY(project(ctx, n, s->K, out->V, c, out->V, c, &out->K));
  FW_TRY(project(ctx, n, s->M, out->V, c, out->V, c, &out->M));
  FW_TRY(project(ctx, n, s->C, out->V, c, out->V, c, &out->C));
  FW_TRY(project(ctx, n, s->H, out->V, c, out->V, c, &out->H));
  FW_TRY(project(ctx, n, s->M, out->V, c, out->R, rest, &out->M_zr));
  FW_TRY(project(ctx, n, s->C, out->V, c, out->R, rest, &out->C_zr));
  FW_TRY(project(ctx, n, s->H, out->V, c, out->R, rest, &out->H_zr));
  FW_TRY(fw_alloc(ctx, (size_t)rest, sizeof(double), &out->M_r));
  for (int j = 0; j < rest; j++) {
    double w = out->frequency[out->modes + j];
    out->M_r[j] = isfinite(w) ? 1 / (w * w) : 0;
  }
  count_coupled(out);
  FW_TRY(make_columns(ctx, out));
  if (skew) FW_TRY(fw_reduced_add_skew(ctx, n, skew, skew + (size_t)n * (size_t)n, out));
  return split_damping(ctx, s, out);
}

static int count_retained(const basis *b, fw_retained retained) {
  int most = retained.most < b->f ? retained.most : b->f, modes = retained.least < most ? retained.least : most;
  if (b->f == 0 || modes == most) return modes;
  double below = retained.below > 0 ? retained.below : 12 / sqrt(b->theta[b->f - 1]);
  while (modes < most && b->theta[b->f - 1 - modes] * below * below > 1) modes++;
  return modes;
}

static fw_status reduce(fw_context *ctx, const fw_structure *s, const double *skew, fw_retained retained,
                        fw_reduced *out) {
  basis b = {.n = s->n, .r = s->rows + s->held, .f = s->n - s->rows - s->held};
  fw_status status = FW_OK;
  *out = (fw_reduced){.n = s->n, .rows = s->rows, .skew = skew != NULL};
  FW_TRY_DONE(factor_functionals(ctx, s, &b));
  FW_TRY_DONE(held_modes(ctx, s, &b));
  FW_TRY_DONE(static_shapes(ctx, s, &b));
  out->modes = count_retained(&b, retained);
  out->coordinates = out->rows + out->modes;
  out->rest = b.f - out->modes;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)s->n * (size_t)out->coordinates, sizeof(double), &out->V));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)s->n * (size_t)out->rest, sizeof(double), &out->R));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)b.f, sizeof(double), &out->frequency));
  FW_TRY_DONE(fill_shapes(ctx, &b, out));
  FW_TRY_DONE(fill_matrices(ctx, s, skew, out));
done:
  basis_clear(&b);
  if (status != FW_OK) fw_reduced_clear(out);
  return status;
}

/* With K and C apart into their symmetric and skew parts. */
static fw_status reduce_parts(fw_context *ctx, const fw_structure *s, fw_retained retained, fw_reduced *out) {
  size_t square = (size_t)s->n * (size_t)s->n;
  double *parts;
  if (!fw_structure_is_skew(s)) return reduce(ctx, s, NULL, retained, out);
  FW_TRY(fw_alloc(ctx, 4 * square, sizeof(double), &parts));
  fw_structure symmetric = *s;
  symmetric.K = memcpy(parts, s->K, square * sizeof(double));
  symmetric.C = memcpy(parts + square, s->C, square * sizeof(double));
  fw_split_skew(s->n, symmetric.K, parts + 2 * square);
  fw_split_skew(s->n, symmetric.C, parts + 3 * square);
  fw_status status = reduce(ctx, &symmetric, parts + 2 * square, retained, out);
  free(parts);
  return status;
}

/* ---- life --------------------------------------------------------------------------------- */

enum { ARRAYS = 18 };

/* Its arrays and how many numbers each has. */
static void list_arrays(fw_reduced *r, double **arrays[ARRAYS], size_t sizes[ARRAYS]) {
  size_t n = (size_t)r->n, c = (size_t)r->coordinates, rest = (size_t)r->rest, rank = (size_t)r->rank;
  size_t skew = r->skew ? 1 : 0;
  double **const all[ARRAYS] = {&r->V,   &r->R,         &r->K,    &r->M,    &r->C,         &r->H,
                                &r->M_r, &r->M_zr,      &r->C_zr, &r->H_zr, &r->U,         &r->C_u,
                                &r->H_u, &r->frequency, &r->Y,    &r->K_u,  &r->K_skew_zr, &r->C_skew_zr};
  const size_t numbers[ARRAYS] = {n * c,
                                  n * rest,
                                  c * c,
                                  c * c,
                                  c * c,
                                  c * c,
                                  rest,
                                  c * rest,
                                  c * rest,
                                  c * rest,
                                  rest * rank,
                                  rank,
                                  rank,
                                  (size_t)r->modes + rest,
                                  skew * rest * rank,
                                  skew * rank,
                                  skew * c * rest,
                                  skew * c * rest};
  memcpy(arrays, all, sizeof all);
  memcpy(sizes, numbers, sizeof numbers);
}

static size_t memory_of(fw_reduced *r) {
  double **arrays[ARRAYS];
  size_t sizes[ARRAYS], sum = sizeof *r;
  list_arrays(r, arrays, sizes);
  for (int i = 0; i < ARRAYS; i++) sum += sizes[i] * sizeof(double);
  return sum;
}

static fw_status copy(fw_context *ctx, fw_reduced *from, fw_reduced *to) {
  double **source[ARRAYS], **target[ARRAYS];
  size_t sizes[ARRAYS];
  *to = *from;
  list_arrays(from, source, sizes);
  list_arrays(to, target, sizes);
  for (int i = 0; i < ARRAYS; i++) *target[i] = NULL;
  for (int i = 0; i < ARRAYS; i++) {
    fw_status status = fw_alloc(ctx, sizes[i], sizeof(double), target[i]);
    if (status != FW_OK) fw_reduced_clear(to);
    FW_TRY(status);
    if (sizes[i]) memcpy(*target[i], *source[i], sizes[i] * sizeof(double));
  }
  return FW_OK;
}

void fw_reduced_clear(fw_reduced *r) {
  double **arrays[ARRAYS];
  size_t sizes[ARRAYS];
  list_arrays(r, arrays, sizes);
  for (int i = 0; i < ARRAYS; i++) free(*arrays[i]);
  *r = (fw_reduced){0};
}

static void release(void *reduced) {
  fw_reduced_clear(reduced);
  free(reduced);
}

static fw_status keep(fw_context *ctx, const fw_memo_key *key, fw_reduced *made) {
  fw_reduced *kept;
  if (!fw_context_memo(ctx)) return FW_OK;
  FW_TRY(fw_alloc(ctx, 1, sizeof *kept, &kept));
  fw_status status = copy(ctx, made, kept);
  if (status == FW_OK)
    fw_memo_keep(ctx, key, kept, memory_of(kept), release);
  else
    free(kept);
  return status;
}

fw_status fw_reduced_create(fw_context *ctx, const fw_structure *s, fw_retained retained, fw_reduced *out) {
  const size_t square = (size_t)s->n * (size_t)s->n * sizeof(double);
  const size_t functionals = (size_t)s->n * (size_t)(s->rows + s->held) * sizeof(double);
  const int sizes[] = {s->n, s->rows, s->held, s->H != NULL, retained.least, retained.most};
  const double numbers[] = {s->alpha, s->beta, s->eta, retained.below};
  const fw_memo_part parts[] = {
      {sizes, sizeof sizes}, {numbers, sizeof numbers}, {s->K, square},           {s->M, square},
      {s->C, square},        {s->B, functionals},       {s->H, s->H ? square : 0}};
  const fw_memo_key key = {"reduction", parts, sizeof parts / sizeof *parts};
  fw_reduced *known = fw_memo_find(ctx, &key);
  if (known) return copy(ctx, known, out);
  FW_TRY(reduce_parts(ctx, s, retained, out));
  fw_status status = keep(ctx, &key, out);
  if (status != FW_OK) fw_reduced_clear(out);
  return status;
}
