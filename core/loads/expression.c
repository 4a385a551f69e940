/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load.h"

static const fw_param expression_params[] = {
    {"value", FW_PARAM_FORMULA, "", NULL, 0, 0, "t", "factor of the force at the time t (s)"}, {0}};

const fw_load_ops fw_load_expression = {
    .entry = {"expression", "Follows an expression of time: an actuator", "f(t) = F value(t)", "", expression_params},
    .steep = true};
