/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/batches.h"

#include <math.h>

fw_batches fw_batches_of(const double *values, int count) {
  fw_batches s = {0};
  double square = 0, along = 0;
  for (int i = 0; i < count; i++) s.mean += values[i] / count;
  for (int i = 0; i < count; i++) {
    square += (values[i] - s.mean) * (values[i] - s.mean);
    along += i > 0 ? (values[i] - s.mean) * (values[i - 1] - s.mean) : 0;
  }
  s.error = count > 1 ? sqrt(square / (count - 1) / count) : 0;
  s.correlation = square > 0 ? along / square : 0;
  return s;
}
