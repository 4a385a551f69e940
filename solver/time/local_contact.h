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

/* FW_RECOVER_DIVERGED if no solution is found (a smaller step may help). */
fw_status fw_local_solve(fw_context *ctx, fw_local_problem *problem);

#endif
