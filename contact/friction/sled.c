/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sled.h"

#include <math.h>
#include <stdlib.h>

fw_status fw_sled_create(fw_context *ctx, const fw_friction *law, double mass, double stiffness, fw_sled *sled) {
  size_t n = (size_t)law->states;
  *sled = (fw_sled){.law = law, .mass = mass, .stiffness = stiffness};
  FW_TRY(fw_alloc(ctx, 2 * n + FW_STEP_INPUTS + n + n * FW_STEP_INPUTS + n * n, sizeof(double), &sled->z));
  sled->trial = sled->z + n;
  sled->derivatives = sled->trial + n;
  fw_friction_reset(law, sled->z);
  return FW_OK;
}

void fw_sled_clear(fw_sled *sled) {
  free(sled->z);
  *sled = (fw_sled){0};
}

/* Generalised-alpha with spectral radius 0.8 at infinity. */
#define RADIUS 0.8
#define ALPHA_M ((2.0 * RADIUS - 1.0) / (RADIUS + 1.0))
#define ALPHA_F (RADIUS / (RADIUS + 1.0))
#define GAMMA (0.5 - ALPHA_M + ALPHA_F)
#define BETA (0.25 * (1.0 - ALPHA_M + ALPHA_F) * (1.0 - ALPHA_M + ALPHA_F))

typedef struct balance {
  const fw_sled *s;
  double dt, end, N0, N1;
  double x, v, T, slope; /* at the trial acceleration; slope: d residual / d a */
} balance;

/* Residual (1 - am) m a1 + am m a0 + (1 - af) F1 + af F0, F = k (x - end) + T, over m. */
static double residual(balance *b, double a) {
  const fw_sled *s = b->s;
  size_t n = (size_t)s->law->states;
  double dt = b->dt, *T_x = s->derivatives;
  b->x = s->x + dt * s->v + dt * dt * ((0.5 - BETA) * s->a + BETA * a);
  b->v = s->v + dt * ((1.0 - GAMMA) * s->a + GAMMA * a);
  fw_step_in in = {.x = {b->x - s->x, s->v, b->v, b->N0, b->N1}, .dt = dt};
  fw_step_out out = {.z = s->trial, .T_x = T_x, .T_z = T_x + FW_STEP_INPUTS};
  out.z_x = out.T_z + n;
  out.z_z = out.z_x + n * FW_STEP_INPUTS;
  fw_friction_step(s->law, &in, s->z, &out);
  b->T = out.T;
  double force = s->stiffness * (b->x - b->end) + out.T, before = s->stiffness * (s->x - s->end) + s->T;
  double force_a = (s->stiffness + T_x[FW_STEP_DU]) * BETA * dt * dt + T_x[FW_STEP_V1] * GAMMA * dt;
  b->slope = (1.0 - ALPHA_M) + (1.0 - ALPHA_F) * force_a / s->mass;
  return (1.0 - ALPHA_M) * a + ALPHA_M * s->a + ((1.0 - ALPHA_F) * force + ALPHA_F * before) / s->mass;
}

/* Newton, kept inside a bracket once there is one: friction has kinks and jumps. */
static bool find_balance(balance *b, double *acceleration) {
  enum { ITERATIONS = 200 };
  double a = b->s->a, low = -INFINITY, high = INFINITY;
  double unit =
      (b->s->stiffness * (fabs(b->s->x - b->end) + fabs(b->s->v) * b->dt) + fabs(b->s->T) + fabs(b->N1)) / b->s->mass;
  for (int i = 0; i < ITERATIONS; i++) {
    double r = residual(b, a);
    *acceleration = a;
    if (!isfinite(r)) return false;
    if (fabs(r) <= 1e-12 * unit) return true;
    if (r < 0.0)
      low = a;
    else
      high = a;
    double next = b->slope > 0.0 ? a - r / b->slope : NAN;
    bool bracketed = isfinite(low) && isfinite(high);
    if (bracketed && high - low <= 1e-15 * (fabs(low) + fabs(high))) return true; /* on a jump of T */
    if (!isfinite(next) || (bracketed && (next <= low || next >= high || i % 8 == 7)))
      next = bracketed ? 0.5 * (low + high) : a + (r < 0.0 ? unit : -unit) * (1 + i);
    a = next;
  }
  return false;
}

fw_status fw_sled_step(fw_context *ctx, fw_sled *s, double dt, double end, double N0, double N1) {
  balance b = {.s = s, .dt = dt, .end = end, .N0 = N0, .N1 = N1};
  double a;
  if (!find_balance(&b, &a)) return fw_fail(ctx, FW_RECOVER_DIVERGED, "sled: no balance at x = %g m", s->x);
  for (int i = 0; i < s->law->states; i++) s->z[i] = s->trial[i];
  s->x = b.x;
  s->v = b.v;
  s->a = a;
  s->T = b.T;
  s->end = end;
  return FW_OK;
}
