/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The period map: from the state at the beginning of a period to that at its end, by a whole number of equal steps of
 * generalised-alpha. The state is all that the integrator goes on from (fw_alpha_numbers), so that a motion the map
 * gives back is the one that long time integration of the same steps comes to; its derivatives are those of the steps
 * and of the events between them (time/alpha_variation.c). */
#ifndef FW_SHOOTING_PERIOD_MAP_H
#define FW_SHOOTING_PERIOD_MAP_H

#include <stdint.h>

#include "solver/time/alpha.h"

/* What a motion depends on beside the state it begins with. */
typedef enum fw_map_parameter {
  FW_MAP_OMEGA, /* circular frequency of the drive, or of a free motion: 2 pi over its period (rad/s) */
  FW_MAP_PACE,  /* of prescribed motions, 1: as the deck says. Free motions only */
} fw_map_parameter;

typedef struct fw_period_map {
  fw_context *ctx; /* lent */
  fw_alpha *alpha;
  int n;                  /* numbers of a state */
  int steps;              /* of a period of the drive */
  int periods;            /* of the drive that the map spans */
  fw_model *paced;        /* of a free motion: the integrator's model, whose pace is set; lent. NULL: it stays */
  double pace;            /* of the next run */
  const double *drift;    /* [n] rates at which numbers of a free motion grow at pace 1; NULL: none do. Lent */
  fw_variation variation; /* n changes of the state, that of omega, and of a free motion that of the pace */
  double *column;         /* [n] */
  double omega;           /* of the last run */
  uint64_t sequence;      /* what contact did, in its order: open, stick, slip of all points, without times */
  int switches;           /* how often it changed */
  long events;            /* located before the period began */
  double gentlest;        /* least speed of an impact (m/s); INFINITY: none, or not differentiated */
  long runs;
} fw_period_map;

/* From `state` (copied) with its loads; system is lent, and so is its model, `paced`, if its pace may be set. Clear is safe on a zeroed struct. */
fw_status fw_period_map_init(fw_context *ctx, fw_system *system, const fw_state *state, const fw_alpha_options *options,
                             int steps, int periods, fw_model *paced, fw_period_map *map);
void fw_period_map_clear(fw_period_map *map);

/* Told the state and the energies at the beginning and after every step. */
typedef void (*fw_period_look)(void *user, const fw_state *state, const fw_energy *energy);

/* end = P(begin) at omega (rad/s), less what has drifted; look may be NULL. Positive status: no step gets on there. */
fw_status fw_period_map_run(fw_period_map *map, const double *begin, double omega, fw_period_look look, void *user,
                            double *end);

/* The same with dP/dbegin [n x n column major]. */
fw_status fw_period_map_differentiate(fw_period_map *map, const double *begin, double omega, double *end,
                                      double *derivative);
/* dP/dparameter [n] at the place last differentiated. */
void fw_period_map_by(fw_period_map *map, fw_map_parameter parameter, double *out);

/* Rate at which number i grows from one period to the next. */
double fw_period_map_drift(const fw_period_map *map, int i);

#endif
