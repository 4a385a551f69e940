/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the built-in laws share: signs, parameters with a value for each direction, empty derivatives. */
#ifndef FW_CONTACT_LAW_H
#define FW_CONTACT_LAW_H

#include <math.h>
#include <string.h>

#include "fretwork_law.h"

enum { FW_PLUS, FW_MINUS, FW_SIDES }; /* v >= 0, v < 0 */

/* Sign with the right-hand convention at 0: laws are differentiated from the right there. */
static inline double fw_sign(double x) { return x < 0.0 ? -1.0 : 1.0; }
static inline int fw_side(double x) { return x < 0.0 ? FW_MINUS : FW_PLUS; }
static inline double fw_first_given(fw_given given, double otherwise) {
  return given.count ? given.values[0] : otherwise;
}

/* True if the caller wants derivatives. */
static inline bool fw_step_wants(const fw_step_out *out) { return out->T_x != NULL; }
static inline bool fw_rate_wants(const fw_rate_out *out) { return out->zdot_z != NULL || out->T_z != NULL; }

/* All derivatives 0; z_z has `square` entries. */
static inline void fw_step_zero(fw_step_out *out, int states, int square) {
  memset(out->T_x, 0, FW_STEP_INPUTS * sizeof(double));
  if (!states) return;
  memset(out->T_z, 0, (size_t)states * sizeof(double));
  memset(out->z_x, 0, (size_t)states * FW_STEP_INPUTS * sizeof(double));
  memset(out->z_z, 0, (size_t)square * sizeof(double));
}

/* Normal force a law divides by: a hair above 0 so that limits exist as N -> 0. */
#define FW_LEAST_FORCE 1e-9
static inline double fw_least_force(double N, double *slope) {
  *slope = N > FW_LEAST_FORCE ? 1.0 : 0.0;
  return N > FW_LEAST_FORCE ? N : FW_LEAST_FORCE;
}

#endif
