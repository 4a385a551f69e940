/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What receptances leave out: internal forces that are not linear in the motion, such as those of a beam's axial force
 * over the period. With the friction T_r known they are loads like any other,
 *
 *   (K + i r w C - (r w)^2 M) q_r = f F - s_q T_r - g_r,   g = f_int(q_s + q) + C(q_s + q) q' - (f_int(q_s) + K q + C q'),
 *
 * g_r the harmonics of g over the period of the motion that the loads known so far have made: they settle where motion
 * and loads agree. The mean of T, which no sensor sees, is that of the state about which receptances are taken. */
#ifndef FW_IDENTIFY_SECOND_ORDER_H
#define FW_IDENTIFY_SECOND_ORDER_H

#include "identify/harmonics.h"

typedef struct fw_second_order_case {
  const fw_model *model;
  const fw_state *state; /* where the pair is closed */
  int load, pair, orders;
  double level, omega;
  void (*fit)(const void *user, double complex *T); /* T[orders] by the sensors, through the receptances as they are */
  const void *user;
  fw_receptance *receptances; /* [orders] */
} fw_second_order_case;

typedef struct fw_second_order_result {
  int steps;     /* 0: all internal forces are linear */
  bool settled;  /* if not, receptances are as they were */
  double change; /* RMS of what it makes of T(t), over that of T(t) */
} fw_second_order_result;

/* Friction by the sensors and the forces beyond the linear ones by turns, until T(t) stays: what these forces make of the
 * motion is in the receptances then, as `beyond`. */
fw_status fw_second_order_add(fw_context *ctx, const fw_second_order_case *given, fw_second_order_result *result);

#endif
