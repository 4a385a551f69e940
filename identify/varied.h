/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A deck whose parameters a fit varies: where they begin, how far they may go, and an analysis at any of their values.
 */
#ifndef FW_IDENTIFY_VARIED_H
#define FW_IDENTIFY_VARIED_H

#include "identify/fit.h"
#include "identify/method.h"

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

/* Runs what leads to a state there, and lends it. */
fw_status fw_varied_deck_reach(fw_varied_deck *varied, const double *p, const char *analysis, fw_use_state_fn use,
                               void *user);

#endif
