/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions given by points x[0] < x[1] < ... with straight lines between them. */
#ifndef FW_CORE_PIECEWISE_H
#define FW_CORE_PIECEWISE_H

/* The piece x[i] .. x[i + 1] that holds `at`, or the one at that end beyond which it lies. */
int fw_piece_of(const double *x, int count, double at);

/* y at a place, constant before the first point and behind the last. */
double fw_piecewise(const double *x, const double *y, int count, double at);

#endif
