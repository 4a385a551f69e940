/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that element.h asks of a beam, with or without shear: each makes the element from its places and leaves
 * the rest to beam.h. */
#ifndef FW_ELEMENTS_BEAM_OPS_H
#define FW_ELEMENTS_BEAM_OPS_H

#include "elements/beam.h"

/* Defines them as static functions of the file. */
#define FW_BEAM_OPS(SHEAR)                                                                                         \
  static const char *check(const fw_properties *props, const double *X) {                                          \
    fw_beam beam = fw_beam_make(props, X, SHEAR);                                                                  \
    return fw_beam_check(&beam);                                                                                   \
  }                                                                                                                \
  static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f, \
                         double *K, double *C) {                                                                   \
    (void)v;                                                                                                       \
    fw_beam beam = fw_beam_make(props, X, SHEAR);                                                                  \
    return fw_beam_force(&beam, q, f, K, C);                                                                       \
  }                                                                                                                \
  static void mass(const fw_properties *props, const double *X, double *M) {                                       \
    fw_beam beam = fw_beam_make(props, X, SHEAR);                                                                  \
    fw_beam_mass(&beam, M);                                                                                        \
  }                                                                                                                \
  static double energy(const fw_properties *props, const double *X, const double *q) {                             \
    fw_beam beam = fw_beam_make(props, X, SHEAR);                                                                  \
    return fw_beam_energy(&beam, q);                                                                               \
  }                                                                                                                \
  static void interpolate(const fw_properties *props, const double *X, const double *xi, double *weights) {        \
    fw_beam beam = fw_beam_make(props, X, SHEAR);                                                                  \
    fw_beam_interpolate(&beam, xi, weights);                                                                       \
  }                                                                                                                \
  static void field(const fw_properties *props, const double *X, const double *q, const double *xi, double *out) { \
    fw_beam beam = fw_beam_make(props, X, SHEAR);                                                                  \
    fw_beam_field(&beam, q, xi, out);                                                                              \
  }                                                                                                                \
  static void membrane(const fw_properties *props, const double *X, fw_membrane *out) {                            \
    fw_beam beam = fw_beam_make(props, X, SHEAR);                                                                  \
    fw_beam_membrane(&beam, out);                                                                                  \
  }

/* What goes into the table beside the entry's text. */
#define FW_BEAM_OPS_LIST                                                                                       \
  .shape = FW_SHAPE_LINE, .nodes = 2, .rotations = true,                                                       \
  .kinematics = 1u << FW_LINEAR | 1u << FW_VON_KARMAN | 1u << FW_COROTATIONAL, .check = check, .force = force, \
  .mass = mass, .energy = energy, .interpolate = interpolate, .fields = FW_BEAM_FIELDS,                        \
  .field_names = fw_beam_field_names, .field = field, .membrane = membrane

#endif
