/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Jenkins element by its return map, as in plasticity: the elastic slip z + du is tried; if its force is more than can
 * be held, z returns to where the force is that of sliding,
 *
 *   z* = z + du,   T* = stick(N) z* / u_crit,   T = T* if it holds,  else sgn(T*) slip(v, N)  and  z = T u_crit/stick(N).
 *
 * What holds, and the drop where slip < stick, are in derived.h. */
#include "contact/friction/derived.h"
#include "contact/friction/law.h"

/* The limit as seen from one side: forces positive in its direction. */
typedef struct stick_side {
  double sign;
  double stick, stick_N;
  double slip, slip_v, slip_N;
} stick_side;

static stick_side stick_look(const fw_friction *law, double sign, double v, double N) {
  double on_side = fw_friction_side(sign, v);
  fw_limit_out limit = fw_friction_limit(law, on_side, N, NULL);
  stick_side side = {.sign = sign,
                     .stick = sign > 0.0 ? limit.stick_plus : limit.stick_minus,
                     .stick_N = sign > 0.0 ? limit.stick_plus_N : limit.stick_minus_N,
                     .slip = sign * limit.slip,
                     .slip_v = on_side == v ? sign * limit.slip_v : 0.0,
                     .slip_N = sign * limit.slip_N};
  return side;
}

/* Whether the elastic force |z| stick/u_crit is more than can be held: what slides holds slip(v), what sticks the
 * static limit too. */
static bool stick_gives_way(const fw_friction *law, const stick_side *side, double z, bool slipping) {
  double force = fabs(z) * side->stick / law->stick.u_crit;
  if (force <= side->slip) return false;
  return slipping || law->stick.clipped || force > side->stick;
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

/* A step that ends on one side of z = 0. waits: what has not slipped holds beyond the static limit, until it is told.
 */
static void stick_step(const fw_friction *law, const fw_step_in *in, const double *z_old, bool waits,
                       fw_step_out *out) {
  double v = in->x[FW_STEP_V1], N = in->x[FW_STEP_N1], z = z_old[0] + in->x[FW_STEP_DU], sign = fw_sign(z);
  if (fw_step_wants(out)) fw_step_zero(out, FW_STICK_STATES, FW_STICK_STATES);
  stick_side side = stick_look(law, sign, v, N);
  bool slipping = fw_direction(z_old[1]) == sign;
  bool drops = !slipping && !law->stick.clipped && side.slip < side.stick;
  if (stick_gives_way(law, &side, z, slipping) && !(waits && drops))
    stick_slip(&side, law->stick.u_crit, out);
  else
    stick_hold(&side, law->stick.u_crit, z, out);
}

void fw_stick_step(const fw_friction *law, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  stick_step(law, in, z_old, false, out);
}

void fw_stick_wait(const fw_friction *law, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  stick_step(law, in, z_old, true, out);
}

bool fw_stick_drops(const fw_friction *law) {
  static const double loads[] = {1.0, 1e3};
  if (!fw_friction_is_elastic(law) || law->stick.clipped) return false;
  for (int k = 0; k < 4; k++)
    for (double speed = 1e-9; speed < 1e3; speed *= 3.0) {
      stick_side side = stick_look(law, k % 2 ? -1.0 : 1.0, k % 2 ? -speed : speed, loads[k / 2]);
      if (side.slip < (1.0 - 1e-12) * side.stick) return true;
    }
  return false;
}

static double room_of(const fw_friction *law, const double *z_old, double du) {
  double z = z_old[0] + du;
  if (fw_direction(z_old[1]) == fw_sign(z)) return law->stick.u_crit;
  return law->stick.u_crit - fabs(z);
}

double fw_friction_room(const fw_friction *friction, const double *z_old, double du) {
  int count;
  double room = INFINITY;
  for (const fw_friction *law = fw_friction_parts(friction, &count); count-- > 0; z_old += law++->states)
    if (law->drops) room = fmin(room, room_of(law, z_old, du));
  return room;
}

static bool is_torn(const fw_friction *law, const double *z, double v, double N) {
  stick_side side = stick_look(law, fw_sign(z[0]), v, N);
  return room_of(law, z, 0.0) < -1e-6 * law->stick.u_crit && stick_gives_way(law, &side, z[0], false);
}

bool fw_friction_is_torn(const fw_friction *friction, const double *z, double v, double N) {
  int count;
  if (!(N > 0.0)) return false;
  for (const fw_friction *law = fw_friction_parts(friction, &count); count-- > 0; z += law++->states)
    if (law->drops && is_torn(law, z, v, N)) return true;
  return false;
}

void fw_friction_release(const fw_friction *friction, double *z) {
  int count;
  for (const fw_friction *law = fw_friction_parts(friction, &count); count-- > 0; z += law++->states)
    if (law->drops && room_of(law, z, 0.0) <= 1e-6 * law->stick.u_crit) z[1] = fw_sign(z[0]);
}

/* ---- means over the time of a sample ------------------------------------------------------- */

/* From the middle of the step on its end belongs to the next sample: if stick lasts up to theta > 1/2, the force at the
 * end of the step is slip + (theta - 1/2) (stick - slip). */
static void mean_at_end(const fw_friction *law, const fw_step_in *in, double theta, fw_stick_mean *mean) {
  double sign = mean->sign, part = theta - 0.5, du = in->x[FW_STEP_DU];
  stick_side side = stick_look(law, sign, in->x[FW_STEP_V1], in->x[FW_STEP_N1]);
  double fall = sign * (side.stick - side.slip);
  mean->at_end = part * fall;
  mean->peak = side.stick;
  mean->x[FW_STEP_DU] = -fall * theta / du;
  mean->z = -fall / du;
  mean->x[FW_STEP_V1] = -part * sign * side.slip_v;
  mean->x[FW_STEP_N1] = part * sign * (side.stick_N - side.slip_N);
}

/* Else that at its beginning, held by stick(N) z/u_crit, is so only up to theta: + (1/2 - theta) (slip - held). */
static void mean_at_start(const fw_friction *law, const fw_step_in *in, double z_old, double theta,
                          fw_stick_mean *mean) {
  double sign = mean->sign, part = 0.5 - theta, du = in->x[FW_STEP_DU];
  stick_side side = stick_look(law, sign, in->x[FW_STEP_V0], in->x[FW_STEP_N0]);
  double per_z = side.stick / law->stick.u_crit, change = sign * side.slip - per_z * z_old;
  mean->at_start = part * change;
  mean->peak = side.stick;
  mean->x[FW_STEP_DU] = change * theta / du;
  mean->z = change / du - part * per_z;
  mean->x[FW_STEP_V0] = part * sign * side.slip_v;
  mean->x[FW_STEP_N0] = part * (sign * side.slip_N - side.stick_N * z_old / law->stick.u_crit);
}

bool fw_stick_breaks(const fw_friction *law, const fw_step_in *in, const double *z_old, const double *z_new,
                     fw_stick_mean *mean) {
  double sign = fw_direction(z_new[1]), du = in->x[FW_STEP_DU];
  *mean = (fw_stick_mean){.sign = sign};
  if (!law->drops || sign == 0.0 || fw_direction(z_old[1]) == sign || !(in->x[FW_STEP_N0] > 0.0)) return false;
  double theta = (sign * law->stick.u_crit - z_old[0]) / du; /* part of the step that it sticks */
  if (!(theta >= 0.0 && theta <= 1.0)) return false;
  if (theta > 0.5)
    mean_at_end(law, in, theta, mean);
  else
    mean_at_start(law, in, z_old[0], theta, mean);
  return true;
}

void fw_friction_add_breaks(const fw_friction *friction, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  int count, at = 0;
  fw_stick_mean mean;
  for (const fw_friction *law = fw_friction_parts(friction, &count); count-- > 0; at += law++->states) {
    if (!law->drops || !fw_stick_breaks(law, in, z_old + at, out->z + at, &mean)) continue;
    for (int k = 0; k < FW_STEP_INPUTS; k++) out->T_x[k] += mean.x[k];
    out->T_z[at] += mean.z;
  }
}
