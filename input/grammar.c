/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/grammar.h"

#include "contact/detect/surface.h"
#include "contact/normal/normal.h"
#include "core/load.h"
#include "elements/element.h"
#include "elements/joint.h"
#include "input/grammar_words.h"
#include "solver/analysis.h"

/* ---- parameters, materials, sections ----------------------------------------------------- */

static const fw_param parameter_params[] = {
    {"name", FW_PARAM_ID, "", NULL, ANY, NULL, "name used in expressions: letters, digits and _"},
    {"value", FW_PARAM_TEXT, "", NULL, ANY, NULL, "number or expression of other parameters"},
    {"unit", FW_PARAM_TEXT, "", "", ANY, NULL, "unit of the value; it is converted to SI"},
    {"min", FW_PARAM_TEXT, "", "", ANY, NULL, "least value allowed, in the same unit"},
    {"max", FW_PARAM_TEXT, "", "", ANY, NULL, "greatest value allowed, in the same unit"},
    END};
static const fw_tag parameter_tag = {.name = "parameter",
                                     .meaning = "A number the deck's expressions may use",
                                     .params = parameter_params,
                                     .kind = "parameter"};
static const fw_tag parameters_tag = {.name = "parameters",
                                      .meaning = "Numbers that --set, studies and fits may change",
                                      .children = (const fw_child[]){{&parameter_tag, 0, 0}, END}};

static const fw_param elastic_params[] = {ID("material"),
                                          {"E", FW_PARAM_NUMBER, "Pa", NULL, POSITIVE, NULL, "Young's modulus"},
                                          {"nu", FW_PARAM_NUMBER, "", "0.3", -0.999, 0.49999, NULL, "Poisson's ratio"},
                                          {"rho", FW_PARAM_NUMBER, "kg/m^3", NULL, NOT_NEGATIVE, NULL, "density"},
                                          END};
static const fw_tag elastic_tag = {
    .name = "elastic", .meaning = "A linear elastic, isotropic material", .params = elastic_params, .kind = "material"};
static const fw_tag materials_tag = {
    .name = "materials", .meaning = "Materials", .children = (const fw_child[]){{&elastic_tag, 0, 0}, END}};

static const fw_param section_params[] = {
    ID("section"),
    {"added-mass", FW_PARAM_NUMBER, "kg/m", "0", NOT_NEGATIVE, NULL, "mass per length besides the material's"},
    END};
static const fw_tag section_tag = {
    .meaning = "A cross-section of beams", .params = section_params, .kind = "section", .table = &fw_sections};
static const fw_tag sections_tag = {
    .name = "sections", .meaning = "Cross-sections", .children = (const fw_child[]){{&section_tag, 0, 0}, END}};

/* ---- bodies ------------------------------------------------------------------------------ */

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
                                 .meaning = "A linear body given by its symmetric matrices",
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

static const fw_tag bodies_tag = {.name = "bodies",
                                  .meaning = "What the structure is made of",
                                  .children = (const fw_child[]){{&beam_tag, 0, 0},
                                                                 {&fw_plane_tag, 0, 0},
                                                                 {&rigid_tag, 0, 0},
                                                                 {&super_tag, 0, 0},
                                                                 {&point_element_tag, 0, 0},
                                                                 {&merge_tag, 0, 0},
                                                                 {&fw_tie_tag, 0, 0},
                                                                 {&fw_coupling_tag, 0, 0},
                                                                 END}};

/* ---- joints ------------------------------------------------------------------------------ */

static const fw_param joint_params[] = {
    ID("joint"),
    {"a", FW_PARAM_REF, "", NULL, ANY, "point", "first point"},
    {"b", FW_PARAM_REF, "", "", ANY, "point", "second point; absent: the ground"},
    {"ground", FW_PARAM_NUMBERS, "m", "", ANY, NULL, "place on the ground: x, y; absent: where the first point is"},
    END};
static const fw_param joint_friction_params[] = {
    {"law", FW_PARAM_TEXT, "", NULL, ANY, NULL, "friction law"},
    {"normal-force", FW_PARAM_NUMBER, "N", NULL, NOT_NEGATIVE, NULL, "force that presses the rubbing faces together"},
    {"radius", FW_PARAM_NUMBER, "m", "", POSITIVE, NULL, "of the rubbing face, where the joint turns"},
    {"enforcement", FW_PARAM_CHOICE, "", "lagrange", ANY, "penalty|lagrange|augmented",
     "of rigid stick; a law with its own stiffness ignores it"},
    {"u-crit", FW_PARAM_NUMBER, "m", "", POSITIVE, NULL, "elastic slip of penalty stick"},
    END};
static const fw_tag joint_friction_tag = {.name = "friction",
                                          .meaning = "Friction against the motion the joint leaves free",
                                          .params = joint_friction_params,
                                          .table = &fw_laws,
                                          .selector = "law"};
static const fw_tag joint_tag = {.meaning = "A joint between two points, or one and the ground",
                                 .params = joint_params,
                                 .kind = "joint",
                                 .table = &fw_joints,
                                 .children = (const fw_child[]){{&joint_friction_tag, 0, 1}, END}};
static const fw_tag joints_tag = {
    .name = "joints", .meaning = "Joints", .children = (const fw_child[]){{&joint_tag, 0, 0}, END}};

/* ---- damping, supports ------------------------------------------------------------------- */

static const fw_param rayleigh_params[] = {
    {"body", FW_PARAM_REF, "", "", ANY, "body", "body it belongs to; absent: every body"},
    {"alpha", FW_PARAM_NUMBER, "1/s", "0", NOT_NEGATIVE, NULL, "factor of the mass matrix"},
    {"beta", FW_PARAM_NUMBER, "s", "0", NOT_NEGATIVE, NULL, "factor of the stiffness matrix at rest"},
    END};
static const fw_tag rayleigh_tag = {
    .name = "rayleigh", .meaning = "Damping matrix C = alpha M + beta K", .params = rayleigh_params};

static const fw_param hysteretic_params[] = {
    {"body", FW_PARAM_REF, "", "", ANY, "body", "body it belongs to; absent: every body"},
    {"loss-factor", FW_PARAM_NUMBER, "", NULL, 0, 2, NULL, "imaginary over real stiffness"},
    END};
static const fw_tag hysteretic_tag = {.name = "hysteretic",
                                      .meaning = "Structural damping K (1 + i loss-factor), frequency domain only",
                                      .params = hysteretic_params};
static const fw_param modal_damping_params[] = {
    {"ratios", FW_PARAM_NUMBERS, "", NULL, 0, 10, NULL,
     "damping ratio of mode 1, 2, ...; the last goes on to the others"},
    {"modes", FW_PARAM_INTEGER, "", "", 1, 1000, NULL, "how many of the lowest modes; default: as many as ratios"},
    END};
static const fw_tag modal_damping_tag = {
    .name = "modal",
    .meaning =
        "Damping of the structure's modes: C = sum of 2 zeta omega (M phi)(M phi)^T over the mass-normalised "
        "modes of the undeformed structure without contact; for models of at most 1000 freedoms",
    .params = modal_damping_params};
static const fw_tag damping_tag = {
    .name = "damping",
    .meaning = "Damping of the bodies; its parts add up",
    .children = (const fw_child[]){{&rayleigh_tag, 0, 0}, {&hysteretic_tag, 0, 0}, {&modal_damping_tag, 0, 1}, END}};

static const fw_param support_params[] = {
    {"at", FW_PARAM_REF, "", NULL, ANY, "point|set", "point it holds, or all nodes of a set"},
    {"x", FW_PARAM_NUMBER, "N/m", "free", NOT_NEGATIVE, "free|fixed", "hold in x; a number is a stiffness"},
    {"y", FW_PARAM_NUMBER, "N/m", "free", NOT_NEGATIVE, "free|fixed", "hold in y; a number is a stiffness"},
    {"rz", FW_PARAM_NUMBER, "N m/rad", "free", NOT_NEGATIVE, "free|fixed",
     "hold the rotation; a number is a stiffness"},
    END};
static const fw_tag support_tag = {
    .name = "support", .meaning = "Holds a point to the ground", .params = support_params};
static const fw_tag supports_tag = {
    .name = "supports", .meaning = "Supports", .children = (const fw_child[]){{&support_tag, 0, 0}, END}};

/* ---- contact ----------------------------------------------------------------------------- */

static const fw_tag target_tag = {.meaning = "A piece of the surface", .table = &fw_surfaces};
static const fw_param surface_params[] = {
    ID("surface"), {"on", FW_PARAM_REF, "", "", ANY, "point", "point that carries it; absent: it stands still"}, END};
static const fw_tag surface_tag = {.name = "surface",
                                   .meaning = "A target of contact",
                                   .params = surface_params,
                                   .kind = "surface",
                                   .children = (const fw_child[]){{&target_tag, 0, 0}, END}};

static const fw_param disc_params[] = {
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point that carries it"},
    {"offset", FW_PARAM_NUMBERS, "m", "0, 0", ANY, NULL, "from that point to the centre, in x and y"},
    {"radius", FW_PARAM_NUMBER, "m", NULL, POSITIVE, NULL, "radius"},
    END};
static const fw_tag disc_tag = {.name = "disc", .meaning = "A disc that touches with its rim", .params = disc_params};

static const fw_param touch_point_params[] = {
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point that carries it"},
    {"offset", FW_PARAM_NUMBERS, "m", "0, 0", ANY, NULL, "from that point, in x and y"},
    END};
static const fw_tag touch_point_tag = {
    .name = "point", .meaning = "A point that touches", .params = touch_point_params};

static const fw_param follow_params[] = {
    {"surface", FW_PARAM_REF, "", NULL, ANY, "surface", "surface of a body or carried by one, all whose nodes touch"},
    END};
static const fw_tag follow_tag = {
    .name = "follow", .meaning = "A whole surface that touches with its nodes", .params = follow_params};

static const fw_param normal_params[] = {
    {"law", FW_PARAM_TEXT, "", "hard", ANY, NULL, "normal law"},
    {"enforcement", FW_PARAM_CHOICE, "", "lagrange", ANY, "penalty|lagrange|augmented", "of the hard law"},
    END};
static const fw_tag normal_tag = {.name = "normal",
                                  .meaning = "Force against penetration",
                                  .params = normal_params,
                                  .table = &fw_normals,
                                  .selector = "law",
                                  .fallback = "hard"};

static const fw_param friction_params[] = {
    {"law", FW_PARAM_TEXT, "", NULL, ANY, NULL, "friction law"},
    {"enforcement", FW_PARAM_CHOICE, "", "lagrange", ANY, "penalty|lagrange|augmented",
     "of rigid stick; a law with its own stiffness ignores it"},
    {"u-crit", FW_PARAM_NUMBER, "m", "", POSITIVE, NULL, "elastic slip of penalty stick"},
    {"slip-tolerance", FW_PARAM_NUMBER, "", "", 1e-12, 1, NULL,
     "elastic slip over mean edge length, where follower or target has element edges (there 0.005 if absent)"},
    END};
static const fw_tag friction_tag = {.name = "friction",
                                    .meaning = "Friction law; several act in parallel",
                                    .params = friction_params,
                                    .table = &fw_laws,
                                    .selector = "law"};

static const fw_param pair_params[] = {
    ID("pair"),
    {"target", FW_PARAM_REF, "", NULL, ANY, "surface", "surface that is touched"},
    {"archard", FW_PARAM_NUMBER, "m^2/N", "0", NOT_NEGATIVE, NULL, "wear coefficient K of Archard's law"},
    {"wear-power", FW_PARAM_NUMBER, "", "1", 0.0, 10.0, NULL, "exponent p of the work rate W in the volume rate K W^p"},
    {"two-pass", FW_PARAM_FLAG, "", "no", ANY, NULL,
     "the target's nodes touch the following surface too, as a second pair ID-back"},
    END};
static const fw_tag pair_tag = {.name = "pair",
                                .meaning = "Who touches what, and how",
                                .params = pair_params,
                                .kind = "pair",
                                .children = (const fw_child[]){{&disc_tag, 0, 0},
                                                               {&touch_point_tag, 0, 0},
                                                               {&follow_tag, 0, 0},
                                                               {&normal_tag, 1, 1},
                                                               {&friction_tag, 0, 0},
                                                               END}};
static const fw_tag contact_tag = {.name = "contact",
                                   .meaning = "Contact",
                                   .children = (const fw_child[]){{&surface_tag, 0, 0}, {&pair_tag, 0, 0}, END}};

/* ---- initial motion ---------------------------------------------------------------------- */

static const fw_param motion_params[] = {
    {"body", FW_PARAM_REF, "", NULL, ANY, "body", "body that is moved"},
    {"about", FW_PARAM_NUMBERS, "m", "", ANY, NULL,
     "place it turns about: x, y; absent (rigid bodies only): its centre, which the joints may then move"},
    {"angle", FW_PARAM_NUMBER, "rad", "", ANY, NULL, "how far it has turned"},
    {"displacement", FW_PARAM_NUMBERS, "m", "", ANY, NULL, "how far it has moved besides: x, y"},
    {"spin", FW_PARAM_NUMBER, "rad/s", "", ANY, NULL, "how fast it turns"},
    {"velocity", FW_PARAM_NUMBERS, "m/s", "", ANY, NULL, "how fast it moves besides: x, y"},
    END};
static const fw_tag motion_tag = {
    .name = "motion", .meaning = "Where a body begins, and how it moves there", .params = motion_params};
static const fw_tag initial_tag = {
    .name = "initial",
    .meaning = "How a transient without start begins; what is not given follows from the joints",
    .children = (const fw_child[]){{&motion_tag, 0, 0}, END}};

/* ---- loads, sensors, data ---------------------------------------------------------------- */

static const fw_param load_params[] = {
    ID("load"),
    {"at", FW_PARAM_REF, "", "", ANY, "point|set", "point it acts at, or edges it is spread over evenly"},
    {"fx", FW_PARAM_NUMBER, "N", "0", ANY, NULL, "force in x"},
    {"fy", FW_PARAM_NUMBER, "N", "0", ANY, NULL, "force in y"},
    {"mz", FW_PARAM_NUMBER, "N m", "0", ANY, NULL, "moment about z"},
    {"against", FW_PARAM_REF, "", "", ANY, "point", "point of another body that takes the opposite force and moment"},
    {"body", FW_PARAM_REF, "", "", ANY, "body", "body it is spread over (qx, qy, gx, gy); absent: every body"},
    {"qx", FW_PARAM_NUMBER, "N/m", "0", ANY, NULL, "force per length in x, beams"},
    {"qy", FW_PARAM_NUMBER, "N/m", "0", ANY, NULL, "force per length in y, beams"},
    {"pressure", FW_PARAM_NUMBER, "Pa", "0", ANY, NULL, "against the outward normal of a set of edges"},
    {"gx", FW_PARAM_NUMBER, "m/s^2", "0", ANY, NULL, "gravity in x"},
    {"gy", FW_PARAM_NUMBER, "m/s^2", "0", ANY, NULL, "gravity in y"},
    END};
static const fw_tag load_tag = {.meaning = "A load: at a point, along a beam, or as gravity",
                                .params = load_params,
                                .kind = "load",
                                .table = &fw_loads};
static const fw_tag loads_tag = {.name = "loads",
                                 .meaning = "Loads; an analysis names those that act in it",
                                 .children = (const fw_child[]){{&load_tag, 0, 0}, END}};

static const fw_param sensor_params[] = {
    ID("sensor"),
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point it reads"},
    {"relative-to", FW_PARAM_REF, "", "", ANY, "point", "point whose reading is subtracted"},
    {"quantity", FW_PARAM_CHOICE, "", "displacement", ANY, "displacement|velocity|acceleration", "what it reads"},
    {"direction", FW_PARAM_CHOICE, "", NULL, ANY, "x|y|rz", "along which axis"},
    END};
static const fw_tag sensor_tag = {
    .name = "sensor", .meaning = "Something read at a point", .params = sensor_params, .kind = "sensor"};
static const fw_tag sensors_tag = {
    .name = "sensors", .meaning = "Sensors", .children = (const fw_child[]){{&sensor_tag, 0, 0}, END}};

static const fw_param data_params[] = {
    ID("data"), {"file", FW_PARAM_TEXT, "", NULL, ANY, NULL, "file, relative to the deck"}, END};
static const fw_tag resonance_data_tag = {.name = "resonance",
                                          .meaning = "Measured resonance against force (CSV: force, frequency)",
                                          .params = data_params,
                                          .kind = "data"};
static const fw_tag harmonics_data_tag = {.name = "harmonics",
                                          .meaning = "Measured amplitude of each harmonic at each sensor (CSV)",
                                          .params = data_params,
                                          .kind = "data"};
static const fw_tag frf_data_tag = {
    .name = "frf", .meaning = "Measured frequency response (CSV or UFF-58)", .params = data_params, .kind = "data"};
static const fw_tag data_tag = {
    .name = "data",
    .meaning = "Measurements to compare with",
    .children =
        (const fw_child[]){{&resonance_data_tag, 0, 0}, {&harmonics_data_tag, 0, 0}, {&frf_data_tag, 0, 0}, END}};

/* ---- analyses, outputs ------------------------------------------------------------------- */

static const fw_tag analysis_tag = {
    .meaning = "An analysis", .params = fw_analysis_common, .kind = "analysis", .table = &fw_analyses};
static const fw_tag analyses_tag = {.name = "analyses",
                                    .meaning = "Analyses, run in this order",
                                    .children = (const fw_child[]){{&analysis_tag, 0, 0}, END}};

static const fw_param vtk_params[] = {
    {"analysis", FW_PARAM_REF, "", NULL, ANY, "analysis", "whose results"},
    {"level", FW_PARAM_NUMBER, "", "", ANY, NULL, "drive level of an frf"},
    {"frequencies", FW_PARAM_NUMBERS, "Hz", "", POSITIVE, NULL, "frequencies of an frf"},
    {"frames", FW_PARAM_INTEGER, "", "40", 1, 100000, NULL, "pictures over one period"},
    {"every", FW_PARAM_INTEGER, "", "1", 1, 1000000000, NULL, "of a transient: every how many outputs"},
    END};
static const fw_tag vtk_tag = {.name = "vtk", .meaning = "Files for ParaView", .params = vtk_params};

static const fw_param compare_params[] = {
    {"analysis", FW_PARAM_REF, "", NULL, ANY, "analysis", "whose results"},
    {"data", FW_PARAM_REF, "", NULL, ANY, "data", "measurement to compare with"},
    {"level", FW_PARAM_NUMBER, "", "", ANY, NULL, "drive level, where the data is of one"},
    END};
static const fw_tag compare_tag = {
    .name = "compare", .meaning = "Misfit of a result against data", .params = compare_params};
static const fw_tag outputs_tag = {.name = "outputs",
                                   .meaning = "Outputs beyond the tables every analysis writes",
                                   .children = (const fw_child[]){{&vtk_tag, 0, 0}, {&compare_tag, 0, 0}, END}};

/* ---- the root ---------------------------------------------------------------------------- */

static const fw_tag title_tag = {.name = "title", .meaning = "One line about the deck", .text = true};

static const fw_param root_params[] = {
    {"version", FW_PARAM_INTEGER, "", NULL, 1, 1, NULL, "version of the deck language"}, END};
const fw_tag fw_deck_tag = {.name = "fretwork",
                            .meaning = "A deck",
                            .params = root_params,
                            .children = (const fw_child[]){{&title_tag, 0, 1},
                                                           {&parameters_tag, 0, 0},
                                                           {&materials_tag, 0, 1},
                                                           {&sections_tag, 0, 1},
                                                           {&bodies_tag, 1, 1},
                                                           {&joints_tag, 0, 1},
                                                           {&damping_tag, 0, 1},
                                                           {&supports_tag, 0, 1},
                                                           {&contact_tag, 0, 1},
                                                           {&initial_tag, 0, 1},
                                                           {&loads_tag, 0, 1},
                                                           {&sensors_tag, 0, 1},
                                                           {&data_tag, 0, 1},
                                                           {&analyses_tag, 0, 1},
                                                           {&outputs_tag, 0, 1},
                                                           {&fw_studies_tag, 0, 1},
                                                           END}};
