/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/grammar.h"

#include "core/load.h"
#include "elements/element.h"
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
    {"z", FW_PARAM_NUMBER, "N/m", "free", NOT_NEGATIVE, "free|fixed", "hold in z; tubes"},
    {"rx", FW_PARAM_NUMBER, "N m/rad", "free", NOT_NEGATIVE, "free|fixed", "hold the rotation about x; tubes"},
    {"ry", FW_PARAM_NUMBER, "N m/rad", "free", NOT_NEGATIVE, "free|fixed", "hold the rotation about y; tubes"},
    END};
static const fw_tag support_tag = {
    .name = "support", .meaning = "Holds a point to the ground", .params = support_params};
static const fw_tag supports_tag = {
    .name = "supports", .meaning = "Supports", .children = (const fw_child[]){{&support_tag, 0, 0}, END}};

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
    {"at", FW_PARAM_REF, "", "", ANY, "point|set",
     "point it acts at, edges it is spread over evenly, or a set of nodes that share it equally"},
    {"fx", FW_PARAM_NUMBER, "N", "0", ANY, NULL, "force in x"},
    {"fy", FW_PARAM_NUMBER, "N", "0", ANY, NULL, "force in y"},
    {"mz", FW_PARAM_NUMBER, "N m", "0", ANY, NULL, "moment about z"},
    {"fz", FW_PARAM_NUMBER, "N", "0", ANY, NULL, "force in z, tubes"},
    {"mx", FW_PARAM_NUMBER, "N m", "0", ANY, NULL, "moment about x, tubes"},
    {"my", FW_PARAM_NUMBER, "N m", "0", ANY, NULL, "moment about y, tubes"},
    {"against", FW_PARAM_REF, "", "", ANY, "point", "point of another body that takes the opposite force and moment"},
    {"body", FW_PARAM_REF, "", "", ANY, "body", "body it is spread over (qx ... gz); absent: every body"},
    {"qx", FW_PARAM_NUMBER, "N/m", "0", ANY, NULL, "force per length in x, beams"},
    {"qy", FW_PARAM_NUMBER, "N/m", "0", ANY, NULL, "force per length in y, beams"},
    {"qz", FW_PARAM_NUMBER, "N/m", "0", ANY, NULL, "force per length in z, tubes"},
    {"pressure", FW_PARAM_NUMBER, "Pa", "0", ANY, NULL, "against the outward normal of a set of edges"},
    {"gx", FW_PARAM_NUMBER, "m/s^2", "0", ANY, NULL, "gravity in x"},
    {"gy", FW_PARAM_NUMBER, "m/s^2", "0", ANY, NULL, "gravity in y"},
    {"gz", FW_PARAM_NUMBER, "m/s^2", "0", ANY, NULL, "gravity in z, tubes"},
    END};
static const fw_tag load_tag = {.meaning = "A load: at a point, along a beam, or as gravity",
                                .params = load_params,
                                .kind = "load",
                                .table = &fw_loads};
static const fw_tag loads_tag = {
    .name = "loads",
    .meaning = "Loads; an analysis names those that act in it",
    .children =
        (const fw_child[]){{&load_tag, 0, 0}, {&fw_turbulence_tag, 0, 0}, {&fw_measured_forces_tag, 0, 0}, END}};

static const fw_param sensor_params[] = {
    ID("sensor"),
    {"at", FW_PARAM_REF, "", NULL, ANY, "point", "point it reads"},
    {"relative-to", FW_PARAM_REF, "", "", ANY, "point", "point whose reading is subtracted"},
    {"quantity", FW_PARAM_CHOICE, "", "displacement", ANY, "displacement|velocity|acceleration", "what it reads"},
    {"direction", FW_PARAM_CHOICE, "", NULL, ANY, "x|y|rz|z|rx|ry", "along or about which axis; z, rx and ry: tubes"},
    END};
static const fw_tag sensor_tag = {
    .name = "sensor", .meaning = "Something read at a point", .params = sensor_params, .kind = "sensor"};
static const fw_tag sensors_tag = {
    .name = "sensors", .meaning = "Sensors", .children = (const fw_child[]){{&sensor_tag, 0, 0}, END}};

static const fw_param data_params[] = {
    ID("data"),
    {"file", FW_PARAM_TEXT, "", NULL, ANY, NULL, "file, relative to the deck"},
    {"deviation", FW_PARAM_NUMBER, "", "", POSITIVE, NULL,
     "standard deviation of what is measured, in SI units; absent: what identification assumes instead, it says"},
    END};
static const fw_tag resonance_data_tag = {
    .name = "resonance",
    .meaning = "Measured resonance against force (CSV: force, frequency, perhaps amplitude, bandwidth)",
    .params = data_params,
    .kind = "data"};
static const fw_tag harmonics_data_tag = {.name = "harmonics",
                                          .meaning = "Measured amplitude of each harmonic at each sensor (CSV)",
                                          .params = data_params,
                                          .kind = "data"};
static const fw_tag frf_data_tag = {
    .name = "frf",
    .meaning = "Measured frequency response at one level (CSV: frequency, SENSOR.amplitude, SENSOR.phase; or UFF-58)",
    .params = data_params,
    .kind = "data"};
static const fw_tag signals_data_tag = {
    .name = "signals",
    .meaning = "Measured signals over time (CSV: time or t, force, a column per sensor; or UFF-58)",
    .params = data_params,
    .kind = "data"};
static const fw_tag loop_data_tag = {.name = "loop",
                                     .meaning = "Measured friction loop (CSV: t, u, v, N, T, as fretwork loop writes)",
                                     .params = data_params,
                                     .kind = "data"};
static const fw_tag data_tag = {.name = "data",
                                .meaning = "Measurements to compare with and to identify from",
                                .children = (const fw_child[]){{&resonance_data_tag, 0, 0},
                                                               {&harmonics_data_tag, 0, 0},
                                                               {&frf_data_tag, 0, 0},
                                                               {&signals_data_tag, 0, 0},
                                                               {&loop_data_tag, 0, 0},
                                                               END}};

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

static const fw_param plot_params[] = {
    ID("plot"),
    {"analysis", FW_PARAM_REF, "", NULL, ANY, "analysis", "whose results"},
    {"x", FW_PARAM_TEXT, "", NULL, ANY, NULL, "column of a table of the analysis, as in its CSV file without the unit"},
    {"y", FW_PARAM_TEXT, "", NULL, ANY, NULL, "columns over it, separated by commas; a panel each"},
    {"title", FW_PARAM_TEXT, "", "", ANY, NULL, "said above"},
    {"scale", FW_PARAM_CHOICE, "", "linear", ANY, "linear|log-x|log-y|log|equal",
     "of the axes: which of them are logarithmic, or both with one scale, for orbits"},
    END};
static const fw_tag plot_tag = {
    .name = "plot",
    .meaning =
        "A picture of any columns over any other, plot-ID.svg: a curve for each table that "
        "has both (levels of an frf), or of two tables with the same rows (history, contact)",
    .params = plot_params,
    .kind = "plot"};

static const fw_param spectrum_params[] = {
    {"analysis", FW_PARAM_REF, "", NULL, ANY, "analysis", "transient whose histories are taken"},
    {"sensors", FW_PARAM_REFS, "", "", ANY, "sensor", "which of them; absent: all"},
    {"record", FW_PARAM_INTEGER, "", "", 16, 1 << 24, NULL,
     "rows of a record, a power of two; absent: so many that there are about eight records"},
    {"from", FW_PARAM_NUMBER, "s", "0", ANY, NULL, "what is before this time does not count"},
    {"f-max", FW_PARAM_NUMBER, "Hz", "", POSITIVE, NULL, "last frequency told; absent: half the rate of the rows"},
    {"over-time", FW_PARAM_FLAG, "", "no", ANY, NULL,
     "the spectrum of each record too, as tables and pictures spectrogram-SENSOR"},
    END};
static const fw_tag spectrum_tag = {.name = "spectrum",
                                    .meaning =
                                        "Power spectral densities of sensors in a transient, by Welch's method: Hann "
                                        "windows, records that overlap by half",
                                    .params = spectrum_params};
static const fw_tag outputs_tag = {
    .name = "outputs",
    .meaning = "Outputs beyond the tables every analysis writes",
    .children =
        (const fw_child[]){{&vtk_tag, 0, 0}, {&compare_tag, 0, 0}, {&plot_tag, 0, 0}, {&spectrum_tag, 0, 0}, END}};

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
                                                           {&fw_bodies_tag, 1, 1},
                                                           {&fw_joints_tag, 0, 1},
                                                           {&damping_tag, 0, 1},
                                                           {&supports_tag, 0, 1},
                                                           {&fw_contact_tag, 0, 1},
                                                           {&initial_tag, 0, 1},
                                                           {&loads_tag, 0, 1},
                                                           {&sensors_tag, 0, 1},
                                                           {&data_tag, 0, 1},
                                                           {&analyses_tag, 0, 1},
                                                           {&outputs_tag, 0, 1},
                                                           {&fw_identification_tag, 0, 1},
                                                           {&fw_studies_tag, 0, 1},
                                                           END}};
