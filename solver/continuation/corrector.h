/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A curve of solutions R(x, lambda) = 0 and Newton's method on it. A point y = (x, lambda) has n + 1
 * entries; all steps are measured in units of `scale`. */
#ifndef FW_CONTINUATION_CORRECTOR_H
#define FW_CONTINUATION_CORRECTOR_H

#include "solver/continuation/bordered.h"

typedef struct fw_continuation {
  int n;
  int border;          /* of the unknowns, how many stand behind the core (bordered.h) */
  const fw_core *core; /* a core that is never held whole; NULL: a matrix. Lent */
  void *user;
  /* r: n entries; J: dR/dx; r_lambda: n entries. J NULL: values only; r_lambda NULL: not
   * wanted. Positive status: no value here, a shorter step may help. */
  fw_status (*residual)(void *user, const double *y, double *r, fw_jacobian *J, double *r_lambda);
  /* Of equations that are smooth in pieces only, set by residual with J: y lies on another piece than where it was asked
   * before. Newton's step there is one of no use unless the residual falls. */
  bool other_piece;
  bool chords; /* Newton's method may end with steps that take the factors of the one before; not with a core */
  /* Residuals that are not good to all digits lead nowhere near a branch point: in a step of less than this it is passed
   * if Newton's method finds the curve straight ahead. 0: only in very short ones, and so its place is known. */
  double leap;
  double *scale;   /* n + 1: size of each unknown, > 0 */
  fw_context *ctx; /* asked before every evaluation whether to go on; lent */
  /* work space */
  fw_jacobian J;
  fw_bordered *bordered;
  double *A, *step, *row, *inverse, *r, *r_lambda;
  int *pivot;
} fw_continuation;

/* The one further equation that picks a point on the curve: value and gradient (n + 1). */
typedef struct fw_condition {
  void *user;
  double (*value)(void *user, const double *y, double *gradient);
} fw_condition;

/* A plane: sum normal_i (y_i - at_i) / scale_i = 0, i = 0..n. */
typedef struct fw_plane {
  int n;
  const double *normal, *at, *scale;
} fw_plane;
double fw_plane_value(void *plane, const double *y, double *gradient);

/* A value of lambda. */
typedef struct fw_fixed {
  int n;
  double lambda;
} fw_fixed;
double fw_fixed_value(void *fixed, const double *y, double *gradient);

typedef struct fw_newton {
  double tolerance; /* largest scaled last step */
  int most;         /* iterations at most, */
  int idle;         /* of which this many running without a shorter step end it; 0: whatever they do */
  bool whole;       /* steps are never halved */
  /* results */
  int iterations;
  double last_step;
  double residual; /* largest residual, each row in units of its largest scaled Jacobian entry */
} fw_newton;

/* Allocates the work space; curve->n, user, residual must be set. Clear is safe on a zeroed struct. */
fw_status fw_continuation_init(fw_context *ctx, fw_continuation *curve);
void fw_continuation_clear(fw_continuation *curve);

/* Newton on R = 0 with the condition, from y (in place). Steps that make the residual grow are halved.
 * FW_RECOVER_DIVERGED if it does not converge (y is then of no use). */
fw_status fw_continuation_correct(fw_continuation *curve, fw_condition condition, fw_newton *newton, double *y);

/* Unit tangent (scaled) at the point last corrected, in the sense in which det [dR/dy; tangent] > 0. A curve keeps this
 * sense through folds and corners, however sharp; only at branch points it turns (Allgower and Georg, Numerical
 * Continuation Methods, 1990). A core that is never held whole has no determinant: there the sense is that of `along`,
 * the tangent before (NULL: lambda grows). dR/dlambda is that of where the correction began or of every fourth
 * iteration: good enough to predict from. */
fw_status fw_continuation_tangent(fw_continuation *curve, const double *along, double *tangent);

/* The same at a point y near the curve; the condition's gradient must not be normal to the tangent. */
fw_status fw_continuation_look(fw_continuation *curve, fw_condition condition, const double *y, const double *along,
                               double *tangent);

/* Largest residual at y, each row in units of the scaled Jacobian's largest entry where it was last evaluated; INFINITY
 * if there is no value. */
double fw_continuation_distance(fw_continuation *curve, const double *y);

#endif
