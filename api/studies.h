/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deck's <studies>, performed after its analyses. */
#ifndef FW_API_STUDIES_H
#define FW_API_STUDIES_H

#include "api/results.h"
#include "study/sample.h"
#include "study/team.h"

typedef struct fw_studies_options {
  const fw_deck *deck;
  const fw_built *built;
  const char *const *only; /* ids to perform; NULL: all */
  int only_count;
  const char *out; /* result folder; NULL: memory only */
  int workers;     /* processes, of each member of a team; 0: none, in the caller's own */
  fw_team *team;   /* NULL: alone */
} fw_studies_options;

/* True if that is the id of a study. */
bool fw_studies_has(const fw_item *studies, const char *id);

/* True if summaries of analyses have a path that begins with these letters. */
bool fw_summary_has(const char *word, size_t length);

/* Runs one analysis of a deck, and what it starts from, in memory and on one processor. */
fw_status fw_studies_run_sample(fw_context *ctx, const fw_deck *deck, const char *analysis, fw_read_fn read,
                                void *user);

/* Reads and checks the studies that are wanted, so that a mistake is told before hours of analyses. */
fw_status fw_studies_check(fw_context *ctx, const fw_studies_options *options);

/* Performs them. Summaries go to results->summary as studies.ID, tables to memory and to OUT/ID; `results` is NULL in a
 * member of the team other than rank 0. The first failure is returned; the other studies still run, unless it was an
 * interruption, memory or the disk. */
fw_status fw_studies_run(fw_context *ctx, const fw_studies_options *options, fw_results *results);

#endif
