/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faces against each other, purity, and inputs at the edge. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/friction/checks.h"
#include "contact/friction/derived.h"

/* Largest difference of T between the own step and the step derived from the rate face over one cycle. */
static double rate_step_difference(fw_law_probe *p, int steps) {
  const fw_friction_ops *ops = p->law->ops;
  int n = p->law->states;
  double amplitude = 2.0 * p->reach, omega = p->speed / amplitude, dt = 2 * M_PI / omega / steps, worst = 0.0;
  double derived[FW_RATE_STATES] = {0}, next[FW_RATE_STATES];
  fw_friction_reset(p->law, p->z);
  for (int i = 0; i < n; i++) derived[i] = p->z[i];
  for (int k = 0; k < steps; k++) {
    double a = omega * dt * k, b = a + omega * dt, wave = 1.0 + 0.2 * sin(a), wave_next = 1.0 + 0.2 * sin(b);
    fw_step_in in = {
        .x = {amplitude * (sin(b) - sin(a)), p->speed * cos(a), p->speed * cos(b), p->N * wave, p->N * wave_next},
        .dt = dt};
    fw_step_out own = {.z = p->next}, other = {.z = next};
    fw_friction_step(p->law, &in, p->z, &own);
    fw_rate_step(ops, p->law->constants, n, &in, derived, &other);
    worst = fmax(worst, fabs(own.T - other.T));
    for (int i = 0; i < n; i++) {
      p->z[i] = p->next[i];
      derived[i] = next[i];
    }
  }
  return worst;
}

const char *fw_check_rate_against_step(fw_law_probe *p) {
  if (!p->law->ops->rate || !p->law->ops->step) return NULL;
  double coarse = rate_step_difference(p, 400), fine = rate_step_difference(p, 1600);
  if (fine <= 1e-9 * p->peak || (fine <= 2e-3 * p->peak && fine < 0.3 * coarse)) return NULL;
  snprintf(p->message, sizeof p->message,
           "step and rate face differ by %.3g of the peak, %.3g with a quarter of the step", coarse / p->peak,
           fine / p->peak);
  return p->message;
}

/* A stiff elastic stick must give the limit face: sliding force of v, and never more than the static limit. */
const char *fw_check_limit_against_step(fw_law_probe *p) {
  if (!p->law->ops->limit || p->law->ops->step || p->law->ops->rate) return NULL;
  fw_friction stiff = *p->law;
  stiff.stick.u_crit = 1e-6 * p->law->stick.u_crit;
  enum { STEPS = 400 };
  double amplitude = 20.0 * p->law->stick.u_crit, omega = 10.0, dt = 2 * M_PI / omega / STEPS;
  fw_friction_reset(&stiff, p->z);
  for (int k = 0; k < STEPS; k++) {
    double a = omega * dt * k, b = a + omega * dt, v = amplitude * omega * cos(b);
    fw_step_in in = {.x = {amplitude * (sin(b) - sin(a)), amplitude * omega * cos(a), v, p->N, p->N}, .dt = dt};
    fw_step_out out = {.z = p->next};
    fw_friction_step(&stiff, &in, p->z, &out);
    fw_limit_out limit = fw_friction_limit(p->law, v, p->N, NULL);
    bool turning = fabs(cos(a)) < 4 * M_PI / STEPS || fabs(cos(b)) < 4 * M_PI / STEPS || k == 0;
    if (!turning && fabs(v) > limit.band && fabs(out.T - limit.slip) > 1e-12 * p->peak) {
      snprintf(p->message, sizeof p->message, "slips with T = %.9g at v = %.3g where the limit face says %.9g", out.T,
               v, limit.slip);
      return p->message;
    }
    for (int i = 0; i < stiff.states; i++) p->z[i] = p->next[i];
  }
  return NULL;
}

/* ---- purity ------------------------------------------------------------------------------ */

static bool same(const double *a, const double *b, int n) { return memcmp(a, b, (size_t)n * sizeof *a) == 0; }

const char *fw_check_pure(fw_law_probe *p) {
  int n = p->law->states;
  double T_x[FW_STEP_INPUTS];
  fw_friction_reset(p->law, p->z);
  for (int k = 0; k < 50; k++) {
    double v0 = p->speed * sin(0.7 * k), v1 = p->speed * sin(0.7 * (k + 1)), dt = 0.3 * p->reach / p->speed;
    fw_step_in in = {.x = {0.5 * dt * (v0 + v1), v0, v1, p->N, 0.9 * p->N}, .dt = dt}, in_kept = in;
    memcpy(p->other, p->z, (size_t)n * sizeof *p->z);
    fw_step_out first = {.z = p->next, .z_x = p->z_x, .z_z = p->z_z, .T_x = T_x, .T_z = p->T_z};
    fw_friction_step(p->law, &in, p->z, &first);
    if (!same(p->other, p->z, n) || !same(in.x, in_kept.x, FW_STEP_INPUTS) || in.dt != in_kept.dt)
      return "the step changes its inputs";
    fw_step_out second = {.z = p->other};
    fw_friction_step(p->law, &in, p->z, &second);
    if (first.T != second.T || !same(p->next, p->other, n)) return "the step is not a function of its inputs";
    memcpy(p->z, p->next, (size_t)n * sizeof *p->z);
  }
  return NULL;
}

/* ---- inputs at the edge ------------------------------------------------------------------ */

static bool all_finite(const double *x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

/* One step from p->z; false if anything is not finite. */
static bool finite_step(fw_law_probe *p, const fw_step_in *in, double *T) {
  int n = p->law->states, square = fw_friction_uncoupled(p->law) ? n : n * n;
  double T_x[FW_STEP_INPUTS];
  fw_step_out out = {.z = p->next, .z_x = p->z_x, .z_z = p->z_z, .T_x = T_x, .T_z = p->T_z};
  fw_friction_step(p->law, in, p->z, &out);
  *T = out.T;
  return isfinite(out.T) && all_finite(p->next, n) && all_finite(T_x, FW_STEP_INPUTS) &&
         all_finite(p->z_x, n * FW_STEP_INPUTS) && all_finite(p->z_z, square) && all_finite(p->T_z, n);
}

static bool finite_rate(const fw_law_probe *p, double v, double N) {
  double zdot[FW_RATE_STATES], zdot_z[FW_RATE_STATES * FW_RATE_STATES], zdot_v[FW_RATE_STATES], zdot_N[FW_RATE_STATES];
  double T_z[FW_RATE_STATES];
  int n = p->law->states;
  fw_rate_out out = {.zdot = zdot, .zdot_z = zdot_z, .zdot_v = zdot_v, .zdot_N = zdot_N, .T_z = T_z};
  p->law->ops->rate(p->law->constants, &(fw_rate_in){v, N}, p->z, &out);
  return isfinite(out.T + out.T_v + out.T_N) && all_finite(zdot, n) && all_finite(zdot_z, n * n) &&
         all_finite(zdot_v, n) && all_finite(zdot_N, n) && all_finite(T_z, n);
}

static const char *check_opening(fw_law_probe *p) {
  int n = p->law->states;
  double T;
  fw_step_in open = {.x = {p->reach, p->speed, p->speed, p->N, 0.0}, .dt = p->reach / p->speed};
  fw_friction_reset(p->law, p->other);
  if (!finite_step(p, &open, &T) || T != 0.0 || !same(p->next, p->other, n))
    return "opening does not reset the contact";
  fw_step_in wrong = {.x = {NAN, p->speed, p->speed, p->N, p->N}, .dt = open.dt};
  if (finite_step(p, &wrong, &T) || !isnan(T) || !same(p->next, p->z, n)) return "NaN is not told as NaN";
  fw_step_in closing = {.x = {p->reach, p->speed, p->speed, 0.0, p->N}, .dt = open.dt};
  if (!finite_step(p, &closing, &T)) return "closing gives a value that is not finite";
  return NULL;
}

const char *fw_check_defined(fw_law_probe *p) {
  static const double speeds[] = {0.0, -0.0, 1e-300, -1e-12, 1.0, -1.0, 1e4}, loads[] = {1e-300, 1e-12, 1.0, 1e6};
  enum { SPEEDS = sizeof speeds / sizeof *speeds, LOADS = sizeof loads / sizeof *loads };
  for (int k = 0; k < SPEEDS * SPEEDS * LOADS * LOADS; k++) {
    double v0 = speeds[k % SPEEDS] * p->speed, v1 = speeds[k / SPEEDS % SPEEDS] * p->speed;
    double N0 = loads[k / (SPEEDS * SPEEDS) % LOADS] * p->N, N1 = loads[k / (SPEEDS * SPEEDS * LOADS)] * p->N, T;
    double dt = k % 2 ? 0.1 * p->reach / p->speed : 1e3;
    fw_friction_reset(p->law, p->z);
    for (int i = 0; i < 4; i++) fw_law_probe_move(p, (i - 1.0) * p->reach, 0.0, 0.0, 0.0);
    fw_step_in in = {.x = {0.5 * dt * (v0 + v1), v0, v1, N0, N1}, .dt = dt};
    if (!finite_step(p, &in, &T)) {
      snprintf(p->message, sizeof p->message, "not finite at v %.3g -> %.3g, N %.3g -> %.3g, dt %.3g", v0, v1, N0, N1,
               dt);
      return p->message;
    }
    if (p->law->ops->rate && (!finite_rate(p, v0, N0) || !finite_rate(p, v0, 0.0)))
      return "the rate face is not finite at an edge";
  }
  return check_opening(p);
}
