/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of the faces against differences. At a kink the derivative must be one of the two one-sided ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/friction/checks.h"
#include "contact/friction/law.h"

enum { SAMPLES = 240, MOST_ROWS = 1024 };
#define RELATIVE_STEP 1e-6
#define TOLERANCE 1e-5

/* Random numbers in (-1, 1), the same every time. */
static double noise(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

typedef struct difference {
  double plus, minus, minus_to_plus; /* slopes */
} difference;

static difference slopes(double before, double at, double after, double h) {
  return (difference){(after - at) / h, (at - before) / h, (after - before) / (2.0 * h)};
}

/* 0 agrees, 1 agrees with one side of a kink, 2 wrong. unit: size of a slope that matters. */
static int judge(double analytic, difference d, double unit) {
  double room = TOLERANCE * (unit + fabs(analytic));
  if (fabs(analytic - d.minus_to_plus) <= room) return 0;
  if (fabs(d.plus - d.minus) > room && (fabs(analytic - d.plus) <= room || fabs(analytic - d.minus) <= room)) return 1;
  return 2;
}

static fw_step_out with_derivatives(fw_law_probe *p, double *T_x) {
  return (fw_step_out){.z = p->next, .z_x = p->z_x, .z_z = p->z_z, .T_x = T_x, .T_z = p->T_z};
}

/* T and z of a step where one input or old state (index from FW_STEP_INPUTS on) is moved by h. */
static double moved_step(fw_law_probe *p, fw_step_in in, double *z_old, int index, double h, double *z) {
  fw_step_out out = {.z = z};
  double *where = index < FW_STEP_INPUTS ? &in.x[index] : &z_old[index - FW_STEP_INPUTS], kept = *where;
  *where += h;
  fw_friction_step(p->law, &in, z_old, &out);
  *where = kept;
  return out.T;
}

static double column_scale(const fw_law_probe *p, int index) {
  const double x[FW_STEP_INPUTS] = {p->reach, p->speed, p->speed, p->N, p->N};
  return index < FW_STEP_INPUTS ? x[index] : fw_friction_scale(p->law, p->N, index - FW_STEP_INPUTS);
}

/* Counts disagreements of one column; says the first. */
static int judge_column(fw_law_probe *p, const fw_step_in *in, int index, const double *T_x, int *kinks) {
  int n = p->law->states, state = index - FW_STEP_INPUTS, wrong = 0;
  double before[MOST_ROWS], after[MOST_ROWS], at[MOST_ROWS], scale = column_scale(p, index), h = RELATIVE_STEP * scale;
  if (n > MOST_ROWS) return 0;
  double T_at = moved_step(p, *in, p->z, index, 0.0, at), T_before = moved_step(p, *in, p->z, index, -h, before);
  double T_after = moved_step(p, *in, p->z, index, h, after);
  double T_analytic = state < 0 ? T_x[index] : p->T_z[state];
  int verdict = judge(T_analytic, slopes(T_before, T_at, T_after, h), p->peak / scale);
  if (verdict == 2) {
    difference d = slopes(T_before, T_at, T_after, h);
    snprintf(p->message, sizeof p->message, "dT/d(%d): %.9g, differences %.9g %.9g", index, T_analytic, d.minus,
             d.plus);
    wrong++;
  }
  *kinks += verdict == 1;
  for (int i = 0; i < n; i++) {
    bool diagonal = fw_friction_uncoupled(p->law);
    double analytic = state < 0  ? p->z_x[i * FW_STEP_INPUTS + index]
                      : diagonal ? (i == state ? p->z_z[i] : 0.0)
                                 : p->z_z[i * n + state];
    difference d = slopes(before[i], at[i], after[i], h);
    verdict = judge(analytic, d, fw_friction_scale(p->law, p->N, i) / scale);
    if (verdict == 2) {
      snprintf(p->message, sizeof p->message, "dz%d/d(%d): %.9g, differences %.9g %.9g", i, index, analytic, d.minus,
               d.plus);
      wrong++;
    }
    *kinks += verdict == 1;
  }
  return wrong;
}

/* A rough ride: slips of all sizes, turns, changing N; every third step is quasi-static. */
static fw_step_in ride_step(const fw_law_probe *p, int k, double *v, double *N, unsigned *seed) {
  fw_step_in in = {.dt = k % 3 == 2 ? 0.0 : p->reach / p->speed * (0.02 + 0.2 * fabs(noise(seed)))};
  double v0 = *v, N0 = *N, push = noise(seed);
  *v = p->speed * (fabs(push) > 0.3 ? push * push * push * 3.0 : 0.2 * push);
  *N = p->N * (1.0 + 0.5 * noise(seed));
  in.x[FW_STEP_DU] = in.dt > 0.0 ? 0.5 * in.dt * (v0 + *v) * (1.0 + 0.01 * noise(seed)) : p->reach * noise(seed);
  in.x[FW_STEP_V0] = in.dt > 0.0 ? v0 : 0.0;
  in.x[FW_STEP_V1] = in.dt > 0.0 ? *v : 0.0;
  in.x[FW_STEP_N0] = N0;
  in.x[FW_STEP_N1] = *N;
  return in;
}

const char *fw_check_step_derivatives(fw_law_probe *p) {
  unsigned seed = 7;
  int columns = FW_STEP_INPUTS + p->law->states, kinks = 0, judged = 0;
  double v = 0.0, N = p->N, T_x[FW_STEP_INPUTS];
  fw_friction_reset(p->law, p->z);
  for (int k = 0; k < SAMPLES; k++) {
    fw_step_in in = ride_step(p, k, &v, &N, &seed);
    fw_step_out out = with_derivatives(p, T_x);
    fw_friction_step(p->law, &in, p->z, &out);
    for (int j = 0; j < columns; j++, judged += 1 + p->law->states) {
      if (in.dt == 0.0 && (j == FW_STEP_V0 || j == FW_STEP_V1)) continue; /* both are 0 there by definition */
      if (judge_column(p, &in, j, T_x, &kinks)) return p->message;
    }
    memcpy(p->z, p->next, (size_t)p->law->states * sizeof *p->z);
  }
  if (kinks * 20 > judged) return "more than 5 % of the derivatives were taken at kinks: nothing is shown";
  return NULL;
}

/* ---- rate face --------------------------------------------------------------------------- */

/* zdot and T where v, N (index 0, 1) or a state is moved by h. */
static double moved_rate(fw_law_probe *p, fw_rate_in in, double *z, int index, double h, double *zdot) {
  fw_rate_out out = {.zdot = zdot};
  double *where = index == 0 ? &in.v : index == 1 ? &in.N : &z[index - 2], kept = *where;
  *where += h;
  fw_friction_rate(p->law, &in, z, &out);
  *where = kept;
  return out.T;
}

static bool rate_column_wrong(fw_law_probe *p, fw_rate_in in, int index, const fw_rate_out *out) {
  int n = p->law->states;
  double scale = index == 0 ? p->speed : index == 1 ? p->N : fw_friction_scale(p->law, p->N, index - 2);
  double h = RELATIVE_STEP * scale, before[16], at[16], after[16];
  double T_before = moved_rate(p, in, p->z, index, -h, before), T_at = moved_rate(p, in, p->z, index, 0.0, at);
  double T_after = moved_rate(p, in, p->z, index, h, after);
  double analytic = index == 0 ? out->T_v : index == 1 ? out->T_N : out->T_z[index - 2];
  if (judge(analytic, slopes(T_before, T_at, T_after, h), p->peak / scale) == 2) {
    snprintf(p->message, sizeof p->message, "rate face: dT/d(%d) is %.9g, differences say %.9g", index, analytic,
             (T_after - T_before) / (2.0 * h));
    return true;
  }
  for (int i = 0; i < n; i++) {
    analytic = index == 0 ? out->zdot_v[i] : index == 1 ? out->zdot_N[i] : out->zdot_z[i * n + index - 2];
    double rate = p->speed / p->reach * fw_friction_scale(p->law, p->N, i);
    if (judge(analytic, slopes(before[i], at[i], after[i], h), rate / scale) < 2) continue;
    snprintf(p->message, sizeof p->message, "rate face: d(dz%d/dt)/d(%d) is %.9g, differences say %.9g", i, index,
             analytic, (after[i] - before[i]) / (2.0 * h));
    return true;
  }
  return false;
}

const char *fw_check_rate_derivatives(fw_law_probe *p) {
  if (!p->law->ops->rate) return NULL;
  int n = p->law->states;
  if (n > 16) return "more than 16 states with a rate face";
  unsigned seed = 11;
  double zdot[16], zdot_z[256], zdot_v[16], zdot_N[16], T_z[16];
  for (int k = 0; k < SAMPLES; k++) {
    double push = noise(&seed);
    fw_rate_in in = {3.0 * p->speed * push * push * push, p->N * (1.0 + 0.5 * noise(&seed))};
    for (int i = 0; i < n; i++) p->z[i] = 0.9 * noise(&seed) * fw_friction_scale(p->law, p->N, i);
    fw_rate_out out = {.zdot = zdot, .zdot_z = zdot_z, .zdot_v = zdot_v, .zdot_N = zdot_N, .T_z = T_z};
    fw_friction_rate(p->law, &in, p->z, &out);
    for (int j = 0; j < 2 + n; j++)
      if (rate_column_wrong(p, in, j, &out)) return p->message;
  }
  return NULL;
}

/* ---- limit face -------------------------------------------------------------------------- */

static fw_limit_out limit_at(const fw_law_probe *p, double v, double N) {
  return fw_friction_limit(p->law, v, N, NULL);
}

const char *fw_check_limit_derivatives(fw_law_probe *p) {
  if (!p->law->ops->limit) return NULL;
  unsigned seed = 13;
  for (int k = 0; k < SAMPLES; k++) {
    double push = noise(&seed), v = p->speed * (3.0 * push * push * push + (push < 0.0 ? -0.01 : 0.01)),
           N = p->N * (1.0 + 0.5 * noise(&seed));
    double dv = RELATIVE_STEP * p->speed, dN = RELATIVE_STEP * p->N;
    fw_limit_out at = limit_at(p, v, N), v0 = limit_at(p, v - dv, N), v1 = limit_at(p, v + dv, N);
    fw_limit_out N0 = limit_at(p, v, N - dN), N1 = limit_at(p, v, N + dN);
    if (judge(at.slip_v, slopes(v0.slip, at.slip, v1.slip, dv), p->peak / p->speed) == 2)
      return "limit face: d slip/dv";
    if (judge(at.slip_N, slopes(N0.slip, at.slip, N1.slip, dN), p->peak / p->N) == 2) return "limit face: d slip/dN";
    if (judge(at.stick_plus_N, slopes(N0.stick_plus, at.stick_plus, N1.stick_plus, dN), p->peak / p->N) == 2 ||
        judge(at.stick_minus_N, slopes(N0.stick_minus, at.stick_minus, N1.stick_minus, dN), p->peak / p->N) == 2)
      return "limit face: d stick/dN";
  }
  return NULL;
}
