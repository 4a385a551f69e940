/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load.h"

#include <math.h>
#include <string.h>

/* ---- force: constant --------------------------------------------------------------------- */

static double force_value(const double *c, double t, double omega) {
  (void)c;
  (void)t;
  (void)omega;
  return 1.0;
}

static const fw_load_ops fw_load_force = {
    .entry = {"force", "A constant force or moment", "f(t) = F", "", NULL}, .constant = true, .value = force_value};

/* ---- harmonic ---------------------------------------------------------------------------- */

enum { HARMONIC_PHASE, HARMONIC_MULTIPLE };
static const fw_param harmonic_params[] = {
    {"phase", FW_PARAM_NUMBER, "deg", "0", -360, 360, NULL, "phase of the cosine"},
    {"multiple", FW_PARAM_INTEGER, "", "1", 1, 100, NULL, "multiple of the analysis frequency"},
    {0}};

static const double radians = 3.14159265358979323846 / 180.0;

static double harmonic_value(const double *c, double t, double omega) {
  return cos(c[HARMONIC_MULTIPLE] * omega * t + c[HARMONIC_PHASE] * radians);
}

static const fw_load_ops fw_load_harmonic_cosine = {
    .entry = {"harmonic", "A cosine at the analysis frequency", "f(t) = F cos(m omega t + phase)", "", harmonic_params},
    .harmonic = true,
    .value = harmonic_value};

/* ---- ramp -------------------------------------------------------------------------------- */

enum { RAMP_START, RAMP_DURATION };
static const fw_param ramp_params[] = {{"start", FW_PARAM_NUMBER, "s", "0", 0, 1e9, NULL, "when it begins to rise"},
                                       {"duration", FW_PARAM_NUMBER, "s", NULL, 1e-12, 1e9, NULL, "how long it rises"},
                                       {0}};

static double ramp_value(const double *c, double t, double omega) {
  (void)omega;
  return fmin(1.0, fmax(0.0, (t - c[RAMP_START]) / c[RAMP_DURATION]));
}

static const fw_load_ops fw_load_ramp = {.entry = {"ramp", "Rises linearly from nothing and stays",
                                                   "f(t) = F min(1, (t - start)/duration)", "", ramp_params},
                                         .value = ramp_value};

/* ---- the table --------------------------------------------------------------------------- */

static const fw_entry *const load_entries[] = {
#define X(variable) &variable.entry,
#include "core/loads.def"
#undef X
    NULL};

const fw_table fw_loads = {"loads", "How loads depend on time", load_entries};

int fw_load_harmonic(const fw_load *load, double *phase) {
  *phase = load->constants[HARMONIC_PHASE] * radians;
  return (int)load->constants[HARMONIC_MULTIPLE];
}

void fw_loads_force(const fw_model *model, const double *factors, double t, double omega, double *f) {
  for (int i = 0; i < model->load_count; i++) {
    const fw_load *load = &model->loads[i];
    if (factors[i] != 0.0)
      fw_functional_scatter(&load->shape, factors[i] * load->ops->value(load->constants, t, omega), f);
  }
}
