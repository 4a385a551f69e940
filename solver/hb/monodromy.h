/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small disturbances of a periodic motion, carried along it in time (floquet.h says how). */
#ifndef FW_HB_MONODROMY_H
#define FW_HB_MONODROMY_H

#include "solver/hb/balance.h"

enum { FW_SAMPLES_A_CYCLE = 16 }; /* that it takes to follow a mode */

/* A hard contact that hits and flies off again. */
typedef struct fw_hb_impact {
  int contact, sample;
  double speed, restitution; /* of the gap before it, > 0; over that after it */
} fw_hb_impact;

/* X holds one disturbance in each column; rows: q, v, a of the coordinates and the rest kept, the friction states of
 * all contacts, then their normal forces. */
typedef struct fw_monodromy {
  fw_balance *balance; /* evaluated at y */
  int coordinates, n;  /* n: with the rest kept */
  int friction;        /* first row of the friction states, */
  int normal, states;  /* of the normal forces, and all rows = columns */
  double h;            /* time between samples */
  int start;           /* sample where the round begins and ends: the fastest moment, far from jumps and corners */
  double *M, *C, *K;   /* n x n */
  double *X, *next;    /* states x states row major */
  double size;         /* X is to be multiplied by this: steep friction makes disturbances grow beyond all numbers */
  double *matrix;      /* n x n, work */
  double *guess_q, *guess_v; /* n x states: at the end of the step without the new acceleration */
  double *solution;  /* n x states: accelerations; N where a gap is kept closed, T where a contact sticks rigidly */
  double *step;      /* derivatives of a law's step */
  double *q, *v, *f; /* samples x n: the motion, and what acts on it but contact (only with rigid stick) */
  double *tangent;   /* coordinates squared: of the polynomial */
  int *pivot;
  double *slopes; /* contacts x samples: dN/dgap by a normal law */
  bool *closed;   /* contacts x samples: where a hard contact holds its gap */
  fw_hb_impact *impacts;
  int impact_count;
  int *directions; /* contacts x samples: 0 where a contact sticks rigidly, else the way it slides (or 1) */
} fw_monodromy;

fw_status fw_monodromy_create(fw_context *ctx, fw_balance *balance, const double *y, fw_monodromy *variation);
void fw_monodromy_clear(fw_monodromy *variation);

/* Once round: X becomes the monodromy matrix. FW_RECOVER_DIVERGED if a step has no solution. */
fw_status fw_monodromy_round(fw_monodromy *variation);

#endif
