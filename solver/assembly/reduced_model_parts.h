/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between reduced_model.c and reduced_model_fill.c. */
#ifndef FW_ASSEMBLY_REDUCED_MODEL_PARTS_H
#define FW_ASSEMBLY_REDUCED_MODEL_PARTS_H

#include "solver/assembly/reduced_model.h"

/* Whether the elements of a block of the whole model are reduced. */
bool fw_reduced_model_takes(const fw_model *whole, const fw_block *block);

/* Makes the model once `made`, `number` and `coordinates` are there. */
fw_status fw_reduced_model_fill(fw_context *ctx, fw_reduced_model *reduced);

#endif
