/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mu from a table over speed and, if forces are given, normal force: linear between its places, constant outside.
 * Constants: counts of speeds, forces, coefficients, coefficients for v < 0; then the lists in that order. */
#include "contact/friction/sliding.h"

enum { SPEEDS, FORCES, MU, MU_MINUS, LISTS };

static const fw_param table_params[] = {
    {"speed", FW_PARAM_NUMBERS, "m/s", "0, 1e-3, 1e-2", 0, 1e9, NULL, "speeds |v|, rising, the first 0"},
    {"force", FW_PARAM_NUMBERS, "N", "", 0, 1e12, NULL, "normal forces, rising (absent: mu does not depend on N)"},
    {"mu", FW_PARAM_NUMBERS, "", "0.5, 0.4, 0.35", 0, 10, NULL, "coefficients: for each force, one for each speed"},
    {"mu-minus", FW_PARAM_NUMBERS, "", "", 0, 10, NULL, "coefficients for v < 0 (absent: as for v > 0)"},
    FW_PARAMS_END};

static int table_pack(const fw_given *given, double *c) {
  int at = LISTS;
  for (int i = 0; i < LISTS; i++) {
    if (c) {
      c[i] = given[i].count;
      if (given[i].count) memcpy(c + at, given[i].values, (size_t)given[i].count * sizeof *c);
    }
    at += given[i].count;
  }
  return at;
}

static const double *table_list(const double *c, int list) {
  const double *at = c + LISTS;
  for (int i = 0; i < list; i++) at += (int)c[i];
  return at;
}

static bool is_rising(const double *x, int n) {
  for (int i = 1; i < n; i++)
    if (!(x[i] > x[i - 1])) return false;
  return true;
}

static const char *table_check(const double *c) {
  int speeds = (int)c[SPEEDS], forces = (int)c[FORCES], all = speeds * (forces ? forces : 1);
  if (!is_rising(table_list(c, SPEEDS), speeds) || !is_rising(table_list(c, FORCES), forces))
    return "speeds and forces must rise";
  if (table_list(c, SPEEDS)[0] != 0.0) return "the first speed must be 0";
  if ((int)c[MU] != all || (c[MU_MINUS] != 0.0 && (int)c[MU_MINUS] != all))
    return "one coefficient is needed for each speed (and force)";
  return NULL;
}

/* Place of x in a rising list: cell, share of its upper end, derivative of the share. */
typedef struct table_place {
  int cell, next;
  double share, slope;
} table_place;

static table_place table_find(const double *list, int n, double x) {
  if (n < 2 || x < list[0]) return (table_place){0, 0, 0.0, 0.0};
  if (x >= list[n - 1]) return (table_place){n - 1, n - 1, 0.0, 0.0};
  int low = 0, high = n - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (x >= list[middle])
      low = middle;
    else
      high = middle;
  }
  double slope = 1.0 / (list[high] - list[low]);
  return (table_place){low, high, (x - list[low]) * slope, slope};
}

/* mu on the side of v, with its derivatives with respect to |v| and N. */
static double table_mu(const double *c, double v, double N, double *mu_speed, double *mu_N) {
  int speeds = (int)c[SPEEDS];
  const double *mu = table_list(c, v < 0.0 && c[MU_MINUS] > 0.0 ? MU_MINUS : MU);
  table_place s = table_find(table_list(c, SPEEDS), speeds, fabs(v));
  table_place f = table_find(table_list(c, FORCES), (int)c[FORCES], N);
  const double *row = mu + (ptrdiff_t)f.cell * speeds, *next = mu + (ptrdiff_t)f.next * speeds;
  double low = row[s.cell] + s.share * (row[s.next] - row[s.cell]);
  double high = next[s.cell] + s.share * (next[s.next] - next[s.cell]);
  *mu_speed = s.slope * ((1.0 - f.share) * (row[s.next] - row[s.cell]) + f.share * (next[s.next] - next[s.cell]));
  *mu_N = f.slope * (high - low);
  return low + f.share * (high - low);
}

static void table_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  double s = fw_sign(v), mu_speed, mu_N, plus_N, minus_N, unused;
  double plus = table_mu(c, 0.0, N, &unused, &plus_N), minus = table_mu(c, -1e-300, N, &unused, &minus_N);
  double mu = table_mu(c, v, N, &mu_speed, &mu_N);
  *out = (fw_limit_out){.stick_plus = plus * N,
                        .stick_minus = minus * N,
                        .stick_plus_N = plus + plus_N * N,
                        .stick_minus_N = minus + minus_N * N,
                        .slip = s * mu * N,
                        .slip_v = mu_speed * N,
                        .slip_N = s * (mu + mu_N * N)};
}

const fw_friction_ops fw_friction_tabulated = {
    .entry = {"tabulated", "coefficient of friction from a table of speed and normal force",
              "slip: T = mu(|v|, N) N sgn v\nstick: |T| <= mu(0, N) N, rigid or elastic", "", table_params},
    .pack = table_pack,
    .check = table_check,
    .limit = table_limit};
