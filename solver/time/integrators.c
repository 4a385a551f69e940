/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/integrator.h"

#include "core/load.h"

/* ---- alpha ------------------------------------------------------------------------------- */

enum { LOCATE_AUTO, LOCATE_YES }; /* choices of locate */
enum { GENERALISED_ALPHA, HHT };  /* of scheme */

static fw_status alpha_check(fw_context *ctx, const fw_model *model, const fw_args *args) {
  double rho = fw_args_number(args, "rho-inf");
  if (model->joint_count > 0 && rho > 0.9 + 1e-12)
    return fw_fail_at(
        ctx, FW_ERR_DECK, args->place,
        "attribute 'rho-inf': with joints at most 0.9: less numerical damping makes their forces unstable");
  if (fw_args_integer(args, "scheme") == HHT && rho < 0.5)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'rho-inf': with scheme=\"hht\" at least 0.5");
  if (fw_args_integer(args, "locate") == LOCATE_YES && fw_args_number(args, "adaptive") > 0.0)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "give either adaptive or locate=\"yes\"");
  return FW_OK;
}

static fw_status alpha_create(const fw_job *job, fw_system *system, const fw_state *state, double omega, void **self) {
  fw_alpha *alpha = NULL;
  int locate = fw_args_integer(job->args, "locate");
  bool small = job->model->contact_count <= 8 && job->model->dof_count <= 30;
  fw_alpha_options options = {.rho = fw_args_number(job->args, "rho-inf"),
                              .hht = fw_args_integer(job->args, "scheme") == HHT,
                              .general = fw_args_flag(job->args, "general"),
                              .tolerance = fw_args_number(job->args, "adaptive")};
  options.locate = locate == LOCATE_YES || (locate == LOCATE_AUTO && small && options.tolerance == 0.0);
  fw_status status = fw_alpha_create(job->ctx, system, state, omega, &options, &alpha);
  *self = alpha;
  return status;
}

static fw_status alpha_advance(fw_context *ctx, void *self, double dt) { return fw_alpha_advance(ctx, self, dt); }
static const fw_state *alpha_state(const void *self) { return fw_alpha_state(self); }
static const fw_energy *alpha_energy(const void *self) { return fw_alpha_energy(self); }

static fw_status alpha_archive(fw_context *ctx, void *self, fw_archive *archive) {
  return fw_alpha_archive(ctx, self, archive);
}

static fw_status alpha_report(const void *self, fw_record *summary) {
  const fw_step_statistics total = fw_alpha_count(self), *count = &total;
  FW_TRY(fw_record_set_text(summary, fw_alpha_factors_once(self) ? "factored once" : "general", "path"));
  if (fw_alpha_hard_contact(self)) FW_TRY(fw_record_set_text(summary, fw_alpha_hard_contact(self), "hard_contact"));
  FW_TRY(fw_record_set_number(summary, (double)count->steps, "statistics.steps"));
  FW_TRY(fw_record_set_number(summary, (double)count->iterations, "statistics.iterations"));
  FW_TRY(fw_record_set_number(summary, (double)count->factorisations, "statistics.factorisations"));
  return fw_record_set_number(summary, (double)count->failures, "statistics.step_reductions");
}

static void alpha_destroy(void *self) {
  fw_alpha *alpha = self;
  fw_alpha_destroy(&alpha);
}

static const fw_integrator_ops integrator_alpha = {
    .entry = {.name = "alpha", .summary = "generalised-alpha at fixed steps"},
    .create = alpha_create,
    .advance = alpha_advance,
    .state = alpha_state,
    .energy = alpha_energy,
    .archive = alpha_archive,
    .report = alpha_report,
    .destroy = alpha_destroy};

/* ---- the table ---------------------------------------------------------------------------- */

const fw_integrator_ops *const fw_integrators[] = {&integrator_alpha, &fw_integrator_ida, &fw_integrator_cvode, NULL};

fw_status fw_integrator_check(fw_context *ctx, const fw_model *model, const fw_args *args) {
  const fw_integrator_ops *ops = fw_integrators[fw_args_integer(args, "solver")];
  const char *misfit = ops->misfit ? ops->misfit(model) : NULL;
  if (misfit)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'solver': \"%s\" does not fit: %s", ops->entry.name,
                      misfit);
  return ops == &integrator_alpha ? alpha_check(ctx, model, args) : FW_OK;
}

fw_status fw_integrator_advance(fw_context *ctx, const fw_integrator_ops *ops, void *self, double dt) {
  const fw_state *state = ops->state(self);
  FW_TRY(fw_loads_check(ctx, state->model, state->load_factors, state->time + dt, 0.0));
  FW_TRY(ops->advance(ctx, self, dt));
  return fw_state_check(ctx, ops->state(self));
}
