/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a joint is: constraint equations between two attachments (or one and the ground). */
#ifndef FW_ELEMENTS_JOINT_H
#define FW_ELEMENTS_JOINT_H

#include "core/model.h"

enum { FW_JOINT_DOFS = 6, FW_JOINT_EQUATIONS = 3 };

/* qa, qb: x, y, rz of the two nodes (zeros for the ground). phi: the equations; G: their gradient,
 * equations x 6, row major; H: sum over equations of lambda_i * second derivative, 6 x 6. G and
 * H may be NULL. phi_t: partial time derivative (prescribed motion), may be NULL. */
typedef struct fw_joint_ops {
  fw_entry entry;
  int equations;
  void (*constraint)(const fw_joint *joint, const double Xa[2], const double Xb[2], const double qa[3],
                     const double qb[3], double t, const double *lambda, double *phi, double *phi_t, double *G,
                     double *H);
} fw_joint_ops;

extern const fw_table fw_joints; /* joints.def */

#endif
