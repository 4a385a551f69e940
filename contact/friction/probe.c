/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A law on the bench: finding its scales. */
#include <math.h>
#include <stdlib.h>

#include "contact/friction/checks.h"

const fw_duty fw_duties[] = {{"step derivatives", fw_check_step_derivatives, true},
                             {"rate derivatives", fw_check_rate_derivatives, true},
                             {"limit derivatives", fw_check_limit_derivatives, true},
                             {"rate against step", fw_check_rate_against_step, true},
                             {"limit against step", fw_check_limit_against_step, true},
                             {"defined", fw_check_defined, true},
                             {"pure", fw_check_pure, true},
                             {"passive", fw_check_passive, false},
                             {"bounded", fw_check_bounded, false},
                             {"opposes", fw_check_opposes, false},
                             {"claims", fw_check_claims, true},
                             {NULL, NULL, false}};

double fw_law_probe_move(fw_law_probe *probe, double du, double v0, double v1, double dt) {
  fw_step_out out = {.z = probe->next};
  fw_step_in in = {.x = {du, v0, v1, probe->N, probe->N}, .dt = dt};
  fw_friction_step(probe->law, &in, probe->z, &out);
  for (int i = 0; i < probe->law->states; i++) probe->z[i] = probe->next[i];
  return out.T;
}

/* Stiffness from the smallest slip that still gives a clear force. */
static double probe_stiffness(fw_law_probe *probe) {
  fw_friction_reset(probe->law, probe->z);
  return fw_law_probe_move(probe, 1e-10, 0.0, 0.0, 0.0) / 1e-10;
}

/* Slow sliding from rest, both ways, in small parts of the length given. */
static void probe_slide(fw_law_probe *probe, double length) {
  enum { STEPS = 4000, TAIL = 1000 };
  double sum = 0.0;
  probe->peak = 0.0;
  for (int side = -1; side <= 1; side += 2) {
    fw_friction_reset(probe->law, probe->z);
    for (int k = 0; k < STEPS; k++) {
      double T = fabs(fw_law_probe_move(probe, side * 0.005 * length, 0.0, 0.0, 0.0));
      if (T > probe->peak) probe->peak = T;
      if (side > 0 && k >= STEPS - TAIL) sum += T;
    }
  }
  probe->force = sum / TAIL;
}

/* A law without friction at rest: what it has at speed. */
static void probe_sweep(fw_law_probe *probe) {
  double v = probe->speed, dt = probe->reach / v;
  fw_friction_reset(probe->law, probe->z);
  for (int k = 0; k < 100; k++) probe->force = fabs(fw_law_probe_move(probe, v * dt, v, v, dt));
  probe->peak = probe->force;
}

fw_status fw_law_probe_create(fw_context *ctx, const fw_friction *law, double N, fw_law_probe *probe) {
  size_t n = (size_t)law->states;
  *probe = (fw_law_probe){.law = law, .N = N, .reach = 1e-6, .speed = 1e-3};
  FW_TRY(fw_alloc(ctx, 4 * n + n * FW_STEP_INPUTS + n * n + 1, sizeof(double), &probe->room));
  probe->z = probe->room;
  probe->next = probe->z + n;
  probe->other = probe->next + n;
  probe->T_z = probe->other + n;
  probe->z_x = probe->T_z + n;
  probe->z_z = probe->z_x + n * FW_STEP_INPUTS;
  probe->stiffness = probe_stiffness(probe);
  probe_slide(probe, 1e-6);
  for (int i = 0; i < 3 && probe->stiffness > 0.0; i++) {
    probe->reach = probe->peak / probe->stiffness;
    probe_slide(probe, probe->reach);
  }
  if (!(probe->peak > 0.0)) probe_sweep(probe);
  return FW_OK;
}

void fw_law_probe_clear(fw_law_probe *probe) {
  free(probe->room);
  *probe = (fw_law_probe){0};
}
