/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a study collects from its samples, as <result> and <curve> ask for it. What no sample could give is refused:
 * figures of analyses that the study does not run, levels that they do not have, misspelt names in expressions. */
#ifndef FW_STUDY_COLLECTED_H
#define FW_STUDY_COLLECTED_H

#include "study/study.h"

/* Reads figures, fans and the number of columns of a study whose factors are known. analyses: those of the deck. */
fw_status fw_study_collect(fw_context *ctx, const fw_deck *deck, const fw_item *analyses, const fw_item *item,
                           fw_study *study);

/* Whether two levels are the same but for rounding. */
bool fw_level_equals(double a, double b);

/* Number of a varied parameter, -1: it is not varied. */
int fw_study_factor(const fw_study *study, const char *name);

/* Where an attribute stands, or its element if it is not given. */
fw_place fw_study_place(const fw_args *args, const char *name);

#endif
