/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/bifurcations.h"

#include <math.h>

/* How a motion becomes unstable, by the disturbance that begins to grow. */
static const char *kind(double complex multiplier) {
  if (fabs(cimag(multiplier)) > 1e-6 * cabs(multiplier)) return "torus";
  return creal(multiplier) > 0 ? "fold" : "period-doubling";
}

static fw_status record_between(fw_record *to, const fw_orbit *a, const fw_orbit *b, int reading, const char *prefix,
                                int number) {
  const double values[] = {0.5 * (a->frequency + b->frequency),
                           0.5 * (cabs(a->sensors[reading]) + cabs(b->sensors[reading])), 0.5 * (a->level + b->level)};
  static const char *const names[] = {"frequency", "amplitude", "level"};
  FW_TRY(fw_record_set_text(to, kind(a->growing > 0 ? a->multiplier : b->multiplier), "%sbifurcations[%d].kind", prefix,
                            number));
  for (int i = 0; i < 3; i++)
    FW_TRY(fw_record_set_number(to, values[i], "%sbifurcations[%d].%s", prefix, number, names[i]));
  return FW_OK;
}

fw_status fw_bifurcations_record(fw_record *to, const fw_orbit *orbits, int count, int reading, const char *unjudged,
                                 const char *prefix) {
  int unstable = 0, changes = 0, judged = 0;
  for (int i = 0; i < count; i++) {
    const fw_orbit *now = &orbits[i], *last = i ? &orbits[i - 1] : now;
    unstable += now->growing > 0;
    judged += !isnan(cabs(now->multiplier));
    bool known = !isnan(cabs(now->multiplier)) && !isnan(cabs(last->multiplier));
    if (!known || (now->growing > 0) == (last->growing > 0)) continue;
    FW_TRY(record_between(to, now, last, reading, prefix, changes++));
  }
  if (unjudged) FW_TRY(fw_record_set_text(to, unjudged, "%sstability_unknown", prefix));
  return judged > 0 || !unjudged ? fw_record_set_number(to, unstable, "%sunstable_points", prefix) : FW_OK;
}
