/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An analysis about to run: its deck built, what it starts from computed in memory. */
#ifndef FW_API_PREPARED_H
#define FW_API_PREPARED_H

#include "api/plan.h"

typedef struct fw_prepared {
  fw_built *built;
  fw_plan plan;
  fw_sink *sink;     /* of those it starts from */
  fw_record *record; /* likewise */
  const fw_task *task;
  fw_job job;
} fw_prepared;

/* The analysis `id` of a deck, which must outlive this. To be cleared, also after a failure. */
fw_status fw_prepare(fw_context *ctx, const fw_deck *deck, const char *id, int threads, fw_prepared *prepared);
void fw_prepared_clear(fw_prepared *prepared);

#endif
