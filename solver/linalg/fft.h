/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fast Fourier transforms of real signals (GSL stays inside fft.c). Lengths are powers of two; of a spectrum the real
 * part of line k stands at k, the imaginary one at length - k. */
#ifndef FW_LINALG_FFT_H
#define FW_LINALG_FFT_H

#include <stddef.h>

/* Signal to spectrum, in place: X_k = sum of x_j exp(-2 pi i jk/length). */
void fw_fft(double *x, size_t length);

/* Sums a Fourier series, in place: x_j = sum over 0 < k < length/2 of a_k cos(2 pi jk/length) + b_k sin(2 pi jk/length),
 * a_k standing at k and b_k at length - k on entry; the mean at 0, nothing at length/2. */
void fw_fft_series(double *x, size_t length);

#endif
