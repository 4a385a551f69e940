/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The period map: from the state at the beginning of a period to that at its end, by a whole number of equal steps of
 * generalised-alpha. The state is all that the integrator goes on from (fw_alpha_numbers), so that a motion the map
 * gives back is the one that long time integration of the same steps comes to; its derivatives are those of the steps
 * and of the events between them (time/alpha_variation.c). */
#ifndef FW_SHOOTING_PERIOD_MAP_H
#define FW_SHOOTING_PERIOD_MAP_H

#include <stdint.h>

#include "solver/time/alpha.h"

typedef struct fw_period_map {
  fw_context *ctx; /* lent */
  fw_alpha *alpha;
  int n;                  /* numbers of a state */
  int steps;              /* of a period of the drive */
  int periods;            /* of the drive that the map spans */
  const double *drift;    /* [n] rates at which numbers of a free motion grow; NULL: none do. Lent */
  fw_variation variation; /* n changes of the state, and that of omega */
  double *column;         /* [n] */
  uint64_t sequence;      /* what contact did, in its order: open, stick, slip of all points, without times */
  int switches;           /* how often it changed */
  long events;            /* located before the period began */
  double gentlest;        /* least speed of an impact (m/s); INFINITY: none, or not differentiated */
  long runs;
} fw_period_map;

/* From `state` (copied) with its loads; system is lent. Clear is safe on a zeroed struct. */
fw_status fw_period_map_init(fw_context *ctx, fw_system *system, const fw_state *state, const fw_alpha_options *options,
                             int steps, int periods, fw_period_map *map);
void fw_period_map_clear(fw_period_map *map);

/* Told the state and the energies at the beginning and after every step. */
typedef void (*fw_period_look)(void *user, const fw_state *state, const fw_energy *energy);

/* end = P(begin) at omega (rad/s), less what has drifted; look may be NULL. Positive status: no step gets on there. */
fw_status fw_period_map_run(fw_period_map *map, const double *begin, double omega, fw_period_look look, void *user,
                            double *end);

/* The same with dP/dbegin [n x n column major] and dP/domega [n]. */
fw_status fw_period_map_differentiate(fw_period_map *map, const double *begin, double omega, double *end,
                                      double *derivative, double *by_omega);

#endif
