/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contact problem of one step on the contact freedoms alone: given how the structure yields to
 * contact forces, find forces that satisfy every point's conditions. */
#ifndef FW_TIME_LOCAL_CONTACT_H
#define FW_TIME_LOCAL_CONTACT_H

#include "contact/enforce/local.h"

/* `count` points. Kinematics: (gap_0, slip_0, gap_1, ...) = free + D f with forces f = (N_0, -T_0, N_1,
 * ...); D row major, 2 count square. On entry N, T are a first guess, on exit the solution, with trial states (z[i],
 * pair->states each) and status. */
typedef struct fw_local_problem {
  int count, room;
  bool from_stuck; /* begin with what would hold all that can be held, not with the guess */
  fw_local *points;
  double *free, *D;
  double *N, *T;
  fw_local_motion *motion; /* at the solution */
  double **z;
  fw_touch_status *status;
  double *memory; /* of the solution */
  size_t memory_room;
  void *pivots;
} fw_local_problem;

/* Room for `count` points; what the arrays held is lost where they grow. Clear is safe on a zeroed problem. */
fw_status fw_local_reserve(fw_context *ctx, fw_local_problem *problem, int count);
void fw_local_clear(fw_local_problem *problem);

/* Sets scale_n and scale_t of all points from D, as solving does. */
void fw_local_scale(fw_local_problem *problem);

/* FW_RECOVER_DIVERGED if no solution is found (a smaller step may help). */
fw_status fw_local_solve(fw_context *ctx, fw_local_problem *problem);

/* How the solution changes. change: `changes` columns of 2 count, those of the residuals (r_n, r_t of each point) by
 * everything but the forces; they become the changes of the forces (N_0, T_0, N_1, ...). The conditions are those that
 * hold at the solution: which points are open, stick or slip stays. */
fw_status fw_local_vary(fw_context *ctx, fw_local_problem *problem, int changes, double *change);

#endif
