/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Euler-Bernoulli beam: cubic Hermite deflection, linear axial displacement, no shear, no rotary inertia. */
#include "elements/beam_ops.h"
#include "elements/space/beam.h"

FW_BEAM_OPS(false)

extern const fw_element_ops fw_element_euler_bernoulli;
const fw_element_ops fw_element_euler_bernoulli = {
    .entry = {.name = "euler-bernoulli",
              .summary = "slender beam, plane sections stay normal to the axis; cubic deflection",
              .equation = "N = E A eps, M = E I w''\n"
                          "linear: eps = u'; von-karman: eps = mean over the element of u' + w'^2/2\n"
                          "co-rotational: the same in a frame that goes with the chord",
              .source = "Przemieniecki, Theory of Matrix Structural Analysis, 1968"},
    FW_BEAM_OPS_LIST,
    .in_space = &fw_space_euler_bernoulli,
};
