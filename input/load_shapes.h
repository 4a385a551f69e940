/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From forces on elements to the functional a load acts along. */
#ifndef FW_INPUT_LOAD_SHAPES_H
#define FW_INPUT_LOAD_SHAPES_H

#include "input/builder.h"

/* dense[dof] += w(i) for each free freedom of an element. */
void fw_shape_scatter(const fw_block *block, int element, const double *w, double *dense);

/* Length of an element of a beam or tube; in a bend along the arc. */
double fw_shape_length(const fw_model *model, const fw_block *block, int e);

/* The functional of a dense vector over the freedoms. */
fw_status fw_shape_compress(fw_builder *builder, const double *dense, fw_functional *shape);

/* <turbulence> and <measured-forces>. */
fw_status fw_build_field(fw_builder *builder, const fw_item *item, fw_load *load);

#endif
