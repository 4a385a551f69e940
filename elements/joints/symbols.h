/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What symbols of joints are made of, as one draws them by hand: circles, boxes, axes. */
#ifndef FW_ELEMENTS_JOINTS_SYMBOLS_H
#define FW_ELEMENTS_JOINTS_SYMBOLS_H

#include "elements/joint.h"

/* About the second point where on_b, else the first. */
fw_status fw_symbol_circle(const fw_joint_pen *pen, bool on_b, double radius);
/* Half sides a along the axis (a unit vector) and b across it, about the first point. */
fw_status fw_symbol_box(const fw_joint_pen *pen, const double axis[2], double a, double b);
/* The axis of a sliding joint (FW_JOINT_AXIS_PARAM) through its point on the second body; its direction. */
fw_status fw_symbol_axis(const fw_joint *joint, const fw_joint_pen *pen, double axis[2]);
/* A cross at the first point that does not turn. */
fw_status fw_symbol_cross(const fw_joint_pen *pen);

/* The whole symbol of a joint, a pin's circle where it has none of its own. */
fw_status fw_joint_draw(const fw_joint *joint, const fw_joint_pen *pen);

#endif
