/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contact problem of one step on the contact freedoms alone: given how the structure yields to
 * contact forces, find forces that satisfy every point's conditions. */
#ifndef FW_SOLVER_LOCAL_CONTACT_H
#define FW_SOLVER_LOCAL_CONTACT_H

#include "contact/enforce/local.h"

/* `count` points. Kinematics: (gap_0, slip_0, gap_1, ...) = free + D f with forces f = (N_0, -T_0, N_1,
 * ...); D row major, 2 count square. On entry N, T are a first guess, on exit the solution, with gap
 * and slip, trial states (z[i], pair->states each) and status. */
typedef struct fw_local_problem {
  int count;
  fw_local *points;
  double *free, *D;
  double *N, *T, *gap, *slip;
  double **z;
  fw_touch_status *status;
} fw_local_problem;

/* FW_RECOVER_DIVERGED if no solution is found (a smaller step may help). */
fw_status fw_local_solve(fw_context *ctx, fw_local_problem *problem);

#endif
