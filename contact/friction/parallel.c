/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "contact/friction/derived.h"
#include "contact/friction/law.h"

static const fw_friction_ops parallel_ops = {.entry = {"parallel", "several laws side by side",
                                                       "T = sum T_i, each with the same slip and normal force", "",
                                                       NULL}};

fw_status fw_friction_join(fw_context *ctx, fw_friction *parts, int count, fw_friction *joined) {
  *joined = (fw_friction){.ops = &parallel_ops};
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *joined->parts, &joined->parts));
  joined->part_count = count;
  for (int i = 0; i < count; i++) {
    joined->states += parts[i].states;
    for (int k = 0; k < 2; k++) {
      joined->stiffness[k] += parts[i].stiffness[k];
      joined->damping[k] += parts[i].damping[k];
    }
    joined->parts[i] = parts[i];
    parts[i] = (fw_friction){0};
  }
  return FW_OK;
}

/* A part's own Jacobian stands at the beginning of its rows; it goes to its block, the rest of the rows is 0.
 * Backwards: no row is overwritten before it has moved. */
static void spread_block(double *rows, size_t n, size_t all, size_t offset, bool diagonal) {
  for (size_t i = n; diagonal && i-- > 0;) {
    double own = rows[i];
    memset(rows + i * all, 0, all * sizeof *rows);
    rows[i * all + offset + i] = own;
  }
  if (diagonal) return;
  for (size_t i = n; i-- > 0;) memmove(rows + i * all + offset, rows + i * n, n * sizeof *rows);
  for (size_t i = 0; i < n; i++) {
    memset(rows + i * all, 0, offset * sizeof *rows);
    memset(rows + i * all + offset + n, 0, (all - offset - n) * sizeof *rows);
  }
}

void fw_parallel_step(const fw_friction *joined, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  size_t all = (size_t)joined->states, offset = 0;
  bool wants = fw_step_wants(out), diagonal = fw_friction_uncoupled(joined);
  double T_x[FW_STEP_INPUTS];
  out->T = 0.0;
  if (wants) memset(out->T_x, 0, FW_STEP_INPUTS * sizeof *out->T_x);
  for (int i = 0; i < joined->part_count; i++) {
    const fw_friction *part = &joined->parts[i];
    size_t n = (size_t)part->states;
    fw_step_out own = {.z = out->z + offset};
    if (wants) {
      own.z_x = out->z_x + offset * FW_STEP_INPUTS;
      own.z_z = out->z_z + offset * (diagonal ? 1 : all);
      own.T_x = T_x;
      own.T_z = out->T_z + offset;
    }
    fw_friction_step(part, in, z_old + offset, &own);
    out->T += own.T;
    for (int j = 0; wants && j < FW_STEP_INPUTS; j++) out->T_x[j] += T_x[j];
    if (wants && !diagonal) spread_block(own.z_z, n, all, offset, fw_friction_uncoupled(part));
    offset += n;
  }
}
