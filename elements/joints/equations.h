/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The equations joints are made of. Each function fills one equation: its value, its row of G (six numbers,
 * may be NULL) and adds lambda times its second derivative to H (6 x 6, may be NULL). */
#ifndef FW_ELEMENTS_JOINTS_EQUATIONS_H
#define FW_ELEMENTS_JOINTS_EQUATIONS_H

#include "elements/joint.h"

/* phi = n . (p_a - p_b), n fixed in space. */
void fw_joint_meet(const fw_joint_point *a, const fw_joint_point *b, const double n[2], double lambda, double *phi,
                   double *G, double *H);

/* phi = n . (p_a - p_b) minus its reference value, n fixed to the body of b. */
void fw_joint_slide(const fw_joint_point *a, const fw_joint_point *b, const double n[2], double lambda, double *phi,
                    double *G, double *H);

/* Two equations, in x and y: p_a - p_b = 0; lambda may be NULL. */
void fw_joint_pin(const fw_joint_point *a, const fw_joint_point *b, const double *lambda, double *phi, double *G,
                  double *H);

/* phi = rz_a - rz_b. */
void fw_joint_align(const fw_joint_point *a, const fw_joint_point *b, double *phi, double *G);

/* The parameter `axis` of sliding joints; constants: count, x, y. */
#define FW_JOINT_AXIS_PARAM \
  { "axis", FW_PARAM_NUMBERS, "", NULL, 0, 0, NULL, "x, y of the direction of sliding, fixed to the second body" }
enum { FW_JOINT_AXIS_COUNT, FW_JOINT_AXIS_X, FW_JOINT_AXIS_Y, FW_JOINT_AXIS_CONSTANTS };
int fw_joint_axis_pack(const fw_given *given, double *c);
const char *fw_joint_axis_check(const double *c);
/* Unit normal of the axis: the axis turned by +90 degrees. */
void fw_joint_axis_normal(const double *c, double n[2]);

/* The way along the axis: `relative` of sliding joints. */
void fw_joint_travel(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double *value, double *G,
                     double *H);

/* What a joint's expression of time says, and its rate where not NULL; 0 without one. */
double fw_joint_motion(const fw_joint *joint, double t, double *rate);
/* `acceleration` of a joint whose equation has - motion(t). */
double fw_joint_motion_acceleration(const fw_joint *joint, double t);

/* Row of equation i, or NULL. */
static inline double *fw_joint_row(double *G, int i) { return G ? G + (ptrdiff_t)i * FW_JOINT_DOFS : NULL; }

#endif
