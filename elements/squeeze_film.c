/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The film of liquid between a tube and its support, squeezed as the gap changes: Reynolds' equation without inertia, full
 * film (no cavitation). F = -C(e) de/dt at the tube's centre, at e from the middle of the hole, eps = |e|/c:
 *
 *   hole   C_0 = 12 pi eta L R^3/c^3 [1 - tanh(x)/x], x = L/(2 R), centred, of any length;
 *          along e  C_0 (1 + 2 eps^2)/(1 - eps^2)^(5/2),  across it  C_0/(1 - eps^2)^(3/2), the functions of the short
 *          film (Ocvirk)
 *   bar    C = 3 sqrt(2) pi eta L (R/h)^(3/2) along its normal, h the gap: a cylinder and a plane, sqrt(2 R h) << L
 *
 * Below the least gap C stays as it is there, in contact too. */
#include <math.h>
#include <string.h>

#include "elements/element.h"

enum { VISCOSITY, LEAST, CLEARANCE, RADIUS, LENGTH, SURFACE, ANGLE, CENTRE_X, CENTRE_Y, SHARE, CONSTANTS };
enum { BAR = 1 };
enum { GIVEN_SURFACE = 5, GIVEN_ANGLE, GIVEN_CENTRE, GIVEN_SHARE };

static const fw_param params[] = {
    {"viscosity", FW_PARAM_NUMBER, "Pa s", NULL, 0, 1e6, NULL, "of the liquid, dynamic"},
    {"least-gap", FW_PARAM_NUMBER, "m", "0", 0, 1, NULL,
     "roughness below which the film gets no thinner; 0: a thousandth of the clearance, at least 1 um"},
    {"clearance", FW_PARAM_NUMBER, "m", NULL, 1e-12, 1e6, NULL, "radial, or between the tube at rest and the bar"},
    {"radius", FW_PARAM_NUMBER, "m", NULL, 1e-12, 1e6, NULL, "of the tube, outside"},
    {"length", FW_PARAM_NUMBER, "m", NULL, 1e-12, 1e6, NULL, "of the film along the tube: plate thickness, bar width"},
    {"surface", FW_PARAM_CHOICE, "", "hole", 0, 0, "hole|bar", "what is around or beside the tube"},
    {"angle", FW_PARAM_NUMBER, "deg", "0", -720, 720, NULL, "of a bar: its side of the tube, from the x axis"},
    {"centre", FW_PARAM_NUMBERS, "m", "0, 0", 0, 0, NULL,
     "middle of the hole, or where the bar's clearance counts from"},
    {"share", FW_PARAM_NUMBER, "", "1", 0, 1, NULL, "part of the film that acts here, where faces of a plate share it"},
    {0},
};

static int pack(const fw_given *given, double *c) {
  if (!c) return CONSTANTS;
  for (int k = VISCOSITY; k <= LENGTH; k++) c[k] = given[k].count ? given[k].values[0] : 0;
  c[SURFACE] = given[GIVEN_SURFACE].count ? given[GIVEN_SURFACE].values[0] : 0;
  c[ANGLE] = given[GIVEN_ANGLE].count ? given[GIVEN_ANGLE].values[0] * (M_PI / 180) : 0;
  c[CENTRE_X] = given[GIVEN_CENTRE].count > 0 ? given[GIVEN_CENTRE].values[0] : 0;
  c[CENTRE_Y] = given[GIVEN_CENTRE].count > 1 ? given[GIVEN_CENTRE].values[1] : 0;
  c[SHARE] = given[GIVEN_SHARE].count ? given[GIVEN_SHARE].values[0] : 1;
  if (!(c[LEAST] > 0)) c[LEAST] = fmax(1e-3 * c[CLEARANCE], 1e-6);
  return CONSTANTS;
}

static const char *check(const fw_properties *props, const double *X) {
  (void)X;
  return props->constants[LEAST] < props->constants[CLEARANCE] ? NULL : "the least gap is not below the clearance";
}

/* C = across I + factor e e^T, and how both change: d across = factor e . de, d factor = growth e . de; where the film
 * gets no thinner `fixed` holds across + factor |e|^2 instead. */
typedef struct film {
  double e[2], across, factor, growth;
  bool fixed;
} film;

static film hole(const double *c, const double e[2]) {
  double x = c[LENGTH] / (2 * c[RADIUS]), way = hypot(e[0], e[1]), most = c[CLEARANCE] - c[LEAST];
  double C_0 = 12 * M_PI * c[VISCOSITY] * c[LENGTH] * pow(c[RADIUS] / c[CLEARANCE], 3) * (1 - tanh(x) / x);
  double square = c[CLEARANCE] * c[CLEARANCE], eps = fmin(way, most) / c[CLEARANCE], left = 1 - eps * eps;
  film self = {.e = {e[0], e[1]}, .fixed = way > most};
  C_0 *= c[SHARE];
  self.across = C_0 * pow(left, -1.5);
  self.factor = 3 * C_0 / square * pow(left, -2.5);
  self.growth = 15 * C_0 / (square * square) * pow(left, -3.5);
  if (self.fixed) self.factor *= most * most / (way * way);
  return self;
}

static film bar(const double *c, const double e[2]) {
  const double n[2] = {cos(c[ANGLE]), sin(c[ANGLE])};
  double gap = c[CLEARANCE] - e[0] * n[0] - e[1] * n[1], h = fmax(gap, c[LEAST]);
  film self = {.e = {n[0], n[1]}, .factor = c[SHARE] * 3 * sqrt(2) * M_PI * c[VISCOSITY] * c[LENGTH]};
  self.factor *= pow(c[RADIUS] / h, 1.5);
  self.growth = gap > c[LEAST] ? 1.5 * self.factor / h : 0;
  return self;
}

static film film_at(const fw_properties *props, const double *X, const double *q) {
  const double *c = props->constants, e[2] = {X[0] + q[0] - c[CENTRE_X], X[1] + q[1] - c[CENTRE_Y]};
  return c[SURFACE] == BAR ? bar(c, e) : hole(c, e);
}

static void matrix_of(const film *self, double *C) {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) C[2 * i + j] = (i == j ? self->across : 0) + self->factor * self->e[i] * self->e[j];
}

static void damping(const fw_properties *props, const double *X, const double *q, double *C) {
  const film now = film_at(props, X, q);
  matrix_of(&now, C);
}

/* d(C v)/de of a hole: factor (v e^T + e v^T + (e . v) I) + growth (e . v) e e^T; where it gets no thinner factor goes
 * with 1/|e|^2 and across is constant. A bar's direction is fixed: growth (n . v) n n^T. */
static void gradient_of(const film *self, bool turns, const double *v, double *K) {
  const double *e = self->e;
  double along = e[0] * v[0] + e[1] * v[1], square = e[0] * e[0] + e[1] * e[1];
  double growth = self->fixed ? -2 * self->factor / square : self->growth, across = self->fixed ? 0 : self->factor;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      K[2 * i + j] = growth * along * e[i] * e[j];
      if (turns) K[2 * i + j] += across * v[i] * e[j] + self->factor * (e[i] * v[j] + (i == j ? along : 0));
    }
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  static const double rest[2] = {0, 0};
  const film now = film_at(props, X, q);
  double own[4];
  matrix_of(&now, own);
  for (int i = 0; i < 2; i++) f[i] = v ? own[2 * i] * v[0] + own[2 * i + 1] * v[1] : 0;
  if (K) gradient_of(&now, props->constants[SURFACE] != BAR, v ? v : rest, K);
  if (C) memcpy(C, own, sizeof own);
  return FW_OK;
}

static bool always(const fw_properties *props) {
  (void)props;
  return true;
}

extern const fw_element_ops fw_element_squeeze_film;
const fw_element_ops fw_element_squeeze_film = {
    .entry = {.name = "squeeze-film",
              .summary = "film of liquid between a tube and a hole or a flat bar, a damper that depends on the gap",
              .equation = "F = -C(e) v, hole: C_0 = 12 pi eta L R^3/c^3 [1 - tanh(x)/x], x = L/(2 R), along e times\n"
                          "(1 + 2 eps^2)/(1 - eps^2)^2.5, across it over (1 - eps^2)^1.5, eps = |e|/c;\n"
                          "bar: C = 3 sqrt(2) pi eta L (R/h)^1.5 along its normal, h the gap",
              .source = "Reynolds' equation without inertia; functions of eps: Ocvirk, NACA TN 2808 (1952)",
              .params = params},
    .shape = FW_SHAPE_POINT,
    .nodes = 1,
    .pack = pack,
    .nonlinear = always,
    .check = check,
    .force = force,
    .damping = damping,
};
