/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/piecewise.h"

int fw_piece_of(const double *x, int count, double at) {
  int low = 0, high = count - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (x[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

double fw_piecewise(const double *x, const double *y, int count, double at) {
  if (!(at > x[0])) return y[0];
  if (at >= x[count - 1]) return y[count - 1];
  int i = fw_piece_of(x, count, at);
  return y[i] + (y[i + 1] - y[i]) * (at - x[i]) / (x[i + 1] - x[i]);
}
