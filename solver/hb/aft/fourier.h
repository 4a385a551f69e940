/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real Fourier series of a period, x(tau) = c0 + sum_k c_{2k-1} cos k tau + c_{2k} sin k tau, k = 1..H, and
 * its samples tau_j = 2 pi j / samples. */
#ifndef FW_HB_AFT_FOURIER_H
#define FW_HB_AFT_FOURIER_H

#include "core/context.h"

typedef struct fw_fourier {
  int H, size, samples; /* size = 2 H + 1 coefficients */
  double *basis;        /* samples x size, row j: values at tau_j */
  double *rate;         /* samples x size: their derivatives with respect to tau */
} fw_fourier;

/* samples > 2 H, so that projection inverts sampling. Clear is safe on a zeroed struct. */
fw_status fw_fourier_init(fw_context *ctx, int H, int samples, fw_fourier *fourier);
void fw_fourier_clear(fw_fourier *fourier);

/* x[j] = sum_c basis[j][c] coefficients[c]; with `rate` the derivative in tau instead. */
void fw_fourier_sample(const fw_fourier *fourier, const double *coefficients, double *x);
void fw_fourier_sample_rate(const fw_fourier *fourier, const double *coefficients, double *x);

/* Coefficients of `columns` sampled functions stored side by side, x: samples x columns row major;
 * out: size x columns row major. */
void fw_fourier_project(const fw_fourier *fourier, const double *x, int columns, double *out);

/* How a factor t(tau) maps series onto series: block (size squared, row major) takes the coefficients of x to those of
 * t x, cut off at H, from the coefficients of t up to 2 H, which stand `stride` apart:
 * cos p cos q = (cos(p - q) + cos(p + q)) / 2 and so on. */
void fw_fourier_product(const fw_fourier *fourier, const double *t, int stride, double *block);

/* Largest absolute value over the samples. */
double fw_fourier_peak(const double *x, int count);

#endif
