/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a method of identification is: from measurements to the numbers of a law. A method builds no model: it reads
 * <data>, asks analyses of the deck as it stands or with other parameters, and compares. */
#ifndef FW_IDENTIFY_METHOD_H
#define FW_IDENTIFY_METHOD_H

#include <stdint.h>

#include "core/record.h"
#include "core/sink.h"
#include "solver/analysis.h"
#include "study/sample.h"
#include "study/team.h"

/* Runs an analysis of a deck and what it starts from, in memory, and lends what it has left: the library above supplies
 * it. */
typedef struct fw_reached {
  const fw_model *model;
  const fw_state *state; /* it ended in */
  const fw_outcome *outcome;
  const fw_sink *sink; /* tables */
} fw_reached;
typedef fw_status (*fw_use_reached_fn)(void *user, fw_context *ctx, const fw_reached *reached);
typedef fw_status (*fw_reach_fn)(fw_context *ctx, const fw_deck *deck, const char *analysis, fw_use_reached_fn use,
                                 void *user);

/* Everything a run hands to one <identify>. All lent. */
typedef struct fw_identify_job {
  fw_context *ctx;
  const fw_deck *deck;
  const fw_built *built;
  const char *id;
  const fw_args *common;   /* attributes of every <identify>: id, method, data */
  const fw_args *args;     /* the method's own: ops->entry.params */
  const fw_sink *computed; /* tables of the analyses that have run; NULL in a check */
  fw_record *summary;      /* becomes identification.ID in summary.json */
  fw_sink *sink;           /* takes its tables */
  const char *folder;      /* where pictures may go; NULL: memory only */
  int threads;
  int workers;      /* processes that may be forked; 0: none */
  fw_team *team;    /* whose other processes help; NULL: alone */
  int team_workers; /* processes of each of its members */
  uint64_t mark;    /* of the deck: what an earlier run has left is continued only if it is the same */
  fw_run_fn run;    /* an analysis of a deck with other parameters, in memory */
  fw_reach_fn reach;
  int warnings; /* how many there are so far */
} fw_identify_job;

typedef struct fw_method_ops {
  fw_entry entry;
  /* Reads the data and says what is wrong with them and with the attributes taken together, before anything runs. */
  fw_status (*check)(fw_identify_job *job);
  fw_status (*run)(fw_identify_job *job);
  /* In a team, all processes but rank 0: computes what rank 0 asks for until fw_crew_help returns (identify/crew.h), which
   * it calls once, whatever fails. NULL: rank 0 needs no help. */
  void (*help)(fw_identify_job *job);
  bool of_results; /* takes what the analysis of its attribute `analysis` has left, which runs before */
} fw_method_ops;

extern const fw_table fw_methods; /* methods.def */

/* Something the reader of the result must know: a line of the log and the text of an entry of the list `warnings`. */
fw_status fw_identify_warn(fw_identify_job *job, const char *format, ...) FW_PRINTF(2, 3);

/* Sets a figure, its unit and its standard deviation (NaN: none known) as NAME, units.NAME and deviation.NAME. */
fw_status fw_identify_figure(fw_identify_job *job, const char *name, const char *unit, double value, double deviation);

/* All <data> the job names, in order. FW_ERR_DECK if there are more than `room`. */
fw_status fw_identify_data_list(const fw_identify_job *job, const fw_item **list, int room, int *count);

#endif
