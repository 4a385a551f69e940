/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is reported of one periodic motion. */
#ifndef FW_HB_ORBIT_H
#define FW_HB_ORBIT_H

#include "contact/figures.h"
#include "solver/hb/vibration.h"
#include "solver/stability/floquet.h"

typedef struct fw_orbit {
  double frequency;        /* Hz */
  double level;            /* of the drives */
  double *y;               /* the unknowns, omega last; NULL: found by time integration */
  int unknowns;            /* how many y has */
  double complex *sensors; /* sensor_count x (H + 1), in each sensor's quantity; k = 0: the mean's change */
  fw_pair_figures *pairs;  /* pair_count */
  double drive, structural, friction, normal; /* power of the drives; lost in the structure, in slip, in gaps */
  double residual;                            /* of the energy balance, relative to the largest of them, */
  double left;                                /* and as much of it as Newton's method may have left */
  double kinetic;                             /* largest kinetic energy of the first harmonic */
  double normal_least; /* smallest normal force of any hard contact; < 0: kept closed it would pull; INFINITY: none */
  bool periodic;       /* every friction law came back to its state */
  double complex multiplier; /* largest growth of a disturbance in a period; NaN: not asked for, or not known */
  double along;              /* of a mode: growth of a disturbance along it (floquet.h) */
  int growing;               /* how many disturbances grow: 0 is a stable motion */
} fw_orbit;

/* Evaluates the balance at y and takes the figures. Clear is safe on a zeroed struct. */
fw_status fw_orbit_measure(fw_context *ctx, const fw_vibration *vibration, fw_balance *balance, const double *y,
                           fw_orbit *orbit);
void fw_orbit_clear(fw_orbit *orbit);

/* Evaluates the balance at y and reads one sensor: harmonics[H + 1] in its quantity. */
fw_status fw_orbit_sensor(fw_context *ctx, const fw_vibration *vibration, fw_balance *balance, const double *y,
                          int sensor, double complex *harmonics);

/* All contact points' way through the period, sample by sample from 0 on, with the balance evaluated at the motion:
 * touches: contact_count of the model, first at sample 0; each is told with the time since the one before. */
typedef void (*fw_orbit_seen)(void *user, const fw_touch *touches, double dt);
fw_status fw_orbit_walk(fw_context *ctx, const fw_vibration *vibration, const fw_balance *balance, int samples,
                        fw_orbit_seen seen, void *user);

/* The figures of the whole period. */
fw_status fw_orbit_figures(fw_context *ctx, const fw_vibration *vibration, const fw_balance *balance,
                           fw_figures **figures);

/* Multiplier and growing (floquet.h), balance evaluated at y; along: NULL, or of a nonlinear
 * mode the change of y along it, which gives `along` besides. *unjudged is set if they cannot be told, else left alone. */
fw_status fw_orbit_judge(fw_context *ctx, fw_balance *balance, const double *y, const double *along, fw_orbit *orbit,
                         fw_unjudged *unjudged);

/* Adds to a growing list, which then owns the orbit. */
fw_status fw_orbit_append(fw_context *ctx, fw_orbit **list, int *count, int *room, const fw_orbit *orbit);

/* Equivalent damping ratio: energy lost in a cycle over 4 pi times the largest kinetic energy. */
double fw_orbit_damping(const fw_orbit *orbit);

/* Complex displacement amplitude along a projected direction at harmonic k. */
double complex fw_orbit_reading(const fw_vibration *vibration, const fw_balance *balance, const double *y,
                                const fw_projected *direction, int k);

#endif
