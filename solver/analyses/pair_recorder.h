/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches contact pairs during a time integration: the history of every contact point, and figures of every pair. */
#ifndef FW_ANALYSES_PAIR_RECORDER_H
#define FW_ANALYSES_PAIR_RECORDER_H

#include "solver/analysis.h"
#include "solver/time/archive.h"

typedef struct fw_pair_recorder fw_pair_recorder;

/* *watch is NULL for a model without contact; all functions accept that. Opens the table `contact`. period, window: as
 * of contact/figures.h. */
fw_status fw_pair_recorder_create(fw_job *job, double period, double window, fw_pair_recorder **recorder);
void fw_pair_recorder_destroy(fw_pair_recorder **recorder);

/* The observation begins at this state; then every state, `dt` after the one before (0 for the first). */
void fw_pair_recorder_begin(fw_pair_recorder *recorder, const fw_state *state);
void fw_pair_recorder_step(fw_pair_recorder *recorder, const fw_state *state, double dt);

/* The state becomes a row of the table. */
fw_status fw_pair_recorder_row(fw_pair_recorder *recorder, const fw_state *state);

/* Keeps what was observed so far, or takes it back. */
fw_status fw_pair_recorder_archive(fw_pair_recorder *recorder, fw_archive *archive);

/* contact.ID.FIGURE of the observed time. */
fw_status fw_pair_recorder_report(fw_pair_recorder *recorder);

#endif
