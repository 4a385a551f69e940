/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/stability/floquet.h"

#include <math.h>

/* How a motion becomes unstable, by the disturbance that begins to grow. */
static const char *kind(double complex multiplier) {
  if (fabs(cimag(multiplier)) > 1e-6 * cabs(multiplier)) return "torus";
  return creal(multiplier) > 0 ? "fold" : "period-doubling";
}

static fw_status record_between(fw_record *to, const fw_judged *a, const fw_judged *b, const char *prefix, int number) {
  double frequency = 0.5 * (a->frequency + b->frequency), amplitude = 0.5 * (a->amplitude + b->amplitude);
  FW_TRY(fw_record_set_text(to, kind(a->growing > 0 ? a->multiplier : b->multiplier), "%sbifurcations[%d].kind", prefix,
                            number));
  FW_TRY(fw_record_set_figure(to, frequency, "Hz", "%sbifurcations[%d].frequency", prefix, number));
  FW_TRY(fw_record_set_number(to, amplitude, "%sbifurcations[%d].amplitude", prefix, number));
  return fw_record_set_number(to, 0.5 * (a->level + b->level), "%sbifurcations[%d].level", prefix, number);
}

static bool known(const fw_judged *motion) { return !isnan(cabs(motion->multiplier)); }

fw_status fw_bifurcations_record(fw_record *to, fw_judged_curve curve, const char *unjudged, const char *prefix) {
  int unstable = 0, changes = 0, judged = 0;
  fw_judged last = {0};
  for (int i = 0; i < curve.count; i++) {
    fw_judged now = curve.at(curve.user, i);
    unstable += now.growing > 0;
    judged += known(&now);
    if (i && known(&now) && known(&last) && (now.growing > 0) != (last.growing > 0))
      FW_TRY(record_between(to, &now, &last, prefix, changes++));
    last = now;
  }
  if (unjudged[0]) FW_TRY(fw_record_set_text(to, unjudged, "%sstability_unknown", prefix));
  return judged > 0 || !unjudged[0] ? fw_record_set_number(to, unstable, "%sunstable_points", prefix) : FW_OK;
}
