/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What computed curves are to meet: figures at levels of the drive, from <resonance>, <harmonics> and <frf>. */
#ifndef FW_IDENTIFY_TARGETS_H
#define FW_IDENTIFY_TARGETS_H

#include "identify/method.h"

enum { FW_TARGET_NAME = 96 };

typedef enum fw_target_kind {
  FW_TARGET_RESONANCE, /* a column of the table of a `resonance` at a level */
  FW_TARGET_BANDWIDTH, /* of the peak of an `frf` at a level, between its half-power points */
  FW_TARGET_RESPONSE,  /* a column (SENSOR.amplitude or SENSOR.phase) of an `frf` at a level and a frequency */
} fw_target_kind;

typedef struct fw_target {
  fw_target_kind kind;
  double level, frequency; /* frequency: of a response */
  char column[FW_TARGET_NAME], unit[16];
  double value, deviation;
  bool assumed; /* nobody gave the deviation */
} fw_target;

typedef struct fw_targets {
  fw_target *list;
  int count, room;
  fw_target *criteria; /* figures of the contact that are compared, not fitted */
  int criteria_count, criteria_room;
} fw_targets;

/* Reads all data of the job: of <resonance> (force or level, frequency, perhaps amplitude and bandwidth) the frequencies,
 * amplitudes and bandwidths of `response`, and as criteria slip, slip_velocity, friction and normal of the model's only
 * pair; of <harmonics> the first `harmonics` of every sensor; of <frf> amplitudes and phases of sensors at every
 * frequency. Other columns are refused. Deviations: of the data, else assumed: a part of each value, or degrees. */
typedef struct fw_targets_options {
  const char *response;
  const fw_item *curves; /* the <frf> that bandwidths and responses are computed by; NULL: none */
  int harmonics;
  double frequency_percent, amplitude_percent, phase_degrees;
} fw_targets_options;
fw_status fw_targets_read(const fw_identify_job *job, const fw_targets_options *options, fw_targets *targets);
void fw_targets_clear(fw_targets *targets);

/* ---- for the kinds of data ---------------------------------------------------------------- */

/* Takes a target, unless it has no value; one without a deviation above 0 is refused. */
fw_status fw_targets_add(const fw_identify_job *job, const fw_item *data, fw_targets *targets, const fw_target *target);

/* All of an <frf> (response_targets.c). */
fw_status fw_targets_read_response(const fw_identify_job *job, const fw_item *data, fw_data_table *table,
                                   const fw_targets_options *options, fw_targets *targets);

/* ---- curves ------------------------------------------------------------------------------ */

/* A column where the curve first passes a level; unknown if it never does or has no such column. */
double fw_resonance_curve_at(const fw_data_table *curve, const char *column, double level);
/* The largest level it reaches. */
double fw_resonance_curve_reach(const fw_data_table *curve);

#endif
