/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonics of accelerometers at one level and frequency of the drive, as <harmonics> brings them: amplitudes, and
 * phases against the force where there are any. */
#ifndef FW_IDENTIFY_HARMONICS_H
#define FW_IDENTIFY_HARMONICS_H

#include <complex.h>
#undef I /* a second moment of area elsewhere */

#include "identify/method.h"

typedef struct fw_harmonics {
  double level, frequency;
  int sensors, orders;
  int *sensor;           /* [sensors] of the model */
  double *amplitude;     /* [orders * sensors], row r - 1: harmonic r (m/s^2) */
  double complex *value; /* the same with their phases; NULL: there are none */
  double deviation;      /* m/s^2, NaN: nobody said so */
} fw_harmonics;

/* Reads the job's only data. Columns: harmonic, one per sensor of acceleration, and SENSOR.phase (deg) of all of them
 * or none; force.phase (deg, of the first harmonic) refers them to a force that is not at its peak at time 0: phase r
 * of a signal then counts from r times that of the force. */
fw_status fw_harmonics_read(const fw_identify_job *job, fw_harmonics *harmonics);
void fw_harmonics_clear(fw_harmonics *harmonics);

#endif
