/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Force against penetration from a table that begins at (0, 0): monotone cubic between the points
 * (Fritsch and Carlson's limits on the slopes), straight beyond the last. */
#include <math.h>

#include "contact/normal/damped.h"

static const fw_param tabulated_params[] = {
    {"penetrations", FW_PARAM_NUMBERS, "m", NULL, 0, 1e6, NULL, "rising, above 0"},
    {"forces", FW_PARAM_NUMBERS, "N", NULL, 0, 1e18, NULL, "one for each penetration, never falling"},
    FW_NORMAL_CHI,
    {0}};

/* Constants: number of points (0: lists do not match), chi, then for each point d, F, slope and
 * energy up to there. Point 0 is (0, 0). */
enum { COUNT, CHI, POINTS };
enum { AT, FORCE, SLOPE, ENERGY, WIDTH };

static const double *point(const double *c, int i) { return c + POINTS + (ptrdiff_t)WIDTH * i; }
static double *point_to_fill(double *c, int i) { return c + POINTS + (ptrdiff_t)WIDTH * i; }

static double secant(const double *a, const double *b) { return (b[FORCE] - a[FORCE]) / (b[AT] - a[AT]); }

/* Weighted harmonic mean of the neighbouring secants: no overshoot. */
static double inner_slope(const double *a, const double *b, const double *c) {
  const double left = secant(a, b), right = secant(b, c);
  if (!(left > 0.0 && right > 0.0)) return 0.0;
  const double h = b[AT] - a[AT], k = c[AT] - b[AT];
  return 3.0 * (h + k) / ((h + 2.0 * k) / left + (2.0 * h + k) / right);
}

/* One-sided parabola, kept between 0 and three times the secant. */
static double outer_slope(double near_secant, double far_secant, double h, double k) {
  const double slope = near_secant + (near_secant - far_secant) * h / (h + k);
  return fmin(fmax(slope, 0.0), 3.0 * near_secant);
}

static void fill_slopes(double *c, int n) {
  for (int i = 0; i < n; i++) {
    const double *p = point(c, i);
    double *slope = &point_to_fill(c, i)[SLOPE];
    if (n == 2)
      *slope = secant(point(c, 0), point(c, 1));
    else if (i == 0)
      *slope = outer_slope(secant(p, p + WIDTH), secant(p + WIDTH, p + 2 * WIDTH), p[WIDTH + AT] - p[AT],
                           p[2 * WIDTH + AT] - p[WIDTH + AT]);
    else if (i == n - 1)
      *slope = outer_slope(secant(p - WIDTH, p), secant(p - 2 * WIDTH, p - WIDTH), p[AT] - (p - WIDTH)[AT],
                           (p - WIDTH)[AT] - (p - 2 * WIDTH)[AT]);
    else
      *slope = inner_slope(p - WIDTH, p, p + WIDTH);
  }
}

/* Cubic between two points: force, slope and energy at d. */
static void between(const double *a, const double *b, double d, double *F, double *F_d, double *energy) {
  const double h = b[AT] - a[AT], t = (d - a[AT]) / h, t2 = t * t, t3 = t2 * t, t4 = t3 * t;
  const double p = a[FORCE], q = b[FORCE], m = h * a[SLOPE], k = h * b[SLOPE];
  *F = p * (1.0 - 3.0 * t2 + 2.0 * t3) + q * (3.0 * t2 - 2.0 * t3) + m * (t - 2.0 * t2 + t3) + k * (t3 - t2);
  *F_d = ((q - p) * 6.0 * (t - t2) + m * (1.0 - 4.0 * t + 3.0 * t2) + k * (3.0 * t2 - 2.0 * t)) / h;
  *energy = a[ENERGY] + h * (p * (t - t3 + 0.5 * t4) + q * (t3 - 0.5 * t4) +
                             m * (0.5 * t2 - 2.0 / 3.0 * t3 + 0.25 * t4) + k * (0.25 * t4 - t3 / 3.0));
}

static int tabulated_pack(const fw_given *given, double *c) {
  const int rows = given[0].count == given[1].count ? given[0].count : 0, n = rows ? rows + 1 : 0;
  if (!c) return POINTS + WIDTH * (rows + 1);
  c[COUNT] = n;
  c[CHI] = given[2].count ? given[2].values[0] : 0.0;
  for (int i = 0; i <= rows; i++) {
    double *p = point_to_fill(c, i);
    p[AT] = i ? given[0].values[i - 1] : 0.0;
    p[FORCE] = i ? given[1].values[i - 1] : 0.0;
    p[SLOPE] = p[ENERGY] = 0.0;
  }
  if (n > 1) fill_slopes(c, n);
  for (int i = 1; i < n; i++) {
    double F, F_d;
    between(point(c, i - 1), point(c, i), point(c, i)[AT], &F, &F_d, &point_to_fill(c, i)[ENERGY]);
  }
  return POINTS + WIDTH * (rows + 1);
}

static const char *tabulated_check(const double *c) {
  const int n = (int)c[COUNT];
  if (n == 0) return "penetrations and forces need equally many numbers";
  for (int i = 1; i < n; i++) {
    if (!(point(c, i)[AT] > point(c, i - 1)[AT])) return "penetrations must rise, from above 0";
    if (!(point(c, i)[FORCE] >= point(c, i - 1)[FORCE])) return "forces must not fall";
  }
  return NULL;
}

static void tabulated_force(const double *c, double gap, double rate, fw_normal_out *out) {
  const int n = (int)c[COUNT];
  const double d = fmax(-gap, 0.0), *last = point(c, n - 1);
  double F = 0.0, F_d = 0.0, energy = 0.0;
  if (d > last[AT]) {
    const double past = d - last[AT];
    F = last[FORCE] + past * last[SLOPE];
    F_d = last[SLOPE];
    energy = last[ENERGY] + past * (last[FORCE] + 0.5 * past * last[SLOPE]);
  } else if (d > 0.0) {
    int i = 1;
    while (i < n - 1 && d > point(c, i)[AT]) i++;
    between(point(c, i - 1), point(c, i), d, &F, &F_d, &energy);
  }
  fw_normal_damped(F, F_d, energy, c[CHI], rate, out);
}

const fw_normal_ops fw_normal_tabulated = {
    .entry = {.name = "tabulated",
              .summary = "force against penetration from a table, monotone cubic in between",
              .equation = "N = F(d) (1 + chi d'), d = max(-gap, 0)",
              .source = "Fritsch and Carlson, SIAM J. Numer. Anal. 17, 1980",
              .params = tabulated_params},
    .pack = tabulated_pack,
    .check = tabulated_check,
    .force = tabulated_force,
};
