/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/joints/symbols.h"

#include <math.h>

#include "elements/joints/equations.h"

enum { CORNERS = 24 };

fw_status fw_symbol_circle(const fw_joint_pen *pen, bool on_b, double radius) {
  double corners[CORNERS][2];
  for (int i = 0; i < CORNERS; i++) {
    corners[i][0] = radius * cos(2 * M_PI * i / CORNERS);
    corners[i][1] = radius * sin(2 * M_PI * i / CORNERS);
  }
  return pen->polyline(pen->user, on_b, false, (const double(*)[2])corners, CORNERS, true);
}

fw_status fw_symbol_box(const fw_joint_pen *pen, const double axis[2], double a, double b) {
  static const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  double corners[4][2];
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++) {
      double across = k ? axis[0] : -axis[1];
      corners[i][k] = signs[i][0] * a * axis[k] + signs[i][1] * b * across;
    }
  return pen->polyline(pen->user, false, false, (const double(*)[2])corners, 4, true);
}

fw_status fw_symbol_axis(const fw_joint *joint, const fw_joint_pen *pen, double axis[2]) {
  double n[2], reach = 4 * pen->size;
  fw_joint_axis_normal(joint->constants, n);
  axis[0] = n[1];
  axis[1] = -n[0];
  const double ends[2][2] = {{-reach * axis[0], -reach * axis[1]}, {reach * axis[0], reach * axis[1]}};
  return pen->polyline(pen->user, true, false, ends, 2, false);
}

fw_status fw_symbol_cross(const fw_joint_pen *pen) {
  double h = pen->size;
  const double rising[2][2] = {{-h, -h}, {h, h}}, falling[2][2] = {{-h, h}, {h, -h}};
  FW_TRY(pen->polyline(pen->user, false, true, rising, 2, false));
  return pen->polyline(pen->user, false, true, falling, 2, false);
}

fw_status fw_joint_draw(const fw_joint *joint, const fw_joint_pen *pen) {
  return joint->ops->draw ? joint->ops->draw(joint, pen) : fw_symbol_circle(pen, false, pen->size);
}
