/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deck's <identification>, performed after its analyses. */
#ifndef FW_API_IDENTIFICATIONS_H
#define FW_API_IDENTIFICATIONS_H

#include "api/results.h"
#include "study/sample.h"
#include "study/team.h"

typedef struct fw_identifications_options {
  const fw_deck *deck;
  const fw_built *built;
  const char *const *only; /* ids to perform; NULL: all */
  int only_count;
  const char *out; /* result folder; NULL: memory only */
  int threads;
  int workers;      /* processes that may be forked; 0: none */
  uint64_t mark;    /* of the deck */
  fw_run_fn run;    /* analyses with other parameters */
  fw_team *team;    /* NULL: alone */
  int team_workers; /* processes of each of its members */
} fw_identifications_options;

/* The <identify> of that id, or NULL. */
const fw_item *fw_identifications_find(const fw_item *identification, const char *id);

/* The analysis whose results it takes, or NULL. */
const char *fw_identifications_analysis(const fw_item *identify);

/* Reads the data and checks what is wanted, so that a mistake is told before hours of analyses. */
fw_status fw_identifications_check(fw_context *ctx, const fw_identifications_options *options);

/* Performs them. Summaries go to results->summary as identification.ID, `ranking` beside them, tables to the sink. The first failure is
 * returned; the others still run, unless it was an interruption, memory or the disk. */
fw_status fw_identifications_run(fw_context *ctx, const fw_identifications_options *options, fw_results *results);

/* In a team: the other processes help rank 0 with what it performs, until it dismisses them, which it does once in every
 * run. */
void fw_identifications_help(fw_context *ctx, const fw_identifications_options *options);
void fw_identifications_dismiss(fw_team *team);

#endif
