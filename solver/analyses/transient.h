/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a transient begins: shared by the analysis and by simulations that a caller takes step by step. */
#ifndef FW_ANALYSES_TRANSIENT_H
#define FW_ANALYSES_TRANSIENT_H

#include "solver/analysis.h"
#include "solver/assembly/system.h"

typedef struct fw_schedule {
  double period, step, duration;
  long steps, keep; /* keep: steps between checkpoints, 0: none */
} fw_schedule;

/* Where a transient begins, and how it is to go. */
typedef struct fw_beginning {
  fw_schedule schedule;
  fw_state *state;
  fw_system *system;
  double omega;
} fw_beginning;

extern const fw_param fw_transient_params[];
fw_status fw_transient_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args);

/* How long it lasts (s); whether it is on a reduced model. */
double fw_transient_duration(const fw_args *args);
bool fw_transient_is_reduced(const fw_args *args);

/* To be cleared, also after a failure. */
fw_status fw_transient_begin(const fw_job *job, fw_beginning *beginning);
void fw_beginning_clear(fw_beginning *beginning);

#endif
