/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/peak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/phase.h"

enum { TRIES = 20 };
static const double FIRST = 0.1, LAST = 1e-3; /* distance of the parabola's points (rad), and where it ends */

typedef struct search {
  fw_context *ctx;
  const fw_vibration *v;
  const fw_response_wish *wish;
  fw_solver solver;
  double size; /* a compliance */
  double *y;   /* the motion last found */
} search;

/* The motion with a phase, from the last one. */
static fw_status look(search *s, double angle, fw_peak *out) {
  fw_phase phase = {0};
  fw_orbit orbit = {0};
  fw_newton newton = {.tolerance = s->wish->tolerance, .most = 20};
  fw_status status = FW_OK;
  fw_balance *b = &s->solver.balance;
  FW_TRY_DONE(fw_phase_init(s->ctx, s->v, b, s->wish->sensor, angle, s->size, &phase));
  FW_TRY_DONE(fw_curve_correct(&s->solver.curve, (fw_condition){&phase, fw_phase_value}, &newton, s->y));
  FW_TRY_DONE(fw_orbit_measure(s->ctx, s->v, b, s->y, &orbit));
  double complex first = orbit.sensors[s->wish->sensor * (s->wish->H + 1) + 1];
  *out = (fw_peak){orbit.frequency, cabs(first), angle};
done:
  fw_phase_clear(&phase);
  fw_orbit_clear(&orbit);
  return status;
}

/* Where the parabola through three points at equal distances has its maximum, in units of the distance from the middle;
 * without one it goes on uphill. */
static double highest(const fw_peak at[3]) {
  double slope = 0.5 * (at[2].amplitude - at[0].amplitude);
  double curvature = at[2].amplitude - 2 * at[1].amplitude + at[0].amplitude;
  if (curvature >= 0) return slope > 0 ? 2 : -2;
  return fmax(-2, fmin(2, -slope / curvature));
}

static fw_status climb(search *s, double angle, fw_peak *peak) {
  double distance = FIRST;
  for (int i = 0; i < TRIES; i++) {
    fw_peak at[3];
    for (int k = 0; k < 3; k++) FW_TRY(look(s, angle + (k - 1) * distance, &at[k]));
    double move = highest(at);
    angle += move * distance;
    if (fabs(move) > 1) continue;
    if (distance < LAST) return look(s, angle, peak);
    distance *= 0.2;
  }
  return FW_RECOVER_DIVERGED;
}

fw_status fw_peak_find(fw_context *ctx, const fw_vibration *v, const fw_response_wish *wish, const fw_orbit *near,
                       fw_peak *peak) {
  search s = {.ctx = ctx, .v = v, .wish = wish};
  fw_status status = FW_OK;
  double complex compliance = fw_response_compliance(wish, near);
  FW_TRY_DONE(fw_solver_init(ctx, v, wish, &s.solver));
  int n = s.solver.balance.n;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n + 1, sizeof *s.y, &s.y));
  memcpy(s.y, near->y, ((size_t)n + 1) * sizeof *s.y);
  s.size = cabs(compliance);
  fw_balance_scale(&s.solver.balance, s.y, s.solver.curve.scale);
  s.solver.curve.scale[n] = 0.1 * s.y[n];
  status = climb(&s, carg(compliance), peak);
done:
  fw_solver_clear(&s.solver);
  free(s.y);
  return status;
}
