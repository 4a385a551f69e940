/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/flow_model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static fw_status set_block(fw_context *ctx, fw_flow_at where, fw_block *block) {
  const double *given = block->props.constants;
  double *constants;
  block->props.constants = NULL; /* not ours to free */
  FW_TRY(fw_alloc(ctx, FW_FLOW_CONSTANTS, sizeof *constants, &constants));
  block->props.constants = memcpy(constants, given, FW_FLOW_CONSTANTS * sizeof *constants);
  if (fw_flow_set(block->props.flow, where, constants)) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_ANALYSIS, block->props.flow->place,
                    "at the flow %g and the frequency %g Hz a matrix is not a finite number",
                    where.speed < 0 ? block->props.flow->speed : where.speed,
                    where.frequency < 0 ? block->props.flow->frequency : where.frequency);
}

fw_status fw_flow_model_make(fw_context *ctx, const fw_model *model, fw_flow_at where, fw_model *at) {
  *at = *model;
  at->blocks = NULL;
  at->block_count = 0;
  FW_TRY(fw_alloc(ctx, (size_t)model->block_count, sizeof *at->blocks, &at->blocks));
  for (int b = 0; b < model->block_count; b++) {
    at->blocks[b] = model->blocks[b];
    at->block_count++;
    if (model->blocks[b].props.flow) FW_TRY(set_block(ctx, where, &at->blocks[b]));
  }
  return FW_OK;
}

void fw_flow_model_clear(fw_model *at) {
  for (int b = 0; b < at->block_count; b++)
    if (at->blocks[b].props.flow) free((void *)(uintptr_t)at->blocks[b].props.constants);
  free(at->blocks);
  at->blocks = NULL;
  at->block_count = 0;
}
