/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/von_karman.h"

bool fw_von_karman_membrane(const fw_element_ops *ops, const fw_properties *props, const double *X,
                            fw_membrane *membrane) {
  if (!ops->membrane || props->kinematics != FW_VON_KARMAN) return false;
  ops->membrane(props, X, membrane);
  return true;
}

double fw_membrane_strain(const fw_membrane *membrane, const double *q, double *gradient) {
  double strain = 0;
  for (int i = 0; i < FW_BEAM_DOFS; i++) {
    double curved = 0;
    for (int j = 0; j < FW_BEAM_DOFS; j++) curved += membrane->G[i * FW_BEAM_DOFS + j] * q[j];
    strain += (membrane->b[i] + 0.5 * curved) * q[i];
    if (gradient) gradient[i] = membrane->b[i] + curved;
  }
  return strain;
}
