/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step of a law that has only rates, z' = f(z, v, N): two implicit stages with the same gamma = 1 - 1/sqrt 2, second
 * order and L-stable (Alexander 1977, SIAM J. Numer. Anal. 14(6)),
 *
 *   Z_a = z0 + gamma h f(Z_a, v_a, N_a)
 *   z1  = z0 + (1 - gamma) h f(Z_a, v_a, N_a) + gamma h f(z1, v1, N1)
 *
 * with N_a at gamma h, and v_a such that the slip is the one given: (1 - gamma) v_a + gamma v1 = du/h. Derivatives are
 * those of the solved stages (implicit function theorem), with the factors that Newton's method has left. */
#include <assert.h>
#include <string.h>

#include "contact/friction/derived.h"
#include "contact/friction/law.h"

enum { MOST = FW_RATE_STATES, COLUMNS = FW_STEP_INPUTS + MOST };
static const double gamma_ = 0.29289321881345247560; /* 1 - 1/sqrt 2 */

/* One implicit stage Z = base + weight f(Z, v, N), weight = gamma h. */
typedef struct stage {
  double v, N, weight;
  double Z[MOST];
  double f[MOST], f_z[MOST * MOST], f_v[MOST], f_N[MOST], T_z[MOST];
  fw_rate_out out;
  double lu[MOST * MOST]; /* factors of I - weight f_z */
  int pivot[MOST];
} stage;

static void stage_evaluate(const fw_friction_ops *ops, const double *c, stage *s) {
  s->out = (fw_rate_out){.zdot = s->f, .zdot_z = s->f_z, .zdot_v = s->f_v, .zdot_N = s->f_N, .T_z = s->T_z};
  ops->rate(c, &(fw_rate_in){s->v, s->N}, s->Z, &s->out);
}

/* Gaussian elimination with row exchanges of the tiny matrix I - weight f_z. */
static void stage_factor(stage *s, int n) {
  for (int i = 0; i < n * n; i++) s->lu[i] = (i % (n + 1) == 0) - s->weight * s->f_z[i];
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(s->lu[i * n + k]) > fabs(s->lu[p * n + k])) p = i;
    s->pivot[k] = p;
    for (int j = 0; p != k && j < n; j++) {
      double swap = s->lu[k * n + j];
      s->lu[k * n + j] = s->lu[p * n + j];
      s->lu[p * n + j] = swap;
    }
    for (int i = k + 1; i < n && s->lu[k * n + k] != 0.0; i++) {
      double factor = s->lu[i * n + k] /= s->lu[k * n + k];
      for (int j = k + 1; j < n; j++) s->lu[i * n + j] -= factor * s->lu[k * n + j];
    }
  }
}

static void stage_solve(const stage *s, int n, double *b) {
  for (int k = 0; k < n; k++) {
    double swap = b[k];
    b[k] = b[s->pivot[k]];
    b[s->pivot[k]] = swap;
    for (int i = k + 1; i < n; i++) b[i] -= s->lu[i * n + k] * b[k];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= s->lu[i * n + j] * b[j];
    if (s->lu[i * n + i] != 0.0) b[i] /= s->lu[i * n + i];
  }
}

/* Residual Z - base - weight f; returns its largest part in units of `scale`. */
static double stage_residual(const stage *s, int n, const double *base, const double *scale, double *r) {
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    r[i] = s->Z[i] - base[i] - s->weight * s->f[i];
    worst = fmax(worst, fabs(r[i]) / scale[i]);
  }
  return worst;
}

/* Damped Newton from Z as it stands; leaves f, its derivatives and the factors at the solution. */
static void stage_converge(const fw_friction_ops *ops, const double *c, int n, const double *base, const double *scale,
                           stage *s) {
  enum { ITERATIONS = 40, HALVINGS = 12 };
  double r[MOST], step[MOST], from[MOST];
  stage_evaluate(ops, c, s);
  double size = stage_residual(s, n, base, scale, r);
  for (int k = 0; k < ITERATIONS && size > 1e-15; k++) {
    stage_factor(s, n);
    for (int i = 0; i < n; i++) step[i] = r[i], from[i] = s->Z[i];
    stage_solve(s, n, step);
    double before = size, damping = 1.0;
    for (int halving = 0; halving < HALVINGS; halving++, damping *= 0.5) {
      for (int i = 0; i < n; i++) s->Z[i] = from[i] - damping * step[i];
      stage_evaluate(ops, c, s);
      size = stage_residual(s, n, base, scale, r);
      if (size < before) break;
    }
    if (!(size < 0.5 * before) && size < 1e-12) break; /* rounding reached */
  }
  stage_factor(s, n);
}

/* Derivatives of a stage's Z: solves (I - weight f_z) dZ = dbase + weight (f_v dv + f_N dN) + f dweight. */
static void stage_differentiate(const stage *s, int n, const double *dbase, double dv, double dN, double dweight,
                                double *dZ) {
  for (int i = 0; i < n; i++) dZ[i] = dbase[i] + s->weight * (s->f_v[i] * dv + s->f_N[i] * dN) + s->f[i] * dweight;
  stage_solve(s, n, dZ);
}

/* How the stages' velocities, normal forces and the step depend on the inputs. */
typedef struct stage_inputs {
  double h, h_du;
  double va, va_du, va_v1, vb, vb_v1, Na;
} stage_inputs;

static stage_inputs rate_step_inputs(const fw_step_in *in) {
  double du = in->x[FW_STEP_DU], v1 = in->x[FW_STEP_V1];
  stage_inputs p = {.Na = (1.0 - gamma_) * in->x[FW_STEP_N0] + gamma_ * in->x[FW_STEP_N1]};
  if (in->dt > 0.0) {
    p.h = in->dt;
    p.va_du = 1.0 / (p.h * (1.0 - gamma_));
    p.va_v1 = -gamma_ / (1.0 - gamma_);
    p.va = p.va_du * du + p.va_v1 * v1;
    p.vb = v1;
    p.vb_v1 = 1.0;
  } else {
    p.h = fabs(du) / FW_CREEP_SPEED;
    p.h_du = fw_sign(du) / FW_CREEP_SPEED;
    p.va = p.vb = fw_sign(du) * FW_CREEP_SPEED;
  }
  return p;
}

/* Column `column` of d(inputs, old states): the derivative of z1 and T. */
static void rate_step_column(const stage *a, const stage *b, int n, const stage_inputs *p, int column, double *dz,
                             double *dT) {
  double old[MOST] = {0}, dbase[MOST], da[MOST];
  double dva = 0.0, dvb = 0.0, dNa = 0.0, dNb = 0.0, dweight = 0.0;
  if (column >= FW_STEP_INPUTS) old[column - FW_STEP_INPUTS] = 1.0;
  if (column == FW_STEP_DU) {
    dva = p->va_du;
    dweight = gamma_ * p->h_du;
  } else if (column == FW_STEP_V1) {
    dva = p->va_v1;
    dvb = p->vb_v1;
  } else if (column == FW_STEP_N0) {
    dNa = 1.0 - gamma_;
  } else if (column == FW_STEP_N1) {
    dNa = gamma_;
    dNb = 1.0;
  }
  stage_differentiate(a, n, old, dva, dNa, dweight, da);
  for (int i = 0; i < n; i++) dbase[i] = old[i] + (1.0 - gamma_) / gamma_ * (da[i] - old[i]);
  stage_differentiate(b, n, dbase, dvb, dNb, dweight, dz);
  *dT = b->out.T_v * dvb + b->out.T_N * dNb;
  for (int i = 0; i < n; i++) *dT += b->T_z[i] * dz[i];
}

static void rate_step_derivatives(const fw_friction_ops *ops, const stage *a, const stage *b, int n,
                                  const stage_inputs *p, fw_step_out *out) {
  double dz[MOST], dT;
  for (int j = 0; j < FW_STEP_INPUTS; j++) {
    rate_step_column(a, b, n, p, j, dz, &out->T_x[j]);
    for (int i = 0; i < n; i++) out->z_x[i * FW_STEP_INPUTS + j] = dz[i];
  }
  for (int j = 0; j < n; j++) {
    rate_step_column(a, b, n, p, FW_STEP_INPUTS + j, dz, &dT);
    out->T_z[j] = dT;
    for (int i = 0; i < n; i++)
      if (!ops->uncoupled)
        out->z_z[i * n + j] = dz[i];
      else if (i == j)
        out->z_z[i] = dz[i];
  }
}

/* In an equilibrium nothing moves, whichever way it was reached: the force is that of the states at v = 0. With the creep's
 * velocity a viscous part would jump where du changes its sign. */
static void take_force_at_rest(const fw_friction_ops *ops, const double *c, stage *s) {
  stage rest = *s;
  rest.v = 0.0;
  stage_evaluate(ops, c, &rest);
  s->out.T = rest.out.T;
  s->out.T_N = rest.out.T_N;
  memcpy(s->T_z, rest.T_z, sizeof s->T_z);
}

void fw_rate_step(const fw_friction_ops *ops, const double *c, int states, const fw_step_in *in, const double *z_old,
                  fw_step_out *out) {
  assert(states <= MOST);
  int n = states;
  stage_inputs p = rate_step_inputs(in);
  double base[MOST] = {0}, scale[MOST] = {0};
  for (int i = 0; i < n; i++) scale[i] = ops->scale ? ops->scale(c, in->x[FW_STEP_N1], i) : 1.0;
  stage a, b;
  a.v = p.va, a.N = p.Na, b.v = p.vb, b.N = in->x[FW_STEP_N1];
  a.weight = b.weight = gamma_ * p.h;
  for (int i = 0; i < n; i++) a.Z[i] = z_old[i];
  stage_converge(ops, c, n, z_old, scale, &a);
  for (int i = 0; i < n; i++) {
    base[i] = z_old[i] + (1.0 - gamma_) / gamma_ * (a.Z[i] - z_old[i]);
    b.Z[i] = a.Z[i];
  }
  stage_converge(ops, c, n, base, scale, &b);
  if (!(in->dt > 0.0)) take_force_at_rest(ops, c, &b);
  for (int i = 0; i < n; i++) out->z[i] = b.Z[i];
  out->T = b.out.T;
  if (fw_step_wants(out)) rate_step_derivatives(ops, &a, &b, n, &p, out);
}
