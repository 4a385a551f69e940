/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generalised-alpha as an integrator of the transient analysis. */
#include "solver/time/integrator.h"

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

fw_alpha_options fw_alpha_options_of(const fw_model *model, const fw_args *args) {
  int locate = fw_args_integer(args, "locate");
  bool small = model->contact_count <= 8 && model->dof_count <= 30;
  fw_alpha_options options = {.rho = fw_args_number(args, "rho-inf"),
                              .hht = fw_args_integer(args, "scheme") == HHT,
                              .general = fw_args_flag(args, "general"),
                              .tolerance = fw_args_number(args, "adaptive"),
                              .balance = fw_args_number(args, "balance")};
  options.locate = locate == LOCATE_YES || (locate == LOCATE_AUTO && small && options.tolerance == 0.0);
  return options;
}

static fw_status alpha_create(const fw_job *job, fw_system *system, const fw_state *state, double omega, void **self) {
  fw_alpha *alpha = NULL;
  const fw_alpha_options options = fw_alpha_options_of(job->model, job->args);
  fw_status status = fw_alpha_create(job->ctx, system, state, omega, &options, &alpha);
  *self = alpha;
  return status;
}

static fw_status alpha_advance(fw_context *ctx, void *self, double dt) { return fw_alpha_advance(ctx, self, dt); }
static fw_status alpha_reload(fw_context *ctx, void *self, const double *factors) {
  return fw_alpha_reload(ctx, self, factors);
}

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

const fw_integrator_ops fw_integrator_alpha = {
    .entry = {.name = "alpha", .summary = "generalised-alpha at fixed steps"},
    .check = alpha_check,
    .create = alpha_create,
    .advance = alpha_advance,
    .reload = alpha_reload,
    .state = alpha_state,
    .energy = alpha_energy,
    .archive = alpha_archive,
    .report = alpha_report,
    .destroy = alpha_destroy};
