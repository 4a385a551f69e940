/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linalg/fft.h"

#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>

void fw_fft(double *x, size_t length) { gsl_fft_real_radix2_transform(x, 1, length); }

/* GSL sums z_k exp(2 pi i jk/length) over k and -k: z_k = (a_k - i b_k)/2. */
void fw_fft_series(double *x, size_t length) {
  for (size_t k = 1; k < length; k++) x[k] *= 2 * k < length ? 0.5 : -0.5;
  gsl_fft_halfcomplex_radix2_backward(x, 1, length);
}
