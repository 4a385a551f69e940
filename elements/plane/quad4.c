/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bilinear quadrilateral with 2 x 2 points. The linear stiffness is the fully integrated one, put
 * together from its constant and hourglass parts (split.h), several times cheaper than point by point. */
#include "elements/plane/split.h"

FW_PLANE_COMMON(FW_SHAPE_QUAD4)
FW_PLANE_FIELD(FW_SHAPE_QUAD4, 4)

/* k = integral of grad h . D . grad h. */
static void hourglass(const fw_properties *props, fw_plane_law law, const fw_split *s, double k[2][2]) {
  double xx = 0, xy = 0, yy = 0;
  for (int p = 0; p < 4; p++) {
    double gh[2];
    const double w = fw_split_gradient(s, fw_rule_quad4.point[p], gh) * props->thickness;
    xx += w * gh[0] * gh[0], xy += w * gh[0] * gh[1], yy += w * gh[1] * gh[1];
  }
  k[0][0] = law.d11 * xx + law.d33 * yy;
  k[1][1] = law.d11 * yy + law.d33 * xx;
  k[0][1] = k[1][0] = (law.d12 + law.d33) * xy;
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)v;
  fw_plane_no_damping(4, C);
  if (props->kinematics == FW_TOTAL_LAGRANGIAN)
    return fw_plane_force(FW_SHAPE_QUAD4, 4, &fw_rule_quad4, props, X, q, f, K);
  const fw_plane_law law = fw_plane_modulus(props);
  fw_split split;
  double k[2][2];
  fw_split_setup(props, X, &split);
  hourglass(props, law, &split, k);
  fw_split_force(law, &split, k, q, f, K);
  return FW_OK;
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  return fw_plane_energy(FW_SHAPE_QUAD4, 4, &fw_rule_quad4, props, X, q);
}

FW_PLANE_ENTRY(quad4, FW_SHAPE_QUAD4, 4, fw_rule_quad4, "bilinear quadrilateral, 2 x 2 points; locks in bending",
               "Taig 1961; Irons 1966; Belytschko and Bachrach 1986");
