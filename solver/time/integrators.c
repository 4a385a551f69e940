/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load.h"
#include "solver/time/integrator.h"

#define FW_INTEGRATOR(name, text) extern const fw_integrator_ops fw_integrator_##name;
#include "solver/time/integrators.def"
#undef FW_INTEGRATOR

static const fw_integrator_ops *const integrators[] = {
#define FW_INTEGRATOR(name, text) &fw_integrator_##name,
#include "solver/time/integrators.def"
#undef FW_INTEGRATOR
};

const char fw_integrator_names[] =
#define FW_INTEGRATOR(name, text) "|" #name
#include "solver/time/integrators.def"
#undef FW_INTEGRATOR
    ;

const char fw_integrator_texts[] =
#define FW_INTEGRATOR(name, text) "; " #name ": " text
#include "solver/time/integrators.def"
#undef FW_INTEGRATOR
    ;

const fw_integrator_ops *fw_integrator_chosen(const fw_args *args) {
  return integrators[fw_args_integer(args, "solver")];
}

fw_status fw_integrator_check(fw_context *ctx, const fw_model *model, const fw_args *args) {
  const fw_integrator_ops *ops = fw_integrator_chosen(args);
  const char *misfit = ops->misfit ? ops->misfit(model) : NULL;
  if (misfit)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'solver': \"%s\" does not fit: %s", ops->entry.name,
                      misfit);
  return ops->check ? ops->check(ctx, model, args) : FW_OK;
}

fw_status fw_integrator_advance(fw_context *ctx, const fw_integrator_ops *ops, void *self, double dt) {
  const fw_state *state = ops->state(self);
  FW_TRY(fw_loads_check(ctx, state->model, state->load_factors, state->time + dt, 0.0));
  FW_TRY(ops->advance(ctx, self, dt));
  return fw_state_check(ctx, ops->state(self));
}
