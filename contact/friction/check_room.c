/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does a law keep to the arrays it is given? Each is followed by numbers that must stay. */
#include <stdlib.h>

#include "contact/friction/checks.h"

enum { GUARD = 16, ARRAYS = 6 };
static const double untouched = 0x1.23456789abcdep-300;

typedef struct guarded {
  double *room;
  size_t sizes[ARRAYS], starts[ARRAYS];
} guarded;

static fw_status guarded_create(fw_context *ctx, const size_t sizes[ARRAYS], guarded *g) {
  size_t total = 0;
  for (int i = 0; i < ARRAYS; i++) {
    g->sizes[i] = sizes[i];
    g->starts[i] = total;
    total += sizes[i] + GUARD;
  }
  FW_TRY(fw_alloc(ctx, total, sizeof *g->room, &g->room));
  for (int i = 0; i < ARRAYS; i++)
    for (size_t k = 0; k < GUARD; k++) g->room[g->starts[i] + sizes[i] + k] = untouched;
  return FW_OK;
}

static double *array(const guarded *g, int i) { return g->room + g->starts[i]; }

static bool is_whole(const guarded *g) {
  for (int i = 0; i < ARRAYS; i++)
    for (size_t k = 0; k < GUARD; k++)
      if (array(g, i)[g->sizes[i] + k] != untouched) return false;
  return true;
}

static void call_reset(const fw_friction *law, double *z) {
  if (law->ops->reset) law->ops->reset(law->constants, z);
}

static fw_status check_rate(fw_context *ctx, const fw_friction *law, bool *kept) {
  size_t n = (size_t)law->states;
  guarded g;
  FW_TRY(guarded_create(ctx, (const size_t[ARRAYS]){n, n, n * n, n, n, n}, &g));
  fw_rate_out out = {.zdot = array(&g, 1),
                     .zdot_z = array(&g, 2),
                     .zdot_v = array(&g, 3),
                     .zdot_N = array(&g, 4),
                     .T_z = array(&g, 5)};
  call_reset(law, array(&g, 0));
  law->ops->rate(law->constants, &(fw_rate_in){1e-3, 10.0}, array(&g, 0), &out);
  *kept = is_whole(&g);
  free(g.room);
  return FW_OK;
}

static fw_status check_step(fw_context *ctx, const fw_friction *law, bool *kept) {
  size_t n = (size_t)law->states;
  guarded g;
  FW_TRY(guarded_create(ctx, (const size_t[ARRAYS]){n, n, n * FW_STEP_INPUTS, n * n, FW_STEP_INPUTS, n}, &g));
  fw_step_out out = {
      .z = array(&g, 1), .z_x = array(&g, 2), .z_z = array(&g, 3), .T_x = array(&g, 4), .T_z = array(&g, 5)};
  call_reset(law, array(&g, 0));
  law->ops->step(law->constants, &(fw_step_in){.x = {1e-6, 1e-3, 1e-3, 10.0, 10.0}, .dt = 1e-3}, array(&g, 0), &out);
  *kept = is_whole(&g);
  free(g.room);
  return FW_OK;
}

fw_status fw_law_keeps_to_room(fw_context *ctx, const fw_friction *law, bool *kept) {
  *kept = true;
  if (law->ops->rate) FW_TRY(check_rate(ctx, law, kept));
  if (law->ops->step && *kept) FW_TRY(check_step(ctx, law, kept));
  return FW_OK;
}
