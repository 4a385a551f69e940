/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of work that do not wait for each other, shared among processes (study/runner.h), of this machine or of a team
 * (study/team.h). What comes out does not depend on how many there are. */
#ifndef FW_IDENTIFY_SHARE_H
#define FW_IDENTIFY_SHARE_H

#include "study/team.h"

typedef struct fw_share {
  int count, columns; /* pieces, and numbers that each gives */
  int workers;        /* processes; 0: none, the pieces are done here one after the other */
  void *user;
  /* In a worker, whose own the context is. */
  fw_status (*compute)(void *user, fw_context *ctx, int piece, double *results);
  const char *progress; /* name for fw_progress; NULL: none */
  fw_team *team;        /* all its processes share these pieces, and all call fw_share_run; NULL: alone */
  int *taken;           /* grows by the pieces that this process has taken; NULL: of no interest */
} fw_share;

/* results[count * columns]: unknown of pieces that failed. In a team rank 0 gets those of all. */
fw_status fw_share_run(fw_context *ctx, const fw_share *share, double *results);

#endif
