/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/reduction/reduced.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/von_karman.h"

/* The membrane of element e of a block, with its freedoms. */
static bool membrane_of(const fw_model *model, const fw_block *block, int e, fw_membrane *membrane) {
  double X[FW_ELEMENT_PLACES];
  fw_element_places(model, block, e, X);
  return fw_von_karman_membrane(block->ops, &block->props, X, membrane);
}

static int count_membranes(const fw_model *model) {
  int count = 0;
  fw_membrane membrane;
  for (int b = 0; b < model->block_count; b++)
    for (int e = 0; e < model->blocks[b].count; e++) count += membrane_of(model, &model->blocks[b], e, &membrane);
  return count;
}

/* Gradient at the start and G of one element on the coordinates and on the rest. */
static void project_membrane(const fw_membrane *m, const int *dofs, const double *q_start, const fw_reduced *r,
                             double *b, double *G, double *rest) {
  double q[FW_BEAM_DOFS], gradient[FW_BEAM_DOFS];
  for (int i = 0; i < FW_BEAM_DOFS; i++) q[i] = dofs[i] >= 0 ? q_start[dofs[i]] : 0;
  fw_membrane_strain(m, q, gradient);
  int n = r->coordinates;
  for (int j = 0; j < r->rest; j++)
    for (int i = 0; i < FW_BEAM_DOFS; i++)
      if (dofs[i] >= 0) rest[j] += m->D * gradient[i] * r->R[(size_t)j * (size_t)r->n + (size_t)dofs[i]];
  for (int j = 0; j < n; j++) {
    const double *shape = r->V + (size_t)j * (size_t)r->n;
    double Gv[FW_BEAM_DOFS] = {0};
    for (int i = 0; i < FW_BEAM_DOFS; i++) {
      if (dofs[i] < 0) continue;
      b[j] += m->D * gradient[i] * shape[dofs[i]];
      for (int k = 0; k < FW_BEAM_DOFS; k++) Gv[k] += m->G[k * FW_BEAM_DOFS + i] * shape[dofs[i]];
    }
    for (int l = 0; l < n; l++)
      for (int k = 0; k < FW_BEAM_DOFS; k++)
        if (dofs[k] >= 0) G[l * n + j] += Gv[k] * r->V[(size_t)l * (size_t)r->n + (size_t)dofs[k]];
  }
}

/* S, with every row and column of element e weighted by its beta where S_ef takes the mean of two: A = D - S. */
static void fill_stretches(const double *D, const double *beta, const fw_quartic *q, double *A) {
  size_t E = (size_t)q->elements;
  if (q->rest)
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, q->elements, q->rest, -1, q->element_rest, q->rest, 0, A,
                q->elements);
  for (size_t e = 0; e < E; e++) A[e * E + e] += D[e];
  for (size_t f = 0; beta && f < E; f++)
    for (size_t e = 0; e <= f; e++) A[f * E + e] *= 0.5 * (beta[e] + beta[f]);
}

/* Eigenvalues of diag D - S, weighted by beta (NULL: not), and the G that belong to them. */
static fw_status find_stretches(fw_context *ctx, const double *D, const double *beta, const fw_quartic *q,
                                fw_stretches *out) {
  int E = q->elements, square = q->n * q->n;
  double *A = NULL, *values = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)E * (size_t)E, sizeof(double), &A));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)E, sizeof(double), &values));
  fill_stretches(D, beta, q, A);
  if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', E, A, E, values) != 0) {
    status = fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK: eigenvalues of the membrane energy failed");
    goto done;
  }
  double largest = fmax(fabs(values[0]), fabs(values[E - 1]));
  for (int e = 0; e < E; e++) out->rank += fabs(values[e]) > 1e-10 * largest;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)out->rank, sizeof(double), &out->value));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)(out->rank * square), sizeof(double), &out->G));
  for (int e = 0, r = 0; e < E; e++) {
    if (fabs(values[e]) <= 1e-10 * largest) continue;
    out->value[r] = values[e];
    cblas_dgemv(CblasColMajor, CblasNoTrans, square, E, 1, q->element_G, square, A + (size_t)e * (size_t)E, 1, 0,
                out->G + r * square, 1);
    r++;
  }
done:
  free(A);
  free(values);
  return status;
}

/* T_ijk = P_ijk + P_jki + P_kij of a P that is symmetric in its last two. */
static void make_symmetric(int n, double *P) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= j; k++) {
        const int at[6] = {(i * n + j) * n + k, (i * n + k) * n + j, (j * n + k) * n + i,
                           (j * n + i) * n + k, (k * n + i) * n + j, (k * n + j) * n + i};
        double sum = P[at[0]] + P[at[2]] + P[at[4]];
        for (int p = 0; p < 6; p++) P[at[p]] = sum;
      }
}

/* Q_ijk = P_ijk + P_jik. */
static void pair_first_two(int n, double *P) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < n; k++) {
        double *one = &P[(i * n + j) * n + k], *other = &P[(j * n + i) * n + k];
        *one = *other = *one + *other;
      }
}

static bool is_damped(const fw_model *model) {
  for (int b = 0; b < model->block_count; b++) {
    const fw_properties *props = &model->blocks[b].props;
    if (props->kinematics == FW_VON_KARMAN && props->rayleigh_beta != 0) return true;
  }
  return false;
}

/* Room for numbers of the elements. */
typedef struct membranes {
  double *D, *beta; /* elements */
  double *b;        /* n: of one */
} membranes;

static void project_all(const fw_model *model, const double *q_start, const fw_reduced *reduced, const membranes *m,
                        fw_quartic *out) {
  int n = out->n, e = 0;
  for (int k = 0; k < model->block_count; k++) {
    const fw_block *block = &model->blocks[k];
    fw_membrane membrane;
    for (int i = 0; i < block->count; i++) {
      if (!membrane_of(model, block, i, &membrane)) continue;
      double *G = out->element_G + (size_t)e * (size_t)(n * n);
      m->D[e] = membrane.D;
      m->beta[e] = block->props.rayleigh_beta;
      memset(m->b, 0, (size_t)n * sizeof(double));
      project_membrane(&membrane, block->dofs + i * FW_BEAM_DOFS, q_start, reduced, m->b, G,
                       out->element_rest + (size_t)e * (size_t)out->rest);
      for (int j = 0; j < n; j++) {
        cblas_daxpy(n * n, m->b[j], G, 1, out->cubic + j * n * n, 1);
        if (out->cubic_drag) cblas_daxpy(n * n, m->beta[e] * m->b[j], G, 1, out->cubic_drag + j * n * n, 1);
      }
      e++;
    }
  }
}

static fw_status fill(fw_context *ctx, const membranes *m, fw_quartic *out) {
  make_symmetric(out->n, out->cubic);
  FW_TRY(find_stretches(ctx, m->D, NULL, out, &out->stretch));
  if (!out->cubic_drag) return FW_OK;
  pair_first_two(out->n, out->cubic_drag);
  return find_stretches(ctx, m->D, m->beta, out, &out->drag);
}

fw_status fw_quartic_create(fw_context *ctx, const fw_model *model, const double *q_start, const fw_reduced *reduced,
                            fw_quartic *out) {
  int n = reduced->coordinates;
  *out = (fw_quartic){.n = n, .rest = reduced->rest, .elements = count_membranes(model)};
  if (!out->elements) return FW_OK;
  membranes m = {0};
  fw_status status = FW_OK;
  size_t E = (size_t)out->elements, square = (size_t)(n * n), cube = square * (size_t)n;
  FW_TRY_DONE(fw_alloc(ctx, cube, sizeof(double), &out->cubic));
  if (is_damped(model)) FW_TRY_DONE(fw_alloc(ctx, cube, sizeof(double), &out->cubic_drag));
  FW_TRY_DONE(fw_alloc(ctx, E * square, sizeof(double), &out->element_G));
  FW_TRY_DONE(fw_alloc(ctx, E * (size_t)out->rest, sizeof(double), &out->element_rest));
  FW_TRY_DONE(fw_alloc(ctx, E, sizeof(double), &m.D));
  FW_TRY_DONE(fw_alloc(ctx, E, sizeof(double), &m.beta));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n, sizeof(double), &m.b));
  project_all(model, q_start, reduced, &m, out);
  FW_TRY_DONE(fill(ctx, &m, out));
done:
  free(m.D);
  free(m.beta);
  free(m.b);
  if (status != FW_OK) fw_quartic_clear(out);
  return status;
}

static void stretches_clear(fw_stretches *stretches) {
  free(stretches->value);
  free(stretches->G);
}

void fw_quartic_clear(fw_quartic *quartic) {
  free(quartic->cubic);
  free(quartic->cubic_drag);
  stretches_clear(&quartic->stretch);
  stretches_clear(&quartic->drag);
  free(quartic->element_G);
  free(quartic->element_rest);
  *quartic = (fw_quartic){0};
}

/* ---- forces ------------------------------------------------------------------------------------ */

size_t fw_quartic_room(const fw_quartic *q, int samples) {
  size_t n = (size_t)q->n, rank = (size_t)q->stretch.rank;
  return (n * n + rank * (n + 1)) * (size_t)samples;
}

/* The cubic energy, T z z z / 6: K = T z, f = K z / 2. */
static void set_cubic(const fw_quartic *q, int samples, const double *z, double *f, double *K) {
  const ptrdiff_t n = q->n, count = samples;
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, q->n * q->n, samples, q->n, 1, q->cubic, q->n * q->n, z, samples,
              0, K, samples);
  for (ptrdiff_t i = 0; i < n; i++)
    for (ptrdiff_t s = 0; s < count; s++) {
      double sum = 0;
      for (ptrdiff_t j = 0; j < n; j++) sum += K[(i * n + j) * count + s] * z[j * count + s];
      f[s * n + i] = 0.5 * sum;
    }
}

/* to += factor x y, sample by sample. */
static void add_product(ptrdiff_t count, double factor, const double *x, const double *y, double *restrict to) {
  for (ptrdiff_t s = 0; s < count; s++) to[s] += factor * x[s] * y[s];
}

/* All samples at once, in rows of their own: G z, the strains z G z / 2, what they add to f, and their values. */
static void add_stretches(const fw_quartic *q, int samples, const double *z, double *Gz, double *strain, double *f) {
  const ptrdiff_t n = q->n, count = samples;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, q->stretch.rank * q->n, samples, q->n, 1, q->stretch.G, q->n,
              z, samples, 0, Gz, samples);
  memset(strain, 0, (size_t)(q->stretch.rank * count) * sizeof *strain);
  for (ptrdiff_t r = 0; r < q->stretch.rank; r++) {
    double *of = strain + r * count;
    for (ptrdiff_t i = 0; i < n; i++) add_product(count, 0.5, z + i * count, Gz + (r * n + i) * count, of);
    cblas_dscal(samples, q->stretch.value[r], of, 1);
    for (ptrdiff_t i = 0; i < n; i++)
      for (ptrdiff_t s = 0; s < count; s++) f[s * n + i] += of[s] * Gz[(r * n + i) * count + s];
  }
}

/* K += values (Gz Gz^T + strain G) of all stretches; K symmetric, of all samples in rows. */
static void add_stretched_tangents(const fw_quartic *q, int samples, const double *Gz, const double *strain,
                                   double *K) {
  const ptrdiff_t n = q->n, count = samples;
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, q->n * q->n, samples, q->stretch.rank, 1, q->stretch.G,
              q->n * q->n, strain, samples, 1, K, samples);
  for (ptrdiff_t r = 0; r < q->stretch.rank; r++)
    for (ptrdiff_t i = 0; i < n; i++)
      for (ptrdiff_t j = 0; j <= i; j++)
        add_product(count, q->stretch.value[r], Gz + (r * n + i) * count, Gz + (r * n + j) * count,
                    K + (i * n + j) * count);
}

void fw_quartic_force(const fw_quartic *q, int samples, const double *z, double *f, double *K, double *work) {
  const ptrdiff_t n = q->n, count = samples;
  double *rows = work, *Gz = rows + n * n * count, *strain = Gz + q->stretch.rank * n * count;
  set_cubic(q, samples, z, f, rows);
  add_stretches(q, samples, z, Gz, strain, f);
  if (!K) return;
  add_stretched_tangents(q, samples, Gz, strain, rows);
  for (ptrdiff_t i = 0; i < n; i++)
    for (ptrdiff_t j = 0; j <= i; j++)
      for (ptrdiff_t s = 0; s < count; s++)
        K[(s * n + i) * n + j] = K[(s * n + j) * n + i] = rows[(i * n + j) * count + s];
}

/* What goes with the first power of z: C = Q z, C_z = Q v. */
static void set_cubic_drag(const fw_quartic *q, const double *z, const double *v, double *C, double *C_z) {
  int n = q->n;
  memset(C_z, 0, (size_t)(n * n) * sizeof(double));
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n * n, n, 1, q->cubic_drag, n, z, 1, 0, C, 1);
  for (int i = 0; i < n; i++)
    cblas_dgemv(CblasRowMajor, CblasTrans, n, n, 1, q->cubic_drag + i * n * n, n, v, 1, 0, C_z + i * n, 1);
}

void fw_quartic_drag(const fw_quartic *q, const double *z, const double *v, double *f, double *C, double *C_z,
                     double *work) {
  int n = q->n;
  double *Gz = work;
  set_cubic_drag(q, z, v, C, C_z);
  for (int r = 0; r < q->drag.rank; r++) { /* value Gz (Gz . v) */
    const double *G = q->drag.G + r * n * n, value = q->drag.value[r];
    cblas_dsymv(CblasRowMajor, CblasUpper, n, 1, G, n, z, 1, 0, Gz, 1);
    double rate = cblas_ddot(n, Gz, 1, v, 1);
    cblas_dsymv(CblasRowMajor, CblasUpper, n, 1, G, n, v, 1, 0, f, 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        C[i * n + j] += value * Gz[i] * Gz[j];
        C_z[i * n + j] += value * (rate * G[i * n + j] + Gz[i] * f[j]);
      }
  }
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, C, n, v, 1, 0, f, 1);
}

void fw_quartic_rest(const fw_quartic *q, const double *z, double *eta) {
  int n = q->n;
  for (int e = 0; e < q->elements; e++) {
    const double *G = q->element_G + (size_t)e * (size_t)(n * n);
    double strain = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) strain += 0.5 * z[i] * G[i * n + j] * z[j];
    cblas_daxpy(q->rest, -strain, q->element_rest + (size_t)e * (size_t)q->rest, 1, eta, 1);
  }
}

void fw_quartic_reading(const fw_quartic *q, const double *direction, double *curvature) {
  int square = q->n * q->n;
  memset(curvature, 0, (size_t)square * sizeof(double));
  for (int e = 0; e < q->elements; e++) {
    double along = cblas_ddot(q->rest, direction, 1, q->element_rest + (size_t)e * (size_t)q->rest, 1);
    cblas_daxpy(square, -along, q->element_G + (size_t)e * (size_t)square, 1, curvature, 1);
  }
}
