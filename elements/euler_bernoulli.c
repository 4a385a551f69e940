/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Euler-Bernoulli beam: cubic Hermite deflection, linear axial displacement, no shear, no rotary inertia. */
#include "elements/beam.h"

static const char *check(const fw_properties *props, const double *X) {
  fw_beam beam = fw_beam_make(props, X, false);
  return fw_beam_check(&beam);
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)v;
  fw_beam beam = fw_beam_make(props, X, false);
  return fw_beam_force(&beam, q, f, K, C);
}

static void mass(const fw_properties *props, const double *X, double *M) {
  fw_beam beam = fw_beam_make(props, X, false);
  fw_beam_mass(&beam, M);
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  fw_beam beam = fw_beam_make(props, X, false);
  return fw_beam_energy(&beam, q);
}

static void interpolate(const fw_properties *props, const double *X, const double *xi, double *weights) {
  fw_beam beam = fw_beam_make(props, X, false);
  fw_beam_interpolate(&beam, xi, weights);
}

static void field(const fw_properties *props, const double *X, const double *q, const double *xi, double *out) {
  fw_beam beam = fw_beam_make(props, X, false);
  fw_beam_field(&beam, q, xi, out);
}

static void membrane(const fw_properties *props, const double *X, fw_membrane *out) {
  fw_beam beam = fw_beam_make(props, X, false);
  fw_beam_membrane(&beam, out);
}

extern const fw_element_ops fw_element_euler_bernoulli;
const fw_element_ops fw_element_euler_bernoulli = {
    .entry = {.name = "euler-bernoulli",
              .summary = "slender beam, plane sections stay normal to the axis; cubic deflection",
              .equation = "N = E A eps, M = E I w''\n"
                          "linear: eps = u'; von-karman: eps = mean over the element of u' + w'^2/2\n"
                          "co-rotational: the same in a frame that goes with the chord",
              .source = "Przemieniecki, Theory of Matrix Structural Analysis, 1968"},
    .shape = FW_SHAPE_LINE,
    .nodes = 2,
    .rotations = true,
    .kinematics = 1u << FW_LINEAR | 1u << FW_VON_KARMAN | 1u << FW_COROTATIONAL,
    .check = check,
    .force = force,
    .mass = mass,
    .energy = energy,
    .interpolate = interpolate,
    .fields = FW_BEAM_FIELDS,
    .field_names = fw_beam_field_names,
    .field = field,
    .membrane = membrane,
};
