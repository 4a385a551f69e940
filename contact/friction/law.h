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

/* A direction of slip kept among the states: -1, 0 (stuck) or 1. */
static inline double fw_direction(double state) { return state > 0.5 ? 1.0 : state < -0.5 ? -1.0 : 0.0; }

/* The first number of a parameter, or another. */
static inline double fw_first_given(fw_given given, double otherwise) {
  return given.count ? given.values[0] : otherwise;
}

/* A formula among the constants: the place of a number holds its address. */
static inline void fw_keep_formula(const fw_formula *formula, double *c) {
  _Static_assert(sizeof formula <= sizeof *c, "an address fits into the place of a number");
  memcpy(c, &formula, sizeof formula);
}
static inline const fw_formula *fw_kept_formula(const double *c) {
  const fw_formula *formula;
  memcpy(&formula, c, sizeof formula);
  return formula;
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

/* Whether the velocity passed zero in a step that began with slip in direction d, and the slip since then (v taken
 * as linear in time) with its derivatives. A quasi-static step turns as a whole. */
typedef struct fw_reversal {
  bool turned;
  double after, after_du, after_v0, after_v1;
} fw_reversal;

static inline fw_reversal fw_find_reversal(const fw_step_in *in, double d) {
  double v0 = in->x[FW_STEP_V0], v1 = in->x[FW_STEP_V1], du = in->x[FW_STEP_DU];
  fw_reversal r = {.turned = in->dt > 0.0 ? v1 * d <= 0.0 : du * d < 0.0, .after = du, .after_du = 1.0};
  if (!r.turned || !(v0 * d > 0.0)) return r;
  double fraction = v1 / (v1 - v0); /* of the step, after the turn */
  r.after = 0.5 * v1 * fraction * in->dt;
  r.after_du = 0.0;
  r.after_v0 = 0.5 * fraction * fraction * in->dt;
  r.after_v1 = (fraction - 0.5 * fraction * fraction) * in->dt;
  return r;
}

/* Scale of force limits given for a reference normal force: N/N_ref, or 1 without one (n_ref 0). */
static inline double fw_load_ratio(double n_ref, double N, double *slope) {
  *slope = n_ref > 0.0 ? 1.0 / n_ref : 0.0;
  return n_ref > 0.0 ? N / n_ref : 1.0;
}
#define FW_N_REF_PARAM                                                                                           \
  {                                                                                                              \
    "n-ref", FW_PARAM_NUMBER, "N", "", 1e-9, 1e12, NULL,                                                         \
        "normal force the force limits are given for; they scale with N/n-ref (absent: they do not depend on N)" \
  }
#define FW_PARAMS_END \
  { NULL, 0, NULL, NULL, 0, 0, NULL, NULL }

#endif
