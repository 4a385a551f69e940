/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches sensors during a time integration: their history, extremes and harmonics. */
#ifndef FW_ANALYSES_SENSOR_RECORDER_H
#define FW_ANALYSES_SENSOR_RECORDER_H

#include "solver/analysis.h"
#include "solver/time/archive.h"

typedef struct fw_sensor_recorder fw_sensor_recorder;

/* Opens the table `history`. `period`: of the drive, 0 without one. */
fw_status fw_sensor_recorder_create(fw_job *job, double period, fw_sensor_recorder **recorder);
void fw_sensor_recorder_destroy(fw_sensor_recorder **recorder);

/* The observation begins at this state; then every state, `dt` after the one before. */
void fw_sensor_recorder_begin(fw_sensor_recorder *recorder, const fw_state *state);
void fw_sensor_recorder_step(fw_sensor_recorder *recorder, const fw_state *state, double dt);

/* The state becomes a row of the table. */
fw_status fw_sensor_recorder_row(fw_sensor_recorder *recorder, const fw_state *state);

/* Keeps what was observed so far, or takes it back. */
fw_status fw_sensor_recorder_archive(fw_sensor_recorder *recorder, fw_archive *archive);

/* sensors.ID.{final,min,max,harmonics[h].{amplitude,phase}} over the observed time `span`. */
fw_status fw_sensor_recorder_report(fw_sensor_recorder *recorder, double span);

#endif
