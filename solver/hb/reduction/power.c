/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Powers and energies of a harmonic motion of the reduced structure. */
#include "solver/hb/reduction/reduced.h"

#define AT(A, rows, i, j) ((A)[(size_t)(j) * (size_t)(rows) + (size_t)(i)])

/* Real part of x^H S y, S: rows x columns. */
static double form(const double *S, int rows, int columns, const double complex *x, const double complex *y) {
  double sum = 0;
  for (int j = 0; j < columns; j++) {
    double real = 0, imag = 0;
    for (int i = 0; i < rows; i++) {
      real += AT(S, rows, i, j) * creal(x[i]);
      imag += AT(S, rows, i, j) * cimag(x[i]);
    }
    sum += real * creal(y[j]) + imag * cimag(y[j]);
  }
  return sum;
}

static double square(double complex x) { return creal(x) * creal(x) + cimag(x) * cimag(x); }

static double diagonal_form(const double *S, int n, const double complex *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += S[i] * square(x[i]);
  return sum;
}

double fw_reduced_loss(const fw_reduced *r, double w, const double complex *z, const double complex *eta) {
  int c = r->coordinates, rest = r->rest;
  double viscous = form(r->C, c, c, z, z) + 2 * form(r->C_zr, c, rest, z, eta);
  double hysteretic = form(r->H, c, c, z, z) + 2 * form(r->H_zr, c, rest, z, eta);
  for (int j = 0; j < rest; j++) {
    double size = square(eta[j]);
    viscous += (r->alpha * r->M_r[j] + r->beta) * size;
    hysteretic += r->eta * size;
  }
  for (int u = r->skew_rank; u < r->rank; u++) { /* the skew part of C takes nothing */
    double complex part = 0;
    for (int j = 0; j < rest; j++) part += AT(r->U, rest, j, u) * eta[j];
    viscous += r->C_u[u] * square(part);
    hysteretic += r->H_u[u] * square(part);
  }
  return 0.5 * (w * w * viscous + w * hysteretic);
}

double fw_reduced_kinetic(const fw_reduced *r, double w, const double complex *z, const double complex *eta) {
  int c = r->coordinates, rest = r->rest;
  return 0.5 * w * w * (form(r->M, c, c, z, z) + 2 * form(r->M_zr, c, rest, z, eta) + diagonal_form(r->M_r, rest, eta));
}

/* Im(x^H S y). */
static double twist(const double *S, int rows, int columns, const double complex *x, const double complex *y) {
  double sum = 0;
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++) sum += S[(size_t)j * (size_t)rows + (size_t)i] * cimag(conj(x[i]) * y[j]);
  return sum;
}

static double complex along(int n, const double *shape, const double complex *eta) {
  double complex sum = 0;
  for (int j = 0; j < n; j++) sum += shape[j] * eta[j];
  return sum;
}

double fw_reduced_circulation(const fw_reduced *r, double w, const double complex *z, const double complex *eta) {
  size_t rest = (size_t)r->rest;
  if (!r->skew) return 0;
  double sum = twist(r->K, r->coordinates, r->coordinates, z, z);
  sum += 2 * twist(r->K_skew_zr, r->coordinates, r->rest, z, eta);
  for (size_t u = 0; u < (size_t)r->still; u++)
    sum += r->K_u[u] * cimag(conj(along(r->rest, r->U + u * rest, eta)) * along(r->rest, r->Y + u * rest, eta));
  return 0.5 * w * sum;
}
