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

/* Eigenvalues of diag D - S and the G that belong to them. */
static fw_status find_stretches(fw_context *ctx, const double *D, fw_quartic *out) {
  int E = out->elements, square = out->n * out->n;
  double *A = NULL, *values = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)E * (size_t)E, sizeof(double), &A));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)E, sizeof(double), &values));
  if (out->rest)
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, E, out->rest, -1, out->element_rest, out->rest, 0, A, E);
  for (int e = 0; e < E; e++) A[(size_t)e * (size_t)E + (size_t)e] += D[e];
  if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', E, A, E, values) != 0) {
    status = fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK: eigenvalues of the membrane energy failed");
    goto done;
  }
  double largest = fmax(fabs(values[0]), fabs(values[E - 1]));
  for (int e = 0; e < E; e++) out->rank += fabs(values[e]) > 1e-10 * largest;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)out->rank, sizeof(double), &out->stretch));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)(out->rank * square), sizeof(double), &out->G));
  for (int e = 0, r = 0; e < E; e++) {
    if (fabs(values[e]) <= 1e-10 * largest) continue;
    out->stretch[r] = values[e];
    cblas_dgemv(CblasColMajor, CblasNoTrans, square, E, 1, out->element_G, square, A + (size_t)e * (size_t)E, 1, 0,
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

static fw_status fill(fw_context *ctx, const fw_model *model, const double *q_start, const fw_reduced *reduced,
                      double *D, double *b, fw_quartic *out) {
  int n = out->n, e = 0;
  for (int k = 0; k < model->block_count; k++) {
    const fw_block *block = &model->blocks[k];
    fw_membrane membrane;
    for (int i = 0; i < block->count; i++) {
      if (!membrane_of(model, block, i, &membrane)) continue;
      double *G = out->element_G + (size_t)e * (size_t)(n * n);
      D[e] = membrane.D;
      memset(b, 0, (size_t)n * sizeof(double));
      project_membrane(&membrane, block->dofs + i * FW_BEAM_DOFS, q_start, reduced, b, G,
                       out->element_rest + (size_t)e * (size_t)out->rest);
      for (int j = 0; j < n; j++) cblas_daxpy(n * n, b[j], G, 1, out->cubic + j * n * n, 1);
      e++;
    }
  }
  make_symmetric(n, out->cubic);
  return find_stretches(ctx, D, out);
}

fw_status fw_quartic_create(fw_context *ctx, const fw_model *model, const double *q_start, const fw_reduced *reduced,
                            fw_quartic *out) {
  int n = reduced->coordinates;
  *out = (fw_quartic){.n = n, .rest = reduced->rest, .elements = count_membranes(model)};
  if (!out->elements) return FW_OK;
  double *D = NULL, *b = NULL;
  fw_status status = FW_OK;
  size_t E = (size_t)out->elements, square = (size_t)(n * n);
  FW_TRY_DONE(fw_alloc(ctx, square * (size_t)n, sizeof(double), &out->cubic));
  FW_TRY_DONE(fw_alloc(ctx, E * square, sizeof(double), &out->element_G));
  FW_TRY_DONE(fw_alloc(ctx, E * (size_t)out->rest, sizeof(double), &out->element_rest));
  FW_TRY_DONE(fw_alloc(ctx, E, sizeof(double), &D));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n, sizeof(double), &b));
  FW_TRY_DONE(fill(ctx, model, q_start, reduced, D, b, out));
done:
  free(D);
  free(b);
  if (status != FW_OK) fw_quartic_clear(out);
  return status;
}

void fw_quartic_clear(fw_quartic *quartic) {
  free(quartic->cubic);
  free(quartic->stretch);
  free(quartic->G);
  free(quartic->element_G);
  free(quartic->element_rest);
  *quartic = (fw_quartic){0};
}

/* The cubic energy, T z z z / 6: K = T z, f = K z / 2. */
static void set_cubic(const fw_quartic *q, const double *z, double *f, double *K) {
  int n = q->n;
  memset(K, 0, (size_t)(n * n) * sizeof(double));
  for (int i = 0; i < n; i++) {
    const double *T = q->cubic + i * n * n;
    for (int j = 0; z[i] != 0 && j < n * n; j++) K[j] += z[i] * T[j];
  }
  for (int i = 0; i < n; i++) {
    f[i] = 0;
    for (int j = 0; j < n; j++) f[i] += 0.5 * K[i * n + j] * z[j];
  }
}

void fw_quartic_force(const fw_quartic *q, const double *z, double *f, double *K, double *work) {
  int n = q->n;
  double *Gz = work;
  set_cubic(q, z, f, K ? K : work + n);
  for (int r = 0; r < q->rank; r++) {
    const double *G = q->G + r * n * n;
    double strain = 0;
    for (int i = 0; i < n; i++) {
      Gz[i] = 0;
      for (int j = 0; j < n; j++) Gz[i] += G[i * n + j] * z[j];
      strain += 0.5 * z[i] * Gz[i];
    }
    for (int i = 0; i < n; i++) {
      f[i] += q->stretch[r] * strain * Gz[i];
      for (int j = 0; K && j < n; j++) K[i * n + j] += q->stretch[r] * (Gz[i] * Gz[j] + strain * G[i * n + j]);
    }
  }
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
