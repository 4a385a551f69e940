/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which segment of a surface is nearest to a point. */
#include <float.h>

#include "contact/detect/project.h"

int fw_surface_nearest(const fw_model *model, const fw_surface *surface, const double *q, const double c[2], int hint,
                       double *xi) {
  int best = hint >= 0 && hint < surface->segment_count ? hint : 0;
  double least = DBL_MAX;
  for (int s = 0; s < surface->segment_count; s++) {
    fw_curve curve;
    fw_curve_at(model, surface, s, q, &curve);
    double where;
    const double distance = fw_curve_nearest(&curve, c, &where);
    if (distance >= least) continue;
    least = distance;
    best = s;
    *xi = where;
  }
  return best;
}
