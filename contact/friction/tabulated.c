/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mu from a table over speed and, if forces are given, normal force: linear between its places, constant outside; or
 * from a formula of both. Constants: whether there is a formula, the formulas, counts of
 * speeds and forces, where the coefficients of each direction begin, then the lists, then one over
 * the widths of the cells of speeds and forces. */
#include "contact/friction/sliding.h"

enum { SPEED_LIST, FORCE_LIST, MU_LIST, MU_MINUS_LIST, FORMULA_TEXT, FORMULA_MINUS_TEXT }; /* parameters */
enum {
  BY_FORMULA,
  FORMULA,
  FORMULA_MINUS,
  BOTH,
  SPEEDS,
  FORCES,
  COEFFICIENTS,
  MU,
  MU_MINUS,
  PER,
  LISTS
}; /* constants */

static const fw_param table_params[] = {
    {"speed", FW_PARAM_NUMBERS, "m/s", "0, 1e-3, 1e-2", 0, 1e9, NULL, "speeds |v|, rising, the first 0"},
    {"force", FW_PARAM_NUMBERS, "N", "", 0, 1e12, NULL, "normal forces, rising (absent: mu does not depend on N)"},
    {"mu", FW_PARAM_NUMBERS, "", "0.5, 0.4, 0.35", 0, 10, NULL, "coefficients: for each force, one for each speed"},
    {"mu-minus", FW_PARAM_NUMBERS, "", "", 0, 10, NULL, "coefficients for v < 0 (absent: as for v > 0)"},
    {"formula", FW_PARAM_FORMULA, "", "", 0, 0, "v|N",
     "mu as a formula of the speed v >= 0 and the normal force N, in place of the table; below 0 it counts as 0"},
    {"formula-minus", FW_PARAM_FORMULA, "", "", 0, 0, "v|N", "formula for v < 0 (absent: as for v > 0)"},
    FW_PARAMS_END};

static int table_pack(const fw_given *given, double *c) {
  int at = LISTS, begin[4];
  for (int i = 0; i < 4; i++) {
    begin[i] = at;
    if (c && given[i].count) memcpy(c + at, given[i].values, (size_t)given[i].count * sizeof *c);
    at += given[i].count;
  }
  int widths = at, cells = given[SPEED_LIST].count + given[FORCE_LIST].count;
  at += cells;
  if (!c) return at;
  for (int i = 0; i < cells - 1; i++) c[widths + i] = 1.0 / (c[LISTS + i + 1] - c[LISTS + i]);
  c[PER] = widths;
  const fw_formula *plus = given[FORMULA_TEXT].formula, *minus = given[FORMULA_MINUS_TEXT].formula;
  c[BY_FORMULA] = plus != NULL;
  fw_keep_formula(plus, &c[FORMULA]);
  fw_keep_formula(minus ? minus : plus, &c[FORMULA_MINUS]);
  c[BOTH] = (plus || minus) && (given[SPEED_LIST].given || given[MU_LIST].given || !plus);
  c[SPEEDS] = given[SPEED_LIST].count;
  c[FORCES] = given[FORCE_LIST].count;
  c[COEFFICIENTS] = given[MU_LIST].count;
  c[MU] = begin[MU_LIST];
  c[MU_MINUS] = given[MU_MINUS_LIST].count ? begin[MU_MINUS_LIST] : begin[MU_LIST];
  if (given[MU_MINUS_LIST].count && given[MU_MINUS_LIST].count != given[MU_LIST].count) c[COEFFICIENTS] = -1.0;
  return at;
}

static bool is_rising(const double *x, int n) {
  for (int i = 1; i < n; i++)
    if (!(x[i] > x[i - 1])) return false;
  return true;
}

/* mu >= 0 by the formula of a direction, with its derivatives with respect to speed and N. */
static double formula_mu(const double *formula, double speed, double N, double *mu_speed, double *mu_N) {
  const fw_formula *f = fw_kept_formula(formula);
  double slopes[2], slope, load = fw_least_force(N, &slope), mu = f->value(f, (const double[]){speed, load}, slopes);
  bool above = !(mu < 0.0);
  *mu_speed = above ? slopes[0] : 0.0;
  *mu_N = above ? slopes[1] * slope : 0.0;
  return above ? mu : 0.0;
}

static const char *table_check(const double *c) {
  int speeds = (int)c[SPEEDS], forces = (int)c[FORCES], all = speeds * (forces ? forces : 1);
  double unused;
  if (c[BOTH] != 0.0) return "either a table or a formula (formula-minus only beside formula)";
  if (c[BY_FORMULA] != 0.0)
    return isfinite(formula_mu(&c[FORMULA], 0.0, 1.0, &unused, &unused) +
                    formula_mu(&c[FORMULA_MINUS], 0.0, 1.0, &unused, &unused))
               ? NULL
               : "the formula has no value at v = 0, N = 1";
  if (!is_rising(c + LISTS, speeds) || !is_rising(c + LISTS + speeds, forces)) return "speeds and forces must rise";
  if (c[LISTS] != 0.0) return "the first speed must be 0";
  if ((int)c[COEFFICIENTS] != all) return "one coefficient is needed for each speed (and force)";
  return NULL;
}

/* Place of x in a rising list: cell, share of its upper end, derivative of the share. */
typedef struct table_place {
  int cell, next;
  double share, slope;
} table_place;

/* Halving without branches: a table is asked at places that no predictor knows. */
static table_place table_find(const double *list, const double *per_width, int n, double x) {
  if (n < 2 || x < list[0]) return (table_place){0, 0, 0.0, 0.0};
  if (x >= list[n - 1]) return (table_place){n - 1, n - 1, 0.0, 0.0};
  const double *low = list;
  for (int left = n; left > 1;) {
    int half = left / 2;
    low = x >= low[half] ? low + half : low;
    left -= half;
  }
  int cell = (int)(low - list);
  double slope = per_width[cell];
  return (table_place){cell, cell + 1, (x - low[0]) * slope, slope};
}

/* mu of a speed's and a force's place, with its derivatives with respect to both. */
static double table_mu(const double *mu, int speeds, table_place s, table_place f, double *mu_speed, double *mu_N) {
  const double *row = mu + (ptrdiff_t)f.cell * speeds, *next = mu + (ptrdiff_t)f.next * speeds;
  double rise = row[s.next] - row[s.cell];
  if (f.cell == f.next) return *mu_speed = s.slope * rise, *mu_N = 0.0, row[s.cell] + s.share * rise;
  double rise_next = next[s.next] - next[s.cell];
  double low = row[s.cell] + s.share * rise, high = next[s.cell] + s.share * rise_next;
  *mu_speed = s.slope * (rise + f.share * (rise_next - rise));
  *mu_N = f.slope * (high - low);
  return low + f.share * (high - low);
}

/* Coefficients at rest of both directions and at v, with their derivatives. */
typedef struct table_point {
  double plus, plus_N, minus, minus_N, mu, mu_speed, mu_N;
} table_point;

static table_point table_look(const double *c, double v, double N) {
  table_point p;
  double unused;
  if (c[BY_FORMULA] != 0.0) {
    bool same = fw_kept_formula(&c[FORMULA]) == fw_kept_formula(&c[FORMULA_MINUS]);
    p.plus = formula_mu(&c[FORMULA], 0.0, N, &unused, &p.plus_N);
    p.minus = p.plus;
    p.minus_N = p.plus_N;
    if (!same) p.minus = formula_mu(&c[FORMULA_MINUS], 0.0, N, &unused, &p.minus_N);
    p.mu = formula_mu(&c[v < 0.0 ? FORMULA_MINUS : FORMULA], fabs(v), N, &p.mu_speed, &p.mu_N);
    return p;
  }
  int speeds = (int)c[SPEEDS];
  const double *speed = c + LISTS, *per = c + (int)c[PER], *plus = c + (int)c[MU], *minus = c + (int)c[MU_MINUS];
  table_place rest = {0, 0, 0.0, 0.0}, f = table_find(speed + speeds, per + speeds, (int)c[FORCES], N);
  p.plus = table_mu(plus, speeds, rest, f, &unused, &p.plus_N);
  p.minus = table_mu(minus, speeds, rest, f, &unused, &p.minus_N);
  p.mu = table_mu(v < 0.0 ? minus : plus, speeds, table_find(speed, per, speeds, fabs(v)), f, &p.mu_speed, &p.mu_N);
  return p;
}

static void table_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  table_point p = table_look(c, v, N);
  double s = fw_sign(v);
  *out = (fw_limit_out){.stick_plus = p.plus * N,
                        .stick_minus = p.minus * N,
                        .stick_plus_N = p.plus + p.plus_N * N,
                        .stick_minus_N = p.minus + p.minus_N * N,
                        .slip = s * p.mu * N,
                        .slip_v = p.mu_speed * N,
                        .slip_N = s * (p.mu + p.mu_N * N)};
}

const fw_friction_ops fw_friction_tabulated = {
    .entry = {"tabulated", "coefficient of friction from a table or a formula of speed and normal force",
              "slip: T = mu(|v|, N) N sgn v\nstick: |T| <= mu(0, N) N, rigid or elastic",
              "as measured; tables and user formulas as in finite-element codes", table_params},
    .pack = table_pack,
    .check = table_check,
    .limit = table_limit,
    .claims = "periodic memory drift-free no-creep"};
