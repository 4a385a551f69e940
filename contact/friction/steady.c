/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void fw_steady_clear(fw_steady *steady) {
  free(steady->z);
  *steady = (fw_steady){0};
}

/* One allocation: z, then what belongs to rates, then the room of a step. */
typedef struct bench {
  double *next, *z_x, *z_z, *T_z;
} bench;

static fw_status make_room(fw_context *ctx, size_t n, fw_steady *steady, bench *room) {
  FW_TRY(fw_alloc(ctx, n * (2 * n + FW_STEP_INPUTS + 7) + 1, sizeof *steady->z, &steady->z));
  steady->T_z = steady->z + n;
  steady->zdot_v = steady->T_z + n;
  steady->zdot_N = steady->zdot_v + n;
  steady->zdot_z = steady->zdot_N + n;
  room->next = steady->zdot_z + n * n;
  room->T_z = room->next + n;
  room->z_x = room->T_z + n;
  room->z_z = room->z_x + n * FW_STEP_INPUTS;
  return FW_OK;
}

/* Slides in ever longer steps, from far below any presliding to far beyond any memory: the last one is as good as
 * endless, and its derivatives are those of steady friction. False: the force goes on changing. */
static bool slide(const fw_friction *law, double v, double N, const bench *room, fw_steady *steady) {
  enum { LONGER = 50, MORE = 10 };
  double T_x[FW_STEP_INPUTS], way = 1e-10, before = 0.0;
  fw_step_out out = {.z = room->next, .z_x = room->z_x, .z_z = room->z_z, .T_x = T_x, .T_z = room->T_z};
  fw_friction_reset(law, steady->z);
  for (int k = 0; k < LONGER + MORE; k++) {
    const double dt = way / fabs(v);
    before = steady->T;
    fw_friction_step(law, &(fw_step_in){.x = {v * dt, v, v, N, N}, .dt = dt}, steady->z, &out);
    if (law->states) memcpy(steady->z, room->next, (size_t)law->states * sizeof *steady->z);
    steady->T = out.T;
    steady->T_v = T_x[FW_STEP_DU] * dt + T_x[FW_STEP_V0] + T_x[FW_STEP_V1];
    steady->T_N = T_x[FW_STEP_N0] + T_x[FW_STEP_N1];
    if (k < LONGER) way *= 2.0;
  }
  return fabs(steady->T - before) <= 1e-9 * fabs(steady->T);
}

/* The states' own rates there. */
static void take_rates(const fw_friction *law, double v, double N, const bench *room, fw_steady *steady) {
  fw_rate_out out = {.zdot = room->next,
                     .zdot_z = steady->zdot_z,
                     .zdot_v = steady->zdot_v,
                     .zdot_N = steady->zdot_N,
                     .T_z = steady->T_z};
  fw_friction_rate(law, &(fw_rate_in){v, N}, steady->z, &out);
  steady->rates = law->states;
  steady->T = out.T;
  steady->T_v = out.T_v;
  steady->T_N = out.T_N;
}

fw_status fw_friction_steady(fw_context *ctx, const fw_friction *friction, double v, double N, fw_steady *steady) {
  bench room;
  *steady = (fw_steady){0};
  FW_TRY(make_room(ctx, (size_t)friction->states, steady, &room));
  fw_friction_reset(friction, steady->z);
  if (!friction->ops) return FW_OK;
  if (fw_friction_is_rigid(friction)) {
    fw_limit_out limit = fw_friction_limit(friction, v, N, steady->z);
    steady->T = limit.slip;
    steady->T_v = limit.slip_v;
    steady->T_N = limit.slip_N;
    return FW_OK;
  }
  if (!slide(friction, v, N, &room, steady))
    return fw_fail(ctx, FW_ERR_ANALYSIS,
                   "friction law '%s' has no steady sliding at %g m/s: its force goes on changing",
                   friction->ops->entry.name, v);
  if (fw_friction_has_rate(friction)) take_rates(friction, v, N, &room, steady);
  return FW_OK;
}
