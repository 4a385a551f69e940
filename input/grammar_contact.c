/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the grammar about contact. */
#include "contact/detect/surface.h"
#include "contact/friction/friction.h"
#include "contact/normal/normal.h"
#include "input/grammar_words.h"

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
    {"stick-limit", FW_PARAM_CHOICE, "", "static", ANY, FW_STICK_LIMITS,
     "elastic stick ends at the static limit and drops to the sliding force, or is clipped at the sliding force"},
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
static const fw_param tube_support_params[] = {
    ID("pair"),
    {"tube", FW_PARAM_REF, "", NULL, ANY, "body", "tube it supports"},
    {"at", FW_PARAM_NUMBER, "m", NULL, NOT_NEGATIVE, NULL, "arc length of the middle of the support"},
    {"kind", FW_PARAM_CHOICE, "", NULL, ANY, "drilled|flat|broached", "hole, flat bars, or lands on arcs"},
    {"clearance", FW_PARAM_NUMBER, "m", NULL, ANY, NULL,
     "radial: half of the diametral one; of flat bars also below zero, an interference that presses at rest"},
    {"thickness", FW_PARAM_NUMBER, "m", "0", NOT_NEGATIVE, NULL,
     "of the plate: contact at both faces, each with the law's stiffness; 0: in one plane"},
    {"sides", FW_PARAM_INTEGER, "", "2", 1, 4, NULL,
     "of flat bars: 1, 2 or 4; the first on the side of the plane's x axis"},
    {"lands", FW_PARAM_INTEGER, "", "4", 2, 64, NULL, "of a broached hole: how many, the first on the plane's x axis"},
    {"land", FW_PARAM_NUMBER, "deg", "20", 0.01, 179, NULL, "of a broached hole: how wide each land is"},
    {"normal", FW_PARAM_NUMBERS, "", "", ANY, NULL, "as of a support-plane"},
    {"first", FW_PARAM_NUMBERS, "", "", ANY, NULL, "as of a support-plane"},
    {"angle", FW_PARAM_NUMBER, "deg", "0", -720, 720, NULL, "turns the support about the normal"},
    {"offset", FW_PARAM_NUMBERS, "m", "0, 0", ANY, NULL, "where the tube's axis is in the support at rest"},
    {"film-viscosity", FW_PARAM_NUMBER, "Pa s", "", POSITIVE, NULL,
     "dynamic viscosity of the liquid squeezed between tube and hole or bars; absent: no film"},
    {"film-length", FW_PARAM_NUMBER, "m", "", POSITIVE, NULL, "of the film along the tube; absent: the thickness"},
    {"archard", FW_PARAM_NUMBER, "m^2/N", "0", NOT_NEGATIVE, NULL, "wear coefficient K of Archard's law, of the tube"},
    {"support-archard", FW_PARAM_NUMBER, "m^2/N", "0", NOT_NEGATIVE, NULL,
     "that of the support, which takes its part of the scar's depth"},
    {"wear-power", FW_PARAM_NUMBER, "", "1", 0.0, 10.0, NULL, "exponent p of the work rate W in the volume rate K W^p"},
    {"wear-width", FW_PARAM_NUMBER, "m", "", POSITIVE, NULL,
     "length along the tube that is worn; absent: the thickness; without either no depth is told"},
    {"wear-tilt", FW_PARAM_NUMBER, "deg", "0", 0, 45, NULL,
     "angle between tube and support, which makes the scar a wedge"},
    {"scar", FW_PARAM_CHOICE, "", "side", ANY, "side|round", "worn where it touches, or evenly all round"},
    {"scars", FW_PARAM_INTEGER, "", "1", 1, 1000, NULL, "how many scars share the volume of each side"},
    END};
static const fw_tag tube_support_tag = {
    .name = "tube-support",
    .meaning = "A usual support of a tube: its plane, surfaces and a pair for each side (ID, or ID-1, ID-2 ...) in one",
    .params = tube_support_params,
    .kind = "pair",
    .children = (const fw_child[]){{&normal_tag, 1, 1}, {&friction_tag, 0, 0}, END}};
const fw_tag fw_contact_tag = {
    .name = "contact",
    .meaning = "Contact",
    .children = (const fw_child[]){{&surface_tag, 0, 0}, {&pair_tag, 0, 0}, {&tube_support_tag, 0, 0}, END}};
