/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the grammar about joints. */
#include "contact/friction/friction.h"
#include "elements/joint.h"
#include "input/grammar_words.h"

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
    {"stick-limit", FW_PARAM_CHOICE, "", "static", ANY, FW_STICK_LIMITS,
     "elastic stick ends at the static limit and drops to the sliding force, or is clipped at the sliding force"},
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
const fw_tag fw_joints_tag = {
    .name = "joints", .meaning = "Joints", .children = (const fw_child[]){{&joint_tag, 0, 0}, END}};
