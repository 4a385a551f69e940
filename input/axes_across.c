/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/builder.h"
#include "input/vectors.h"

/* What is left of a direction beside the unit vector n, at length 1; false if it is along n. */
static bool beside(const double direction[3], const double n[3], double out[3]) {
  double along = fw_vector_dot(direction, n), size = sqrt(fw_vector_dot(direction, direction));
  for (int k = 0; k < 3; k++) out[k] = direction[k] - along * n[k];
  bool apart = sqrt(fw_vector_dot(out, out)) > 1e-6 * size;
  return fw_vector_scale(out) && apart;
}

fw_status fw_axes_across(fw_builder *builder, const fw_args *args, double e[3][3]) {
  static const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
  if (fw_args_given(args, "first")) {
    FW_TRY(fw_builder_expect(builder, args, "first", 3));
    if (!beside(fw_args_value(args, "first")->numbers, e[2], e[0]))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "first"),
                        "attribute 'first': it is normal to the plane");
  } else if (fabs(fw_vector_dot(e[2], z)) > 0.99) {
    beside(x, e[2], e[0]);
  } else {
    beside(z, e[2], e[1]);
    fw_vector_cross(e[1], e[2], e[0]);
  }
  fw_vector_cross(e[2], e[0], e[1]);
  return FW_OK;
}
