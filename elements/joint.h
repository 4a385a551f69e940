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

/* An attached point: reference place, place p and its derivatives with respect to the node's rotation. */
typedef struct fw_joint_point {
  double p0[2], p[2], p_rz[2], p_rz_rz[2];
  double rz;
  bool large_rotation;
} fw_joint_point;

/* A joint takes the places of its points a and b in the reference configuration for closed: phi = 0 there unless a motion
 * is prescribed or a point that should coincide does not. A point with large_rotation turns through any angle with what
 * is fixed to it; otherwise everything is linear in q = (x, y, rz of the first node, of the second). phi: the equations; G:
 * their gradient, equations x 6, row major; H: sum over equations of lambda_i * second derivative, 6 x 6. G and H may be
 * NULL, as may phi_t, the partial time derivative (prescribed motion), and lambda; the three are zero before. */
typedef struct fw_joint_ops {
  fw_entry entry;
  int equations;
  bool apart;    /* its two points must not be at one place, */
  bool together; /* or must */
  /* Turns the deck's parameters into joint->constants, as for elements; NULL: the single numbers in order. */
  int (*pack)(const fw_given *given, double *c);
  /* A check of the constants; NULL or a message. The member may be NULL. */
  const char *(*check)(const double *c);
  void (*constraint)(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                     const double *lambda, double *phi, double *phi_t, double *G, double *H);
  /* Second partial time derivative of phi of a joint with one equation; NULL: 0. */
  double (*acceleration)(const fw_joint *joint, double t);
  /* The coordinate the joint leaves free between its bodies, in which its friction acts, with gradient G [6] and
   * second derivative H [6 x 6] (each may be NULL); NULL: none. turns: it is an angle. */
  void (*relative)(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double *value, double *G,
                   double *H);
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

/* The two points of a joint whose nodes stand at Xa and Xb and have moved by q; the ground's stands at the origin. */
void fw_joint_ends(const fw_joint *joint, const double Xa[2], const double Xb[2], const double q[FW_JOINT_DOFS],
                   fw_joint_point ends[2]);
/* Its equations there, and its free coordinate. */
void fw_joint_constrain(const fw_joint *joint, const fw_joint_point ends[2], double t, const double *lambda,
                        double *phi, double *phi_t, double *G, double *H);
void fw_joint_free_coordinate(const fw_joint *joint, const fw_joint_point ends[2], double *value, double *G, double *H);

/* The same of a joint of the model. */
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
