/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws of bristles: what they share, and LuGre in its two forms. */
#ifndef FW_CONTACT_FRICTION_BRISTLES_H
#define FW_CONTACT_FRICTION_BRISTLES_H

#include "contact/friction/stribeck.h"

/* ---- bristles -------------------------------------------------------------------------------------------- */

/* What lugre, lugre-normalised and elasto-plastic share: the curve s(v, N) they run into and the force
 * T = scale (sigma_0 z + sigma_1 dz/dt + sigma_2 v). */

/* Constants after those of the Stribeck curve. */
enum { FW_SIGMA_0 = FW_STRIBECK_COUNT, FW_SIGMA_1, FW_SIGMA_2, FW_SIGMA_1_MINUS, FW_SIGMA_2_MINUS, FW_BRISTLE_COUNT };

/* The parameters of both dampings for v < 0. */
#define FW_SIGMA_MINUS_PARAMS(unit)                                                                                  \
  {"sigma-1-minus", FW_PARAM_NUMBER, unit, "", 0, 1e12, NULL, "bristle damping for v < 0 (absent: as for v > 0)"}, { \
    "sigma-2-minus", FW_PARAM_NUMBER, unit, "", 0, 1e12, NULL, "viscous friction for v < 0 (absent: as for v > 0)"   \
  }

static inline int fw_bristles_pack(const fw_given *given, double *c) {
  fw_stribeck_pack(given, c);
  for (int i = FW_SIGMA_0; c && i <= FW_SIGMA_2; i++) c[i] = given[i].values[0];
  for (int i = FW_SIGMA_1; c && i <= FW_SIGMA_2; i++) c[i + 2] = fw_first_given(given[i + 2], c[i]);
  return FW_BRISTLE_COUNT;
}

/* Dampings on the side of v: dz/dt and v vanish with v, so that T does not jump. */
static inline double fw_bristle_sigma_1(const double *c, double v) {
  return c[v < 0.0 ? FW_SIGMA_1_MINUS : FW_SIGMA_1];
}
static inline double fw_bristle_sigma_2(const double *c, double v) {
  return c[v < 0.0 ? FW_SIGMA_2_MINUS : FW_SIGMA_2];
}

/* s, a = |v|/s and their derivatives. */
typedef struct fw_stribeck_point {
  double s, s_v, s_N, a, a_v, a_N;
} fw_stribeck_point;

/* normalised: s without N. */
static inline fw_stribeck_point fw_bristle_curve(const double *c, double v, double N, bool normalised) {
  fw_stribeck_point k;
  double mu_v, mu = fw_stribeck_mu(c, v, &mu_v), slope = 0.0, force = normalised ? 1.0 : fw_least_force(N, &slope);
  k.s = mu * force;
  k.s_v = mu_v * force;
  k.s_N = mu * slope;
  k.a = fabs(v) / k.s;
  k.a_v = (fw_sign(v) - k.a * k.s_v) / k.s;
  k.a_N = -k.a * k.s_N / k.s;
  return k;
}

/* sigma_1 or, if `passive`, sigma_1/(1 + sigma_1 a/4), with its derivative with respect to a. */
static inline double fw_bristle_damping(double sigma, double a, bool passive, double *damping_a) {
  double reduction = passive ? 1.0 / (1.0 + 0.25 * sigma * a) : 1.0;
  *damping_a = passive ? -0.25 * sigma * sigma * reduction * reduction : 0.0;
  return sigma * reduction;
}

/* dz/dt and T at a point, with their derivatives. */
typedef struct fw_bristle_force {
  double zdot, zdot_z, zdot_v, zdot_N, T, T_z, T_v, T_N;
} fw_bristle_force;

static inline void fw_bristle_rate(const fw_bristle_force *f, fw_rate_out *out) {
  out->zdot[0] = f->zdot;
  out->T = f->T;
  if (!fw_rate_wants(out)) return;
  out->zdot_z[0] = f->zdot_z;
  out->zdot_v[0] = f->zdot_v;
  out->zdot_N[0] = f->zdot_N;
  out->T_z[0] = f->T_z;
  out->T_v = f->T_v;
  out->T_N = f->T_N;
}

/* Derivatives of T at the end of a step from those of z, which are in `out`. */
static inline void fw_bristle_chain(const fw_bristle_force *f, fw_step_out *out) {
  out->T_z[0] = f->T_z * out->z_z[0];
  for (int j = 0; j < FW_STEP_INPUTS; j++) out->T_x[j] = f->T_z * out->z_x[j];
  out->T_x[FW_STEP_V1] += f->T_v;
  out->T_x[FW_STEP_N1] += f->T_N;
}

/* ---- lugre ----------------------------------------------------------------------------------------------- */

/* The LuGre law in its two forms, forces absolute or per unit of normal force. */

enum { FW_LUGRE_PASSIVE = FW_BRISTLE_COUNT, FW_LUGRE_COUNT };

int fw_lugre_pack(const fw_given *given, double *c);
void fw_lugre_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out, bool normalised);
void fw_lugre_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out, bool normalised);

#endif
