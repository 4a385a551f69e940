/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/derived.h"
#include "contact/friction/law.h"

/* The limit as seen from one side: forces positive in its direction. */
typedef struct stick_side {
  double sign;
  double stick, stick_N;
  double slip, slip_v, slip_N;
} stick_side;

/* A velocity on the side of `sign`: v itself or next to nothing. */
static double side_velocity(double sign, double v) {
  if (sign > 0.0) return v > 0.0 ? v : 0.0;
  return v < 0.0 ? v : -1e-300;
}

static stick_side stick_look(const fw_friction_ops *ops, const double *c, double sign, double v, double N) {
  fw_limit_out limit;
  double on_side = side_velocity(sign, v);
  ops->limit(c, on_side, N, NULL, &limit);
  stick_side side = {.sign = sign,
                     .stick = sign > 0.0 ? limit.stick_plus : limit.stick_minus,
                     .stick_N = sign > 0.0 ? limit.stick_plus_N : limit.stick_minus_N,
                     .slip = sign * limit.slip,
                     .slip_v = on_side == v ? sign * limit.slip_v : 0.0,
                     .slip_N = sign * limit.slip_N};
  return side;
}

/* Whether the elastic force |z| stick/u_crit is more than can be held. */
static bool stick_gives_way(const fw_friction_ops *ops, const double *c, const stick_side *side, double u_crit,
                            double z, double N, bool slipping) {
  double force = fabs(z) * side->stick / u_crit;
  if (slipping || force <= side->slip) return force > side->slip;
  fw_limit_out rest;
  ops->limit(c, side_velocity(side->sign, 0.0), N, NULL, &rest);
  return force > side->slip + side->stick - side->sign * rest.slip;
}

static void stick_slip(const stick_side *side, double u_crit, fw_step_out *out) {
  double per_stick = side->stick > 0.0 ? u_crit / side->stick : 0.0;
  out->T = side->sign * side->slip;
  out->z[0] = out->T * per_stick;
  out->z[1] = side->sign;
  if (!fw_step_wants(out)) return;
  out->T_x[FW_STEP_V1] = side->sign * side->slip_v;
  out->T_x[FW_STEP_N1] = side->sign * side->slip_N;
  out->z_x[FW_STEP_V1] = out->T_x[FW_STEP_V1] * per_stick;
  out->z_x[FW_STEP_N1] =
      out->T_x[FW_STEP_N1] * per_stick - (side->stick > 0.0 ? out->z[0] * side->stick_N / side->stick : 0.0);
}

static void stick_hold(const stick_side *side, double u_crit, double z, fw_step_out *out) {
  double stiffness = side->stick / u_crit;
  out->T = stiffness * z;
  out->z[0] = z;
  out->z[1] = 0.0;
  if (!fw_step_wants(out)) return;
  out->z_z[0] = out->z_x[FW_STEP_DU] = 1.0;
  out->T_z[0] = out->T_x[FW_STEP_DU] = stiffness;
  out->T_x[FW_STEP_N1] = side->stick_N * z / u_crit;
}

void fw_stick_step(const fw_friction_ops *ops, const double *c, double u_crit, const fw_step_in *in,
                   const double *z_old, fw_step_out *out) {
  double v = in->x[FW_STEP_V1], N = in->x[FW_STEP_N1], z = z_old[0] + in->x[FW_STEP_DU];
  if (fw_step_wants(out)) fw_step_zero(out, FW_STICK_STATES, FW_STICK_STATES);
  double sign = fw_sign(z);
  stick_side side = stick_look(ops, c, sign, v, N);
  if (stick_gives_way(ops, c, &side, u_crit, z, N, fw_direction(z_old[1]) == sign))
    stick_slip(&side, u_crit, out);
  else
    stick_hold(&side, u_crit, z, out);
}
