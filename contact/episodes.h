/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Impacts and sliding told apart: phases of contact between which it is open for less than a rest time are one episode,
 * an impact with its rebounds if it is short, else sliding. And how sure a mean over time is: by the means over windows. */
#ifndef FW_CONTACT_EPISODES_H
#define FW_CONTACT_EPISODES_H

#include <stdbool.h>

/* Forces of impacts are counted in bins of three to a decade, 1, 2, 5, from 1 mN to 100 kN; what lies beyond goes to the
 * outer ones. */
enum { FW_FORCE_BINS = 24 };
double fw_force_bin(int i); /* lower end of bin i; of FW_FORCE_BINS the upper end of the last */

typedef struct fw_episode_limits {
  double impact; /* an episode shorter than this is an impact (s) */
  double rest;   /* open for so long it is over (s) */
} fw_episode_limits;

/* Plain numbers, so that a checkpoint copies them. */
typedef struct fw_episodes {
  double is_on, length, open_for, peak, work; /* of the present episode: whether there is one, how long so far with what
                                                 lies between, since when it is open, largest force, work */
  double closed;                              /* time of contact, of all */
  double impacts, slidings;                   /* how many */
  double impact_work, sliding_work;           /* integral N |v| dt in them */
  double peak_sum, peak_most;                 /* of the largest forces of impacts */
  double bins[FW_FORCE_BINS];                 /* impacts by their largest force */
} fw_episodes;

/* dt later: the normal force (at most 0: open) and what was done since. */
void fw_episodes_step(const fw_episode_limits *limits, double N, double work, double dt, fw_episodes *episodes);

/* The present episode ends here. */
void fw_episodes_end(const fw_episode_limits *limits, fw_episodes *episodes);

typedef struct fw_batches {
  double mean;
  double error;       /* standard error, s/sqrt(n), if windows are independent: */
  double correlation; /* of neighbouring windows; 0 where nothing varies */
} fw_batches;

fw_batches fw_batches_of(const double *values, int count);

#endif
