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

/* s at both ends of the step, linear between, and the rate C dt/s at which a sliding element follows it. */
typedef struct gms_ends {
  double s0, s0_v, s0_N, s1, s1_v, s1_N;
  double q, q_s; /* q_s: by either s */
} gms_ends;

static const double AT_ONCE = 1e100; /* q of a quasi-static step */

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
  g.q = in->dt > 0.0 ? 2.0 * c[C_RATE] * in->dt / (g.s0 + g.s1) : AT_ONCE;
  g.q_s = in->dt > 0.0 ? -g.q / (g.s0 + g.s1) : 0.0;
  return g;
}

/* What a part of a step leaves of an element's distance from its goal, E = exp(-q part), and of the goal's own way,
 * G = (1 - E)/q. */
typedef struct gms_decay {
  double E, G, G_q;
} gms_decay;

static gms_decay gms_decayed(double q, double part) {
  gms_decay d = {.E = exp(-q * part)};
  double a = q * part;
  d.G = a > 1e-3 ? (1.0 - d.E) / q : part * (1.0 - a * (0.5 - a * (1.0 / 6.0 - a / 24.0)));
  d.G_q = a > 1e-3 ? (part * d.E - d.G) / q : -part * part * (0.5 - a * (1.0 / 3.0 - a / 8.0));
  return d;
}

/* An element's force on its way through the step, with its derivatives by the force before and the inputs. */
typedef struct gms_force {
  double T, T_z, T_x[FW_STEP_INPUTS];
} gms_force;

static void gms_add_ends(const gms_ends *g, double by_s0, double by_s1, gms_force *f) {
  f->T_x[FW_STEP_V0] += by_s0 * g->s0_v;
  f->T_x[FW_STEP_N0] += by_s0 * g->s0_N;
  f->T_x[FW_STEP_V1] += by_s1 * g->s1_v;
  f->T_x[FW_STEP_N1] += by_s1 * g->s1_N;
}

/* Slides for the first `part` of the step: dT/dt = (C/s) (goal - T), goal = alpha s sgn v; solved exactly. *by_part:
 * the derivative by it. */
static gms_force gms_slide(const gms_ends *g, double share, double direction, double T0, double part, double *by_part) {
  double size = share * direction, way = size * (g->s1 - g->s0), off = T0 - size * g->s0;
  gms_decay d = gms_decayed(g->q, part);
  gms_force f = {.T = size * g->s0 + part * way + off * d.E - way * d.G, .T_z = d.E};
  double by_q = g->q_s * (-part * d.E * off - way * d.G_q);
  gms_add_ends(g, size * (1.0 - part - d.E + d.G) + by_q, size * (part - d.G) + by_q, &f);
  *by_part = way - (way + g->q * off) * d.E;
  return f;
}

/* Begins to slip within the step, where T0 + k du p = alpha (s0 + (s1 - s0) p), and slides for what is left of it, from
 * its limit: T = alpha (s1 - (s1 - s0) G). Were it put on the limit at the end of the step, T would jump by what s
 * changes in a step when the onset passes from one step to the next. */
static gms_force gms_begin(const gms_ends *g, double k, double share, double sign, double du, double T0) {
  double room = share * g->s0 - sign * T0, closing = sign * k * du - share * (g->s1 - g->s0), change = g->s1 - g->s0;
  double left = 1.0 - room / closing, size = sign * share;
  if (!(room > 0.0)) return gms_slide(g, share, sign, T0, 1.0, &left);
  gms_decay d = gms_decayed(g->q, left);
  gms_force f = {.T = size * (g->s1 - change * d.G)};
  double by_left = -size * change * d.E / closing, by_q = -size * change * d.G_q * g->q_s;
  f.T_z = by_left * sign;
  f.T_x[FW_STEP_DU] = by_left * sign * k * (1.0 - left);
  gms_add_ends(g, size * d.G + by_q - by_left * share * left,
               size * (1.0 - d.G) + by_q - by_left * share * (1.0 - left), &f);
  return f;
}

/* Stuck above a limit that has fallen: it comes back as fast as a sliding element does, in `part` of the step. */
static void gms_come_back(const gms_ends *g, double share, double sign, double part, double part_v0, double part_v1,
                          gms_force *f) {
  double E = exp(-g->q * part), over = f->T - sign * share * g->s1, by_q = -part * E * over * g->q_s;
  f->T = sign * share * g->s1 + over * E;
  f->T_z *= E;
  for (int j = 0; j < FW_STEP_INPUTS; j++) f->T_x[j] *= E;
  gms_add_ends(g, by_q, sign * share * (1.0 - E) + by_q, f);
  double by_part = -g->q * E * over;
  if (part_v0 != 0.0) f->T_x[FW_STEP_V0] += by_part * part_v0;
  if (part_v1 != 0.0) f->T_x[FW_STEP_V1] += by_part * part_v1;
}

/* One element: *direction of its slip, 0: stuck. */
static gms_force gms_element(const fw_step_in *in, const gms_ends sides[2], double k, double share, double T0,
                             double *direction) {
  fw_reversal way = {.after = in->x[FW_STEP_DU], .after_du = 1.0};
  gms_force f = {.T = T0, .T_z = 1.0};
  double was = *direction, slid = 0.0, slid_v0 = 0.0, slid_v1 = 0.0, by_part; /* slid: this part of the step */
  if (was != 0.0) {
    double v0 = in->x[FW_STEP_V0], v1 = in->x[FW_STEP_V1];
    way = fw_find_reversal(in, was);
    if (!way.turned) return gms_slide(&sides[was < 0.0], share, was, T0, 1.0, &by_part);
    if (in->dt > 0.0 && v0 * was > 1e-100) {
      slid = v0 / (v0 - v1);
      slid_v0 = (1.0 - slid) / (v0 - v1);
      slid_v1 = slid / (v0 - v1);
    }
    f = gms_slide(&sides[was < 0.0], share, was, T0, slid, &by_part);
    f.T_x[FW_STEP_V0] += by_part * slid_v0;
    f.T_x[FW_STEP_V1] += by_part * slid_v1;
  }
  double T1 = f.T + k * way.after, sign = fw_sign(T1);
  const gms_ends *side = &sides[T1 < 0.0];
  bool over = fabs(T1) > share * side->s1, slips = over && way.after * T1 > 0.0;
  *direction = slips ? sign : 0.0;
  if (slips && was == 0.0) return gms_begin(side, k, share, sign, way.after, T0);
  if (slips) { /* turned and gone all the way to the other limit */
    f = (gms_force){.T = sign * share * side->s1};
    gms_add_ends(side, 0.0, sign * share, &f);
    return f;
  }
  f.T = T1;
  f.T_x[FW_STEP_DU] += k * way.after_du;
  f.T_x[FW_STEP_V0] += k * way.after_v0;
  f.T_x[FW_STEP_V1] += k * way.after_v1;
  if (over) gms_come_back(side, share, sign, 1.0 - slid, -slid_v0, -slid_v1, &f);
  return f;
}

static void gms_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  int n = gms_count(c);
  const double *k = c + FIRST, *share = k + n;
  bool wants = fw_step_wants(out);
  const gms_ends sides[2] = {gms_look(c, in, 1.0), gms_look(c, in, -1.0)};
  if (wants) fw_step_zero(out, 2 * n, 2 * n);
  out->T = 0.0;
  for (int i = 0; i < n; i++) {
    double direction = fw_direction(z_old[n + i]);
    gms_force f = gms_element(in, sides, k[i], share[i], z_old[i], &direction);
    out->z[i] = f.T;
    out->z[n + i] = direction;
    out->T += f.T;
    if (!wants) continue;
    out->z_z[i] = out->T_z[i] = f.T_z;
    for (int j = 0; j < FW_STEP_INPUTS; j++) out->T_x[j] += out->z_x[i * FW_STEP_INPUTS + j] = f.T_x[j];
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
