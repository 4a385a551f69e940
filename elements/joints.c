/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of joints, from joints.def. */
#include "elements/joint.h"

#define FW_JOINT(name) extern const fw_joint_ops fw_joint_##name;
#include "elements/joints.def"
#undef FW_JOINT

#define FW_JOINT(name) &fw_joint_##name.entry,
static const fw_entry *const entries[] = {
#include "elements/joints.def"
    NULL};
#undef FW_JOINT

const fw_table fw_joints = {"joints", "joints between bodies or a body and the ground", entries};
