/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the grammar about tubes: bodies in space. */
#include "elements/element.h"
#include "input/grammar_words.h"

static const fw_param point_params[] = {
    ID("point"), {"s", FW_PARAM_NUMBER, "m", NULL, NOT_NEGATIVE, NULL, "arc length from the tube's beginning"}, END};
static const fw_tag point_tag = {
    .name = "point", .meaning = "A named place on the tube", .params = point_params, .kind = "point"};

static const fw_param vertex_params[] = {{"at", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "place of the corner: x, y, z"},
                                         {"bend-radius", FW_PARAM_NUMBER, "m", "0", NOT_NEGATIVE, NULL,
                                          "radius of the circular bend that rounds the corner off; 0: a sharp one"},
                                         END};
static const fw_tag vertex_tag = {
    .name = "vertex", .meaning = "A corner of a tube between its ends", .params = vertex_params};

static bool is_in_space(const fw_entry *entry) {
  const fw_element_ops *ops = (const fw_element_ops *)(const void *)entry;
  return ops->shape == FW_SHAPE_LINE && ops->in_space;
}

static const fw_param tube_params[] = {
    ID("body"),
    {"element", FW_PARAM_TEXT, "", "euler-bernoulli", ANY, NULL, "beam theory; linear"},
    {"material", FW_PARAM_REF, "", NULL, ANY, "material", "material of the tube"},
    {"section", FW_PARAM_REF, "", NULL, ANY, "section", "cross-section of the tube"},
    {"orientation", FW_PARAM_NUMBERS, "", "", ANY, NULL,
     "x, y, z: direction that the section's height is nearest to; sections that are not round need it"},
    {"from", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "where it begins: x, y, z"},
    {"to", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "where it ends: x, y, z"},
    {"divisions", FW_PARAM_INTEGER, "", NULL, 1, 1000000, NULL, "number of elements over the whole length"},
    {"grading", FW_PARAM_NUMBER, "", "1", 1e-6, 1e6, NULL, "length of the last element over that of the first"},
    {"mass", FW_PARAM_CHOICE, "", "consistent", ANY, "consistent|lumped", "mass matrix"},
    {"added-mass", FW_PARAM_NUMBERS, "kg/m", "", NOT_NEGATIVE, NULL,
     "contents and fluid outside per length: one number, or one for each place of 'added-mass-at'"},
    {"added-mass-at", FW_PARAM_NUMBERS, "m", "", ANY, NULL, "arc lengths of the table, linear between them"},
    {"added-mass-acts", FW_PARAM_CHOICE, "", "across", ANY, "across|all",
     "across: a fluid does not move along the tube; all: it does"},
    {"damping", FW_PARAM_NUMBERS, "N s/m^2", "", NOT_NEGATIVE, NULL,
     "damping of motion across per length: one number, or one for each place of 'damping-at'"},
    {"damping-at", FW_PARAM_NUMBERS, "m", "", ANY, NULL, "arc lengths of the table, linear between them"},
    {"modes", FW_PARAM_INTEGER, "", "0", 0, 1000, NULL,
     "reduce the tube to the points that something stands on and so many modes of each piece between them, whole "
     "pairs of a round tube's, for long runs; 0: do not"},
    {"bend-flexibility", FW_PARAM_NUMBER, "", "1", 1, 1000, NULL,
     "factor on 1/(E I) in bends: a thin curved pipe ovalises, k = 1.65/h with h = wall bend-radius/mean-radius^2 "
     "where that is above 1 (ASME B31)"},
    END};
const fw_tag fw_tube_tag = {.name = "tube",
                            .meaning = "A tube in space, straight or bent; linear",
                            .params = tube_params,
                            .kind = "body",
                            .table = &fw_elements,
                            .selector = "element",
                            .fallback = "euler-bernoulli",
                            .admits = is_in_space,
                            .children = (const fw_child[]){{&point_tag, 0, 0}, {&vertex_tag, 0, 0}, END}};

static const fw_param plane_params[] = {
    ID("plane"),
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point of a tube; the plane's point 'ring' moves with the tube there"},
    {"normal", FW_PARAM_NUMBERS, "", "", ANY, NULL, "x, y, z across the plane; absent: along the tube"},
    {"first", FW_PARAM_NUMBERS, "", "", ANY, NULL,
     "x, y, z that the plane's x axis is nearest to; absent: its y axis is nearest to z, or, across a tube along z, "
     "its "
     "x axis to x"},
    {"angle", FW_PARAM_NUMBER, "deg", "0", -720, 720, NULL, "turns these axes about the normal"},
    {"offset", FW_PARAM_NUMBERS, "m", "0, 0", ANY, NULL, "where the tube's axis is in the plane at rest"},
    END};
const fw_tag fw_support_plane_tag = {
    .name = "support-plane",
    .meaning = "A plane at a point of a tube in which contact lives as in a planar deck",
    .params = plane_params,
    .kind = "support-plane"};
