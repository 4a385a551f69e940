/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/normal/normal.h"

/* fw_normal_create copies both into fw_normal. */
static const fw_param hard_params[] = {
    {"restitution", FW_PARAM_NUMBER, "", "0", 0, 1, NULL, "speed after an impact over speed before it"},
    {"stiffness", FW_PARAM_NUMBER, "N/m", "", 0, 1e18, NULL,
     "penalty stiffness, for enforcement=\"penalty\" and \"augmented\"; default: chosen from the model's stiffness"},
    {0}};

const fw_normal_ops fw_normal_hard = {
    .entry = {.name = "hard",
              .summary = "no penetration: a constraint",
              .equation = "N >= 0, gap >= 0, N gap = 0",
              .source = "Signorini",
              .params = hard_params},
};
