/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linalg/line_search.h"

#include <math.h>

enum { TRIALS_MOST = 10 };

fw_status fw_line_search(fw_line_slope slope_at, void *user, double first) {
  double low = 0.0, low_slope = first, high = 1.0, fraction = 1.0;
  for (int k = 0; k < TRIALS_MOST; k++) {
    double slope = NAN;
    fw_status status = slope_at(user, fraction, &slope);
    if (status < 0) return status;
    bool known = status == FW_OK && isfinite(slope), short_of = known && slope * first > 0.0;
    if (known && (fabs(slope) <= 0.8 * fabs(first) || (short_of && fraction == 1.0))) return FW_OK;
    double guess = known ? fraction - slope * (fraction - low) / (slope - low_slope) : 0.0;
    if (short_of)
      low = fraction, low_slope = slope;
    else
      high = fraction;
    fraction = fmin(fmax(guess, low + 0.1 * (high - low)), low + 0.9 * (high - low));
  }
  return FW_OK;
}
