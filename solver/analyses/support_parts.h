/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the recorder of supports: what its rings go through (support_recorder.c), and what is told of it
 * (support_report.c). */
#ifndef FW_ANALYSES_SUPPORT_PARTS_H
#define FW_ANALYSES_SUPPORT_PARTS_H

#include "contact/episodes.h"
#include "solver/analyses/recorders.h"

enum { FW_SUPPORT_WINDOWS = 1000, FW_SUPPORT_ANGLES = 36 }; /* bins of 10 degrees */

/* Contact forces over all sides, T as a magnitude. */
typedef struct fw_force_sums {
  double N, T;           /* where the present step ends */
  double P_n, P_t;       /* over it, N s */
  double N2, T2;         /* squares of the means over each step, over time */
  double N_most, T_most; /* largest */
} fw_force_sums;

typedef struct fw_ring_sums {
  double work; /* of the present step */
  fw_episodes episodes;
  fw_force_sums force, support;      /* of the ring, and at its first ring of the whole support */
  double angle[FW_SUPPORT_ANGLES];   /* work by where on the tube it is done */
  double window[FW_SUPPORT_WINDOWS]; /* work by when */
} fw_ring_sums;

typedef struct fw_ring_touch {
  double begin, work, angle, impulse, rubbed;
} fw_ring_touch;

/* Clock, rings and points lie in one piece of plain numbers, which a checkpoint copies. */
typedef struct fw_support_sums {
  fw_job *job;
  fw_sheet orbits; /* time, then x, y of every ring */
  fw_episode_limits limits;
  double window; /* length of one */
  int windows;
  int *ring; /* of each contact point, or -1 */
  size_t numbers;
  double *clock;
  fw_ring_sums *rings;
  fw_ring_touch *points;
} fw_support_sums;

/* Figures, ranking and tables of all that was seen, once the run is over. */
fw_status fw_support_report(const fw_support_sums *sums);

#endif
