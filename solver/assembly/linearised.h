/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model linearised about a state, and whether that is stable. */
#ifndef FW_ASSEMBLY_LINEARISED_H
#define FW_ASSEMBLY_LINEARISED_H

#include "solver/assembly/linear_contact.h"
#include "solver/assembly/system.h"

/* ---- linearised ------------------------------------------------------------------------------------------ */

/* The model linearised about a state, contact included: what linear modes are computed from. */

/* K, M and C on one pattern: freedoms, then joint multipliers, then one multiplier for each contact direction
 * that is held rigidly: per point gap, then slip; after those of a point its friction states of steady sliding, which
 * have no mass. Joints with their multipliers, prestressed elements and contact
 * forces add their geometric stiffness, compliant laws their stiffness and damping (linear_contact.h). */
typedef struct fw_linearised {
  fw_sparse *K, *M, *C;
  int held; /* rows beyond the system's: contact directions that are held, friction states */
} fw_linearised;

fw_status fw_linearise(fw_context *ctx, fw_system *system, const fw_state *state, fw_contact_view view,
                       fw_linearised **linearised);
void fw_linearised_destroy(fw_linearised **linearised);

/* ---- growth ---------------------------------------------------------------------------------------------- */

/* Whether an equilibrium is stable. */

/* How fast the fastest of the modes nearest to rest grows about a state (1/s); 0: it is stable, or free to move. */
fw_status fw_growth_find(fw_context *ctx, fw_system *system, const fw_state *state, double *growth);

#endif
