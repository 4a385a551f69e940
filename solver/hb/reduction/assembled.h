/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrices of the linearised model for harmonic balance: of all freedoms where these are few, else on a subspace.
 */
#ifndef FW_HB_REDUCTION_ASSEMBLED_H
#define FW_HB_REDUCTION_ASSEMBLED_H

#include "contact/pair.h"
#include "solver/hb/reduction/subspace.h"
#include "solver/hb/vibration.h"

typedef struct fw_assembled {
  fw_structure structure;
  int n;           /* the model's freedoms */
  double *Q;       /* n x structure.n orthonormal basis, or NULL: all freedoms */
  double error[2]; /* of the subspace at the two frequencies asked for; 0: all freedoms */
} fw_assembled;

/* What else defines the matrices. */
typedef struct fw_assembly {
  const double *drive; /* as for fw_vibration_create; the static shapes of these loads are in the subspace */
  fw_reduction how;    /* of models of many freedoms */
  double check[2];     /* circular frequencies at which the subspace is compared with the model; 0: not */
} fw_assembly;

/* system: with its tangent at the start state. kin: of each of the vibration's contacts. whole_points: every freedom of
 * a contact point becomes a coordinate. */
fw_status fw_assemble(fw_context *ctx, fw_system *system, const fw_vibration *vibration, const fw_kinematic *kin,
                      bool whole_points, const fw_assembly *options, fw_assembled *assembled);
void fw_assembled_clear(fw_assembled *assembled);

/* Turns the shapes of a reduction of the structure into those of the model's freedoms. */
fw_status fw_assembled_expand(fw_context *ctx, const fw_assembled *assembled, fw_reduced *reduced);

#endif
