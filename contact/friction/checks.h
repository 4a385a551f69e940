/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks any friction law can be put to. The conformance tests run those every law must pass; `fretwork list laws`
 * finds abilities by running the others. Each returns NULL, or what is wrong (kept in the probe). */
#ifndef FW_CONTACT_CHECKS_H
#define FW_CONTACT_CHECKS_H

#include "contact/friction/friction.h"

/* A law on the bench: at which normal force, and what scales it has. */
typedef struct fw_law_probe {
  const fw_friction *law;
  double N;         /* N */
  double stiffness; /* T/u at the beginning of a slow slip; 0 if it has none (N/m) */
  double peak;      /* largest |T| of a slow slip from rest (N) */
  double force;     /* |T| of slow sliding, averaged (N) */
  double reach;     /* peak/stiffness, or 1e-6 (m) */
  double speed;     /* v used where one is needed (m/s) */
  char message[240];
  double *room; /* states and derivatives */
  double *z, *next, *other, *z_x, *z_z, *T_z;
} fw_law_probe;

fw_status fw_law_probe_create(fw_context *ctx, const fw_friction *law, double N, fw_law_probe *probe);
void fw_law_probe_clear(fw_law_probe *probe);

/* Whether a law, at a step from rest, writes only where it may. To be asked before anything else is. */
fw_status fw_law_keeps_to_room(fw_context *ctx, const fw_friction *law, bool *kept);

/* Moves the probe's state by one step and returns T. */
double fw_law_probe_move(fw_law_probe *probe, double du, double v0, double v1, double dt);

/* Slip that brings T to `force` (slowly if dt is 0, else at v = du/dt): the nearest one. NAN for a force that is never
 * reached. The probe's state is moved. */
double fw_law_slip_to(fw_law_probe *probe, double force, double dt);

/* What every law must do: fw_duties lists them. */
const char *fw_check_step_derivatives(fw_law_probe *probe);
const char *fw_check_rate_derivatives(fw_law_probe *probe);
const char *fw_check_limit_derivatives(fw_law_probe *probe);
const char *fw_check_rate_against_step(fw_law_probe *probe);
const char *fw_check_limit_against_step(fw_law_probe *probe);
const char *fw_check_defined(fw_law_probe *probe); /* N -> 0, v -> 0, reversal, opening, NaN */
const char *fw_check_pure(fw_law_probe *probe);
const char *fw_check_passive(fw_law_probe *probe);
const char *fw_check_bounded(fw_law_probe *probe);
const char *fw_check_claims(fw_law_probe *probe);  /* the law has the abilities it says it has */
const char *fw_check_opposes(fw_law_probe *probe); /* steady sliding: T has the sign of v and its steady value */

typedef struct fw_duty {
  const char *name;
  const char *(*check)(fw_law_probe *probe);
  bool form; /* a plug-in without it is refused: solvers cannot rely on it; else it is physics and only told */
} fw_duty;
extern const fw_duty fw_duties[]; /* ends with a NULL name */

/* What a law may be able to do: fw_abilities (abilities.h) lists them. */
const char *fw_check_presliding(fw_law_probe *probe);
const char *fw_check_periodic(fw_law_probe *probe);
const char *fw_check_rate_independent(fw_law_probe *probe);
const char *fw_check_memory(fw_law_probe *probe);
const char *fw_check_drift_free(fw_law_probe *probe);
const char *fw_check_no_creep(fw_law_probe *probe);
const char *fw_check_weakening(fw_law_probe *probe);

/* Creep speed under a constant load of `share` times the slow friction force, after it has settled (m/s). */
double fw_law_creep(fw_law_probe *probe, double share);

#endif
