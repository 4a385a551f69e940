/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seven-parameter model (Armstrong-Helouvry, Dupont, Canudas de Wit 1994, Automatica 30(7)) as a machine of two
 * states, with what it forgets and keeps where it changes from one to the other:
 *
 *   stuck     T = sigma_0 u,  du/dt = v,  dt_d/dt = 1
 *             slides once |T| > F_c + F_st(t_d): u = 0, t_d is kept
 *   sliding   T = [F_c + F_st(t_d)/(1 + (v(t - tau_L)/v_s)^2)] sgn v + F_v v,  t_d as it was at breakaway
 *             sticks once v passes zero: t_d = 0, u = T/sigma_0 there, so that T is continuous
 *
 *   F_st(t_d) = F_a + (F_inf - F_a) t_d/(t_d + gamma)
 *
 * The lag is a delay, not a first-order filter, so that past velocities are states too: presliding displacement u,
 * direction of slip (0: stuck), dwell time t_d, then HISTORY ages (s) and as many velocities, youngest first; or the one
 * velocity of then, where the motion is known as a whole (lagged.h). */
#include "contact/friction/lagged.h"
#include "contact/friction/law.h"

enum { SIGMA, F_C, F_A, F_INF, GAMMA, V_S, F_V, LAG, N_REF, CONSTANTS };
enum { U, DIRECTION, DWELL, AGES, HISTORY = 16, SPEEDS = AGES + HISTORY, STATES = SPEEDS + HISTORY };
enum { THEN = AGES, STEADY_STATES };

static const fw_param armstrong_params[] = {
    {"sigma-0", FW_PARAM_NUMBER, "N/m", "1e7", 1e-6, 1e15, NULL, "presliding stiffness"},
    {"f-c", FW_PARAM_NUMBER, "N", "40", 0, 1e12, NULL, "F_c: Coulomb friction"},
    {"f-a", FW_PARAM_NUMBER, "N", "5", 0, 1e12, NULL, "F_a: static friction above F_c without dwell"},
    {"f-inf", FW_PARAM_NUMBER, "N", "10", 0, 1e12, NULL, "F_inf: static friction above F_c after a long dwell"},
    {"gamma", FW_PARAM_NUMBER, "s", "1", 1e-12, 1e9, NULL, "dwell time at which half of the rise is reached"},
    {"v-s", FW_PARAM_NUMBER, "m/s", "1e-3", 1e-12, 1e6, NULL, "Stribeck velocity"},
    {"f-v", FW_PARAM_NUMBER, "N s/m", "0", 0, 1e12, NULL, "viscous friction"},
    {"tau-l", FW_PARAM_NUMBER, "s", "1e-3", 0, 1e6, NULL, "tau_L: frictional lag"},
    FW_N_REF_PARAM,
    FW_PARAMS_END};

static int armstrong_pack(const fw_given *given, double *c) {
  for (int i = 0; c && i < CONSTANTS; i++) c[i] = fw_first_given(given[i], 0.0);
  return CONSTANTS;
}

static const char *armstrong_check(const double *c) { return c[F_INF] < c[F_A] ? "f-inf must not be below f-a" : NULL; }

/* v(t - tau_L) = (1 - share) of one known velocity + share of an older one. A velocity is known by its place: NOW,
 * BEFORE (the ends of the step), an index into the history, or GIVEN. */
enum { GIVEN = -3, NOW = -2, BEFORE = -1 };
typedef struct lagged {
  int states; /* of the law: row length of z_z */
  double v, share, v_young_age, v_old_age;
  int young, old;
} lagged;

static double lagged_velocity(const fw_step_in *in, const double *z, int place) {
  return place == NOW ? in->x[FW_STEP_V1] : place == BEFORE ? in->x[FW_STEP_V0] : z[SPEEDS + place];
}

static lagged armstrong_look_back(const double *c, const fw_step_in *in, const double *z) {
  lagged back = {.states = STATES, .young = NOW, .old = NOW};
  double young_age = 0.0, age = 0.0;
  if (in->dt <= 0.0) return back;
  for (int place = BEFORE; place < HISTORY; place++) {
    age = place == BEFORE ? in->dt : z[AGES + place] + in->dt;
    back.young = back.old;
    back.old = place;
    if (age >= c[LAG]) break;
    young_age = age;
  }
  double young_v = lagged_velocity(in, z, back.young), old_v = lagged_velocity(in, z, back.old), gap = age - young_age;
  back.share = 1.0; /* the oldest known, if all are younger than the lag */
  if (age >= c[LAG]) {
    back.share = gap > 0.0 ? (c[LAG] - young_age) / gap : 0.0;
    back.v_old_age = gap > 0.0 ? -back.share * (old_v - young_v) / gap : 0.0;
    back.v_young_age = gap > 0.0 ? -(1.0 - back.share) * (old_v - young_v) / gap : 0.0;
  }
  back.v = (1.0 - back.share) * young_v + back.share * old_v;
  return back;
}

/* Friction [F_c + F_st/(1 + (v_lag/v_s)^2)] and the limit F_c + F_st at a normal force, with derivatives. */
typedef struct armstrong_level {
  double limit, limit_dwell, limit_N;
  double slide, slide_lag, slide_dwell, slide_N;
} armstrong_level;

static armstrong_level armstrong_find_level(const double *c, double N, double dwell, double lag_v) {
  double slope, ratio = fw_load_ratio(c[N_REF], N, &slope), rise = c[F_INF] - c[F_A], wait = dwell + c[GAMMA];
  double f_st = c[F_A] + rise * dwell / wait, f_st_dwell = rise * c[GAMMA] / (wait * wait);
  double x = lag_v / c[V_S], fall = 1.0 / (1.0 + x * x);
  return (armstrong_level){.limit = ratio * (c[F_C] + f_st),
                           .limit_dwell = ratio * f_st_dwell,
                           .limit_N = slope * (c[F_C] + f_st),
                           .slide = ratio * (c[F_C] + f_st * fall),
                           .slide_lag = -ratio * f_st * fall * fall * 2.0 * x / c[V_S],
                           .slide_dwell = ratio * f_st_dwell * fall,
                           .slide_N = slope * (c[F_C] + f_st * fall)};
}

static void add_lag(const lagged *back, double factor, double *row_x, double *row_z) {
  const int places[2] = {back->young, back->old};
  const double shares[2] = {1.0 - back->share, back->share}, by_age[2] = {back->v_young_age, back->v_old_age};
  for (int i = 0; i < 2; i++) {
    double part = factor * shares[i];
    if (places[i] == NOW)
      row_x[FW_STEP_V1] += part;
    else if (places[i] == BEFORE)
      row_x[FW_STEP_V0] += part;
    else if (places[i] == GIVEN)
      row_z[THEN] += part;
    if (places[i] < 0) continue;
    row_z[SPEEDS + places[i]] += part;
    row_z[AGES + places[i]] += factor * by_age[i];
  }
}

static double armstrong_pace(const double *c) { return c[LAG] / (HISTORY - 2); }

/* The history moves on: velocities are kept at a fixed pace, a fraction of the lag, taken within the step where they
 * fall, so that what is remembered does not depend on the steps. */
static void armstrong_remember(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  double pace = armstrong_pace(c), due = z_old[AGES] + in->dt;
  int fresh = pace > 0.0 ? (int)fmin(due / pace, HISTORY) : 0;
  bool wants = fw_step_wants(out);
  for (int i = 0; i < HISTORY; i++) {
    int from = i - fresh;
    double age = due - pace * floor(due / (pace > 0.0 ? pace : 1.0)) + pace * i, back = from < 0 ? age / in->dt : 0.0;
    out->z[AGES + i] = from < 0 ? age : z_old[AGES + from] + in->dt;
    out->z[SPEEDS + i] = from < 0 ? (1.0 - back) * in->x[FW_STEP_V1] + back * in->x[FW_STEP_V0] : z_old[SPEEDS + from];
    if (!wants) continue;
    out->z_z[(AGES + i) * STATES + AGES + (from < 0 ? 0 : from)] = 1.0;
    if (from >= 0) {
      out->z_z[(SPEEDS + i) * STATES + SPEEDS + from] = 1.0;
      continue;
    }
    out->z_x[(SPEEDS + i) * FW_STEP_INPUTS + FW_STEP_V1] = 1.0 - back;
    out->z_x[(SPEEDS + i) * FW_STEP_INPUTS + FW_STEP_V0] = back;
    out->z_z[(SPEEDS + i) * STATES + AGES] = (in->x[FW_STEP_V0] - in->x[FW_STEP_V1]) / in->dt;
  }
}

static void armstrong_slide(const double *c, const fw_step_in *in, const lagged *back, double direction, double dwell,
                            double dwell_old, fw_step_out *out) {
  armstrong_level level = armstrong_find_level(c, in->x[FW_STEP_N1], dwell, back->v);
  out->T = direction * level.slide + c[F_V] * in->x[FW_STEP_V1];
  out->z[U] = 0.0;
  out->z[DIRECTION] = direction;
  out->z[DWELL] = dwell;
  if (!fw_step_wants(out)) return;
  out->z_z[DWELL * back->states + DWELL] = dwell_old;
  out->T_z[DWELL] = dwell_old * direction * level.slide_dwell;
  out->T_x[FW_STEP_V1] = c[F_V];
  out->T_x[FW_STEP_N1] = direction * level.slide_N;
  add_lag(back, direction * level.slide_lag, out->T_x, out->T_z);
}

/* Stuck with presliding displacement u, rows U of z_x and z_z already its derivatives. */
static void armstrong_hold(const double *c, const fw_step_in *in, const lagged *back, double u, double dwell,
                           double dwell_old, fw_step_out *out) {
  armstrong_level level = armstrong_find_level(c, in->x[FW_STEP_N1], dwell, 0.0);
  double sign = fw_sign(u);
  bool wants = fw_step_wants(out), beyond = c[SIGMA] * fabs(u) > level.limit;
  if (beyond && in->x[FW_STEP_DU] * sign > 0.0) {
    if (wants) {
      memset(out->z_x + U * FW_STEP_INPUTS, 0, FW_STEP_INPUTS * sizeof(double));
      memset(out->z_z + U * back->states, 0, (size_t)back->states * sizeof(double));
    }
    armstrong_slide(c, in, back, sign, dwell, dwell_old, out);
    return;
  }
  out->z[U] = beyond ? sign * level.limit / c[SIGMA] : u;
  out->z[DIRECTION] = 0.0;
  out->z[DWELL] = dwell;
  out->T = c[SIGMA] * out->z[U];
  if (!wants) return;
  out->z_z[DWELL * back->states + DWELL] = dwell_old;
  if (beyond) { /* N has fallen: cut back */
    memset(out->z_x + U * FW_STEP_INPUTS, 0, FW_STEP_INPUTS * sizeof(double));
    memset(out->z_z + U * back->states, 0, (size_t)back->states * sizeof(double));
    out->z_x[U * FW_STEP_INPUTS + FW_STEP_N1] = sign * level.limit_N / c[SIGMA];
    out->z_z[U * back->states + DWELL] = dwell_old * sign * level.limit_dwell / c[SIGMA];
  }
  for (int j = 0; j < FW_STEP_INPUTS; j++) out->T_x[j] = c[SIGMA] * out->z_x[U * FW_STEP_INPUTS + j];
  for (int j = 0; j < back->states; j++) out->T_z[j] = c[SIGMA] * out->z_z[U * back->states + j];
}

/* Sticks again: u such that T is continuous where v passed zero, then the slip since. */
static void armstrong_stick_again(const double *c, const fw_step_in *in, const lagged *back, const fw_reversal *turn,
                                  const double *z_old, fw_step_out *out) {
  double direction = fw_direction(z_old[DIRECTION]);
  armstrong_level level = armstrong_find_level(c, in->x[FW_STEP_N1], z_old[DWELL], back->v);
  double u = direction * level.slide / c[SIGMA] + turn->after;
  if (fw_step_wants(out)) {
    double *u_x = out->z_x + U * FW_STEP_INPUTS, *u_z = out->z_z + U * back->states, per = direction / c[SIGMA];
    u_x[FW_STEP_DU] = turn->after_du;
    u_x[FW_STEP_V0] = turn->after_v0;
    u_x[FW_STEP_V1] = turn->after_v1;
    u_x[FW_STEP_N1] = per * level.slide_N;
    u_z[DWELL] = per * level.slide_dwell;
    add_lag(back, per * level.slide_lag, u_x, u_z);
  }
  armstrong_hold(c, in, back, u, 0.0, 0.0, out);
}

/* One step with the velocity of then known; rows of the history apart. */
static void armstrong_move(const double *c, const fw_step_in *in, const lagged *back, const double *z_old,
                           fw_step_out *out) {
  double direction = fw_direction(z_old[DIRECTION]);
  if (direction == 0.0) {
    if (fw_step_wants(out)) out->z_x[U * FW_STEP_INPUTS + FW_STEP_DU] = out->z_z[U * back->states + U] = 1.0;
    armstrong_hold(c, in, back, z_old[U] + in->x[FW_STEP_DU], z_old[DWELL] + in->dt, 1.0, out);
    return;
  }
  fw_reversal turn = fw_find_reversal(in, direction);
  if (turn.turned)
    armstrong_stick_again(c, in, back, &turn, z_old, out);
  else
    armstrong_slide(c, in, back, direction, z_old[DWELL], 1.0, out);
}

static void armstrong_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  lagged back = armstrong_look_back(c, in, z_old);
  if (fw_step_wants(out)) fw_step_zero(out, STATES, STATES * STATES);
  armstrong_remember(c, in, z_old, out);
  armstrong_move(c, in, &back, z_old, out);
}

static void armstrong_steady_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  lagged back = {.states = STEADY_STATES, .v = z_old[THEN], .young = GIVEN, .old = GIVEN};
  if (fw_step_wants(out)) fw_step_zero(out, STEADY_STATES, STEADY_STATES * STEADY_STATES);
  out->z[THEN] = z_old[THEN];
  armstrong_move(c, in, &back, z_old, out);
}

static double armstrong_scale(const double *c, double N, int state) {
  (void)N;
  if (state == U) return (c[F_C] + c[F_INF]) / c[SIGMA] + 1e-15;
  if (state == DWELL) return c[GAMMA];
  return state >= SPEEDS ? c[V_S] : state >= AGES ? c[LAG] + 1e-12 : 1.0;
}

const fw_friction_ops fw_friction_armstrong = {
    .entry = {"armstrong", "seven parameters: presliding, Stribeck, rising static friction, frictional lag",
              "presliding: T = sigma_0 u, up to F_c + F_st\n"
              "sliding: T = [F_c + F_st/(1 + (v(t - tau_L)/v_s)^2)] sgn v + F_v v\n"
              "F_st = F_a + (F_inf - F_a) t_d/(t_d + gamma), t_d the dwell time; force limits scale with N/N_ref",
              "Armstrong-Helouvry, Dupont, Canudas de Wit 1994, Automatica 30(7)", armstrong_params},
    .pack = armstrong_pack,
    .fixed_states = STATES,
    .check = armstrong_check,
    .step = armstrong_step,
    .scale = armstrong_scale,
    .claims = "periodic presliding memory drift-free no-creep"};

/* ---- periodic motions -------------------------------------------------------------------- */

static double armstrong_steady_scale(const double *c, double N, int state) {
  return armstrong_scale(c, N, state == THEN ? SPEEDS : state);
}

static const fw_friction_ops armstrong_steady = {.entry = {"armstrong", .params = armstrong_params},
                                                 .fixed_states = STEADY_STATES,
                                                 .step = armstrong_steady_step,
                                                 .scale = armstrong_steady_scale};

static double armstrong_lag(const double *c) { return c[LAG]; }

static const fw_lagged armstrong_lagged = {.ops = &armstrong_steady,
                                           .state = THEN,
                                           .lag = armstrong_lag,
                                           .ages = AGES,
                                           .speeds = SPEEDS,
                                           .history = HISTORY,
                                           .pace = armstrong_pace};

const fw_lagged *fw_friction_lagged(const fw_friction *law) {
  return law->ops == &fw_friction_armstrong && law->part_count == 0 ? &armstrong_lagged : NULL;
}
