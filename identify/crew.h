/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points that all processes of a team (study/team.h) compute together: rank 0 says which, as an identification comes to
 * need them, and the others help until it dismisses them. */
#ifndef FW_IDENTIFY_CREW_H
#define FW_IDENTIFY_CREW_H

#include "study/team.h"

typedef struct fw_crew {
  fw_team *team;
  int workers;          /* processes of this member, at least 1 */
  int numbers, columns; /* of a point, and of what is known of one */
  void *user;
  /* In a worker. NULL: this member takes no points. */
  fw_status (*compute)(void *user, fw_context *ctx, const double *point, double *row);
} fw_crew;

/* Rank 0 of a team that has lost nobody: rows[count * columns] of points[count * numbers] (read only), count > 0; unknown
 * where it failed. */
fw_status fw_crew_compute(fw_context *ctx, const fw_crew *crew, int count, double *points, double *rows);

/* The others: computes points until rank 0 dismisses them. Whatever fails, they stay until then. */
void fw_crew_help(fw_context *ctx, const fw_crew *crew);

/* Rank 0: waits until the others are in fw_crew_help, however long they need until then; from there on who gives no sign
 * of life is lost. */
void fw_crew_gather(fw_team *team);

/* Rank 0. */
void fw_crew_dismiss(fw_team *team);

#endif
