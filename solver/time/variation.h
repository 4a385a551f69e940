/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small changes of a motion, carried along with it by the derivatives of the steps and events that make it: what
 * shooting takes its monodromy matrix from. */
#ifndef FW_TIME_VARIATION_H
#define FW_TIME_VARIATION_H

#include "core/state.h"
#include "solver/linalg/sparse.h"

/* `count` changes, each with an entry for all that a step depends on. Vectors of one change stand together, changes one
 * after the other. */
typedef struct fw_variation {
  int count;
  int n, contacts, states;         /* entries of one change: freedoms, contact points, friction states */
  double *q, *v, *a, *algorithmic; /* [count x n] */
  double *z;                       /* [count x states] */
  double *N, *T;                   /* [count x contacts] */
  double *omega;                   /* [count] of the drive's frequency, */
  double *level;                   /* of its level, */
  double *epmc;                    /* of EPMC's damping of the opposite sign, */
  double *pace;                    /* of the pace of prescribed motions (1 + fw_model.hurry), */
  double *whole;                   /* of the length of the steps asked for, */
  double *time;                    /* of the time come to, */
  double *part;                    /* and of the length of the part of a step under way */
  const double *drive; /* [load_count] factors of the loads that level 1 adds; NULL: none change with it. Lent */
  double gentlest; /* least speed of an impact passed (m/s); the caller resets it. At 0 the derivatives are unbounded */
} fw_variation;

/* All changes zero. Clear is safe on a zeroed struct. */
fw_status fw_variation_init(fw_context *ctx, const fw_model *model, int count, fw_variation *variation);
void fw_variation_clear(fw_variation *variation);

/* Overwrites `to` (same model, as many changes). */
void fw_variation_assign(fw_variation *to, const fw_variation *from);

/* f += the change of the loads' forces at a time that changes by dt. */
void fw_variation_loads(const fw_variation *variation, int change, const fw_state *state, double time, double omega,
                        double dt, double *f);

/* f += M v d(epmc), [M->n]; room: as many numbers. */
void fw_variation_epmc(const fw_variation *variation, int change, const fw_sparse *M, const double *v, double *room,
                       double *f);

/* One change's vectors. */
static inline double *fw_variation_of(double *vectors, int size, int change) {
  return vectors + (size_t)change * (size_t)size;
}

#endif
