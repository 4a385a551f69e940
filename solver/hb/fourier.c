/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/fourier.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

fw_status fw_fourier_init(fw_context *ctx, int H, int samples, fw_fourier *fourier) {
  *fourier = (fw_fourier){.H = H, .size = 2 * H + 1, .samples = samples};
  size_t entries = (size_t)samples * (size_t)fourier->size;
  FW_TRY(fw_alloc(ctx, entries, sizeof(double), &fourier->basis));
  FW_TRY(fw_alloc(ctx, entries, sizeof(double), &fourier->rate));
  for (int j = 0; j < samples; j++) {
    double *basis = fourier->basis + (size_t)j * (size_t)fourier->size;
    double *rate = fourier->rate + (size_t)j * (size_t)fourier->size;
    basis[0] = 1;
    for (int k = 1; k <= H; k++) {
      double tau = 2 * M_PI * (double)((long)k * j % samples) / samples;
      basis[2 * k - 1] = cos(tau);
      basis[2 * k] = sin(tau);
      rate[2 * k - 1] = -k * sin(tau);
      rate[2 * k] = k * cos(tau);
    }
  }
  return FW_OK;
}

void fw_fourier_clear(fw_fourier *fourier) {
  free(fourier->basis);
  free(fourier->rate);
  *fourier = (fw_fourier){0};
}

void fw_fourier_sample(const fw_fourier *fourier, const double *coefficients, double *x) {
  cblas_dgemv(CblasRowMajor, CblasNoTrans, fourier->samples, fourier->size, 1, fourier->basis, fourier->size,
              coefficients, 1, 0, x, 1);
}

void fw_fourier_sample_rate(const fw_fourier *fourier, const double *coefficients, double *x) {
  cblas_dgemv(CblasRowMajor, CblasNoTrans, fourier->samples, fourier->size, 1, fourier->rate, fourier->size,
              coefficients, 1, 0, x, 1);
}

void fw_fourier_project(const fw_fourier *fourier, const double *x, int columns, double *out) {
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, fourier->size, columns, fourier->samples, 2.0 / fourier->samples,
              fourier->basis, fourier->size, x, columns, 0, out, columns);
  cblas_dscal(columns, 0.5, out, 1); /* the mean has weight 1/samples */
}

double fw_fourier_peak(const double *x, int count) {
  double peak = 0;
  for (int j = 0; j < count; j++) peak = fmax(peak, fabs(x[j]));
  return peak;
}
