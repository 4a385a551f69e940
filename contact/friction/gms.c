/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States: the forces T_i of the elements, then their directions of slip (0: stuck). */
#include "contact/friction/stribeck.h"

/* Parameters after those of the Stribeck curve; constants: number of stiffnesses, of shares, C, then the lists. */
enum { STIFFNESS = FW_STRIBECK_COUNT, SHARES, ATTRACTION };
enum { COUNT = FW_STRIBECK_COUNT, SHARE_COUNT, C_RATE, FIRST };

static const fw_param gms_params[] = {
    FW_STRIBECK_PARAMS,
    {"stiffness", FW_PARAM_NUMBERS, "N/m", "4e6, 3e6, 2e6, 1e6", 1e-9, 1e15, NULL, "k_i of each element"},
    {"share", FW_PARAM_NUMBERS, "", "0.1, 0.2, 0.3, 0.4", 1e-9, 1, NULL, "alpha_i: share of s(v), sum 1"},
    {"attraction", FW_PARAM_NUMBER, "N/s", "1e5", 1e-9, 1e15, NULL, "C: how fast a sliding element follows s(v)"},
    FW_PARAMS_END};

static int gms_pack(const fw_given *given, double *c) {
  int n = given[STIFFNESS].count, shares = given[SHARES].count;
  if (c) {
    fw_stribeck_pack(given, c);
    c[COUNT] = n;
    c[SHARE_COUNT] = shares;
    c[C_RATE] = given[ATTRACTION].values[0];
    memcpy(c + FIRST, given[STIFFNESS].values, (size_t)n * sizeof *c);
    memcpy(c + FIRST + n, given[SHARES].values, (size_t)shares * sizeof *c);
  }
  return FIRST + n + shares;
}

static int gms_count(const double *c) { return (int)c[COUNT]; }
static int gms_states(const double *c) { return 2 * gms_count(c); }

static const char *gms_check(const double *c) {
  const char *wrong = fw_stribeck_check(c);
  if (wrong) return wrong;
  if (c[COUNT] != c[SHARE_COUNT]) return "as many stiffnesses as shares are needed";
  double sum = 0.0;
  for (int i = 0; i < gms_count(c); i++) sum += c[FIRST + gms_count(c) + i];
  return fabs(sum - 1.0) > 1e-6 ? "the shares must add up to 1" : NULL;
}

/* s at both ends of the step, and the decay of what is left of a sliding element's distance from its goal. */
typedef struct gms_ends {
  double s0, s0_v, s0_N, s1, s1_v, s1_N;
  double e, e_s;     /* exp(-C dt/s), s the mean of both ends; d e / d s */
  double phi, phi_s; /* mean of that decay over the step */
} gms_ends;

static gms_ends gms_look(const double *c, const fw_step_in *in, double direction) {
  gms_ends g;
  double slope, v0 = in->x[FW_STEP_V0], v1 = in->x[FW_STEP_V1];
  double on0 = v0 * direction > 0.0 ? v0 : direction * 1e-300, on1 = v1 * direction > 0.0 ? v1 : direction * 1e-300;
  double N0 = fw_least_force(in->x[FW_STEP_N0], &slope), N1 = in->x[FW_STEP_N1], mu_v;
  g.s0_N = fw_stribeck_mu(c, on0, &mu_v);
  g.s0 = g.s0_N * N0;
  g.s0_N *= slope;
  g.s0_v = on0 == v0 ? mu_v * N0 : 0.0;
  g.s1_N = fw_stribeck_mu(c, on1, &mu_v);
  g.s1 = g.s1_N * N1;
  g.s1_v = on1 == v1 ? mu_v * N1 : 0.0;
  g.e = g.e_s = g.phi = g.phi_s = 0.0;
  if (in->dt > 0.0) {
    double s = 0.5 * (g.s0 + g.s1), q = c[C_RATE] * in->dt / s;
    g.e = exp(-q);
    g.e_s = g.e * q / s;
    g.phi = q > 1e-3 ? (1.0 - g.e) / q : 1.0 - q * (0.5 - q * (1.0 / 6.0 - q / 24.0));
    g.phi_s = -(g.e - g.phi) / s; /* d phi/d q = (e - phi)/q */
  }
  return g;
}

/* A sliding element: dT/dt = (C/s) (goal - T), goal = alpha s sgn v linear over the step; solved exactly. */
static void gms_slide(const gms_ends *g, double share, double direction, double T0, double *T, double *T_z,
                      double *T_x) {
  double goal0 = share * direction * g->s0, goal1 = share * direction * g->s1;
  *T = goal1 + (T0 - goal0) * g->e - (goal1 - goal0) * g->phi;
  if (!T_x) return;
  double T_s = (T0 - goal0) * g->e_s - (goal1 - goal0) * g->phi_s;
  double T_s0 = share * direction * (g->phi - g->e) + 0.5 * T_s, T_s1 = share * direction * (1.0 - g->phi) + 0.5 * T_s;
  *T_z = g->e;
  T_x[FW_STEP_V0] = T_s0 * g->s0_v;
  T_x[FW_STEP_N0] = T_s0 * g->s0_N;
  T_x[FW_STEP_V1] = T_s1 * g->s1_v;
  T_x[FW_STEP_N1] = T_s1 * g->s1_N;
}

/* A stuck element that may begin to slip: T_z, T_x as for gms_slide. Returns its direction of slip. */
static double gms_hold(const gms_ends *g, double k, double share, const fw_reversal *way, double T0, double *T,
                       double *T_z, double *T_x) {
  double limit = share * g->s1, sign;
  *T = T0 + k * way->after;
  sign = fw_sign(*T);
  if (fabs(*T) > limit) {
    bool outward = way->after * *T > 0.0; /* else only s has fallen: cut back, still stuck */
    *T = sign * limit;
    if (T_x) {
      T_x[FW_STEP_V1] = sign * share * g->s1_v;
      T_x[FW_STEP_N1] = sign * share * g->s1_N;
    }
    return outward ? sign : 0.0;
  }
  if (T_x) {
    *T_z = 1.0;
    T_x[FW_STEP_DU] = k * way->after_du;
    T_x[FW_STEP_V0] = k * way->after_v0;
    T_x[FW_STEP_V1] = k * way->after_v1;
  }
  return 0.0;
}

static void gms_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  int n = gms_count(c);
  const double *k = c + FIRST, *share = k + n;
  bool wants = fw_step_wants(out);
  gms_ends plus = gms_look(c, in, 1.0), minus = gms_look(c, in, -1.0);
  if (wants) fw_step_zero(out, 2 * n, 2 * n);
  out->T = 0.0;
  for (int i = 0; i < n; i++) {
    double direction = fw_direction(z_old[n + i]), *T_x = wants ? out->z_x + (ptrdiff_t)i * FW_STEP_INPUTS : NULL;
    double *T_z = wants ? &out->z_z[i] : NULL;
    fw_reversal way = {.after = in->x[FW_STEP_DU], .after_du = 1.0};
    if (direction != 0.0) way = fw_find_reversal(in, direction);
    if (direction != 0.0 && !way.turned) {
      gms_slide(direction > 0.0 ? &plus : &minus, share[i], direction, z_old[i], &out->z[i], T_z, T_x);
      out->z[n + i] = direction;
    } else {
      const gms_ends *side = z_old[i] + k[i] * way.after >= 0.0 ? &plus : &minus;
      out->z[n + i] = gms_hold(side, k[i], share[i], &way, z_old[i], &out->z[i], T_z, T_x);
    }
    out->T += out->z[i];
    if (!wants) continue;
    out->T_z[i] = out->z_z[i];
    for (int j = 0; j < FW_STEP_INPUTS; j++) out->T_x[j] += T_x[j];
  }
}

static double gms_scale(const double *c, double N, int state) {
  int n = gms_count(c);
  return state < n ? c[FIRST + n + state] * c[FW_STRIBECK_MU_S] * N + 1e-12 : 1.0;
}

const fw_friction_ops fw_friction_gms = {
    .entry = {"gms", "generalised Maxwell-slip: sliders with a Stribeck curve and frictional lag",
              "T = sum T_i; stick: dT_i/dt = k_i v until |T_i| = alpha_i s(v)\n"
              "slip: dT_i/dt = C (alpha_i sgn v - T_i/s(v)); stick again when v reaches zero or changes sign",
              "Al-Bender, Lampaert, Swevers 2005, IEEE Trans. Autom. Control 50(11)", gms_params},
    .pack = gms_pack,
    .states = gms_states,
    .uncoupled = true,
    .check = gms_check,
    .step = gms_step,
    .scale = gms_scale,
    .claims = "periodic presliding memory drift-free no-creep bounded"};
