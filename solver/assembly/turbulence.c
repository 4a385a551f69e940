/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/turbulence.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "core/loads/waves.h"
#include "solver/linalg/fft.h"

/* Points of the grid in the shortest period, at least: the spline's images of a line, at 1/step - f and beyond, then
 * have (f step/(1 - f step))^4 = 1/625 of its amplitude or less. */
enum { POINTS_IN_A_PERIOD = 6 };

void fw_turbulence_lines(double duration, double f_min, double f_max, long *first, long *last) {
  *first = lround(fmax(1, ceil(f_min * duration * (1 - 1e-12))));
  *last = lround(floor(f_max * duration * (1 + 1e-12)));
}

double fw_turbulence_covariance(double cell_length, double correlation_length, int apart) {
  double x = cell_length / correlation_length; /* 0: all cells as one */
  if (apart == 0) return x < 1e-3 ? 1 - x / 3 + x * x / 12 : 2 * (x + expm1(-x)) / (x * x);
  double within = x > 0 ? -expm1(-x) / x : 1;
  return within * within * exp(-(apart - 1) * x);
}

/* The lower factor of the covariance; of fully coherent cells its first column. */
static fw_status factor(fw_context *ctx, const fw_turbulence *how, double *L) {
  int n = how->cells;
  bool one = isinf(how->correlation_length);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      L[i * n + j] = one ? j == 0 : fw_turbulence_covariance(how->cell_length, how->correlation_length, i - j);
  if (!one && LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, L, n) != 0)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "cells of %g m are one within rounding at a correlation length of %g m",
                   how->cell_length, how->correlation_length);
  return FW_OK;
}

/* Amplitudes of cosine and sine of every line, of every cell: a stream of its own for each cell and direction. `sinc`
 * to the fourth power is what the spline makes of a line. */
static void draw(const fw_turbulence *how, int direction, double step, double *lines) {
  long count = how->last - how->first + 1;
  for (int cell = 0; cell < how->cells; cell++) {
    uint64_t state = how->seed, pair[2];
    double *row = lines + 2 * count * cell;
    for (int k = 0; k < 2; k++) pair[k] = fw_random_bits(&state); /* seeds beside each other have nothing in common */
    state = pair[0] ^ (pair[1] * (2 * (uint64_t)cell + (uint64_t)direction + 1));
    for (long k = 0; k < count; k++) {
      double x = M_PI * (double)(how->first + k) / how->duration * step, sinc = sin(x) / x;
      double size = sqrt(how->density[k] / how->duration) / (sinc * sinc * sinc * sinc);
      fw_random_normal(&state, row + 2 * k);
      row[2 * k] *= size;
      row[2 * k + 1] *= size;
    }
  }
}

/* A cell's lines become a column of the spline's coefficients, which go round. */
static void fill(const fw_turbulence *how, const double *lines, double *work, fw_field *field, int signal) {
  size_t n = field->intervals, m = (size_t)field->signals;
  for (size_t i = 0; i < n; i++) work[i] = 0;
  for (long k = how->first; k <= how->last; k++) {
    work[k] = lines[2 * (k - how->first)];
    work[n - (size_t)k] = lines[2 * (k - how->first) + 1];
  }
  fw_fft_series(work, n);
  for (size_t i = 0; i < n + 3; i++) field->c[i * m + (size_t)signal] = work[(i + n - 1) % n];
}

static fw_status fill_all(fw_context *ctx, const fw_turbulence *how, fw_field *field) {
  fw_status status;
  int n = how->cells;
  size_t count = 2 * (size_t)(how->last - how->first + 1);
  double *L = NULL, *lines = NULL, *work = NULL;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n * (size_t)n, sizeof *L, &L));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n * count, sizeof *lines, &lines));
  FW_TRY_DONE(fw_alloc(ctx, field->intervals, sizeof *work, &work));
  FW_TRY_DONE(factor(ctx, how, L));
  for (int direction = 0; direction < how->directions; direction++) {
    draw(how, direction, field->step, lines);
    cblas_dtrmm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, (int)count, 1, L, n, lines,
                (int)count);
    for (int cell = 0; cell < n; cell++) fill(how, lines + count * (size_t)cell, work, field, direction * n + cell);
  }
  fw_field_close(field);
done:
  free(L);
  free(lines);
  free(work);
  return status;
}

fw_status fw_turbulence_make(fw_context *ctx, const fw_turbulence *how, fw_field **field) {
  size_t points = 1;
  while ((double)points < POINTS_IN_A_PERIOD * how->f_max * how->duration) points *= 2;
  FW_TRY(fw_field_create(ctx, how->cells * how->directions, points, field));
  (*field)->step = how->duration / (double)points;
  fw_status status = fill_all(ctx, how, *field);
  if (status != FW_OK) fw_field_destroy(field);
  return status;
}
