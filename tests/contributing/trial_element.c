/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elements/trial_element.c: a linear spring. */
#include "elements/link.h"

static const fw_param params[] = {FW_LINK_PARAMS, {"k", FW_PARAM_NUMBER, "N/m", NULL, 0, 1e30, NULL, "stiffness"}, {0}};

static int pack(const fw_given *given, double *c) {
  int count = fw_link_pack(given, c);
  if (c) c[count] = given[FW_LINK_GIVENS].values[0];
  return count + 1;
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  fw_link link;
  FW_TRY(fw_link_make(props->constants, X, q, v, &link));
  double k = props->constants[FW_LINK_CONSTANTS];
  fw_link_force(&link, k * link.e, k, 0, f, K, C);
  return FW_OK;
}

extern const fw_element_ops fw_element_trial_element;
const fw_element_ops fw_element_trial_element = {
    .entry = {"trial-element", "an element on trial", "F = k e", "", params},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .pack = pack,
    .nonlinear = fw_link_follows,
    .follows = fw_link_follows,
    .force = force,
};
