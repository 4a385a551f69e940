/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load.h"

#include <math.h>

#include "core/field.h"
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

const fw_load_ops fw_load_field = {
    .entry = {"field", "A force that differs from place to place", "f(t) = sum of shape p(t)", "", NULL}};

double fw_load_value(const fw_load *load, double t, double omega) {
  return load->formula ? load->formula->value(load->formula, &t, NULL) : load->ops->value(load->constants, t, omega);
}

void fw_loads_force(const fw_model *model, const double *factors, double t, double omega, double *f) {
  for (int i = 0; i < model->load_count; i++) {
    const fw_load *load = &model->loads[i];
    if (factors[i] == 0.0) continue;
    if (load->field)
      fw_field_force(load->field, factors[i], t, f);
    else
      fw_functional_scatter(&load->shape, factors[i] * fw_load_value(load, t, omega), f);
  }
}

void fw_loads_change(const fw_model *model, const double *factors, double t, double omega, double dt, double domega,
                     double *f) {
  double turned = omega * dt + t * domega;
  for (int i = 0; turned != 0.0 && i < model->load_count; i++) {
    const fw_load *load = &model->loads[i];
    if (factors[i] != 0.0 && load->ops->slope)
      fw_functional_scatter(&load->shape, factors[i] * turned * load->ops->slope(load->constants, t, omega), f);
  }
}

fw_status fw_loads_reach(fw_context *ctx, const fw_model *model, const double *factors, double t) {
  for (int i = 0; i < model->load_count; i++) {
    const fw_field *field = model->loads[i].field;
    if (!field || factors[i] == 0.0) continue;
    double end = fw_field_end(field), room = 1e-9 * (end - field->begin);
    if (t < field->begin - room || t > end + room)
      return fw_fail(ctx, FW_ERR_ANALYSIS, "the load '%s' is there from %.9g s to %.9g s, the run goes to %.9g s",
                     model->loads[i].id, field->begin, end, t);
  }
  return FW_OK;
}

fw_status fw_loads_check(fw_context *ctx, const fw_model *model, const double *factors, double t, double omega) {
  FW_TRY(fw_loads_reach(ctx, model, factors, t));
  for (int i = 0; i < model->load_count; i++) {
    if (factors[i] == 0.0 || model->loads[i].field) continue; /* fields are finite from the start */
    double value = fw_load_value(&model->loads[i], t, omega);
    if (!isfinite(value))
      return fw_fail(ctx, FW_ERR_ANALYSIS, "t = %.9g s: the load '%s' is %s", t, model->loads[i].id, fw_flaw_of(value));
  }
  return FW_OK;
}

/* ---- jumps --------------------------------------------------------------------------------- */

/* Halves the interval towards the larger change. A smooth function changes by half as much in half the time, a jump by
 * as much in any. */
static bool find_jump(const fw_load *load, double omega, double least, double *before, double *after) {
  static const double as_if_straight = 0.55, part_of_all = 0.05, noise = 1e-9;
  double low = *before, high = *after;
  double f_low = fw_load_value(load, low, omega), f_high = fw_load_value(load, high, omega);
  double all = fabs(f_high - f_low), change = all;
  while (high - low > least) {
    double middle = 0.5 * (low + high), f = fw_load_value(load, middle, omega), last = change;
    bool left = fabs(f - f_low) > fabs(f_high - f);
    change = fmax(fabs(f - f_low), fabs(f_high - f));
    if (!(change > fmax(as_if_straight * last, noise * fmax(fabs(f_low), fabs(f_high))))) return false;
    all = fmax(all, change);
    *(left ? &high : &low) = middle;
    *(left ? &f_high : &f_low) = f;
  }
  *before = low;
  *after = high;
  return change > part_of_all * all;
}

bool fw_loads_jump(const fw_model *model, const double *factors, double from, double to, double omega, double least,
                   double *before, double *after) {
  bool any = false;
  *after = to;
  for (int i = 0; i < model->load_count; i++) {
    const fw_load *load = &model->loads[i];
    if (factors[i] == 0.0 || !load->ops->steep) continue;
    double low = from, high = any ? *before : to;
    while (high > from && find_jump(load, omega, least, &low, &high)) { /* and perhaps another before it */
      any = true;
      *before = low;
      *after = high;
      high = low;
      low = from;
    }
  }
  return any;
}
