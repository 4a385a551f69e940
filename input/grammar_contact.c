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
const fw_tag fw_contact_tag = {.name = "contact",
                               .meaning = "Contact",
                               .children = (const fw_child[]){{&surface_tag, 0, 0}, {&pair_tag, 0, 0}, END}};
