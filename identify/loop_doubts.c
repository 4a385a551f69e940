/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What loops contradict in themselves: columns that do not belong together, a wrong unit or a wrong sign. */
#include <math.h>

#include "identify/loops.h"

/* Least squares of the integral of v over u, both without their means: its slope, and what it leaves of the integral. */
static void compare_motions(const fw_loop_data *l, double *slope, double *left) {
  double x = 0.0, su = 0.0, sx = 0.0, uu = 0.0, ux = 0.0, xx = 0.0, n = (double)l->count;
  for (size_t i = 0; i < l->count; i++) {
    double u = l->u[i] - l->u[0];
    if (i > 0) x += 0.5 * (l->v[i] + l->v[i - 1]) * (l->t[i] - l->t[i - 1]);
    su += u;
    sx += x;
    uu += u * u;
    ux += u * x;
    xx += x * x;
  }
  uu -= su * su / n;
  ux -= su * sx / n;
  xx -= sx * sx / n;
  *slope = ux / uu;
  *left = xx > 0.0 ? sqrt(fmax(1.0 - ux * ux / (uu * xx), 0.0)) : 0.0;
}

static fw_status doubt_velocity(fw_identify_job *job, const fw_loop_data *l) {
  const double most = 0.1, most_left = 0.3; /* more than noise and coarse samples make */
  double slope, left;
  compare_motions(l, &slope, &left);
  if (fabs(slope - 1.0) > most)
    return fw_identify_warn(
        job, "loop '%s': v is not the velocity of u: its integral over time is %.3g times u (units?)", l->id, slope);
  if (!(left > most_left)) return FW_OK;
  return fw_identify_warn(job,
                          "loop '%s': v is not the velocity of u: %.0f %% of its integral over time do not follow u",
                          l->id, 100.0 * left);
}

/* Friction takes energy out of the slip. */
static fw_status doubt_sign(fw_identify_job *job, const fw_loop_data *l) {
  const double least = -0.02; /* of what the largest friction would take */
  double work = 0.0, way = 0.0, most = 0.0;
  for (size_t i = 0; i < l->count; i++) {
    most = fmax(most, fabs(l->T[i]));
    if (i == 0) continue;
    work += 0.5 * (l->T[i] + l->T[i - 1]) * (l->u[i] - l->u[i - 1]);
    way += fabs(l->u[i] - l->u[i - 1]);
  }
  if (!(work < least * most * way)) return FW_OK;
  return fw_identify_warn(
      job, "loop '%s': friction feeds energy into the slip (%.3g J): the sign of T or of u is another", l->id, -work);
}

fw_status fw_loops_doubt(fw_identify_job *job, const fw_loops *loops) {
  for (int i = 0; i < loops->count; i++) {
    FW_TRY(doubt_velocity(job, &loops->list[i]));
    FW_TRY(doubt_sign(job, &loops->list[i]));
  }
  return FW_OK;
}
