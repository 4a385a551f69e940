/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contact conditions of one point as two equations, r_n = 0 and r_t = 0, in its forces and its
 * gap and slip: what any solver of a step drives to zero. Compliant laws give force minus law,
 * constraints give complementarity functions. Pure. */
#ifndef FW_CONTACT_ENFORCE_LOCAL_H
#define FW_CONTACT_ENFORCE_LOCAL_H

#include "contact/pair.h"

/* One point during a step. Rates are linear in the unknowns: rate = rate_factor x + rate_free, x the gap or slip gained
 * in the step. */
typedef struct fw_local {
  const fw_pair *pair;
  const fw_touch *old; /* at the beginning of the step */
  const double *z_old; /* [pair->states] */
  double floor;        /* gap that a hard contact keeps */
  bool clings;         /* rigid friction sticks whatever its force */
  bool mean;           /* N, and T of rigid friction, are means over the step, not values at its end */
  /* One moment instead of a step: gap and slip stand for their accelerations. Nothing has moved yet, so that compliant
   * N is that of `old` and laws of friction answer to its slip velocity; rigid friction at rest (velocity 0) is
   * complementary to the acceleration of slip. */
  bool moment;
  double dt;          /* 0: quasi-static, rates are zero */
  double rate_factor; /* d v / d q of the integrator */
  double gap_rate_free, slip_rate_free;
  double place;            /* size of the coordinates that gap and slip are differences of; 0: they are exact */
  double scale_n, scale_t; /* stiffness that makes a constraint commensurate with a force (N/m) */
} fw_local;

/* How it moves: slip counted from the beginning of the step. */
typedef struct fw_local_motion {
  double gap, slip;
} fw_local_motion;

typedef struct fw_local_residual {
  double r_n, r_t;
  double n_N, n_gap;       /* d r_n by N, gap */
  double t_N, t_T, t_slip; /* d r_t by N, T, slip */
  fw_touch_status status;
} fw_local_residual;

/* Residuals and derivatives at forces N, T. `work` has room for fw_local_work(pair) doubles. z_new [pair->states]
 * receives the trial friction states. */
size_t fw_local_work(const fw_pair *pair);
void fw_local_evaluate(const fw_local *local, double N, double T, const fw_local_motion *motion, double *work,
                       double *z_new, fw_local_residual *out);

/* How the residuals change with what a step begins with, its forces and the motion at its end kept: with the rates
 * (gap_rate_free, slip_rate_free), the slip velocity and N at its beginning, its length. And how the friction states at
 * its end change, with those of the beginning too. At one moment (local->moment): slip velocity and states alone. */
typedef struct fw_local_past {
  double n_rate, t_rate, t_slip, t_v0, t_N0, t_dt; /* t_slip: with slip alone, rates kept */
  double *t_z;                                     /* [states] */
  double *z_x, *z_dt;                              /* [states x FW_STEP_INPUTS], [states] */
  double *z_z;                                     /* [states x states] */
} fw_local_past;

/* At the forces and the motion that solve the conditions. Fills `out`, whose arrays the caller has; all are
 * overwritten. `work` has room for fw_local_past_work(pair) doubles. */
size_t fw_local_past_work(const fw_pair *pair);
void fw_local_differentiate(const fw_local *local, double N, double T, const fw_local_motion *motion, double *work,
                            fw_local_past *out);

#endif
