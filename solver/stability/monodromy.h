/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small disturbances of a periodic motion, carried along it in time (floquet.h says how): private to this room. */
#ifndef FW_STABILITY_MONODROMY_H
#define FW_STABILITY_MONODROMY_H

#include <cblas.h>

#include "solver/stability/periodic_motion.h"

/* ---- monodromy ------------------------------------------------------------------------------------------- */

/* Small disturbances of a periodic motion, carried along it in time (floquet.h says how). */

/* A hard contact that hits and flies off again. */
typedef struct fw_motion_impact {
  int contact, sample;
  double speed, restitution; /* of the gap before it, > 0; over that after it */
} fw_motion_impact;

/* X holds one disturbance in each column; rows: q, v, a of the coordinates, the friction states of all contacts,
 * then their normal forces. */
typedef struct fw_monodromy {
  const fw_periodic_motion *motion;
  int n;              /* coordinates */
  int friction;       /* first row of the friction states, */
  int normal, states; /* of the normal forces, and all rows = columns */
  double *X, *next;   /* states x states row major */
  double size;        /* X is to be multiplied by this: steep friction makes disturbances grow beyond all numbers */
  double *matrix;     /* n x n, work */
  double *guess_q, *guess_v; /* n x states: at the end of the step without the new acceleration */
  double *solution; /* n x states: accelerations; N where a gap is kept closed, T where a contact sticks rigidly */
  double *step;     /* derivatives of a law's step */
  double *tangent;  /* n x n: K where the motion is, */
  double *damping;  /* and C */
  int *pivot;
  double *slopes; /* contacts x samples: dN/dgap by a normal law */
  bool *closed;   /* contacts x samples: where a hard contact holds its gap */
  fw_motion_impact *impacts;
  int impact_count;
  int *directions; /* contacts x samples: 0 where a contact sticks rigidly, else the way it slides (or 1) */
} fw_monodromy;

/* The motion is lent. */
fw_status fw_monodromy_create(fw_context *ctx, const fw_periodic_motion *motion, fw_monodromy *variation);
void fw_monodromy_clear(fw_monodromy *variation);

/* Once round: X becomes the monodromy matrix. FW_RECOVER_DIVERGED if a step has no solution. */
fw_status fw_monodromy_round(fw_monodromy *variation);

/* ---- monodromy parts ------------------------------------------------------------------------------------- */

/* What the parts of monodromy.h share. */

static inline double *fw_monodromy_row(double *rows, const fw_monodromy *x, int row) {
  return rows + (size_t)row * (size_t)x->states;
}

/* to += factor from, row by row of the disturbances. */
static inline void fw_monodromy_add(const fw_monodromy *x, double factor, const double *from, double *to) {
  if (factor != 0) cblas_daxpy(x->states, factor, from, 1, to, 1);
}

/* to += factor times the gap or slip whose coordinates have their rows from row `first` on. */
static inline void fw_monodromy_along(const fw_monodromy *x, double factor, const fw_combination *of, double *rows,
                                      int first, double *to) {
  for (int k = 0; factor != 0 && k < of->count; k++)
    fw_monodromy_add(x, factor * of->factor[k], fw_monodromy_row(rows, x, first + of->at[k]), to);
}

/* -1, 1: slides that way; 0: sticks rigidly. */
static inline int fw_monodromy_direction(const fw_monodromy *x, int contact, int sample) {
  return x->directions[contact * x->motion->samples + sample];
}

/* A hard contact that holds its gap there. */
static inline bool fw_monodromy_closed(const fw_monodromy *x, int contact, int sample) {
  return x->closed[contact * x->motion->samples + sample];
}

/* True if the coordinate does not move at a sample: a gap kept closed, a contact that sticks rigidly. */
bool fw_monodromy_held(const fw_monodromy *x, int coordinate, int sample);

/* monodromy_phases.c: fills directions, closed, slopes and impacts from the samples of the motion. */
fw_status fw_monodromy_phases(fw_monodromy *x);

/* monodromy_jumps.c: the disturbances pass what happens between samples i and j, before the step is taken. */
fw_status fw_monodromy_jumps(fw_monodromy *x, int i, int j);

/* The mass matrix at a sample, coordinates that are held left out, factored in x->matrix; and its answer to a force
 * given at all n coordinates, in place. FW_RECOVER_DIVERGED if it is singular. */
fw_status fw_monodromy_mass(fw_monodromy *x, int sample);
void fw_monodromy_accelerate(const fw_monodromy *x, int sample, double *force);

/* monodromy_step.c: accelerations and normal forces of the disturbances here and now, at sample i, as what holds at
 * sample j has them. */
fw_status fw_monodromy_settle(fw_monodromy *x, int i, int j);

/* Sets tangent and damping to those at sample j. */
void fw_monodromy_tangents(fw_monodromy *x, int j);

/* ---- free motion ----------------------------------------------------------------------------------------- */

/* Two disturbances of a free motion belong to it: one moves it in time and has the multiplier 1, the other moves it
 * along its family, to a larger amplitude. Neither says anything of what leaves the mode. In a conservative system both
 * have the multiplier 1, and rounding parts them by its square root. */

/* Both disturbances, as states; clear is safe on a zeroed struct. */
typedef struct fw_free_motion {
  double *motion, *family; /* at right angles, of length 1 (omega^2 q^T M q + v^T M v) */
  double along;            /* the multiplier of the second; NaN: no disturbance moves so */
} fw_free_motion;

/* Of a motion with a `family`. The multiplier is found where the first disturbance is taken out of the monodromy matrix
 * X, which stays as it is; `next` is overwritten. */
fw_status fw_free_motion_find(fw_context *ctx, fw_monodromy *variation, fw_free_motion *motion);
void fw_free_motion_clear(fw_free_motion *motion);

/* Part of eigenvector k (a column of `vectors`, two if it is complex) that lies in the plane of both. */
double fw_free_motion_share(const fw_monodromy *variation, const fw_free_motion *motion, const double *vectors, int k,
                            bool complex_pair);

#endif
