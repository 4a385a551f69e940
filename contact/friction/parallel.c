/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "contact/friction/derived.h"
#include "contact/friction/law.h"

static const fw_friction_ops parallel_ops = {.entry = {"parallel", "several laws side by side",
                                                       "T = sum T_i, each with the same slip and normal force", "",
                                                       NULL}};

fw_status fw_friction_join(fw_context *ctx, fw_friction *parts, int count, fw_friction *joined) {
  *joined = (fw_friction){0};
  if (count == 0) return FW_OK;
  if (count == 1) {
    *joined = parts[0];
    parts[0] = (fw_friction){0};
    return FW_OK;
  }
  joined->ops = &parallel_ops;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *joined->parts, &joined->parts));
  joined->part_count = count;
  for (int i = 0; i < count; i++) {
    joined->states += parts[i].states;
    joined->drops = joined->drops || parts[i].drops;
    for (int k = 0; k < 2; k++) {
      joined->stiffness[k] += parts[i].stiffness[k];
      joined->damping[k] += parts[i].damping[k];
    }
    joined->parts[i] = parts[i];
    parts[i] = (fw_friction){0};
  }
  return FW_OK;
}

const fw_friction *fw_friction_parts(const fw_friction *friction, int *count) {
  *count = friction->part_count ? friction->part_count : friction->ops != NULL;
  return friction->part_count ? friction->parts : friction;
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

void fw_parallel_step(const fw_friction *joined, fw_step_face face, const fw_step_in *in, const double *z_old,
                      fw_step_out *out) {
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
    face(part, in, z_old + offset, &own);
    out->T += own.T;
    for (int j = 0; wants && j < FW_STEP_INPUTS; j++) out->T_x[j] += T_x[j];
    if (wants && !diagonal) spread_block(own.z_z, n, all, offset, fw_friction_uncoupled(part));
    offset += n;
  }
}

void fw_parallel_rate(const fw_friction *joined, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  size_t all = (size_t)joined->states, offset = 0;
  bool wants = fw_rate_wants(out);
  out->T = out->T_v = out->T_N = 0.0;
  for (int i = 0; i < joined->part_count; i++) {
    const fw_friction *part = &joined->parts[i];
    size_t n = (size_t)part->states;
    fw_rate_out own = {.zdot = out->zdot + offset};
    if (wants)
      own = (fw_rate_out){.zdot = out->zdot + offset,
                          .zdot_z = out->zdot_z + offset * all,
                          .zdot_v = out->zdot_v + offset,
                          .zdot_N = out->zdot_N + offset,
                          .T_z = out->T_z + offset};
    fw_friction_rate(part, in, z + offset, &own);
    out->T += own.T;
    out->T_v += own.T_v;
    out->T_N += own.T_N;
    if (wants) spread_block(own.zdot_z, n, all, offset, false);
    offset += n;
  }
}
