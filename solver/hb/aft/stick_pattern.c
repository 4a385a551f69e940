/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/aft/stick_pattern.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

fw_status fw_stick_pattern(fw_context *ctx, const fw_aft *aft, const fw_aft_point *point, char *pattern) {
  int n = aft->fourier->samples;
  size_t most = (size_t)aft->states;
  double *memory, T_x[FW_STEP_INPUTS];
  FW_TRY(fw_alloc(ctx, most * (most + FW_STEP_INPUTS + 2), sizeof *memory, &memory));
  fw_step_out out = {.z = memory, .T_z = memory + most, .z_x = memory + 2 * most, .T_x = T_x};
  out.z_z = out.z_x + most * FW_STEP_INPUTS;
  for (int j = 0; j < n; j++) {
    uint64_t hash = point->stick_penalty > 0 ? fw_hash_integer(FW_HASH_START, aft->slides[j]) : FW_HASH_START;
    const double *z = aft->z_samples + (size_t)((j + n - 1) % n) * most;
    fw_step_in in = fw_aft_step(aft, point, (j + n - 1) % n, j);
    for (int l = 0; l < point->law_count && !(point->stick_penalty > 0); l++) {
      const fw_friction *law = &point->laws[l];
      int entries = fw_friction_uncoupled(law) ? law->states : law->states * law->states;
      fw_friction_step(law, &in, z, &out);
      for (int e = 0; e < entries; e++) hash = fw_hash_integer(hash, out.z_z[e] == 0);
      z += law->states;
    }
    pattern[j] = (char)(1 + hash % 127); /* depends on which entries are zero */
  }
  free(memory);
  return FW_OK;
}
