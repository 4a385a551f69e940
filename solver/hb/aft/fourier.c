/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/aft/fourier.h"

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

void fw_fourier_product(const fw_fourier *fourier, const double *t, int stride, double *block) {
  size_t size = (size_t)fourier->size, by = (size_t)stride;
  block[0] = t[0];
  for (size_t q = 1; q < size; q++) {
    block[q] = 0.5 * t[q * by]; /* mean of t cos q tau, t sin q tau */
    block[q * size] = t[q * by];
  }
  for (size_t p = 1; p <= (size_t)fourier->H; p++)
    for (size_t q = 1; q <= p; q++) {
      size_t sum = p + q, less = p - q;
      double cos_sum = 0.5 * t[(2 * sum - 1) * by], sin_sum = 0.5 * t[2 * sum * by];
      double cos_less = less ? 0.5 * t[(2 * less - 1) * by] : t[0], sin_less = less ? 0.5 * t[2 * less * by] : 0;
      double *cos_p = block + (2 * p - 1) * size, *sin_p = block + 2 * p * size;
      double *cos_q = block + (2 * q - 1) * size, *sin_q = block + 2 * q * size;
      cos_p[2 * q - 1] = cos_q[2 * p - 1] = cos_less + cos_sum;
      sin_p[2 * q] = sin_q[2 * p] = cos_less - cos_sum;
      sin_p[2 * q - 1] = cos_q[2 * p] = sin_sum + sin_less;
      cos_p[2 * q] = sin_q[2 * p - 1] = sin_sum - sin_less;
    }
}

double fw_fourier_peak(const double *x, int count) {
  double peak = 0;
  for (int j = 0; j < count; j++) peak = fmax(peak, fabs(x[j]));
  return peak;
}
