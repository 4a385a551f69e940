/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Performs a study: shares its samples out over worker processes and, under a launcher, over machines. The table is the
 * same whatever the order in which samples finish, and however often the study was stopped and resumed. */
#ifndef FW_STUDY_CONDUCT_H
#define FW_STUDY_CONDUCT_H

#include "study/sample.h"
#include "study/team.h"

typedef struct fw_conduct {
  const fw_deck *deck;
  fw_run_fn run;
  const char *folder; /* of the study, made if missing; NULL: nothing is written (not with a team) */
  int workers;        /* processes on this machine, or of this member of the team; 0: none, computed here */
  fw_team *team;      /* NULL: alone */
} fw_conduct;

/* Computes every sample that the folder's journals do not have yet, and those that a design wants as results come (not in
 * a team: fw_study.wanted). *samples is all that is known, also when it was
 * interrupted; in a team only rank 0 gets them, the others NULL. */
fw_status fw_study_conduct(fw_context *ctx, fw_study *study, const fw_conduct *how, fw_samples **samples);

#endif
