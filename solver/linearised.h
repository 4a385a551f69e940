/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model linearised about a state, contact included: what linear modes are computed from. */
#ifndef FW_SOLVER_LINEARISED_H
#define FW_SOLVER_LINEARISED_H

#include "contact/pair.h"
#include "solver/system.h"

/* What closed contact points do in the linear model. */
typedef enum fw_contact_view { FW_VIEW_STICK, FW_VIEW_SLIP, FW_VIEW_OPEN, FW_VIEW_AS_IS } fw_contact_view;

/* K and M on one pattern: freedoms, then joint multipliers, then one multiplier for each contact direction
 * that is held rigidly. Compliant laws add their stiffness. */
typedef struct fw_linearised {
  fw_sparse *K, *M, *C;
  int held; /* contact directions that are held */
} fw_linearised;

/* A point counts as closed if the state says so, or, without a history, if it touches in place. */
bool fw_linearised_closed(const fw_touch *touch, const fw_kinematic *kin);

fw_status fw_linearise(fw_context *ctx, fw_system *system, const fw_state *state, fw_contact_view view,
                       fw_linearised **linearised);
void fw_linearised_destroy(fw_linearised **linearised);

#endif
