/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/bisect.h"

#include <math.h>

void fw_bisect(fw_beyond beyond, void *user, double width, int most, double *near, double *far) {
  for (int i = 0; i < most && fabs(*far - *near) > width * fmax(fabs(*near), fabs(*far)); i++) {
    double middle = 0.5 * (*near + *far);
    *(beyond(user, middle) ? far : near) = middle;
  }
}
