/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A spring along the line between two points, or along a given direction. */
#include "elements/link.h"
#include "elements/spring_law.h"

const fw_param fw_spring_params[] = {
    FW_LINK_PARAMS,
    FW_SPRING_LAW_PARAMS("N/m", "elongation", "m", "force", "N"),
    {0},
};

int fw_spring_pack(const fw_given *given, double *c) {
  int count = fw_link_pack(given, c);
  return count + fw_spring_law_pack(given + FW_LINK_GIVENS, c ? c + count : NULL);
}

static fw_spring_law law_of(const fw_properties *props) {
  return fw_spring_law_view(props->constants + FW_LINK_CONSTANTS);
}

static bool nonlinear(const fw_properties *props) {
  fw_spring_law law = law_of(props);
  return fw_link_follows(props) || fw_spring_law_nonlinear(&law);
}

static const char *check(const fw_properties *props, const double *X) {
  fw_spring_law law = law_of(props);
  const char *wrong = fw_link_check(props->constants, X);
  return wrong ? wrong : fw_spring_law_check(&law);
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  fw_link link;
  FW_TRY(fw_link_make(props->constants, X, q, v, &link));
  fw_spring_law law = law_of(props);
  double slope, F = fw_spring_law_force(&law, link.e, &slope);
  fw_link_force(&link, F, slope, 0, f, K, C);
  return FW_OK;
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  fw_link link;
  fw_spring_law law = law_of(props);
  return fw_link_make(props->constants, X, q, NULL, &link) == FW_OK ? fw_spring_law_energy(&law, link.e) : 0;
}

extern const fw_element_ops fw_element_spring;
const fw_element_ops fw_element_spring = {
    .entry = {.name = "spring",
              .summary = "spring between two points or a point and the ground",
              .equation = "F = preload + k e + table(e), e: displacement of the first point relative to the second\n"
                          "along the direction (without one: the elongation); F > 0 pulls the first point back",
              .source = "",
              .params = fw_spring_params},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .in_space = &fw_space_spring,
    .pack = fw_spring_pack,
    .nonlinear = nonlinear,
    .follows = fw_link_follows,
    .check = check,
    .force = force,
    .energy = energy,
};
