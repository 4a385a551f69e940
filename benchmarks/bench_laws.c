/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step, with derivatives, of every friction law with its default parameters, along a slip of 5 um at 50 Hz. */
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "contact/friction/setting.h"

enum { STEPS = 256 };

typedef struct case_ {
  fw_friction law;
  double *z, *derivatives;
  fw_step_out out;
  fw_step_in steps[STEPS];
} case_;

static void history(fw_step_in *steps) {
  const double amplitude = 5e-6, omega = 2.0 * M_PI * 50.0, dt = 0.02 / STEPS;
  for (int i = 0; i < STEPS; i++) {
    double t0 = i * dt, t1 = t0 + dt;
    steps[i] = (fw_step_in){{amplitude * (sin(omega * t1) - sin(omega * t0)), amplitude * omega * cos(omega * t0),
                             amplitude * omega * cos(omega * t1), 83.0, 83.0},
                            dt};
  }
}

/* One period. */
static void evaluate(void *user) {
  case_ *c = user;
  for (int i = 0; i < STEPS; i++) {
    fw_friction_step(&c->law, &c->steps[i], c->z, &c->out);
    for (int k = 0; k < c->law.states; k++) c->z[k] = c->out.z[k];
  }
}

static fw_status prepare(fw_context *ctx, case_ *c) {
  size_t n = (size_t)c->law.states;
  FW_TRY(fw_alloc(ctx, 2 * n, sizeof *c->z, &c->z));
  FW_TRY(fw_alloc(ctx, n * FW_STEP_INPUTS + n * n + FW_STEP_INPUTS + n, sizeof(double), &c->derivatives));
  c->out.z = c->z + n;
  c->out.z_x = c->derivatives;
  c->out.z_z = c->out.z_x + n * FW_STEP_INPUTS;
  c->out.T_x = c->out.z_z + n * n;
  c->out.T_z = c->out.T_x + FW_STEP_INPUTS;
  fw_friction_reset(&c->law, c->z);
  history(c->steps);
  return FW_OK;
}

/* One law, with a setting or NULL; what it is called besides its name. */
static bool time_law(fw_context *ctx, const fw_friction_ops *ops, const char *setting, const char *detail) {
  static case_ c;
  c = (case_){0};
  fw_status status = fw_law_create(ctx, ops, &setting, setting != NULL, &c.law);
  if (status == FW_OK) status = prepare(ctx, &c);
  if (status == FW_OK)
    bench_print("law", ops->entry.name, detail, 1e9 * bench_seconds(evaluate, &c) / STEPS, "ns/step");
  free(c.z);
  free(c.derivatives);
  fw_friction_clear(&c.law);
  return status == FW_OK;
}

int main(void) {
  fw_context *ctx;
  if (fw_context_create(&ctx) != FW_OK) return 3;
  bool failed = false;
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++)
    failed = !time_law(ctx, (const fw_friction_ops *)*entry, NULL, "") || failed;
  const fw_friction_ops *tabulated = (const fw_friction_ops *)fw_table_find(&fw_laws, "tabulated");
  failed = !time_law(ctx, tabulated, "formula=0.2 + 0.3*exp(-v/1e-3)", "formula") || failed;
  if (failed) fprintf(stderr, "%s\n", fw_context_message(ctx));
  fw_context_destroy(&ctx);
  return failed;
}
