/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/reduced.h"

static bool full(const fw_reduced *r) { return r->C_rr || r->H_rr; }

fw_status fw_dynamic_init(fw_context *ctx, const fw_reduced *reduced, fw_dynamic *dynamic) {
  *dynamic = (fw_dynamic){.reduced = reduced};
  size_t c = (size_t)reduced->coordinates, rest = (size_t)reduced->rest;
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double complex), &dynamic->D));
  FW_TRY(fw_alloc(ctx, c * rest, sizeof(double complex), &dynamic->G));
  return fw_alloc(ctx, full(reduced) ? rest * rest : rest, sizeof(double complex), &dynamic->P);
}

void fw_dynamic_clear(fw_dynamic *dynamic) {
  free(dynamic->D);
  free(dynamic->G);
  free(dynamic->P);
  *dynamic = (fw_dynamic){0};
}

/* Hysteretic damping has no meaning at rest. */
static double complex losses(double w, double C, double H) { return I * (w * C + (w != 0 ? H : 0)); }

/* P = A_rr^{-1}, full. */
static fw_status invert_full(fw_dynamic *d) {
  const fw_reduced *r = d->reduced;
  int n = r->rest, info;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      size_t at = (size_t)j * (size_t)n + (size_t)i;
      double C = r->C_rr ? r->C_rr[at] : i == j ? r->C_r[i] : 0, H = r->H_rr ? r->H_rr[at] : i == j ? r->H_r[i] : 0;
      d->P[at] = (i == j ? 1 - d->w * d->w * r->M_r[i] : 0) + losses(d->w, C, H);
    }
  lapack_int *pivot = malloc((size_t)(n ? n : 1) * sizeof *pivot);
  if (!pivot) return FW_ERR_MEMORY;
  info = LAPACKE_zgetrf(LAPACK_COL_MAJOR, n, n, d->P, n, pivot);
  if (info == 0) info = LAPACKE_zgetri(LAPACK_COL_MAJOR, n, d->P, n, pivot);
  free(pivot);
  return info == 0 ? FW_OK : FW_RECOVER_NAN;
}

/* out = A_rr^{-1} in; in and out may not overlap. */
static void apply_rest(const fw_dynamic *d, const double complex *in, double complex *out) {
  int n = d->reduced->rest;
  for (int i = 0; i < n; i++) {
    if (!full(d->reduced)) {
      out[i] = d->P[i] * in[i];
      continue;
    }
    out[i] = 0;
    for (int j = 0; j < n; j++) out[i] += d->P[(size_t)j * (size_t)n + (size_t)i] * in[j];
  }
}

fw_status fw_dynamic_set(fw_dynamic *d, double w) {
  const fw_reduced *r = d->reduced;
  int c = r->coordinates, rest = r->rest;
  d->w = w;
  if (full(r)) FW_TRY(invert_full(d));
  for (int j = 0; j < rest && !full(r); j++) {
    double complex a = 1 - w * w * r->M_r[j] + losses(w, r->C_r[j], r->H_r[j]);
    if (cabs(a) < 1e-14) a = 1e-14; /* exactly on an undamped resonance of the held structure */
    d->P[j] = 1 / a;
  }
  for (int j = 0; j < c * c; j++) d->D[j] = r->K[j] - w * w * r->M[j] + losses(w, r->C[j], r->H[j]);
  memset(d->G, 0, (size_t)c * (size_t)rest * sizeof(double complex));
  double complex *column = malloc((size_t)(rest ? rest : 1) * sizeof *column);
  if (!column) return FW_ERR_MEMORY;
  for (int j = 0; j < r->coupled; j++) {
    for (int k = 0; k < rest; k++) {
      size_t at = (size_t)k * (size_t)c + (size_t)j;
      column[k] = -w * w * r->M_zr[at] + losses(w, r->C_zr[at], r->H_zr[at]);
    }
    double complex *G = d->G + (size_t)j * (size_t)rest;
    apply_rest(d, column, G);
    for (int i = 0; i < r->coupled; i++)
      for (int k = 0; k < rest; k++) {
        size_t at = (size_t)k * (size_t)c + (size_t)i;
        d->D[j * c + i] -= (-w * w * r->M_zr[at] + losses(w, r->C_zr[at], r->H_zr[at])) * G[k];
      }
  }
  free(column);
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
  double complex sum = 0;
  int n = d->reduced->rest;
  for (int i = 0; i < n; i++) {
    if (!full(d->reduced))
      sum += s->r[i] * d->P[i] * f->r[i];
    else
      for (int j = 0; j < n; j++) sum += s->r[i] * d->P[(size_t)j * (size_t)n + (size_t)i] * f->r[j];
  }
  return sum;
}

void fw_dynamic_rest_load(const fw_dynamic *d, const fw_projected *f, double complex factor, double complex *eta) {
  int n = d->reduced->rest;
  for (int i = 0; i < n; i++) {
    if (!full(d->reduced))
      eta[i] += factor * d->P[i] * f->r[i];
    else
      for (int j = 0; j < n; j++) eta[i] += factor * d->P[(size_t)j * (size_t)n + (size_t)i] * f->r[j];
  }
}

void fw_dynamic_rest_motion(const fw_dynamic *d, const double complex *z, double complex *eta) {
  int rest = d->reduced->rest;
  for (int j = 0; j < d->reduced->coordinates; j++)
    for (int i = 0; i < rest; i++) eta[i] -= d->G[(size_t)j * (size_t)rest + (size_t)i] * z[j];
}
