/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shorthand of the files that make up the grammar. */
#ifndef FW_INPUT_GRAMMAR_WORDS_H
#define FW_INPUT_GRAMMAR_WORDS_H

#include <float.h>

#include "input/grammar.h"

/* Ranges: above zero, from zero up. */
#define POSITIVE DBL_MIN, DBL_MAX
#define NOT_NEGATIVE 0, DBL_MAX
#define ANY 0, 0

#define ID(what) \
  { "id", FW_PARAM_ID, "", NULL, ANY, NULL, "name of the " what }
#define END \
  { 0 }

extern const fw_tag fw_bodies_tag;                             /* grammar_bodies.c */
extern const fw_tag fw_joints_tag;                             /* grammar_joints.c */
extern const fw_tag fw_contact_tag;                            /* grammar_contact.c */
extern const fw_tag fw_plane_tag;                              /* grammar_plane.c */
extern const fw_tag fw_tie_tag, fw_coupling_tag;               /* grammar_ties.c */
extern const fw_tag fw_tube_tag, fw_support_plane_tag;         /* grammar_tubes.c */
extern const fw_tag fw_fluid_elastic_tag;                      /* grammar_flow.c */
extern const fw_tag fw_turbulence_tag, fw_measured_forces_tag; /* grammar_fields.c */
extern const fw_tag fw_studies_tag;                            /* grammar_study.c */
extern const fw_tag fw_identification_tag;                     /* grammar_identify.c */

#endif
