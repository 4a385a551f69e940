/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A periodic motion as stability asks for it: the structure, and what it and its contacts do at equidistant samples of
 * the period. Whatever found the motion fills it in: harmonic balance (hb/orbit_stability.c) from its Fourier series;
 * shooting would from the steps of an integrator. */
#ifndef FW_STABILITY_PERIODIC_MOTION_H
#define FW_STABILITY_PERIODIC_MOTION_H

#include "contact/normal/normal.h"
#include "core/context.h"

/* A gap or slip over the coordinates: sum of factor[i] times coordinate at[i]. A force on it acts on each coordinate
 * with the same factor. Lent. */
typedef struct fw_combination {
  int count;
  const int *at;
  const double *factor;
} fw_combination;

/* One contact point. All lent; arrays have an entry per sample. */
typedef struct fw_motion_contact {
  fw_combination gap, slip;    /* no terms: N is constant; the point cannot slide */
  const fw_friction *friction; /* laws in parallel are joined in it */
  bool rigid_stick;            /* it sticks rigidly */
  bool stays_closed;           /* hard contact that holds its gap throughout, */
  bool opens;                  /* or while N > 0 */
  const fw_normal *law;        /* N follows from the gap by this; NULL: it does not */
  double N0;                   /* before the vibration */
  const double *u, *v, *T, *z; /* slip, its rate, friction force, friction states (samples x states) */
  const bool *slides;          /* rigid stick only */
  const double *gap_values, *gap_rate, *N;
  const double *N_gap, *N_rate, *pressed; /* by a law only: its derivatives; > 0 closed, < 0 open, by how much */
} fw_motion_contact;

/* M a = drives - C v - K q - (what else the structure has) - friction + normal forces, as changes from before the
 * vibration. n x n matrices are symmetric. */
typedef struct fw_periodic_motion {
  int n, samples;
  double h;          /* time between samples: period / samples */
  int start;         /* sample where disturbances begin their round: far from jumps and corners */
  double *M, *C, *K; /* n x n */
  double *q, *v, *f; /* samples x n; f = M a */
  double *family;    /* NULL, or of a free motion: change of q and v at `start` along the family it belongs to, 2 n */
  fw_motion_contact *contacts;
  int contact_count;
  /* K, C += derivatives of what else the structure has, at q[n] and v[n]; NULL: it is linear */
  void (*add_tangents)(void *user, const double *q, const double *v, double *K, double *C);
  void *user;
} fw_periodic_motion;

/* Zeroed arrays of these sizes; clear is safe on a zeroed struct. */
fw_status fw_periodic_motion_init(fw_context *ctx, int n, int samples, int contact_count, bool free_motion,
                                  fw_periodic_motion *motion);
void fw_periodic_motion_clear(fw_periodic_motion *motion);

/* The sample with the largest kinetic energy: a good start. */
int fw_periodic_motion_fastest(const fw_periodic_motion *motion);

#endif
