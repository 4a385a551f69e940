/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/recover.h"

#include <math.h>

#include "elements/shape.h"

/* Weights of the rule's points for the value at xi. The points of a rule are a smaller copy of the
 * corners, so that the corner shape functions, stretched, run through them. */
static void point_weights(fw_shape shape, const fw_rule *rule, const double xi[2], double *weights) {
  if (rule->count == 1) {
    weights[0] = 1;
  } else if (fw_shape_corners(shape) == 3) {
    const double first = rule->point[0][0], stretch = 1 / (rule->point[1][0] - first);
    const double place[2] = {(xi[0] - first) * stretch, (xi[1] - first) * stretch};
    fw_shape_values(FW_SHAPE_TRI3, place, weights);
  } else {
    const double stretch = 1 / fabs(rule->point[0][0]);
    const double place[2] = {xi[0] * stretch, xi[1] * stretch};
    fw_shape_values(FW_SHAPE_QUAD4, place, weights);
  }
}

static void node_place(const fw_element_ops *ops, int node, double xi[2]) {
  xi[0] = xi[1] = 0;
  if (ops->shape == FW_SHAPE_LINE)
    xi[0] = node == 0 ? -1 : 1;
  else if (ops->shape != FW_SHAPE_POINT)
    fw_shape_node_place(ops->shape, node, xi);
}

void fw_element_recover(const fw_element_ops *ops, const fw_properties *props, const double *X, const double *q,
                        double *values) {
  const fw_rule *rule = ops->points;
  enum { FIELDS = 16, POINTS = 4 };
  double at[POINTS][FIELDS], xi[2], weights[POINTS];
  for (int p = 0; rule != NULL && p < rule->count; p++) ops->field(props, X, q, rule->point[p], at[p]);
  for (int a = 0; a < ops->nodes; a++) {
    double *out = values + a * ops->fields;
    node_place(ops, a, xi);
    if (rule == NULL) {
      ops->field(props, X, q, xi, out);
      continue;
    }
    point_weights(ops->shape, rule, xi, weights);
    for (int i = 0; i < ops->fields; i++) {
      out[i] = 0;
      for (int p = 0; p < rule->count; p++) out[i] += weights[p] * at[p][i];
    }
  }
}
