/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is reported of one periodic motion. */
#ifndef FW_HB_ORBIT_H
#define FW_HB_ORBIT_H

#include "solver/hb/vibration.h"

/* Sums over the points of a pair; slip is that of the point that slips most. Powers are means over the period. */
typedef struct fw_pair_orbit {
  double work_rate;            /* N |v| */
  double dissipated;           /* T v */
  double sliding, presliding;  /* its two parts */
  double slip_amplitude;       /* half the range of the slip */
  double slip_velocity_max;    /* largest slip velocity */
  double stick_fraction;       /* of the period, mean over the points */
  double N_mean, N_max, N_min; /* of the sum of the normal forces */
  double T_max;                /* largest friction force */
} fw_pair_orbit;

typedef struct fw_orbit {
  double frequency;        /* Hz */
  double level;            /* of the drives */
  double *y;               /* the unknowns, omega last; NULL: found by time integration */
  double complex *sensors; /* sensor_count x (H + 1), in each sensor's quantity; k = 0: the mean's change */
  fw_pair_orbit *pairs;    /* pair_count */
  double drive, structural, friction, normal; /* power of the drives; lost in the structure, in slip, in gaps */
  double residual;                            /* of the energy balance, relative to the largest of them */
  double kinetic;                             /* largest kinetic energy of the first harmonic */
  double normal_least; /* smallest normal force of any hard contact; < 0: kept closed it would pull; INFINITY: none */
  bool periodic;       /* every friction law came back to its state */
  double complex multiplier; /* largest growth of a disturbance in a period; NaN: not asked for, or not known */
  double along;              /* of a mode: growth of a disturbance along it (stability.h) */
  int growing;               /* how many disturbances grow: 0 is a stable motion */
} fw_orbit;

/* Evaluates the balance at y and takes the figures. Clear is safe on a zeroed struct. */
fw_status fw_orbit_measure(fw_context *ctx, const fw_vibration *vibration, fw_balance *balance, const double *y,
                           fw_orbit *orbit);
void fw_orbit_clear(fw_orbit *orbit);

/* Figures of one contact point of a pair, with the balance evaluated at the motion. */
void fw_orbit_point(const fw_balance *balance, const struct fw_pair *pair, int contact, fw_pair_orbit *figures);

/* Multiplier and growing (stability.h), balance evaluated at y; along: NULL, or of a nonlinear
 * mode the change of y along it, which gives `along` besides. *why is set if they cannot be told, else left alone. */
fw_status fw_orbit_judge(fw_context *ctx, fw_balance *balance, const double *y, const double *along, fw_orbit *orbit,
                         const char **why);

/* Adds to a growing list, which then owns the orbit. */
fw_status fw_orbit_append(fw_context *ctx, fw_orbit **list, int *count, int *room, const fw_orbit *orbit);

/* Equivalent damping ratio: energy lost in a cycle over 4 pi times the largest kinetic energy. */
double fw_orbit_damping(const fw_orbit *orbit);

/* Complex displacement amplitude along a projected direction at harmonic k. */
double complex fw_orbit_reading(const fw_vibration *vibration, const fw_balance *balance, const double *y,
                                const fw_projected *direction, int k);

#endif
