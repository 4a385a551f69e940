/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model as drawn on paper: bodies, what holds them, who touches what and from which side, loads, sensors. */
#ifndef FW_OUTPUT_SKETCH_H
#define FW_OUTPUT_SKETCH_H

#include "core/model.h"

/* Writes the sketch of the undeformed model as SVG; every pair of contact has a close-up besides, as far as there is
 * room. Symbols are not to scale, places are. */
fw_status fw_sketch_write(fw_context *ctx, const fw_model *model, const char *path);

#endif
