/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States: deflection z = u - u_0 while stuck, direction of slip (0: stuck). */
#include "contact/friction/sliding.h"

enum { MU, MU_MINUS, STIFFNESS, DAMPING, CONSTANTS };

static const fw_param damper_params[] = {
    {"mu", FW_PARAM_NUMBER, "", "0.5", 0, 10, NULL, "coefficient of friction"},
    {"mu-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "coefficient for v < 0 (absent: mu)"},
    {"k-a", FW_PARAM_NUMBER, "N/m", "1e7", 1e-6, 1e15, NULL, "adherence stiffness"},
    {"c-a", FW_PARAM_NUMBER, "N s/m", "100", 0, 1e12, NULL, "adherence damping"},
    FW_PARAMS_END};

static int damper_pack(const fw_given *given, double *c) {
  if (c) {
    fw_pack_sides(given, 1, c);
    c[STIFFNESS] = given[STIFFNESS].values[0];
    c[DAMPING] = given[DAMPING].values[0];
  }
  return CONSTANTS;
}

static void damper_slip(const double *c, double direction, double N, fw_step_out *out) {
  double mu = direction * c[fw_side(direction)];
  out->z[0] = 0.0;
  out->z[1] = direction;
  out->T = mu * N;
  if (fw_step_wants(out)) out->T_x[FW_STEP_N1] = mu;
}

/* The deflection that N lets stand: T = limit. Only where T opposes a return, so that cutting back is passive. */
static void damper_cut(const double *c, double T, const fw_step_in *in, fw_step_out *out) {
  double mu = fw_sign(T) * c[fw_side(T)];
  out->T = mu * in->x[FW_STEP_N1];
  out->z[0] = (out->T - c[DAMPING] * in->x[FW_STEP_V1]) / c[STIFFNESS];
  out->z[1] = 0.0;
  if (!fw_step_wants(out)) return;
  out->T_x[FW_STEP_N1] = mu;
  out->z_x[FW_STEP_N1] = mu / c[STIFFNESS];
  out->z_x[FW_STEP_V1] = -c[DAMPING] / c[STIFFNESS];
}

/* Stuck: deflection z = keep * (old one) + turn.after. */
static void damper_hold(const double *c, double z, double T, double keep, const fw_reversal *turn, fw_step_out *out) {
  out->z[0] = z;
  out->z[1] = 0.0;
  out->T = T;
  if (!fw_step_wants(out)) return;
  out->z_z[0] = keep;
  out->T_z[0] = keep * c[STIFFNESS];
  out->z_x[FW_STEP_DU] = turn->after_du;
  out->z_x[FW_STEP_V0] = turn->after_v0;
  out->z_x[FW_STEP_V1] = turn->after_v1;
  for (int j = 0; j < FW_STEP_INPUTS; j++) out->T_x[j] = c[STIFFNESS] * out->z_x[j];
  out->T_x[FW_STEP_V1] += c[DAMPING];
}

static void damper_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  double v = in->x[FW_STEP_V1], N = in->x[FW_STEP_N1], was = fw_direction(z_old[1]), keep = was == 0.0;
  fw_reversal turn = {.turned = true, .after = in->x[FW_STEP_DU], .after_du = 1.0};
  if (was != 0.0) turn = fw_find_reversal(in, was);
  if (fw_step_wants(out)) fw_step_zero(out, 2, 2);
  double z = keep * z_old[0] + turn.after, T = c[STIFFNESS] * z + c[DAMPING] * v;
  if (!turn.turned)
    damper_slip(c, was, N, out);
  else if (fabs(T) <= c[fw_side(T)] * N)
    damper_hold(c, z, T, keep, &turn, out);
  else if (v * T < 0.0)
    damper_cut(c, T, in, out);
  else
    damper_slip(c, fw_sign(T), N, out);
}

static double damper_scale(const double *c, double N, int state) {
  return state == 0 ? c[MU] * N / c[STIFFNESS] + 1e-15 : 1.0;
}

const fw_friction_ops fw_friction_spring_damper = {
    .entry =
        {"spring-damper", "a spring and a damper hold the contact while it sticks",
         "stick: T = K_a (u - u_0) + C_a v while |T| <= mu N, u_0 where v passed zero at the end of the last slip\n"
         "slip: T = mu N sgn v",
         "Antunes, Axisa, Beaufils, Guilbaud 1990, J. Fluids Struct. 4", damper_params},
    .pack = damper_pack,
    .fixed_states = 2,
    .uncoupled = true,
    .step = damper_step,
    .scale = damper_scale,
    .claims = "periodic presliding memory drift-free no-creep"};
