/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the alternating frequency-time method: openings between samples, steps and laws along a period, switching
 * times. */
#ifndef FW_HB_AFT_AFT_PARTS_H
#define FW_HB_AFT_AFT_PARTS_H

#include <stdbool.h>

#include "contact/friction/derived.h"
#include "contact/friction/lagged.h"
#include "solver/hb/aft/aft.h"

/* ---- touching -------------------------------------------------------------------------------------------- */

/* A contact that opens or closes between the samples of a period. `pressed` (> 0 closed) is taken as straight from
 * sample to sample; then the part of a step that is spent in contact, the weight of a sample's friction and what
 * friction remembers are continuous, however a moment of opening passes from one sample to the next. Without that
 * forces would jump, and a curve of solutions would end wherever a point only just opens. */

typedef struct fw_touching {
  bool whole;   /* closed at the sample and on both sides of it: all are 1 */
  double part;  /* of the step to the sample that is closed: what is slipped while open stretches nothing */
  double share; /* of the half steps around the sample that is closed */
  double keep; /* of the friction states after the sample: 1 where it is closed; an opening that lasts as long as a step
                  makes a fresh contact, a shorter one in proportion */
  double part_p[3], share_p[3], keep_p[3]; /* derivatives with respect to `pressed` before, at and after the sample */
} fw_touching;

fw_touching fw_touching_at(double before, double at, double after);

/* ---- aft parts ------------------------------------------------------------------------------------------- */

/* What the files of the method (aft.h) share: steps between samples, and laws followed along them. */

/* How long the contact is closed around sample j. */
fw_touching fw_aft_touching(const fw_aft *aft, int j);

/* row += factor d(part, share or keep)/dw of sample j, by its derivatives with respect to `pressed`. */
void fw_aft_add_through_pressed(const fw_aft *aft, int j, double factor, const double by[3], double *row);

/* row += x . d(step inputs)/d(u, w) for the step from sample i to j. */
void fw_aft_add_inputs(const fw_aft *aft, const double *x, int i, int j, double *row);

/* True if the contact is pressed throughout the period, by more than next to nothing. */
bool fw_aft_is_firm(const fw_aft *aft);

/* One law on its way through the period. */
typedef struct fw_track {
  fw_aft *aft;
  const fw_friction *law;
  int states, columns; /* columns = 2 size: derivatives with respect to u and w */
  bool uncoupled;
  const fw_lagged *lagged; /* one state is a velocity of before; NULL: none */
  double *z, *trial;       /* current state, next state */
  double *samples;         /* where this law's states stand in aft->z_samples */
  double *map, *map_next;  /* d z / d z at sample 0, full */
  fw_step_out out;         /* of the last step, with regard to openings, */
  fw_touching here;        /* at its end, */
  double T_whole;          /* and T without regard to them */
  double weight;           /* of the force */
  bool breaks;             /* elastic stick broke away in it, */
  fw_stick_mean mean;      /* which changes the force around that moment */
} fw_track;

fw_track fw_track_make(fw_aft *aft, const fw_friction *law);

/* Slip velocity `lag` before sample j; row: its derivatives with respect to the coefficients of slip, NULL: not wanted.
 */
double fw_aft_velocity_before(const fw_aft *aft, int j, double lag, double *row);

/* From before the vibration to sample 0 after one period; `dz` on the way if wanted. first: the state at sample 0 where
 * the period began, NULL: not wanted. */
void fw_track_history(fw_track *t, const fw_aft_point *point, const double *z0, bool derivatives, double *first);

/* Once round from the state in `begin`; leaves the map, and if wanted dz at fixed start, and adds to T's rows. */
void fw_track_round(fw_track *t, const fw_aft_point *point, const double *begin, bool derivatives);

/* The periodic motion of the law that the history leads to, from the state at sample 0 in `begin`; false if there is
 * none. derived: derivatives are wanted, in rows of T that are this law's alone; false if they were not found. */
bool fw_track_find(fw_track *t, const fw_aft_point *point, const double *z0, double *begin, bool *derived);

/* T of friction that does not stick rigidly, and its derivatives if wanted. */
void fw_aft_add_friction(fw_aft *aft, const fw_aft_point *point, bool derivatives);

/* ---- switching ------------------------------------------------------------------------------------------- */

/* Fourier coefficients of the forces of rigid stick and of hard contact that opens with exact switching times. Both
 * depend on the moment alone, and are smooth but for corners where a contact begins or ends to slide, opens or closes.
 * These are found between the samples, and each piece between two of them is integrated by Gauss's rule: what samples
 * alone leave out, of second order in their distance, is not there. The forces are continuous, so that the derivatives
 * are integrals over the same pieces. */

/* Numbers of work space that it takes for series of this size. */
size_t fw_switching_room(int size);

/* Replaces the coefficients, and if wanted the derivatives, of T (rigid stick) and N (FW_AFT_OPENING) that the
 * samples of the period gave, as long as there is a corner. */
void fw_switching_project(fw_aft *aft, const fw_aft_point *point, const fw_aft_in *in, bool derivatives);

#endif
