/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra and frequency response from signals: spectra averaged over records, H1 = S_xy / S_xx (the estimate that noise in
 * the outputs does not bias), coherence |S_xy|^2 / (S_xx S_yy). */
#ifndef FW_ANALYSES_WELCH_H
#define FW_ANALYSES_WELCH_H

#include <complex.h>
#include <stdbool.h>

#include "core/context.h"

typedef struct fw_welch {
  int length, outputs, records; /* samples of a record, a power of two; records averaged so far */
  bool window;                  /* Hann; records without it must be whole periods */
  double *S_xx, *S_yy;          /* length / 2 + 1; outputs x that */
  double complex *S_xy;
  double *x, *y; /* work */
} fw_welch;

/* Clear is safe on a zeroed struct. */
fw_status fw_welch_init(fw_context *ctx, int length, int outputs, bool window, fw_welch *welch);
void fw_welch_clear(fw_welch *welch);

/* Averages one more record; signals: input, then outputs, `length` samples each. Means are taken off. */
void fw_welch_add(fw_welch *welch, const double *signals);

/* At bin k, k / (length step) Hz. */
double complex fw_welch_gain(const fw_welch *welch, int output, int k);
double fw_welch_coherence(const fw_welch *welch, int output, int k);
/* One-sided power spectral density of the input, whose integral over frequency is its mean square; step: s. */
double fw_welch_density(const fw_welch *welch, int k, double step);

#endif
