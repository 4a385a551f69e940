/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/slider.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where it is, and the resultant of spring and friction. */
typedef struct moment {
  double t, x, v, force;
  double *z; /* of the law */
} moment;

/* Room for one step of the law. */
typedef struct trial {
  double *block;
  fw_step_out out;
  double T_x[FW_STEP_INPUTS];
} trial;

static fw_status open_trial(fw_context *ctx, int states, trial *r, double **z) {
  size_t n = (size_t)states;
  FW_TRY(fw_alloc(ctx, n * (n + FW_STEP_INPUTS + 3) + 1, sizeof *r->block, &r->block));
  *z = r->block;
  r->out.z = *z + n;
  r->out.T_z = r->out.z + n;
  r->out.z_x = r->out.T_z + n;
  r->out.z_z = r->out.z_x + n * FW_STEP_INPUTS;
  r->out.T_x = r->T_x;
  return FW_OK;
}

/* The spring's force less friction at the end of a step that ends with velocity v, and its derivative by v. */
static double force_at(const fw_slider *s, const fw_friction *law, const moment *m, double h, double v, trial *r,
                       double *slope) {
  double du = 0.5 * h * (m->v + v), k = s->stiffness;
  const fw_step_in in = {.x = {du, m->v, v, s->normal, s->normal}, .dt = h};
  fw_friction_step(law, &in, m->z, &r->out);
  *slope = -0.5 * h * (k + r->T_x[FW_STEP_DU]) - r->T_x[FW_STEP_V1];
  return k * (s->speed * (m->t + h) - m->x - du) - r->out.T;
}

/* m (v1 - v0)/h = (F0 + F1)/2 for v1 by Newton's method. */
static bool advance(const fw_slider *s, const fw_friction *law, double h, moment *m, trial *r) {
  enum { MOST = 40 };
  double v = m->v + h * m->force / s->mass, slope, force = force_at(s, law, m, h, v, r, &slope), change = INFINITY;
  for (int i = 0; i < MOST && fabs(change) > 1e-12 * (fabs(v) + s->speed); i++) {
    double rest = s->mass * (v - m->v) - 0.5 * h * (m->force + force);
    change = -rest / (s->mass - 0.5 * h * slope);
    v += i < MOST / 2 ? change : 0.5 * change; /* two sides of a kink: between them */
    force = force_at(s, law, m, h, v, r, &slope);
  }
  if (!isfinite(force) || fabs(change) > 1e-6 * (fabs(v) + s->speed)) return false;
  m->t += h;
  m->x += 0.5 * h * (m->v + v);
  m->v = v;
  m->force = force;
  memcpy(m->z, r->out.z, (size_t)law->states * sizeof *m->z);
  return true;
}

fw_status fw_slider_move(fw_context *ctx, const fw_slider *s, const fw_friction *law, size_t count, const double *t,
                         double *x) {
  moment m = {0};
  trial r = {0};
  bool moves = true;
  FW_TRY(open_trial(ctx, law->states, &r, &m.z));
  fw_friction_reset(law, m.z);
  x[0] = 0.0;
  for (size_t i = 1; i < count && moves; i++) {
    double parts = fmax(ceil((t[i] - t[i - 1]) / s->step), 1.0);
    for (int k = 0; k < (int)parts && moves; k++) moves = advance(s, law, (t[i] - t[i - 1]) / parts, &m, &r);
    x[i] = m.x;
  }
  free(r.block);
  return moves ? FW_OK : FW_RECOVER_NAN;
}
