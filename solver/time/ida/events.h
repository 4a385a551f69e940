/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens at an event: impacts, and which contact points close, open, stick or slip from then on. */
#ifndef FW_TIME_IDA_EVENTS_H
#define FW_TIME_IDA_EVENTS_H

#include "solver/time/ida/dae.h"

/* ---- events ---------------------------------------------------------------------------------------------- */

/* What happens at an event: impacts, and which contact points close, open, stick or slip from then on. */

/* Accelerations, N and T that fit each other at `state`, and what the points do from there: N and the acceleration of
 * the gap are complementary where hard contact is closed, T and the acceleration of slip where rigid friction is at
 * rest; what slides goes on sliding. Forces that nothing tells apart are shared, the least of all that fit.
 * FW_RECOVER_DIVERGED if none fit; accelerations and forces are then left as they were. */
fw_status fw_events_settle(fw_context *ctx, fw_dae *dae, fw_state *state);

/* After a step: FW_ERR_ANALYSIS if friction leaves the normal force of a hard contact undetermined. With T = s N the
 * gap acceleration is (lift - s tilt) N + ...: only while that factor is positive can N hold the gap. */
fw_status fw_events_check(fw_context *ctx, const fw_dae *dae, double time);

/* Rebounds slower than this (m/s), lower than this (m) or back sooner than this (s) count as rest. */
typedef struct fw_rest {
  double speed, height, time;
} fw_rest;

/* Kinetic energy that impacts took: impulses times mean velocities, along the normals and by friction. */
typedef struct fw_impact_loss {
  double normal, friction;
} fw_impact_loss;

/* Where a motion begins, or loads jump: points of hard contact that touch without being closed yet close, with an
 * impact if they come, and all settles. */
fw_status fw_events_begin(fw_context *ctx, fw_dae *dae, const fw_rest *rest, fw_state *state, fw_impact_loss *lost);

/* Applies the events IDA found (FW_DAE_ROOTS flags a point, +-1 or 0) to modes and state, then settles.
 * What impacts take of the kinetic energy is added to *lost. */
fw_status fw_events_apply(fw_context *ctx, fw_dae *dae, const int *found, const fw_rest *rest, fw_state *state,
                          fw_impact_loss *lost);

/* ---- impact ---------------------------------------------------------------------------------------------- */

/* Impacts of hard contact: Newton's law with friction, all closed points together. */

/* Velocities after the points `closing` [contact_count] have struck. Of these and of those that were closed the ones
 * that part are open, and `thrown`; the others are closed, and stick or slip as the impact left them. What the impulses
 * take of the kinetic energy is added to *lost. */
fw_status fw_impact_apply(fw_context *ctx, fw_dae *dae, const bool *closing, const fw_rest *rest, fw_state *state,
                          bool *thrown, fw_impact_loss *lost);

/* With the accelerations after an impact: points `thrown` off so slowly that they rest are closed again, and what is
 * held moves no more; *rests tells whether there are any. */
fw_status fw_impact_rest(fw_context *ctx, fw_dae *dae, const bool *thrown, const fw_rest *rest, fw_state *state,
                         bool *rests, fw_impact_loss *lost);

/* A point of hard contact is closed from now on. */
void fw_impact_close(fw_dae_point *point, const fw_touch *touch);

#endif
