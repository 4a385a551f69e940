/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load.h"

#include "core/unknown.h"

#define X(name) extern const fw_load_ops fw_load_##name;
#include "core/loads.def"
#undef X

static const fw_entry *const load_entries[] = {
#define X(name) &fw_load_##name.entry,
#include "core/loads.def"
#undef X
    NULL};

const fw_table fw_loads = {"loads", "how loads depend on time", load_entries};

double fw_load_value(const fw_load *load, double t, double omega) {
  return load->formula ? load->formula->value(load->formula, &t, NULL) : load->ops->value(load->constants, t, omega);
}

void fw_loads_force(const fw_model *model, const double *factors, double t, double omega, double *f) {
  for (int i = 0; i < model->load_count; i++) {
    const fw_load *load = &model->loads[i];
    if (factors[i] == 0.0) continue;
    fw_functional_scatter(&load->shape, factors[i] * fw_load_value(load, t, omega), f);
  }
}

fw_status fw_loads_check(fw_context *ctx, const fw_model *model, const double *factors, double t, double omega) {
  for (int i = 0; i < model->load_count; i++) {
    if (factors[i] == 0.0) continue;
    double value = fw_load_value(&model->loads[i], t, omega);
    if (!isfinite(value))
      return fw_fail(ctx, FW_ERR_ANALYSIS, "t = %.9g s: the load '%s' is %s", t, model->loads[i].id, fw_flaw_of(value));
  }
  return FW_OK;
}
