/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the grammar about bodies. */
#include "elements/element.h"
#include "input/grammar_words.h"

static const fw_param point_params[] = {
    ID("point"),
    {"s", FW_PARAM_NUMBER, "m", NULL, NOT_NEGATIVE, NULL, "arc length from the beam's beginning"},
    {"offset", FW_PARAM_NUMBERS, "m", "0, 0", ANY, NULL, "from the axis to the point, in x and y"},
    END};
static const fw_tag point_tag = {
    .name = "point", .meaning = "A named place on the beam", .params = point_params, .kind = "point"};

static const fw_param vertex_params[] = {{"at", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "place of the corner: x, y"},
                                         END};
static const fw_tag vertex_tag = {
    .name = "vertex", .meaning = "A corner of a beam between its ends", .params = vertex_params};

static bool is_beam(const fw_entry *entry) {
  return ((const fw_element_ops *)(const void *)entry)->shape == FW_SHAPE_LINE;
}

static const fw_param beam_params[] = {
    ID("body"),
    {"element", FW_PARAM_TEXT, "", "euler-bernoulli", ANY, NULL, "beam theory"},
    {"kinematics", FW_PARAM_CHOICE, "", "linear", ANY, "linear|von-karman|co-rotational",
     "how rotations enter the strain"},
    {"material", FW_PARAM_REF, "", NULL, ANY, "material", "material of the beam"},
    {"section", FW_PARAM_REF, "", NULL, ANY, "section", "cross-section of the beam"},
    {"from", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "where it begins: x, y"},
    {"to", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "where it ends: x, y"},
    {"divisions", FW_PARAM_INTEGER, "", NULL, 1, 1000000, NULL, "number of elements over the whole length"},
    {"grading", FW_PARAM_NUMBER, "", "1", 1e-6, 1e6, NULL, "length of the last element over that of the first"},
    {"mass", FW_PARAM_CHOICE, "", "consistent", ANY, "consistent|lumped", "mass matrix"},
    END};
static const fw_tag beam_tag = {.name = "beam",
                                .meaning = "A straight or cornered beam",
                                .params = beam_params,
                                .kind = "body",
                                .table = &fw_elements,
                                .selector = "element",
                                .fallback = "euler-bernoulli",
                                .admits = is_beam,
                                .children = (const fw_child[]){{&point_tag, 0, 0}, {&vertex_tag, 0, 0}, END}};

static bool is_point_element(const fw_entry *entry) {
  return ((const fw_element_ops *)(const void *)entry)->shape == FW_SHAPE_POINT;
}

static const fw_param point_element_params[] = {
    ID("element"),
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point it is fixed to"},
    {"to", FW_PARAM_REF, "", "", ANY, "point", "other end, for elements with two; absent: the ground"},
    {"ground", FW_PARAM_NUMBERS, "m", "", ANY, NULL, "place of that end on the ground: x, y; absent: below the first"},
    END};
static const fw_tag point_element_tag = {.meaning = "A mass, spring or damper between points or a point and the ground",
                                         .params = point_element_params,
                                         .kind = "body",
                                         .table = &fw_elements,
                                         .admits = is_point_element};

static const fw_param rigid_point_params[] = {
    ID("point"), {"offset", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "from the centre to the point, in x and y"}, END};
static const fw_tag rigid_point_tag = {
    .name = "point", .meaning = "A named place on the body", .params = rigid_point_params, .kind = "point"};
static const fw_param rigid_params[] = {
    ID("body"),
    {"at", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "centre of mass: x, y; it is the point 'centre' of the body"},
    {"m", FW_PARAM_NUMBER, "kg", NULL, POSITIVE, NULL, "mass"},
    {"J", FW_PARAM_NUMBER, "kg m^2", "0", NOT_NEGATIVE, NULL, "moment of inertia about the centre"},
    {"rotation", FW_PARAM_CHOICE, "", "large", ANY, "large|small|none",
     "none: a body that only slides; small: linear in the angle"},
    END};
static const fw_tag rigid_tag = {.name = "rigid",
                                 .meaning = "A rigid body",
                                 .params = rigid_params,
                                 .kind = "body",
                                 .children = (const fw_child[]){{&rigid_point_tag, 0, 0}, END}};

static const fw_param super_node_params[] = {
    ID("point"), {"at", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "where it is: x, y"}, END};
static const fw_tag super_node_tag = {.name = "node",
                                      .meaning = "A node with freedoms x, y, rz, in the order of the matrices",
                                      .params = super_node_params,
                                      .kind = "point"};
static const fw_param super_params[] = {
    ID("body"),
    {"stiffness-file", FW_PARAM_TEXT, "", NULL, ANY, NULL, "stiffness matrix, Matrix Market"},
    {"mass-file", FW_PARAM_TEXT, "", "", ANY, NULL, "mass matrix, Matrix Market"},
    {"damping-file", FW_PARAM_TEXT, "", "", ANY, NULL, "damping matrix, Matrix Market"},
    END};
static const fw_tag super_tag = {.name = "superelement",
                                 .meaning = "A linear body given by its matrices; that of the mass is symmetric",
                                 .params = super_params,
                                 .kind = "body",
                                 .children = (const fw_child[]){{&super_node_tag, 2, 0}, END}};

static const fw_param merge_params[] = {
    {"points", FW_PARAM_REFS, "", "", ANY, "point", "points at one place that move as one"},
    {"bodies", FW_PARAM_REFS, "", "", ANY, "body",
     "instead of points: bodies whose nodes move as one wherever they coincide"},
    {"rotation", FW_PARAM_CHOICE, "", "shared", ANY, "shared|free", "shared: rigid corner; free: hinge"},
    END};
static const fw_tag merge_tag = {
    .name = "merge", .meaning = "Joins bodies where their points or nodes coincide", .params = merge_params};

const fw_tag fw_bodies_tag = {.name = "bodies",
                              .meaning = "What the structure is made of",
                              .children = (const fw_child[]){{&beam_tag, 0, 0},
                                                             {&fw_tube_tag, 0, 0},
                                                             {&fw_support_plane_tag, 0, 0},
                                                             {&fw_fluid_elastic_tag, 0, 0},
                                                             {&fw_plane_tag, 0, 0},
                                                             {&rigid_tag, 0, 0},
                                                             {&super_tag, 0, 0},
                                                             {&point_element_tag, 0, 0},
                                                             {&merge_tag, 0, 0},
                                                             {&fw_tie_tag, 0, 0},
                                                             {&fw_coupling_tag, 0, 0},
                                                             END}};
