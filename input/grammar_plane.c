/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the grammar about plane bodies and their meshes. */
#include "elements/element.h"
#include "input/grammar_words.h"

static bool is_plane(const fw_entry *entry) {
  return ((const fw_element_ops *)(const void *)entry)->shape >= FW_SHAPE_TRI3;
}

static const fw_param rectangle_params[] = {
    {"from", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "lower left corner: x, y"},
    {"to", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "upper right corner: x, y"},
    {"divisions", FW_PARAM_NUMBERS, "", NULL, 1, 1e6, NULL, "elements along x, along y"},
    {"grading", FW_PARAM_NUMBERS, "", "1, 1", 1e-6, 1e6, NULL, "last over first element length along x, along y"},
    END};
static const fw_tag rectangle_tag = {
    .name = "rectangle",
    .meaning =
        "A rectangle of quadrilaterals; its sides are the sets bottom, right, top and left, of all rectangles of "
        "the body together and without seams between pieces",
    .params = rectangle_params};

static const fw_param block_params[] = {
    {"corners", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "x, y of the four corners, anticlockwise"},
    {"divisions", FW_PARAM_NUMBERS, "", NULL, 1, 1e6, NULL, "elements along sides 1-2 and 4-3, along 2-3 and 1-4"},
    {"grading", FW_PARAM_NUMBERS, "", "1, 1, 1, 1", 1e-6, 1e6, NULL,
     "last over first element length along 1-2, 2-3, 4-3, 1-4"},
    {"arc-centre", FW_PARAM_NUMBERS, "m", "", ANY, NULL, "centre x, y of those sides that are arcs"},
    {"arcs", FW_PARAM_NUMBERS, "", "", 1, 4, NULL, "which sides are arcs: 1 is 1-2, 2 is 2-3, 3 is 4-3, 4 is 1-4"},
    {"bottom", FW_PARAM_ID, "", "", ANY, NULL, "set of side 1-2"},
    {"right", FW_PARAM_ID, "", "", ANY, NULL, "set of side 2-3"},
    {"top", FW_PARAM_ID, "", "", ANY, NULL, "set of side 4-3"},
    {"left", FW_PARAM_ID, "", "", ANY, NULL, "set of side 1-4"},
    END};
static const fw_tag block_tag = {
    .name = "block",
    .meaning =
        "A block of quadrilaterals between four straight or curved sides; a named side is a set, also where "
        "another piece joins it",
    .params = block_params};

static const fw_param quarter_params[] = {
    {"centre", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "centre of the disc: x, y"},
    {"radius", FW_PARAM_NUMBER, "m", NULL, POSITIVE, NULL, "radius"},
    {"angle", FW_PARAM_NUMBER, "deg", NULL, -360, 360, NULL, "where on the circle the mesh is finest"},
    {"clockwise", FW_PARAM_FLAG, "", "no", ANY, NULL, "the quarter runs clockwise from there"},
    {"divisions", FW_PARAM_NUMBERS, "", NULL, 1, 1e6, NULL, "elements along half its arc, from the core to the arc"},
    {"grading", FW_PARAM_NUMBER, "", "1", 1, 1e6, NULL, "how much smaller elements are at that point"},
    {"arc", FW_PARAM_ID, "", "arc", ANY, NULL, "set of the arc"},
    {"flat", FW_PARAM_ID, "", "flat", ANY, NULL, "set of the far radius"},
    END};
static const fw_tag quarter_tag = {.name = "quarter-disc",
                                   .meaning = "A quarter of a disc, graded to a point of its circle",
                                   .params = quarter_params};

static const fw_param mesh_params[] = {
    {"file", FW_PARAM_TEXT, "", NULL, ANY, NULL, "Gmsh .msh (2.2, 4.1), Abaqus .inp or VTK .vtu"},
    {"unit", FW_PARAM_CHOICE, "", "m", ANY, "m|cm|mm|um", "what its coordinates are in"},
    END};
static const fw_tag mesh_tag = {
    .name = "mesh",
    .meaning = "A mesh from a file; physical groups or sets keep their names. It is the body's only piece",
    .params = mesh_params};

static const fw_param point_params[] = {
    ID("point"), {"at", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "where it is: x, y"}, END};
static const fw_tag point_tag = {
    .name = "point", .meaning = "A named place in the body", .params = point_params, .kind = "point"};

static const fw_param plane_params[] = {
    ID("body"),
    {"element", FW_PARAM_TEXT, "", "quad4i", ANY, NULL, "plane element"},
    {"kinematics", FW_PARAM_CHOICE, "", "linear", ANY, "linear|total-lagrangian", "small or finite strain"},
    {"state", FW_PARAM_CHOICE, "", "plane-stress", ANY, "plane-stress|plane-strain", "state of stress"},
    {"material", FW_PARAM_REF, "", NULL, ANY, "material", "material of the body"},
    {"thickness", FW_PARAM_NUMBER, "m", NULL, POSITIVE, NULL, "thickness out of the plane"},
    {"mass", FW_PARAM_CHOICE, "", "consistent", ANY, "consistent|lumped", "mass matrix"},
    {"merge", FW_PARAM_NUMBER, "m", "0", NOT_NEGATIVE, NULL,
     "nodes closer than this are one; 0: a billionth of the body's size"},
    END};
const fw_tag fw_plane_tag = {
    .name = "plane",
    .meaning = "A plane body; its mesh is made of the pieces it contains, joined where their nodes meet",
    .params = plane_params,
    .kind = "body",
    .table = &fw_elements,
    .selector = "element",
    .fallback = "quad4i",
    .admits = is_plane,
    .children = (const fw_child[]){
        {&rectangle_tag, 0, 0}, {&block_tag, 0, 0}, {&quarter_tag, 0, 0}, {&mesh_tag, 0, 1}, {&point_tag, 0, 0}, END}};
