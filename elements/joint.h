/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a joint is: constraint equations between two attachments (or one and the ground). */
#ifndef FW_ELEMENTS_JOINT_H
#define FW_ELEMENTS_JOINT_H

#include "core/model.h"

enum { FW_JOINT_DOFS = 6, FW_JOINT_EQUATIONS = 3 };

/* What a joint draws its symbol with: lines about one of its points, in coordinates that turn with the body there. */
typedef struct fw_joint_pen {
  void *user;
  double size;  /* radius of a pin (m) */
  double apart; /* distance of the two points in the reference configuration (m) */
  /* A polyline of `count` corners; on_b: about the second point, else the first; closed: back to its first corner;
   * fixed: it does not turn with the body. */
  fw_status (*polyline)(void *user, bool on_b, bool fixed, const double (*corners)[2], int count, bool closed);
  fw_status (*between)(void *user); /* from the first point to the second */
} fw_joint_pen;

/* qa, qb: x, y, rz of the two nodes (zeros for the ground, whose node is at the origin). A joint takes the
 * places of its attachments in the reference configuration for closed: phi = 0 there unless a motion is
 * prescribed or a point that should coincide does not. An attachment with large_rotation turns its arm and
 * what is fixed to it through any angle; otherwise everything is linear in q. phi: the equations; G: their gradient,
 * equations x 6, row major; H: sum over equations of lambda_i * second derivative, 6 x 6. G and
 * H may be NULL. phi_t: partial time derivative (prescribed motion), may be NULL. */
typedef struct fw_joint_ops {
  fw_entry entry;
  int equations;
  bool apart;    /* its two points must not be at one place, */
  bool together; /* or must */
  /* Turns the deck's parameters into joint->constants, as for elements; NULL: the single numbers in order. */
  int (*pack)(const fw_given *given, double *c);
  /* A check of the constants; NULL or a message. The member may be NULL. */
  const char *(*check)(const double *c);
  void (*constraint)(const fw_joint *joint, const double Xa[2], const double Xb[2], const double qa[3],
                     const double qb[3], double t, const double *lambda, double *phi, double *phi_t, double *G,
                     double *H);
  /* Second partial time derivative of phi of a joint with one equation; NULL: 0. */
  double (*acceleration)(const fw_joint *joint, double t);
  /* The coordinate the joint leaves free between its bodies, in which its friction acts, with gradient G [6] and
   * second derivative H [6 x 6] (each may be NULL); NULL: none. turns: it is an angle. */
  void (*relative)(const fw_joint *joint, const double Xa[2], const double Xb[2], const double qa[3],
                   const double qb[3], double *value, double *G, double *H);
  bool turns;
  /* Draws the joint (joints/symbols.h has circles, boxes ...); NULL: as a pin. */
  fw_status (*draw)(const fw_joint *joint, const fw_joint_pen *pen);
  /* What is left of it between bodies that cannot turn, whose rotations have no freedoms: a joint with the same
   * parameters; NULL: all of it. */
  const struct fw_joint_ops *without_turning;
} fw_joint_ops;

extern const fw_table fw_joints; /* joints.def */

/* The six freedoms of a joint: x, y, rz of the first node, then of the second; FW_DOF_FIXED on the ground. */
void fw_joint_dofs(const fw_model *model, const fw_joint *joint, int dof[FW_JOINT_DOFS]);
/* Their values in a vector over the model's freedoms; held and absent ones are 0, as all are where `vector` is NULL. */
void fw_joint_gather(const int dof[FW_JOINT_DOFS], const double *vector, double out[FW_JOINT_DOFS]);

/* Second partial time derivative of a joint's equation; 0 where no motion is prescribed. */
double fw_joint_acceleration(const fw_model *model, const fw_joint *joint, double t);

/* The equations of a joint of the model, and its free coordinate, at the values q of its six freedoms. */
void fw_joint_evaluate(const fw_model *model, const fw_joint *joint, const double q[FW_JOINT_DOFS], double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H);
void fw_joint_relative(const fw_model *model, const fw_joint *joint, const double q[FW_JOINT_DOFS], double *value,
                       double *G, double *H);

/* FW_ERR_DECK, with its place, if a joint prescribes something that changes with time by itself, which `method` does not
 * follow. */
fw_status fw_joints_check_still(fw_context *ctx, const fw_model *model, const char *method);

/* Value, time derivatives and gradients of one equation at (t, q) with rates v; v may be NULL (at rest). */
typedef struct fw_joint_equation {
  int dof[FW_JOINT_DOFS];
  double q[FW_JOINT_DOFS], v[FW_JOINT_DOFS];
  double phi, phi_t, phi_tt, G[FW_JOINT_DOFS], H[FW_JOINT_DOFS * FW_JOINT_DOFS];
  double rate; /* phi' = G v + phi_t */
  double bend; /* v^T phi_qq v + phi_tt: phi'' = G a + bend */
} fw_joint_equation;

void fw_joint_equation_find(const fw_model *model, const fw_joint *joint, int equation, const double *q,
                            const double *v, double t, fw_joint_equation *out);

/* Force and moment a joint exerts on its first body at its point there: x, y, rz. */
void fw_joint_reaction(const fw_model *model, const fw_joint *joint, const double *q, const double *lambda, double t,
                       double reaction[3]);

#endif
