/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a model at its parameters, each point computed once: what is known is kept in memory and on disk, so that
 * an identification that was interrupted walks again through what it knew and goes on where it was. Points that are
 * known to be needed are shared among processes. */
#ifndef FW_IDENTIFY_EVALUATIONS_H
#define FW_IDENTIFY_EVALUATIONS_H

#include <stdint.h>

#include "study/team.h"

typedef struct fw_evaluations_options {
  int parameters, figures; /* numbers of a point, and what is known of it */
  void *user;
  /* figures[figures] at p; FW_ERR_ANALYSIS where there are none, which is kept too. */
  fw_status (*compute)(void *user, fw_context *ctx, const double *p, double *figures);
  int workers;        /* processes that share points; 0: none */
  const char *folder; /* takes journal.txt, and has it from an earlier run; NULL: memory only */
  uint64_t mark;      /* of all that the figures depend on besides p */
  fw_team *team;      /* shares points too (crew.h); NULL: alone */
  int team_workers;   /* processes of each of its members */
} fw_evaluations_options;

typedef struct fw_evaluations fw_evaluations;

/* FW_ERR_ARGUMENT if the journal in the folder is of something else. */
fw_status fw_evaluations_open(fw_context *ctx, const fw_evaluations_options *options, fw_evaluations **evaluations);
/* NULL-safe; what is known is on disk afterwards. */
fw_status fw_evaluations_close(fw_context *ctx, fw_evaluations **evaluations);

/* How many points are known. */
int fw_evaluations_count(const fw_evaluations *evaluations);

/* The figures at p, known or computed now. */
fw_status fw_evaluations_at(fw_evaluations *evaluations, fw_context *ctx, const double *p, double *figures);

/* Computes those of points[count * parameters] that are not known, where there are processes to share them. */
fw_status fw_evaluations_prepare(fw_evaluations *evaluations, fw_context *ctx, int count, const double *points);

/* In a team, all but rank 0: computes points for rank 0 until it is done with them. evaluations may be NULL: computes
 * none. */
void fw_evaluations_help(fw_evaluations *evaluations, fw_context *ctx, fw_team *team);

#endif
