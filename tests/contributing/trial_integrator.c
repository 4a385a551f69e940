/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver/time/trial_integrator.c: generalised-alpha by two halves of every step. */
#include "solver/time/integrator.h"

static fw_status create(const fw_job *job, fw_system *system, const fw_state *state, double omega, void **self) {
  fw_alpha *alpha = NULL;
  fw_status status = fw_alpha_create(job->ctx, system, state, omega, &(fw_alpha_options){.rho = 0.9}, &alpha);
  *self = alpha;
  return status;
}

static fw_status advance(fw_context *ctx, void *self, double dt) {
  FW_TRY(fw_alpha_advance(ctx, (fw_alpha *)self, 0.5 * dt));
  return fw_alpha_advance(ctx, (fw_alpha *)self, 0.5 * dt);
}

static fw_status reload(fw_context *ctx, void *self, const double *factors) {
  return fw_alpha_reload(ctx, (fw_alpha *)self, factors);
}

static const fw_state *state_of(const void *self) { return fw_alpha_state((const fw_alpha *)self); }
static const fw_energy *energy_of(const void *self) { return fw_alpha_energy((const fw_alpha *)self); }

static fw_status archive(fw_context *ctx, void *self, fw_archive *to) {
  return fw_alpha_archive(ctx, (fw_alpha *)self, to);
}

static fw_status report(const void *self, fw_record *summary) {
  return fw_record_set_number(summary, (double)fw_alpha_count((const fw_alpha *)self).steps, "statistics.halves");
}

static void destroy(void *self) {
  fw_alpha *alpha = (fw_alpha *)self;
  fw_alpha_destroy(&alpha);
}

extern const fw_integrator_ops fw_integrator_trial;
const fw_integrator_ops fw_integrator_trial = {.entry = {.name = "trial", .summary = "an integrator on trial"},
                                               .create = create,
                                               .advance = advance,
                                               .reload = reload,
                                               .state = state_of,
                                               .energy = energy_of,
                                               .archive = archive,
                                               .report = report,
                                               .destroy = destroy};
