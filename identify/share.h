/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of work that do not wait for each other, shared among processes (study/runner.h). What comes out does not
 * depend on how many there are. */
#ifndef FW_IDENTIFY_SHARE_H
#define FW_IDENTIFY_SHARE_H

#include "core/context.h"

typedef struct fw_share {
  int count, columns; /* pieces, and numbers that each gives */
  int workers;        /* processes; 0: none, the pieces are done here one after the other */
  void *user;
  /* In a worker, whose own the context is. */
  fw_status (*compute)(void *user, fw_context *ctx, int piece, double *results);
  const char *progress; /* name for fw_progress; NULL: none */
} fw_share;

/* results[count * columns]: unknown of pieces that failed. */
fw_status fw_share_run(fw_context *ctx, const fw_share *share, double *results);

#endif
