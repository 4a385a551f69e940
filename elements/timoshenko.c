/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timoshenko beam: shear and rotary inertia. Deflection and rotation are interpolated together so that
 * the static solution between the nodes is exact: the element does not lock, however thin. */
#include "elements/beam_ops.h"
#include "elements/space/beam.h"

FW_BEAM_OPS(true)

extern const fw_element_ops fw_element_timoshenko;
const fw_element_ops fw_element_timoshenko = {
    .entry = {.name = "timoshenko",
              .summary = "beam with shear deformation and rotary inertia; does not lock",
              .equation = "N = E A eps, M = E I theta', V = kappa G A (w' - theta)\n"
                          "linear: eps = u'; von-karman: eps = mean over the element of u' + w'^2/2\n"
                          "co-rotational: the same in a frame that goes with the chord",
              .source =
                  "Friedman, Kosmatka, An improved two-node Timoshenko beam finite element, Comput. Struct. 47, 1993"},
    FW_BEAM_OPS_LIST,
    .in_space = &fw_space_timoshenko,
};
