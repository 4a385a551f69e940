/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of fw_deck_warn: each adds what it finds. */
#ifndef FW_INPUT_WARN_PARTS_H
#define FW_INPUT_WARN_PARTS_H

#include "core/warning.h"
#include "input/deck.h"

/* Contact points that are in or behind their target before anything moves. */
fw_status fw_warn_of_overlap(fw_context *ctx, const fw_built *built, fw_warnings *warnings);

/* Three-node triangles beside the quadrilaterals that a body asks for. */
fw_status fw_warn_of_triangles(fw_context *ctx, const fw_built *built, fw_warnings *warnings);

/* Frequency responses of a model that nothing damps. */
fw_status fw_warn_of_undamped(fw_context *ctx, const fw_built *built, fw_warnings *warnings);

/* Loads, sensors, springs, dampers and masses without effect, as supports hold what they act on. */
fw_status fw_warn_of_held(fw_context *ctx, const fw_built *built, fw_warnings *warnings);

/* Steps longer than the run, too few of them in a period of the drive or of a random load, too few samples for the harmonics. */
fw_status fw_warn_of_steps(fw_context *ctx, const fw_built *built, fw_warnings *warnings);

#endif
