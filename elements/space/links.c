/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spring and damper in space: along a given direction x, y, z or through both ends, fixed while they move. */
#include <math.h>
#include <string.h>

#include "elements/bushing.h"
#include "elements/link.h"
#include "elements/space/axes.h"
#include "elements/spring_law.h"

/* Unit direction: given, or from the second end to the first. */
static void direction_of(const double *c, const double *X, double n[3]) {
  for (int k = 0; k < 3; k++) n[k] = c[FW_LINK_NUMBERS] != 0 ? c[FW_LINK_DX + k] : X[k] - X[FW_SPACE_PLACES + k];
  double size = hypot(hypot(n[0], n[1]), n[2]);
  for (int k = 0; k < 3; k++) n[k] /= size;
}

static const char *check_link(const double *c, const double *X) {
  bool given = c[FW_LINK_NUMBERS] != 0;
  const double *d = given ? c + FW_LINK_DX : X, zero[3] = {0}, *other = given ? zero : X + FW_SPACE_PLACES;
  if (c[FW_LINK_FOLLOWS] != 0) return "in space the line of action cannot follow the ends: use linear";
  if (given && c[FW_LINK_NUMBERS] != 3) return "the direction needs three numbers, x, y and z";
  if (d[0] != other[0] || d[1] != other[1] || d[2] != other[2]) return NULL;
  return given ? "the direction is zero" : "the ends are at one place: give a direction";
}

/* The direction as a row of the element's freedoms: e = row . q. */
static void link_row(const double *c, const double *X, double row[FW_SPACE_MOST]) {
  const fw_space_axes axes = fw_space_node_axes(2, X);
  double n[3];
  direction_of(c, X, n);
  memset(row, 0, FW_SPACE_MOST * sizeof *row);
  for (int k = 0; k < 3; k++) {
    row[fw_dof_moves[k]] = n[k];
    row[FW_SPACE_DOFS + fw_dof_moves[k]] = -n[k];
  }
  fw_space_turn(&axes, row);
}

static double along(const double row[FW_SPACE_MOST], const double *q) {
  double sum = 0;
  for (int i = 0; i < FW_SPACE_MOST; i++) sum += row[i] * q[i];
  return sum;
}

static void fill(const double row[FW_SPACE_MOST], double factor, double *matrix) {
  for (int i = 0; matrix && i < FW_SPACE_MOST; i++)
    for (int j = 0; j < FW_SPACE_MOST; j++) matrix[FW_SPACE_MOST * i + j] = factor * row[i] * row[j];
}

/* ---- spring ---------------------------------------------------------------------------------- */

static fw_spring_law law_of(const fw_properties *props) {
  return fw_spring_law_view(props->constants + FW_LINK_CONSTANTS);
}

static bool spring_nonlinear(const fw_properties *props) {
  fw_spring_law law = law_of(props);
  return fw_spring_law_nonlinear(&law);
}

static const char *spring_check(const fw_properties *props, const double *X) {
  fw_spring_law law = law_of(props);
  const char *wrong = check_link(props->constants, X);
  return wrong ? wrong : fw_spring_law_check(&law);
}

static fw_status spring_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                              double *K, double *C) {
  (void)v;
  fw_spring_law law = law_of(props);
  double row[FW_SPACE_MOST], slope;
  link_row(props->constants, X, row);
  double F = fw_spring_law_force(&law, along(row, q), &slope);
  for (int i = 0; i < FW_SPACE_MOST; i++) f[i] = F * row[i];
  fill(row, slope, K);
  fill(row, 0, C);
  return FW_OK;
}

static double spring_energy(const fw_properties *props, const double *X, const double *q) {
  fw_spring_law law = law_of(props);
  double row[FW_SPACE_MOST];
  link_row(props->constants, X, row);
  return fw_spring_law_energy(&law, along(row, q));
}

/* ---- damper ----------------------------------------------------------------------------------- */

static const char *damper_check(const fw_properties *props, const double *X) { return check_link(props->constants, X); }

static fw_status damper_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                              double *K, double *C) {
  (void)q;
  double row[FW_SPACE_MOST], c = props->constants[FW_LINK_CONSTANTS];
  link_row(props->constants, X, row);
  double F = v ? c * along(row, v) : 0;
  for (int i = 0; i < FW_SPACE_MOST; i++) f[i] = F * row[i];
  fill(row, 0, K);
  fill(row, c, C);
  return FW_OK;
}

/* ---- entries ------------------------------------------------------------------------------------ */

const fw_element_ops fw_space_spring = {
    .entry = {.name = "spring",
              .summary = "spring in space between two points or a point and the ground",
              .equation =
                  "F = preload + k e + table(e), e: displacement of the first point relative to the second along "
                  "the direction",
              .source = "",
              .params = fw_spring_params},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .rotations = true,
    .space = true,
    .pack = fw_spring_pack,
    .nonlinear = spring_nonlinear,
    .check = spring_check,
    .force = spring_force,
    .energy = spring_energy,
};

const fw_element_ops fw_space_damper = {
    .entry = {.name = "damper",
              .summary = "viscous damper in space between two points or a point and the ground",
              .equation = "F = c de/dt, e: displacement of the first point relative to the second along the direction",
              .source = "",
              .params = fw_damper_params},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .rotations = true,
    .space = true,
    .pack = fw_damper_pack,
    .check = damper_check,
    .force = damper_force,
};
