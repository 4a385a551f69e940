/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/grammar.h"

#include <float.h>

#include "contact/detect/surface.h"
#include "contact/normal/normal.h"
#include "core/load.h"
#include "elements/element.h"
#include "solver/analysis.h"

/* Ranges: above zero, from zero up. */
#define POSITIVE DBL_MIN, DBL_MAX
#define NOT_NEGATIVE 0, DBL_MAX
#define ANY 0, 0

#define ID(what) \
  { "id", FW_PARAM_ID, "", NULL, ANY, NULL, "name of the " what }
#define END \
  { 0 }

/* ---- parameters, materials, sections ----------------------------------------------------- */

static const fw_param parameter_params[] = {
    {"name", FW_PARAM_ID, "", NULL, ANY, NULL, "name used in expressions: letters, digits and _"},
    {"value", FW_PARAM_TEXT, "", NULL, ANY, NULL, "number or expression of other parameters"},
    {"unit", FW_PARAM_TEXT, "", "", ANY, NULL, "unit of the value; it is converted to SI"},
    {"min", FW_PARAM_TEXT, "", "", ANY, NULL, "least value allowed, in the same unit"},
    {"max", FW_PARAM_TEXT, "", "", ANY, NULL, "greatest value allowed, in the same unit"},
    END};
static const fw_rule parameter_rule = {.name = "parameter",
                                       .meaning = "A number the deck's expressions may use",
                                       .params = parameter_params,
                                       .kind = "parameter"};
static const fw_rule parameters_rule = {.name = "parameters",
                                        .meaning = "Numbers that --set, studies and fits may change",
                                        .children = (const fw_child[]){{&parameter_rule, 0, 0}, END}};

static const fw_param elastic_params[] = {ID("material"),
                                          {"E", FW_PARAM_NUMBER, "Pa", NULL, POSITIVE, NULL, "Young's modulus"},
                                          {"nu", FW_PARAM_NUMBER, "", "0.3", -0.999, 0.49999, NULL, "Poisson's ratio"},
                                          {"rho", FW_PARAM_NUMBER, "kg/m^3", NULL, NOT_NEGATIVE, NULL, "density"},
                                          END};
static const fw_rule elastic_rule = {
    .name = "elastic", .meaning = "A linear elastic, isotropic material", .params = elastic_params, .kind = "material"};
static const fw_rule materials_rule = {
    .name = "materials", .meaning = "Materials", .children = (const fw_child[]){{&elastic_rule, 0, 0}, END}};

static const fw_param section_params[] = {
    ID("section"),
    {"added-mass", FW_PARAM_NUMBER, "kg/m", "0", NOT_NEGATIVE, NULL, "mass per length besides the material's"},
    END};
static const fw_rule section_rule = {
    .meaning = "A cross-section of beams", .params = section_params, .kind = "section", .table = &fw_sections};
static const fw_rule sections_rule = {
    .name = "sections", .meaning = "Cross-sections", .children = (const fw_child[]){{&section_rule, 0, 0}, END}};

/* ---- bodies ------------------------------------------------------------------------------ */

static const fw_param point_params[] = {
    ID("point"),
    {"s", FW_PARAM_NUMBER, "m", NULL, NOT_NEGATIVE, NULL, "arc length from the beam's beginning"},
    {"offset", FW_PARAM_NUMBERS, "m", "0, 0", ANY, NULL, "from the axis to the point, in x and y"},
    END};
static const fw_rule point_rule = {
    .name = "point", .meaning = "A named place on the beam", .params = point_params, .kind = "point"};

static const fw_param vertex_params[] = {{"at", FW_PARAM_NUMBERS, "m", NULL, ANY, NULL, "place of the corner: x, y"},
                                         END};
static const fw_rule vertex_rule = {
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
static const fw_rule beam_rule = {.name = "beam",
                                  .meaning = "A straight or cornered beam",
                                  .params = beam_params,
                                  .kind = "body",
                                  .table = &fw_elements,
                                  .selector = "element",
                                  .fallback = "euler-bernoulli",
                                  .admits = is_beam,
                                  .children = (const fw_child[]){{&point_rule, 0, 0}, {&vertex_rule, 0, 0}, END}};

static bool is_point_element(const fw_entry *entry) {
  return ((const fw_element_ops *)(const void *)entry)->shape == FW_SHAPE_POINT;
}

static const fw_param point_element_params[] = {
    ID("element"),
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point it is fixed to"},
    {"to", FW_PARAM_REF, "", "", ANY, "point", "other end, for elements with two; absent: the ground"},
    {"ground", FW_PARAM_NUMBERS, "m", "", ANY, NULL, "place of that end on the ground: x, y; absent: below the first"},
    END};
static const fw_rule point_element_rule = {
    .meaning = "A mass, spring or damper between points or a point and the ground",
    .params = point_element_params,
    .kind = "body",
    .table = &fw_elements,
    .admits = is_point_element};

static const fw_param merge_params[] = {
    {"points", FW_PARAM_REFS, "", NULL, ANY, "point", "points at one place that move as one"},
    {"rotation", FW_PARAM_CHOICE, "", "shared", ANY, "shared|free", "shared: rigid corner; free: hinge"},
    END};
static const fw_rule merge_rule = {
    .name = "merge", .meaning = "Joins bodies where their points coincide", .params = merge_params};

static const fw_rule bodies_rule = {
    .name = "bodies",
    .meaning = "What the structure is made of",
    .children = (const fw_child[]){{&beam_rule, 0, 0}, {&point_element_rule, 0, 0}, {&merge_rule, 0, 0}, END}};

/* ---- damping, supports ------------------------------------------------------------------- */

static const fw_param rayleigh_params[] = {
    {"body", FW_PARAM_REF, "", "", ANY, "body", "body it belongs to; absent: every body"},
    {"alpha", FW_PARAM_NUMBER, "1/s", "0", NOT_NEGATIVE, NULL, "factor of the mass matrix"},
    {"beta", FW_PARAM_NUMBER, "s", "0", NOT_NEGATIVE, NULL, "factor of the stiffness matrix at rest"},
    END};
static const fw_rule rayleigh_rule = {
    .name = "rayleigh", .meaning = "Damping matrix C = alpha M + beta K", .params = rayleigh_params};

static const fw_param hysteretic_params[] = {
    {"body", FW_PARAM_REF, "", "", ANY, "body", "body it belongs to; absent: every body"},
    {"loss-factor", FW_PARAM_NUMBER, "", NULL, 0, 2, NULL, "imaginary over real stiffness"},
    END};
static const fw_rule hysteretic_rule = {.name = "hysteretic",
                                        .meaning = "Structural damping K (1 + i loss-factor), frequency domain only",
                                        .params = hysteretic_params};
static const fw_rule damping_rule = {
    .name = "damping",
    .meaning = "Damping of the bodies",
    .children = (const fw_child[]){{&rayleigh_rule, 0, 0}, {&hysteretic_rule, 0, 0}, END}};

static const fw_param support_params[] = {
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point it holds"},
    {"x", FW_PARAM_NUMBER, "N/m", "free", NOT_NEGATIVE, "free|fixed", "hold in x; a number is a stiffness"},
    {"y", FW_PARAM_NUMBER, "N/m", "free", NOT_NEGATIVE, "free|fixed", "hold in y; a number is a stiffness"},
    {"rz", FW_PARAM_NUMBER, "N m/rad", "free", NOT_NEGATIVE, "free|fixed",
     "hold the rotation; a number is a stiffness"},
    END};
static const fw_rule support_rule = {
    .name = "support", .meaning = "Holds a point to the ground", .params = support_params};
static const fw_rule supports_rule = {
    .name = "supports", .meaning = "Supports", .children = (const fw_child[]){{&support_rule, 0, 0}, END}};

/* ---- contact ----------------------------------------------------------------------------- */

static const fw_rule target_rule = {.meaning = "A piece of the surface", .table = &fw_surfaces};
static const fw_param surface_params[] = {
    ID("surface"), {"on", FW_PARAM_REF, "", "", ANY, "point", "point that carries it; absent: it stands still"}, END};
static const fw_rule surface_rule = {.name = "surface",
                                     .meaning = "A target of contact",
                                     .params = surface_params,
                                     .kind = "surface",
                                     .children = (const fw_child[]){{&target_rule, 0, 0}, END}};

static const fw_param disc_params[] = {
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point that carries it"},
    {"offset", FW_PARAM_NUMBERS, "m", "0, 0", ANY, NULL, "from that point to the centre, in x and y"},
    {"radius", FW_PARAM_NUMBER, "m", NULL, POSITIVE, NULL, "radius"},
    END};
static const fw_rule disc_rule = {.name = "disc", .meaning = "A disc that touches with its rim", .params = disc_params};

static const fw_param touch_point_params[] = {
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point that carries it"},
    {"offset", FW_PARAM_NUMBERS, "m", "0, 0", ANY, NULL, "from that point, in x and y"},
    END};
static const fw_rule touch_point_rule = {
    .name = "point", .meaning = "A point that touches", .params = touch_point_params};

static const fw_param follow_params[] = {
    {"surface", FW_PARAM_REF, "", NULL, ANY, "surface", "surface of a body or carried by one, all whose nodes touch"},
    END};
static const fw_rule follow_rule = {
    .name = "follow", .meaning = "A whole surface that touches with its nodes", .params = follow_params};

static const fw_param normal_params[] = {
    {"law", FW_PARAM_TEXT, "", "hard", ANY, NULL, "normal law"},
    {"enforcement", FW_PARAM_CHOICE, "", "lagrange", ANY, "penalty|lagrange|augmented", "of the hard law"},
    END};
static const fw_rule normal_rule = {.name = "normal",
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
static const fw_rule friction_rule = {.name = "friction",
                                      .meaning = "Friction law; several act in parallel",
                                      .params = friction_params,
                                      .table = &fw_laws,
                                      .selector = "law"};

static const fw_param pair_params[] = {
    ID("pair"),
    {"target", FW_PARAM_REF, "", NULL, ANY, "surface", "surface that is touched"},
    {"archard", FW_PARAM_NUMBER, "m^2/N", "0", NOT_NEGATIVE, NULL, "wear coefficient K of Archard's law"},
    {"two-pass", FW_PARAM_FLAG, "", "no", ANY, NULL,
     "the target's nodes touch the following surface too, as a second pair ID-back"},
    END};
static const fw_rule pair_rule = {.name = "pair",
                                  .meaning = "Who touches what, and how",
                                  .params = pair_params,
                                  .kind = "pair",
                                  .children = (const fw_child[]){{&disc_rule, 0, 0},
                                                                 {&touch_point_rule, 0, 0},
                                                                 {&follow_rule, 0, 0},
                                                                 {&normal_rule, 1, 1},
                                                                 {&friction_rule, 0, 0},
                                                                 END}};
static const fw_rule contact_rule = {.name = "contact",
                                     .meaning = "Contact",
                                     .children = (const fw_child[]){{&surface_rule, 0, 0}, {&pair_rule, 0, 0}, END}};

/* ---- loads, sensors, data ---------------------------------------------------------------- */

static const fw_param load_params[] = {
    ID("load"),
    {"at", FW_PARAM_REF, "", "", ANY, "point", "point it acts at"},
    {"fx", FW_PARAM_NUMBER, "N", "0", ANY, NULL, "force in x"},
    {"fy", FW_PARAM_NUMBER, "N", "0", ANY, NULL, "force in y"},
    {"mz", FW_PARAM_NUMBER, "N m", "0", ANY, NULL, "moment about z"},
    {"body", FW_PARAM_REF, "", "", ANY, "body", "body it is spread over (qx, qy, gx, gy); absent: every body"},
    {"qx", FW_PARAM_NUMBER, "N/m", "0", ANY, NULL, "force per length in x, beams"},
    {"qy", FW_PARAM_NUMBER, "N/m", "0", ANY, NULL, "force per length in y, beams"},
    {"gx", FW_PARAM_NUMBER, "m/s^2", "0", ANY, NULL, "gravity in x"},
    {"gy", FW_PARAM_NUMBER, "m/s^2", "0", ANY, NULL, "gravity in y"},
    END};
static const fw_rule load_rule = {.meaning = "A load: at a point, along a beam, or as gravity",
                                  .params = load_params,
                                  .kind = "load",
                                  .table = &fw_loads};
static const fw_rule loads_rule = {.name = "loads",
                                   .meaning = "Loads; an analysis names those that act in it",
                                   .children = (const fw_child[]){{&load_rule, 0, 0}, END}};

static const fw_param sensor_params[] = {
    ID("sensor"),
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point it reads"},
    {"relative-to", FW_PARAM_REF, "", "", ANY, "point", "point whose reading is subtracted"},
    {"quantity", FW_PARAM_CHOICE, "", "displacement", ANY, "displacement|velocity|acceleration", "what it reads"},
    {"direction", FW_PARAM_CHOICE, "", NULL, ANY, "x|y|rz", "along which axis"},
    END};
static const fw_rule sensor_rule = {
    .name = "sensor", .meaning = "Something read at a point", .params = sensor_params, .kind = "sensor"};
static const fw_rule sensors_rule = {
    .name = "sensors", .meaning = "Sensors", .children = (const fw_child[]){{&sensor_rule, 0, 0}, END}};

static const fw_param data_params[] = {
    ID("data"), {"file", FW_PARAM_TEXT, "", NULL, ANY, NULL, "file, relative to the deck"}, END};
static const fw_rule resonance_data_rule = {.name = "resonance",
                                            .meaning = "Measured resonance against force (CSV: force, frequency)",
                                            .params = data_params,
                                            .kind = "data"};
static const fw_rule harmonics_data_rule = {.name = "harmonics",
                                            .meaning = "Measured amplitude of each harmonic at each sensor (CSV)",
                                            .params = data_params,
                                            .kind = "data"};
static const fw_rule frf_data_rule = {
    .name = "frf", .meaning = "Measured frequency response (CSV or UFF-58)", .params = data_params, .kind = "data"};
static const fw_rule data_rule = {
    .name = "data",
    .meaning = "Measurements to compare with",
    .children =
        (const fw_child[]){{&resonance_data_rule, 0, 0}, {&harmonics_data_rule, 0, 0}, {&frf_data_rule, 0, 0}, END}};

/* ---- analyses, outputs, studies ---------------------------------------------------------- */

static const fw_rule analysis_rule = {
    .meaning = "An analysis", .params = fw_analysis_common, .kind = "analysis", .table = &fw_analyses};
static const fw_rule analyses_rule = {.name = "analyses",
                                      .meaning = "Analyses, run in this order",
                                      .children = (const fw_child[]){{&analysis_rule, 0, 0}, END}};

static const fw_param vtk_params[] = {
    {"analysis", FW_PARAM_REF, "", NULL, ANY, "analysis", "whose results"},
    {"level", FW_PARAM_NUMBER, "", "", ANY, NULL, "drive level of an frf"},
    {"frequencies", FW_PARAM_NUMBERS, "Hz", "", POSITIVE, NULL, "frequencies of an frf"},
    {"frames", FW_PARAM_INTEGER, "", "40", 1, 100000, NULL, "pictures over one period"},
    {"every", FW_PARAM_INTEGER, "", "1", 1, 1000000000, NULL, "of a transient: every how many outputs"},
    END};
static const fw_rule vtk_rule = {.name = "vtk", .meaning = "Files for ParaView", .params = vtk_params};

static const fw_param compare_params[] = {
    {"analysis", FW_PARAM_REF, "", NULL, ANY, "analysis", "whose results"},
    {"data", FW_PARAM_REF, "", NULL, ANY, "data", "measurement to compare with"},
    {"level", FW_PARAM_NUMBER, "", "", ANY, NULL, "drive level, where the data is of one"},
    END};
static const fw_rule compare_rule = {
    .name = "compare", .meaning = "Misfit of a result against data", .params = compare_params};
static const fw_rule outputs_rule = {.name = "outputs",
                                     .meaning = "Outputs beyond the tables every analysis writes",
                                     .children = (const fw_child[]){{&vtk_rule, 0, 0}, {&compare_rule, 0, 0}, END}};

static const fw_param vary_params[] = {
    {"parameter", FW_PARAM_REF, "", NULL, ANY, "parameter", "parameter that is varied"},
    {"distribution", FW_PARAM_CHOICE, "", "uniform", ANY, "uniform|normal|log-uniform|log-normal", "distribution"},
    {"min", FW_PARAM_NUMBER, "", "", ANY, NULL, "least value, in the parameter's unit"},
    {"max", FW_PARAM_NUMBER, "", "", ANY, NULL, "greatest value, in the parameter's unit"},
    {"mean", FW_PARAM_NUMBER, "", "", ANY, NULL, "mean of a normal distribution"},
    {"deviation", FW_PARAM_NUMBER, "", "", NOT_NEGATIVE, NULL, "standard deviation of a normal distribution"},
    END};
static const fw_rule vary_rule = {.name = "vary", .meaning = "A parameter and its range", .params = vary_params};

static const fw_param result_params[] = {
    {"name", FW_PARAM_ID, "", NULL, ANY, NULL, "column in the study's table"},
    {"of", FW_PARAM_REF, "", NULL, ANY, "analysis", "analysis it comes from"},
    {"level", FW_PARAM_NUMBER, "", "", ANY, NULL, "drive level"},
    {"quantity", FW_PARAM_TEXT, "", NULL, ANY, NULL, "path in the analysis' summary"},
    END};
static const fw_rule result_rule = {
    .name = "result", .meaning = "A number the study collects", .params = result_params};

static const fw_param study_params[] = {
    ID("study"),
    {"run", FW_PARAM_REF, "", NULL, ANY, "analysis", "analysis every sample runs"},
    {"sampling", FW_PARAM_TEXT, "", NULL, ANY, NULL, "how samples are chosen"},
    {"samples", FW_PARAM_INTEGER, "", "100", 1, 1000000000, NULL, "number of samples"},
    {"seed", FW_PARAM_INTEGER, "", "1", 0, 2147483647, NULL, "of random samplings"},
    END};
static const fw_rule study_rule = {.name = "study",
                                   .meaning = "Many runs of the deck with varied parameters",
                                   .params = study_params,
                                   .kind = "study",
                                   .children = (const fw_child[]){{&vary_rule, 1, 0}, {&result_rule, 1, 0}, END}};
static const fw_rule studies_rule = {
    .name = "studies", .meaning = "Studies", .children = (const fw_child[]){{&study_rule, 0, 0}, END}};

/* ---- the root ---------------------------------------------------------------------------- */

static const fw_rule title_rule = {.name = "title", .meaning = "One line about the deck", .text = true};

static const fw_param root_params[] = {
    {"version", FW_PARAM_INTEGER, "", NULL, 1, 1, NULL, "version of the deck language"}, END};
const fw_rule fw_deck_rule = {.name = "fretwork",
                              .meaning = "A deck",
                              .params = root_params,
                              .children = (const fw_child[]){{&title_rule, 0, 1},
                                                             {&parameters_rule, 0, 1},
                                                             {&materials_rule, 0, 1},
                                                             {&sections_rule, 0, 1},
                                                             {&bodies_rule, 1, 1},
                                                             {&damping_rule, 0, 1},
                                                             {&supports_rule, 0, 1},
                                                             {&contact_rule, 0, 1},
                                                             {&loads_rule, 0, 1},
                                                             {&sensors_rule, 0, 1},
                                                             {&data_rule, 0, 1},
                                                             {&analyses_rule, 0, 1},
                                                             {&outputs_rule, 0, 1},
                                                             {&studies_rule, 0, 1},
                                                             END}};
