/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a curve of resonances is to meet: figures at levels of the drive, from <resonance> and <harmonics>. A target is
 * a column of the table of a `resonance` analysis at a level. */
#ifndef FW_IDENTIFY_TARGETS_H
#define FW_IDENTIFY_TARGETS_H

#include "identify/method.h"

enum { FW_TARGET_NAME = 96 };

typedef struct fw_target {
  double level;
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

/* Reads all data of the job: of <resonance> (force or level, frequency, perhaps amplitude) the frequencies and
 * amplitudes of `response`, and as criteria slip, slip_velocity, friction and normal of the model's only pair; of
 * <harmonics> the first `harmonics` of every sensor. Other columns are refused. Deviations: of the data, else assumed:
 * a part of each value. */
typedef struct fw_targets_wish {
  const char *response;
  int harmonics;
  double frequency_percent, amplitude_percent;
} fw_targets_wish;
fw_status fw_targets_read(const fw_identify_job *job, const fw_targets_wish *wish, fw_targets *targets);
void fw_targets_clear(fw_targets *targets);

/* A column where the curve first passes a level; unknown if it never does or has no such column. */
double fw_resonance_curve_at(const fw_data_table *curve, const char *column, double level);
/* The largest level it reaches. */
double fw_resonance_curve_reach(const fw_data_table *curve);

#endif
