/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/reduced.h"

fw_status fw_dynamic_init(fw_context *ctx, const fw_reduced *reduced, fw_dynamic *dynamic) {
  *dynamic = (fw_dynamic){.reduced = reduced, .set_feed = NAN};
  size_t c = (size_t)reduced->coordinates, rest = (size_t)reduced->rest, rank = (size_t)reduced->rank;
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double complex), &dynamic->D));
  FW_TRY(fw_alloc(ctx, (c + 1) * rest, sizeof(double complex), &dynamic->G)); /* and one column of work space */
  FW_TRY(fw_alloc(ctx, rest, sizeof(double complex), &dynamic->P));
  FW_TRY(fw_alloc(ctx, rest * rank, sizeof(double complex), &dynamic->W));
  FW_TRY(fw_alloc(ctx, rank * rank, sizeof(double complex), &dynamic->S));
  return fw_alloc(ctx, 2 * rank, sizeof(double complex), &dynamic->t);
}

void fw_dynamic_clear(fw_dynamic *dynamic) {
  free(dynamic->D);
  free(dynamic->G);
  free(dynamic->P);
  free(dynamic->W);
  free(dynamic->S);
  free(dynamic->t);
  *dynamic = (fw_dynamic){0};
}

/* Hysteretic damping has no meaning at rest. */
static double complex losses(double w, double C, double H) { return (w * C + (w != 0 ? H : 0)) * I; }

/* A_rr = P^{-1} + U L U^T, so A_rr^{-1} = P - W (L^{-1} + U^T W)^{-1} W^T with W = P U. */
static fw_status invert_rest(fw_dynamic *d) {
  const fw_reduced *r = d->reduced;
  int n = r->rest, rank = d->w != 0 ? r->rank : 0;
  double w = d->w;
  for (int j = 0; j < n; j++) {
    double real = 1 - w * w * r->M_r[j];
    double loss = w * ((r->alpha - d->feed) * r->M_r[j] + r->beta) + (w != 0 ? r->eta : 0);
    double size = real * real + loss * loss;
    if (size < 1e-28) real = 1e-14, size = 1e-28; /* exactly on an undamped resonance of the held structure */
    d->P[j] = real / size - loss / size * I;
  }
  for (int u = 0; u < rank; u++)
    for (int j = 0; j < n; j++) d->W[u * n + j] = d->P[j] * r->U[u * n + j];
  for (int u = 0; u < rank; u++)
    for (int v = 0; v < rank; v++) {
      double complex sum = u == v ? 1 / losses(w, r->C_u[u], r->H_u[u]) : 0;
      for (int j = 0; j < n; j++) sum += r->U[v * n + j] * d->W[u * n + j];
      d->S[u * rank + v] = sum;
    }
  if (rank == 0) return FW_OK;
  lapack_int *pivot = malloc((size_t)rank * sizeof *pivot);
  if (!pivot) return FW_ERR_MEMORY;
  int info = LAPACKE_zgetrf(LAPACK_COL_MAJOR, rank, rank, d->S, rank, pivot);
  if (info == 0) info = LAPACKE_zgetri(LAPACK_COL_MAJOR, rank, d->S, rank, pivot);
  free(pivot);
  return info == 0 ? FW_OK : FW_RECOVER_NAN;
}

/* x = A_rr^{-1} x. */
static void apply_rest(const fw_dynamic *d, double complex *x) {
  int n = d->reduced->rest, rank = d->w != 0 ? d->reduced->rank : 0;
  double complex *t = d->t, *s = d->t + rank;
  for (int u = 0; u < rank; u++) {
    t[u] = 0;
    for (int j = 0; j < n; j++) t[u] += d->W[u * n + j] * x[j];
  }
  for (int j = 0; j < n; j++) x[j] *= d->P[j];
  for (int u = 0; u < rank; u++) {
    s[u] = 0;
    for (int v = 0; v < rank; v++) s[u] += d->S[v * rank + u] * t[v];
    for (int j = 0; j < n; j++) x[j] -= d->W[u * n + j] * s[u];
  }
}

/* A_zr of coordinate i. */
static void coupling(const fw_dynamic *d, int i, double complex *A) {
  const fw_reduced *r = d->reduced;
  double w = d->w;
  for (int k = 0; k < r->rest; k++) {
    size_t at = (size_t)k * (size_t)r->coordinates + (size_t)i;
    A[k] = -w * w * r->M_zr[at] + losses(w, r->C_zr[at] - d->feed * r->M_zr[at], r->H_zr[at]);
  }
}

fw_status fw_dynamic_set(fw_dynamic *d, double w) {
  const fw_reduced *r = d->reduced;
  int c = r->coordinates, rest = r->rest;
  if (d->w == w && d->set_feed == d->feed) return FW_OK;
  d->w = w;
  d->set_feed = NAN; /* until it is done */
  FW_TRY(invert_rest(d));
  for (int j = 0; j < c * c; j++) d->D[j] = r->K[j] - w * w * r->M[j] + losses(w, r->C[j] - d->feed * r->M[j], r->H[j]);
  memset(d->G, 0, (size_t)c * (size_t)rest * sizeof(double complex));
  for (int j = 0; j < r->coupled && w != 0; j++) {
    double complex *G = d->G + (size_t)j * (size_t)rest;
    coupling(d, j, G);
    apply_rest(d, G);
  }
  for (int i = 0; i < r->coupled && w != 0; i++) {
    double complex *A = d->G + (size_t)c * (size_t)rest;
    coupling(d, i, A);
    for (int j = i; j < r->coupled; j++) {
      const double complex *G = d->G + (size_t)j * (size_t)rest;
      double complex sum = 0;
      for (int k = 0; k < rest; k++) sum += A[k] * G[k];
      d->D[j * c + i] -= sum;
      if (i != j) d->D[i * c + j] -= sum;
    }
  }
  d->set_feed = d->feed;
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
  int rest = d->reduced->rest;
  for (int j = 0; j < d->reduced->coordinates; j++) {
    double complex sum = f->z[j];
    for (int k = 0; k < rest; k++) sum -= d->G[(size_t)j * (size_t)rest + (size_t)k] * f->r[k];
    out[j] += factor * sum;
  }
}

void fw_dynamic_reading(const fw_dynamic *d, const fw_projected *s, double complex *row) {
  memset(row, 0, (size_t)d->reduced->coordinates * sizeof *row);
  fw_dynamic_load(d, s, 1, row); /* A is symmetric: loads and readings condense alike */
}

double complex fw_dynamic_direct(const fw_dynamic *d, const fw_projected *s, const fw_projected *f) {
  int n = d->reduced->rest;
  double complex *x = d->G + (size_t)d->reduced->coordinates * (size_t)n, sum = 0;
  for (int i = 0; i < n; i++) x[i] = f->r[i];
  apply_rest(d, x);
  for (int i = 0; i < n; i++) sum += s->r[i] * x[i];
  return sum;
}

void fw_dynamic_rest_load(const fw_dynamic *d, const fw_projected *f, double complex factor, double complex *eta) {
  int n = d->reduced->rest;
  double complex *x = d->G + (size_t)d->reduced->coordinates * (size_t)n;
  for (int i = 0; i < n; i++) x[i] = f->r[i];
  apply_rest(d, x);
  for (int i = 0; i < n; i++) eta[i] += factor * x[i];
}

void fw_dynamic_rest_motion(const fw_dynamic *d, const double complex *z, double complex *eta) {
  int rest = d->reduced->rest;
  for (int j = 0; j < d->reduced->coordinates; j++)
    for (int i = 0; i < rest; i++) eta[i] -= d->G[(size_t)j * (size_t)rest + (size_t)i] * z[j];
}
