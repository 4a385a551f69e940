/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a time integrator is to the transient analysis: a row of a table. */
#ifndef FW_SOLVER_INTEGRATOR_H
#define FW_SOLVER_INTEGRATOR_H

#include "solver/alpha.h"
#include "solver/analysis.h"
#include "solver/archive.h"

typedef struct fw_integrator_ops {
  fw_entry entry; /* its attributes stand beside those of <transient> */
  /* Starts from `state` (copied) with its loads at drive frequency omega (rad/s). */
  fw_status (*create)(const fw_job *job, fw_system *system, const fw_state *state, double omega, void **self);
  fw_status (*advance)(fw_context *ctx, void *self, double dt);
  const fw_state *(*state)(const void *self);
  const fw_energy *(*energy)(const void *self);
  /* Keeps itself in an archive or takes itself back; either way it then forgets its past and begins anew from where
   * it is, so that a run which was interrupted and one which was not go on alike. */
  fw_status (*archive)(fw_context *ctx, void *self, fw_archive *archive);
  fw_status (*report)(const void *self, fw_record *summary); /* statistics */
  void (*destroy)(void *self);
} fw_integrator_ops;

extern const fw_integrator_ops fw_integrator_ida, fw_integrator_cvode;

/* In the order of the choices of <transient solver="...">. */
extern const fw_integrator_ops *const fw_integrators[];

#endif
