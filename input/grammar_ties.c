/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the grammar about bodies tied together. */
#include "input/grammar_words.h"

static const fw_param tie_params[] = {
    {"following", FW_PARAM_REF, "", NULL, ANY, "set", "edges that follow, the finer side: body.set"},
    {"leading", FW_PARAM_REF, "", NULL, ANY, "set", "edges they lie on: body.set"},
    END};
const fw_tag fw_tie_tag = {
    .name = "tie", .meaning = "Joins edges of plane bodies whose nodes do not match", .params = tie_params};

static const fw_param coupling_params[] = {
    {"point", FW_PARAM_REF, "", NULL, ANY, "point", "point with a rotation, of a beam or a rigid body"},
    {"face", FW_PARAM_REF, "", NULL, ANY, "set", "edges of a plane body: body.set"},
    {"kind", FW_PARAM_CHOICE, "", "transition", ANY, "transition|rigid",
     "transition: the point follows the face in the mean; rigid: the face keeps its shape"},
    END};
const fw_tag fw_coupling_tag = {
    .name = "coupling", .meaning = "Joins a beam or a rigid body to a face of a plane body", .params = coupling_params};
