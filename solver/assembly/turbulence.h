/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turbulence along a tube: forces per length p(s, t) with the one-sided spectral density G(f), coherent over a length,
 *
 *   G_pp(s, s', f) = G(f) exp(-|s - s'|/lambda),
 *
 * as means over cells of equal length h, whose covariance is exact whatever lambda is: with x = h/lambda
 *
 *   a cell with itself 2 (x - 1 + exp(-x))/x^2,  with its neighbour at distance d  (2 cosh x - 2)/x^2 exp(-d/lambda).
 *
 * The cells' signals are L eta, L L^T the covariance, eta independent Gaussian signals with density G: lines at every
 * multiple of 1/duration, with normal cosines and sines, so that none repeats within the duration. */
#ifndef FW_ASSEMBLY_TURBULENCE_H
#define FW_ASSEMBLY_TURBULENCE_H

#include "core/field.h"

typedef struct fw_turbulence {
  int cells, directions;                  /* directions: independent of each other */
  double cell_length, correlation_length; /* INFINITY: all cells as one */
  double duration, f_min, f_max;
  const double *density; /* G at each line, number `first` ... `last` of them */
  long first, last;
  uint64_t seed;
} fw_turbulence;

/* Lines within the band. */
void fw_turbulence_lines(double duration, double f_min, double f_max, long *first, long *last);

/* Covariance of the means of a unit signal over two cells, so many cells apart. */
double fw_turbulence_covariance(double cell_length, double correlation_length, int apart);

/* The signals, cell by cell, one direction after the other; their shapes are left empty. */
fw_status fw_turbulence_make(fw_context *ctx, const fw_turbulence *how, fw_field **field);

#endif
