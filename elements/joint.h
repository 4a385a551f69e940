/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a joint is: constraint equations between two attachments (or one and the ground). */
#ifndef FW_ELEMENTS_JOINT_H
#define FW_ELEMENTS_JOINT_H

#include "core/model.h"

enum { FW_JOINT_DOFS = 6, FW_JOINT_EQUATIONS = 3 };

/* qa, qb: x, y, rz of the two nodes (zeros for the ground, whose node is at the origin). A joint takes the
 * places of its attachments in the reference configuration for closed: phi = 0 there unless a motion is
 * prescribed or a point that should coincide does not. An attachment with large_rotation turns its arm and
 * what is fixed to it through any angle; otherwise everything is linear in q. phi: the equations; G: their gradient,
 * equations x 6, row major; H: sum over equations of lambda_i * second derivative, 6 x 6. G and
 * H may be NULL. phi_t: partial time derivative (prescribed motion), may be NULL. */
typedef struct fw_joint_ops {
  fw_entry entry;
  int equations;
  /* Turns the deck's parameters into joint->constants, as for elements; NULL: the single numbers in order. */
  int (*pack)(const fw_given *given, double *c);
  /* A check of the constants; NULL or a message. The member may be NULL. */
  const char *(*check)(const double *c);
  void (*constraint)(const fw_joint *joint, const double Xa[2], const double Xb[2], const double qa[3],
                     const double qb[3], double t, const double *lambda, double *phi, double *phi_t, double *G,
                     double *H);
  /* Second partial time derivative of phi of a joint with one equation; NULL: 0. */
  double (*acceleration)(const double *c, double t);
  /* The coordinate the joint leaves free between its bodies, in which its friction acts, with gradient G [6] and
   * second derivative H [6 x 6] (each may be NULL); NULL: none. turns: it is an angle. */
  void (*relative)(const fw_joint *joint, const double Xa[2], const double Xb[2], const double qa[3],
                   const double qb[3], double *value, double *G, double *H);
  bool turns;
} fw_joint_ops;

extern const fw_table fw_joints; /* joints.def */

/* Force and moment a joint exerts on its first body at its point there: x, y, rz. */
void fw_joint_reaction(const fw_model *model, const fw_joint *joint, const double *q, const double *lambda, double t,
                       double reaction[3]);

#endif
