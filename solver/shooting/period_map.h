/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The period map: from the state at the beginning of a period to that at its end, by a whole number of equal steps of
 * generalised-alpha. The state is all that the integrator goes on from (fw_alpha_numbers), so that a motion the map
 * gives back is the one that long time integration of the same steps comes to; its derivatives are those of the steps
 * and of the events between them (time/alpha_variation.c). */
#ifndef FW_SHOOTING_PERIOD_MAP_H
#define FW_SHOOTING_PERIOD_MAP_H

#include <stdint.h>

#include "solver/time/alpha.h"

/* last: it defines I */
#include <complex.h>

/* What a motion depends on beside the state it begins with. */
typedef enum fw_map_parameter {
  FW_MAP_OMEGA, /* circular frequency of the drive, or of a free motion: 2 pi over its period (rad/s) */
  FW_MAP_PACE,  /* of prescribed motions, 1: as the deck says. Free motions only */
  FW_MAP_LEVEL, /* of the drive: factor of its loads */
  FW_MAP_EPMC,  /* damping of the opposite sign, times M (1/s), of the extended periodic motion concept */
} fw_map_parameter;

/* What defines a map. */
typedef struct fw_map_options {
  fw_alpha_options integrator;
  int steps;               /* of a period of the drive */
  int periods;             /* of the drive that the map spans */
  bool large;              /* dP/dbegin is never held whole */
  fw_map_parameter other;  /* what may change beside omega; FW_MAP_OMEGA: nothing */
  fw_model *paced;         /* FW_MAP_PACE: the integrator's model, whose pace is set; lent */
  const double *drive;     /* FW_MAP_LEVEL: [load_count] factors of the loads at level 1; lent */
  const fw_sensor *sensor; /* whose first harmonic is taken along; NULL: none is. Lent */
} fw_map_options;

typedef struct fw_period_map {
  fw_context *ctx;   /* lent, */
  fw_system *system; /* as is this */
  fw_alpha *alpha;
  int n;                       /* numbers of a state, */
  int columns;                 /* and changes of it that go along: all, or one where the map is large */
  fw_alpha_options integrator; /* as of its options, */
  int steps, periods;
  fw_map_parameter other;
  fw_model *paced;
  const double *drive;
  const fw_sensor *sensor;
  double value;                /* of the other parameter in the next run */
  double *factors;             /* [2 x load_count] of the loads: at level 0, and in the next run */
  const double *drift;         /* [n] rates at which numbers of a free motion grow at pace 1; NULL: none do. Lent */
  fw_variation variation;      /* the changes of the state, that of omega, and that of the other parameter */
  double complex harmonic;     /* first harmonic of the sensor's displacement in the last run, */
  double complex *harmonic_by; /* [as the variation] and its changes, where last differentiated */
  double *column;              /* [n] */
  double *peak;                /* [states + 2 contacts] largest sizes of friction states, N and T in the last run */
  double omega;                /* of the last run */
  uint64_t sequence;           /* what contact did, in its order: open, stick, slip of all points, without times */
  int switches;                /* how often it changed */
  long events;                 /* located before the period began */
  double gentlest;             /* least speed of an impact (m/s); INFINITY: none, or not differentiated */
  long runs;
} fw_period_map;

/* From `state` (copied) with its loads, those of level 0; system is lent. Clear is safe on a zeroed struct. */
fw_status fw_period_map_init(fw_context *ctx, fw_system *system, const fw_state *state, const fw_map_options *options,
                             fw_period_map *map);
void fw_period_map_clear(fw_period_map *map);

/* Told the state and the energies at the beginning and after every step. */
typedef void (*fw_period_look)(void *user, const fw_state *state, const fw_energy *energy);

/* end = P(begin) at omega (rad/s), less what has drifted; look may be NULL. Positive status: no step gets on there. */
fw_status fw_period_map_run(fw_period_map *map, const double *begin, double omega, fw_period_look look, void *user,
                            double *end);

/* The same with dP/dbegin [n x n column major]; NULL where the map is large. */
fw_status fw_period_map_differentiate(fw_period_map *map, const double *begin, double omega, double *end,
                                      double *derivative);
/* out = dP/dbegin x there, of a large map: x goes along once more. The change of the harmonic by it is harmonic_by[0]. */
fw_status fw_period_map_carry(fw_period_map *map, const double *begin, double omega, const double *x, double *out);

/* dP/dparameter [n] at the place last differentiated; omega, or the other one. */
void fw_period_map_by(fw_period_map *map, fw_map_parameter parameter, double *out);

/* Rate at which number i grows from one period to the next. */
double fw_period_map_drift(const fw_period_map *map, int i);

#endif
