/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modal damping: C = sum over modes of 2 zeta omega (M phi)(M phi)^T, phi the mass-normalised modes of the undeformed
 * structure without contact. This matrix is full, so that it is for models of few freedoms. */
#ifndef FW_SOLVER_MODAL_DAMPING_H
#define FW_SOLVER_MODAL_DAMPING_H

#include "solver/system.h"

enum { FW_MODAL_DAMPING_MOST = 1000 }; /* freedoms */

/* Adds it to system->C, whose pattern is full; system->K is the tangent at rest. FW_ERR_DECK if the model is too large.
 */
fw_status fw_modal_damping_add(fw_context *ctx, fw_system *system);

#endif
