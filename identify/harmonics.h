/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What inverse harmonic balance works with: harmonics that were measured, receptances of the model. */
#ifndef FW_IDENTIFY_HARMONICS_H
#define FW_IDENTIFY_HARMONICS_H

#include "core/model.h"
#include "core/state.h"
#include "identify/method.h"
#include "solver/assembly/linearised.h"

/* last: it defines I */
#include <complex.h>

/* ---- harmonics ------------------------------------------------------------------------------------------- */

/* Harmonics of accelerometers at one level and frequency of the drive, as <harmonics> brings them: amplitudes, and
 * phases against the force where there are any. */

#undef I /* a second moment of area elsewhere */

typedef struct fw_harmonics {
  double level, frequency;
  int sensors, orders;
  int *sensor;           /* [sensors] of the model */
  double *amplitude;     /* [orders * sensors], row r - 1: harmonic r (m/s^2) */
  double complex *value; /* the same with their phases; NULL: there are none */
  double deviation;      /* m/s^2, NaN: nobody said so */
  /* Of signals over time, [orders * sensors]: standard deviation of a mean over windows (m/s^2), and of one window its
   * amplitude (part) and phase (degrees); else NULL. */
  double *spread, *amplitude_error, *phase_error;
  bool given; /* spread: as the data say, in columns SENSOR.deviation */
} fw_harmonics;

/* Reads the job's only data, <harmonics> or <signals> (spectrum.h: `orders` harmonics over `windows`). Columns of harmonics: harmonic, one per sensor of acceleration, and SENSOR.phase (deg) of all of them
 * or none, likewise SENSOR.deviation (m/s^2); force.phase (deg, of the first harmonic) refers them to a force that is not at its peak at time 0: phase r
 * of a signal then counts from r times that of the force. */
fw_status fw_harmonics_read(const fw_identify_job *job, int orders, int windows, fw_harmonics *harmonics);
/* Table `harmonics` of those that came from signals: amplitudes, phases and their errors. */
fw_status fw_harmonics_tell(fw_identify_job *job, const fw_harmonics *harmonics);
/* Harmonics below 0.4 and 0.2 of the linear limits of the sensors (one for all, or one of each; none: nothing). */
fw_status fw_harmonics_tell_limits(fw_identify_job *job, const fw_harmonics *harmonics, const fw_value *limits);
void fw_harmonics_clear(fw_harmonics *harmonics);

/* Whether a column belongs to the amplitudes of another: a phase or a deviation. */
bool fw_harmonics_is_beside(const char *column);

/* ---- receptance ------------------------------------------------------------------------------------------ */

/* Receptances of the deck's own model: how sensors, slip and normal force of a contact answer to the drive and to
 * friction, with the contact closed and free to slide, about a state. At the angular frequency w, with T opposing slip,
 *
 *   (K + i w C - w^2 M) q = f F - s_q T,   u = s_q^T q. */

#undef I /* a second moment of area elsewhere */

typedef struct fw_answer {
  double complex drive, friction; /* per unit of F and of T */
  double complex beyond;          /* what forces beyond the linear ones add (second_order.h); 0 of receptances alone */
} fw_answer;

typedef struct fw_receptance {
  fw_answer *sensors; /* [model's sensors], as displacement; owned */
  fw_answer slip, normal;
} fw_receptance;

/* The contact point of a pair as it is to small vibrations, which must be closed and the only one. */
fw_status fw_receptance_point(fw_context *ctx, const fw_model *model, const fw_state *state, int pair,
                              fw_linear_contact *point);

/* At a state where `pair`, which has one contact point, is closed; FW_ERR_ANALYSIS if it is not. */
fw_status fw_receptance_of(fw_context *ctx, const fw_model *model, const fw_state *state, int load, int pair,
                           double omega, fw_receptance *receptance);
void fw_receptance_clear(fw_receptance *receptance);

/* What receptances are made of: loads, added to f, and what is read from the motion q that they make, both [n] of the
 * linearised model. */
typedef enum fw_answer_part { FW_TO_DRIVE, FW_TO_FRICTION, FW_BEYOND } fw_answer_part;
void fw_receptance_drive(const fw_load *load, double complex factor, double complex *f);
void fw_receptance_friction(const fw_linear_contact *point, double complex factor, double complex *f);
void fw_receptance_read(const fw_model *model, const fw_linearised *linear, const fw_linear_contact *point,
                        const double complex *q, fw_answer_part part, fw_receptance *receptance);

#endif
