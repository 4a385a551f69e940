/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shooting: periodic motions as fixed points of the period map, behind the continuation that harmonic balance uses. */
#ifndef FW_SHOOTING_SHOOTING_H
#define FW_SHOOTING_SHOOTING_H

#include "solver/continuation/arc_length.h"
#include "solver/shooting/period_map.h"
#include "solver/stability/floquet.h"

enum { FW_SHOOTING_CONDITIONS = 2 };

/* The curve P(x, omega) - x = 0; a point is y = (x, omega). With a condition omega is found: a point is then
 * y = (x, omega, lambda), lambda the map's other parameter, and one more equation stands below the others. With two the
 * other parameter is found as well: y = (x, omega, other, lambda), and lambda stands in the conditions alone.
 *
 * Where a contact never slips, or nothing else tells, there is a family of fixed points: u^T x is conserved by the map,
 * u^T (dP/dx - 1) = 0. The member wanted is the one with the u^T x of `rest`, the state before the vibration: of the
 * equations P - x = 0 the part along u, which says nothing, is replaced by u^T (x - rest) = 0. */
typedef struct fw_shooting {
  fw_period_map map;
  fw_continuation curve;
  double *rest;             /* [n] */
  double *end;              /* [n] P(x) where last evaluated, */
  double *derivative;       /* [n x n column major] and dP/dx there; NULL: it is too large to be held (large.c), */
  fw_core core;             /* but applied to vectors, dP/dx - 1, */
  double *at;               /* [n + 1] at this point */
  fw_status failed;         /* of the last that was applied */
  struct fw_coarse *coarse; /* the same on a reduced model (coarse.h); NULL: there is none */
  double *kept;             /* [m x families] conserved directions, columns, scaled, m the unknowns before lambda */
  int families;
  fw_condition conditions[FW_SHOOTING_CONDITIONS]; /* the equations that omega and the other parameter are found by, */
  int condition_count;                             /* in scaled unknowns; 0: omega is lambda */
  double complex read[FW_SHOOTING_CONDITIONS];     /* of a large map: what conditions last read */
  bool *idle;        /* [n] where last differentiated: numbers that neither depend on any other nor matter to any */
  double growth;     /* of a nonlinear mode: by what a disturbance along its curve grows; large maps: about by that */
  double *family;    /* [n] tangent of that curve; NULL: it is none, or a large map */
  uint64_t sequence; /* of the point evaluated before */
} fw_shooting;

typedef struct fw_shooting_options {
  fw_map_options map;
  fw_condition conditions[FW_SHOOTING_CONDITIONS]; /* asked after the map was run at y; value NULL: there is none */
} fw_shooting_options;

/* rest: the state before the vibration, with its loads; lent during the call. Clear is safe on a zeroed struct. */
fw_status fw_shooting_init(fw_context *ctx, fw_system *system, const fw_state *rest, const fw_shooting_options *options,
                           fw_shooting *shooting);
void fw_shooting_clear(fw_shooting *shooting);

/* A Newton step takes a few periods, not dozens: dP/dx is held, or that of a reduced model is. */
bool fw_shooting_is_cheap(const fw_shooting *shooting);

/* Sizes of the unknowns at y: one for displacements, one for velocities, ...; that of lambda is left alone. */
void fw_shooting_scale(fw_shooting *shooting, const double *y);

/* A state, at the beginning of a period, as the x of a point [n]. */
fw_status fw_shooting_numbers(fw_shooting *shooting, fw_system *system, const fw_state *state, double *x);

/* Time integration over so many periods of the map from y, which it overwrites. */
fw_status fw_shooting_integrate(fw_shooting *shooting, int periods, double *y);

/* Newton's method at the lambda of y. FW_RECOVER_DIVERGED: no fixed point is found near y. */
fw_status fw_shooting_solve(fw_shooting *shooting, double tolerance, fw_newton *newton, double *y);

/* The same from a motion that other means have found: beside a reduced model a period lets first die out what that does
 * not know. */
fw_status fw_shooting_solve_near(fw_shooting *shooting, double tolerance, double *y);

/* Solves from the motion of the reduced model, if there is one; or else integrates a few periods and solves, more of them
 * each time until that succeeds or `most` have passed; *passed: how many. Positive status: it never does. */
fw_status fw_shooting_find(fw_shooting *shooting, double tolerance, int most, int *passed, double *y);

/* For a condition, the first one is 0, that reads Re(factor X_1), X_1 the map's harmonic: its gradient by x, omega and the
 * other parameter. Of a large map that by x is about what it is, as of a vibration at omega. */
void fw_shooting_read(fw_shooting *shooting, int condition, double complex factor, double *gradient);

/* Where dP/dx is too large to be held: it is applied to vectors by carrying them along the period again. */
fw_status fw_shooting_large_init(fw_context *ctx, fw_system *system, const fw_state *rest,
                                 const fw_map_options *options, fw_shooting *shooting);
void fw_shooting_large_clear(fw_shooting *shooting);
/* Its few largest eigenvalues at s->at; or those of the reduced map. */
fw_status fw_shooting_large_multipliers(fw_shooting *shooting, fw_floquet *stability);

/* Eigenvalues of A [n x n], which is overwritten. */
fw_status fw_shooting_eigenvalues(fw_context *ctx, int n, double *A, fw_floquet *stability);

/* Of a nonlinear mode whose map's derivative was just found: the multiplier of a disturbance along the curve, whose tangent is
 * s->family (mode_along.c). NaN: nothing moves as the mode and only grows or decays. */
fw_status fw_shooting_along(fw_shooting *shooting, double *along);

/* Multipliers at y: eigenvalues of dP/dx, without those of its families, largest first. Of a free motion the one of a
 * disturbance along it, 1 but for the error of the steps, is not among the others: it is `along` of a limit cycle. Of a
 * nonlinear mode `along` is that of a disturbance along its curve, which is not among them either. */
fw_status fw_shooting_judge(fw_shooting *shooting, const double *y, fw_floquet *stability);

#endif
