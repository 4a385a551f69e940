/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/welch.h"

#include <math.h>
#include <stdlib.h>

#include "solver/linalg/fft.h"

fw_status fw_welch_init(fw_context *ctx, int length, int outputs, bool window, fw_welch *w) {
  size_t bins = (size_t)length / 2 + 1, n = (size_t)length;
  *w = (fw_welch){.length = length, .outputs = outputs, .window = window};
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, bins, sizeof(double), &w->S_xx));
  FW_TRY_DONE(fw_alloc(ctx, bins * (size_t)outputs, sizeof(double), &w->S_yy));
  FW_TRY_DONE(fw_alloc(ctx, bins * (size_t)outputs, sizeof(double complex), &w->S_xy));
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof(double), &w->x));
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof(double), &w->y));
done:
  if (status != FW_OK) fw_welch_clear(w);
  return status;
}

void fw_welch_clear(fw_welch *w) {
  free(w->S_xx);
  free(w->S_yy);
  free(w->S_xy);
  free(w->x);
  free(w->y);
  *w = (fw_welch){0};
}

/* The spectrum of a signal in the order of GSL: real parts at k, imaginary ones at length - k. */
static void transform(const fw_welch *w, const double *signal, double *spectrum) {
  int n = w->length;
  double mean = 0;
  for (int j = 0; j < n; j++) mean += signal[j] / n;
  for (int j = 0; j < n; j++) spectrum[j] = (signal[j] - mean) * (w->window ? 0.5 - 0.5 * cos(2 * M_PI * j / n) : 1);
  fw_fft(spectrum, (size_t)n);
}

static double complex at_bin(const fw_welch *w, const double *spectrum, int k) {
  return k == 0 || 2 * k == w->length ? spectrum[k] : spectrum[k] + I * spectrum[w->length - k];
}

void fw_welch_add(fw_welch *w, const double *signals) {
  int n = w->length, bins = n / 2 + 1;
  transform(w, signals, w->x);
  for (int k = 0; k < bins; k++) w->S_xx[k] += creal(at_bin(w, w->x, k) * conj(at_bin(w, w->x, k)));
  for (int o = 0; o < w->outputs; o++) {
    size_t first = (size_t)o * (size_t)bins;
    transform(w, signals + (size_t)(o + 1) * (size_t)n, w->y);
    for (int k = 0; k < bins; k++) {
      double complex y = at_bin(w, w->y, k);
      w->S_yy[first + (size_t)k] += creal(y * conj(y));
      w->S_xy[first + (size_t)k] += y * conj(at_bin(w, w->x, k));
    }
  }
  w->records++;
}

double complex fw_welch_gain(const fw_welch *w, int output, int k) {
  return w->S_xy[(size_t)output * (size_t)(w->length / 2 + 1) + (size_t)k] / w->S_xx[k];
}

double fw_welch_coherence(const fw_welch *w, int output, int k) {
  size_t at = (size_t)output * (size_t)(w->length / 2 + 1) + (size_t)k;
  double power = w->S_xx[k] * w->S_yy[at], cross = cabs(w->S_xy[at]);
  return power > 0 ? cross * cross / power : 0;
}

/* |X|^2 step over the sum of the squares of the window (3/8 of the length for Hann's), twice where -f is folded on f. */
double fw_welch_density(const fw_welch *w, int k, double step) {
  double folded = k == 0 || 2 * k == w->length ? 1.0 : 2.0, window = (w->window ? 0.375 : 1.0) * w->length;
  return folded * w->S_xx[k] * step / (window * w->records);
}
