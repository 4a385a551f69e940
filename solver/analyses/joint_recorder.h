/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches joints during a time integration: reactions, and how well they stay closed. */
#ifndef FW_ANALYSES_JOINT_RECORDER_H
#define FW_ANALYSES_JOINT_RECORDER_H

#include "solver/analysis.h"
#include "solver/time/archive.h"

typedef struct fw_joint_recorder fw_joint_recorder;

/* *watch is NULL for a model without constraints; all functions accept that. Opens the table `joints`: force (x, y) and
 * moment of each joint on its first body, at its point there. */
fw_status fw_joint_recorder_create(fw_job *job, fw_joint_recorder **recorder);
void fw_joint_recorder_destroy(fw_joint_recorder **recorder);

/* After every step; `row`: into the table too. */
fw_status fw_joint_recorder_step(fw_joint_recorder *recorder, const fw_state *state, bool row);

/* Keeps the largest values so far, or takes them back. */
fw_status fw_joint_recorder_archive(fw_joint_recorder *recorder, fw_archive *archive);

/* joints.ID.{force_max,moment_max} and constraints.{position_error,velocity_error}, the largest of the run. */
fw_status fw_joint_recorder_report(fw_joint_recorder *recorder);

#endif
