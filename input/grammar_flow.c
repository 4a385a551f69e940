/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the grammar about fluid-elastic forces. */
#include "input/grammar_words.h"

#define VARIABLES "flow|s|f"
#define ENTRIES(unit)                                                                                       \
  {"xx", FW_PARAM_FORMULA, unit, "", ANY, VARIABLES, "force along the first direction by motion along it"}, \
      {"xy", FW_PARAM_FORMULA, unit, "", ANY, VARIABLES, "along the first by motion along the second"},     \
      {"yx", FW_PARAM_FORMULA, unit, "", ANY, VARIABLES, "along the second by motion along the first"},     \
      {"yy", FW_PARAM_FORMULA, unit, "", ANY, VARIABLES, "along the second by motion along it"}, END

static const fw_param mass_params[] = {ENTRIES("kg/m")};
static const fw_tag mass_tag = {
    .name = "mass", .meaning = "Added mass per length, symmetric; absent entries are 0", .params = mass_params};

static const fw_param damping_params[] = {ENTRIES("N s/m^2")};
static const fw_tag damping_tag = {
    .name = "damping", .meaning = "Force over velocity per length; may be below zero", .params = damping_params};

static const fw_param stiffness_params[] = {ENTRIES("N/m^2")};
static const fw_tag stiffness_tag = {.name = "stiffness",
                                     .meaning = "Force over displacement per length; need not be symmetric",
                                     .params = stiffness_params};

static const fw_param params[] = {
    ID("forces"),
    {"tube", FW_PARAM_REF, "", NULL, ANY, "body", "tube they act on"},
    {"moved-by", FW_PARAM_REF, "", "", ANY, "body",
     "another tube whose motion at the same arc length makes them; its mass matrix acts both ways; absent: the tube "
     "itself"},
    {"from", FW_PARAM_NUMBER, "m", "0", NOT_NEGATIVE, NULL, "arc length where they begin"},
    {"to", FW_PARAM_NUMBER, "m", "", POSITIVE, NULL, "arc length where they end; absent: the tube's end"},
    {"first", FW_PARAM_NUMBERS, "", "", ANY, NULL,
     "x, y, z that the first direction is nearest to where they begin; it goes with the tube without twist; absent: as "
     "of a support-plane"},
    {"flow", FW_PARAM_NUMBER, "", NULL, NOT_NEGATIVE, NULL,
     "the parameter 'flow' of the formulas, a velocity for example; a modal analysis may vary it"},
    {"frequency", FW_PARAM_NUMBER, "Hz", "", POSITIVE, NULL,
     "where formulas depend on the frequency f: its value in all analyses but modal, which finds that of each mode, "
     "beginning here"},
    END};
const fw_tag fw_fluid_elastic_tag = {
    .name = "fluid-elastic",
    .meaning =
        "Forces per length across a tube, linear in its motion: -(mass u'' + damping u' + stiffness u), 2 x 2 "
        "matrices as functions of the flow, of the arc length s and of the frequency f",
    .params = params,
    .kind = "flow",
    .children = (const fw_child[]){{&mass_tag, 0, 1}, {&damping_tag, 0, 1}, {&stiffness_tag, 0, 1}, END}};
