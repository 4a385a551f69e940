/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A transient on the reduced model, and beside it the same on a finer one with twice as many modes: by how much they
 * differ is the error of the reduction. */
#ifndef FW_ANALYSES_TRANSIENT_REDUCED_H
#define FW_ANALYSES_TRANSIENT_REDUCED_H

#include "solver/analyses/transient.h"
#include "solver/assembly/reduced_model.h"
#include "solver/time/integrator.h"

/* A reduced model, and where a run on it begins. */
typedef struct fw_reduced_side {
  fw_reduced_model *reduced;
  fw_job job; /* the same on that model */
  fw_system *system;
  fw_state *state;
  double lost; /* of the strain energy that the run begins with, the root of the part that is left out */
} fw_reduced_side;

typedef struct fw_reduced_transient {
  fw_reduced_side coarse, fine;
  const fw_integrator_ops *ops;
  void *integrator; /* of the fine one */
  int numbers;      /* that are compared: sensors, then the freedoms that are kept */
  double *low, *high, *difference;
} fw_reduced_transient;

/* From the beginning of the whole model, which must outlive it. Destroy is NULL-safe. */
fw_status fw_reduced_transient_create(const fw_job *job, const fw_beginning *whole, fw_reduced_transient **reduced);
void fw_reduced_transient_destroy(fw_reduced_transient **reduced);

/* The fine one a step on; looks at how far it is from the coarse one, which is at `state`. dt 0: only looks. */
fw_status fw_reduced_transient_step(fw_context *ctx, fw_reduced_transient *reduced, double dt, const fw_state *state);

/* Keeps the fine one and what was seen, or takes them back. */
fw_status fw_reduced_transient_archive(fw_context *ctx, fw_reduced_transient *reduced, fw_archive *archive);

/* reduction.{freedoms_before,freedoms,kept_freedoms,frequency,finer_freedoms,start_left_out,error,sensors.ID}. */
fw_status fw_reduced_transient_report(const fw_reduced_transient *reduced);

#endif
