/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/shapes.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/stuck_mode.h"

static size_t length(const fw_reduced *r) { return (size_t)r->coordinates + (size_t)r->rest; }

fw_status fw_shape_init(fw_context *ctx, const fw_reduced *reduced, fw_motion_shape *shape) {
  *shape = (fw_motion_shape){0};
  return fw_alloc(ctx, length(reduced), sizeof(double), &shape->x);
}

void fw_shape_clear(fw_motion_shape *shape) {
  free(shape->x);
  *shape = (fw_motion_shape){0};
}

/* a^T M b. */
static double product(const fw_reduced *r, const double *a, const double *b) {
  int c = r->coordinates;
  double sum = 0;
  for (int j = 0; j < c; j++)
    for (int i = 0; i < c; i++) sum += a[i] * r->M[j * c + i] * b[j];
  for (int j = 0; j < r->rest; j++) {
    for (int i = 0; i < c; i++) sum += r->M_zr[(size_t)j * (size_t)c + (size_t)i] * (a[i] * b[c + j] + b[i] * a[c + j]);
    sum += r->M_r[j] * a[c + j] * b[c + j];
  }
  return sum;
}

static double normalise(const fw_reduced *r, double *x) {
  double size = sqrt(fmax(product(r, x, x), 0));
  if (size > 0) cblas_dscal((int)length(r), 1 / size, x, 1);
  return size;
}

/* a and b of X = a - i b. */
static void split(const fw_vibration *v, const fw_balance *b, const double *y, int k, double complex *eta,
                  double *cosine, double *sine) {
  int c = v->reduced.coordinates;
  fw_vibration_rest(v, b, y, k, eta); /* leaves the coordinates in z_k */
  for (int i = 0; i < c + v->reduced.rest; i++) {
    double complex X = i < c ? b->z_k[i] : eta[i - c];
    cosine[i] = creal(X);
    sine[i] = -cimag(X);
  }
}

fw_status fw_shape_of_harmonic(fw_context *ctx, const fw_vibration *v, const fw_balance *b, const double *y, int k,
                               fw_form form, fw_motion_shape *shape) {
  const fw_reduced *r = &v->reduced;
  size_t n = length(r);
  double complex *eta;
  double *cosine;
  FW_TRY(fw_alloc(ctx, (size_t)r->rest, sizeof *eta, &eta));
  fw_status status = fw_alloc(ctx, 2 * n, sizeof *cosine, &cosine);
  if (status == FW_OK) {
    double *sine = cosine + n;
    split(v, b, y, k, eta, cosine, sine);
    double aa = product(r, cosine, cosine), bb = product(r, sine, sine), ab = product(r, cosine, sine);
    double theta = 0.5 * carg(aa - bb - 2 * I * ab); /* X^T M X */
    shape->phase = form == FW_FORM_HARMONIC ? theta : form == FW_FORM_COSINE ? 0 : -M_PI / 2;
    for (size_t i = 0; i < n; i++) /* Re(X e^{-i phase}) */
      shape->x[i] = cosine[i] * cos(shape->phase) - sine[i] * sin(shape->phase);
    shape->amplitude = normalise(r, shape->x);
    shape->share = aa + bb > 0 ? shape->amplitude * shape->amplitude / (aa + bb) : 0;
    free(cosine);
  }
  free(eta);
  return status;
}

fw_status fw_shape_of_mode(fw_context *ctx, const fw_vibration *v, int mode, double *omega, fw_motion_shape *shape) {
  FW_TRY(fw_stuck_mode(ctx, v, mode, omega, shape->x, shape->x + v->reduced.coordinates));
  shape->amplitude = normalise(&v->reduced, shape->x);
  shape->share = 1;
  return FW_OK;
}

double fw_shape_mac(const fw_reduced *reduced, const fw_motion_shape *a, const fw_motion_shape *b) {
  double common = product(reduced, a->x, b->x);
  return common * common;
}

double fw_shape_reading(const fw_reduced *r, const fw_motion_shape *shape, const fw_projected *direction) {
  double sum = 0;
  for (int i = 0; i < r->coordinates; i++) sum += direction->z[i] * shape->x[i];
  for (int i = 0; i < r->rest; i++) sum += direction->r[i] * shape->x[r->coordinates + i];
  return sum;
}

void fw_shape_expand(const fw_reduced *r, const fw_motion_shape *shape, double *q) {
  memset(q, 0, (size_t)r->n * sizeof(double));
  if (r->coordinates)
    cblas_dgemv(CblasColMajor, CblasNoTrans, r->n, r->coordinates, 1, r->V, r->n, shape->x, 1, 0, q, 1);
  if (r->rest)
    cblas_dgemv(CblasColMajor, CblasNoTrans, r->n, r->rest, 1, r->R, r->n, shape->x + r->coordinates, 1, 1, q, 1);
}
