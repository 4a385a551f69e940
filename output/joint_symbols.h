/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols of joints as lines of a grid. */
#ifndef FW_OUTPUT_JOINT_SYMBOLS_H
#define FW_OUTPUT_JOINT_SYMBOLS_H

#include "core/state.h"
#include "output/grid.h"

/* Adds a point of joint `number` that is at `reference` in the undeformed model and at `now` in the state. */
typedef fw_status (*fw_symbol_point)(fw_context *ctx, const fw_state *state, fw_grid *grid, int number,
                                     const double reference[2], const double now[2], int64_t *point);

/* Draws joint `number` of the state's model: revolute a circle, pin-in-slot a circle and prismatic a box on their axis,
 * weld a square, rod a line, gear and rack their pitch circles, prescribed a cross. size: radius of a pin (m). */
fw_status fw_joint_symbol(fw_context *ctx, const fw_state *state, int number, double size, fw_symbol_point point,
                          fw_grid *grid);

#endif
