/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state: all that start="ID" carries over. */
#ifndef FW_CORE_STATE_H
#define FW_CORE_STATE_H

#include "core/model.h"

typedef enum fw_touch_status { FW_OPEN, FW_STICK, FW_SLIP } fw_touch_status;

/* One contact point. Forces are on the follower: N along the normal, -T along the tangent. */
typedef struct fw_touch {
  fw_touch_status status;
  double gap, N, T;
  double slip, slip_velocity; /* slip accumulated since the analysis began; its rate */
  double gap_velocity;
  int segment; /* where on the target it touches: segment and natural coordinate */
  double xi;
  double distance;          /* integral |v| dt while closed */
  double work;              /* integral N |v| dt */
  double irreversible;      /* integral N |v| dt without the elastic part of presliding */
  double irreversible_rate; /* its rate over the last step */
  double dissipated;        /* integral T v dt */
  double impulse;           /* integral N dt; like work and dissipated with the impulses of impacts */
  double rubbed;            /* integral T dt */
  double impacts;           /* the part of impulse that came in impacts */
  /* Of a state on a periodic motion, over its period; else 0: mean of N |v|, half the range of the slip, part of the
   * time that it sticks. */
  double mean_work_rate, slip_amplitude, stick_fraction;
} fw_touch;

typedef struct fw_state {
  const fw_model *model;
  double time;
  double *q, *v, *a;    /* dof_count each, then constraint_count zeros: the system's matrices apply to them */
  double *lambda;       /* constraint_count joint multipliers */
  fw_touch *touch;      /* contact_count */
  double *z;            /* z_count friction states */
  double *load_factors; /* load_count: loads still on, frozen at their value when carried over (constant loads), or
                           drive levels */
} fw_state;

/* The undeformed, unloaded model at rest; contact points open, friction states reset. */
fw_status fw_state_create(fw_context *ctx, const fw_model *model, fw_state **state);
fw_status fw_state_copy(fw_context *ctx, const fw_state *from, fw_state **state);
/* Overwrites `to` (same model). */
void fw_state_assign(fw_state *to, const fw_state *from);
void fw_state_destroy(fw_state **state);

/* FW_ERR_ANALYSIS, saying what and when, if the motion or a contact force is not a finite number. */
fw_status fw_state_check(fw_context *ctx, const fw_state *state);

/* What a sensor shows: displacement, velocity or acceleration along its direction. */
double fw_state_reading(const fw_state *state, const fw_sensor *sensor);

#endif
