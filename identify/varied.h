/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A deck whose parameters a fit varies: where they begin, how far they may go, and an analysis at any of their values.
 */
#ifndef FW_IDENTIFY_VARIED_H
#define FW_IDENTIFY_VARIED_H

#include "identify/fit.h"
#include "identify/method.h"
#include "study/law_chain.h"

enum { FW_VARIED_MOST = 32 };

typedef struct fw_varied_deck {
  const fw_identify_job *job;
  fw_context *aside; /* runs happen here: remembers the structure, keeps messages of failures apart */
  fw_deck *deck;     /* a copy to set parameters in */
  fw_fit_parameter list[FW_VARIED_MOST];
  int count;
} fw_varied_deck;

/* Takes the parameters that `names` lists (NULL: none), which need min and max; values are in their own units. */
fw_status fw_varied_deck_open(const fw_identify_job *job, const char *names, fw_varied_deck *varied);
void fw_varied_deck_close(fw_varied_deck *varied);

/* Sets them to p[count]. */
fw_status fw_varied_deck_set(fw_varied_deck *varied, const double *p);

/* Runs an analysis there; `read` gets its summary and tables. A failure of the analysis is FW_ERR_ANALYSIS without a
 * message in the job's context. */
fw_status fw_varied_deck_run(fw_varied_deck *varied, const double *p, const char *analysis, fw_read_fn read,
                             void *user);

/* The same, and lends what the analysis has left. */
fw_status fw_varied_deck_reach(fw_varied_deck *varied, const double *p, const char *analysis, fw_use_reached_fn use,
                               void *user);

/* Which numbers of friction laws the parameters move at p, and how fast; only[count]: those that act through such
 * numbers alone, which are the ones with chains. */
fw_status fw_varied_deck_chains(fw_varied_deck *varied, const double *p, fw_law_chains *chains, bool *only);

#endif
