/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modal damping: C = sum over modes of 2 zeta omega (M phi)(M phi)^T, phi the mass-normalised modes of the undeformed
 * structure without contact and without what fluids do. This matrix is full, so that it is for models of few freedoms. */
#ifndef FW_ASSEMBLY_MODAL_DAMPING_H
#define FW_ASSEMBLY_MODAL_DAMPING_H

#include "solver/assembly/system.h"

/* FW_ERR_DECK with the place if the model is too large for it, or has something that turns far. */
fw_status fw_modal_damping_check(fw_context *ctx, const fw_model *model, fw_place place);

/* Adds it to system->C, whose pattern is full; system->K is the tangent at rest. */
fw_status fw_modal_damping_add(fw_context *ctx, fw_system *system);

#endif
