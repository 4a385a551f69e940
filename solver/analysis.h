/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an analysis is, and what it may use. */
#ifndef FW_ANALYSIS_H
#define FW_ANALYSIS_H

#include <stdint.h>

#include "core/item.h"
#include "core/record.h"
#include "core/sheet.h"
#include "core/state.h"
#include "core/warning.h"

/* last: it defines I */
#include <complex.h>

typedef struct fw_outcome fw_outcome;

/* The same analysis where one parameter of the deck is a little less and a little more. */
typedef struct fw_variant {
  const char *parameter;
  double step, scale;           /* by how much (SI); size of the parameter */
  const struct fw_job *side[2]; /* less, more: all but files */
} fw_variant;

/* Everything a run hands to one analysis. All lent. */
typedef struct fw_job {
  fw_context *ctx;
  const fw_model *model;
  const char *id;
  const fw_args *common;   /* fw_analysis_common: id, start, loads */
  const fw_args *args;     /* the analysis' own attributes: ops->entry.params */
  const fw_outcome *start; /* outcome of start="ID", or NULL: undeformed, unloaded, at rest */
  fw_record *summary;      /* becomes analyses.ID in summary.json */
  fw_sink *sink;
  int threads;
  const char *folder; /* where checkpoints may go; NULL: memory only */
  bool resume;
  uint64_t mark;              /* of all that its numbers depend on: what a checkpoint must agree with */
  const fw_variant *variants; /* for the parameters of its attribute `sensitivities` */
  int variant_count;
  int frame_every; /* of a transient: a frame each so many history rows; 0: none */
} fw_job;

/* What an analysis leaves for those that start from it. */
struct fw_outcome {
  const struct fw_analysis_ops *ops;
  fw_state *state; /* final state */
  void *data;      /* the analysis' own, e.g. the orbits of an frf */
};

typedef struct fw_analysis_ops {
  fw_entry entry;
  /* What is wrong with the attributes taken together, found before anything runs. NULL: nothing can be. */
  fw_status (*check)(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args);
  /* Fills *outcome (state at least) even when it fails half-way, as far as it came. */
  fw_status (*run)(fw_job *job, fw_outcome *outcome);
  /* A state on a computed motion, e.g. of an frf at a level and frequency, at a phase of the drive's period
   * (rad; 0: time 0). NULL: only the final state can be started from. */
  fw_status (*state_at)(fw_context *ctx, const fw_outcome *outcome, double level, double frequency, double phase,
                        fw_state **state);
  void (*destroy)(void *data); /* frees outcome.data */
} fw_analysis_ops;

extern const fw_table fw_analyses; /* analyses.def */

/* Attributes every analysis has (id, start, loads); entries list only their own. */
extern const fw_param fw_analysis_common[];

void fw_outcome_clear(fw_outcome *outcome);

/* True if an analysis of a deck computes motions at that level: one of its levels, or between the ends of a curve over
 * them. */
bool fw_analysis_has_level(const fw_item *analysis, double level);

/* True if an analysis of a deck keeps the motions it finds, for starts and pictures: those of harmonic balance. */
bool fw_analysis_keeps_motions(const fw_item *analysis);

/* The state to begin from: a copy of the start's, or a fresh one. Its load_factors are the loads
 * carried over. */
fw_status fw_job_begin(const fw_job *job, fw_state **state);
/* The same for what finds its own periodic motions: a drive that the start left on, at a frequency of its own, is off. */
fw_status fw_job_begin_vibration(const fw_job *job, fw_state **state);

/* For an analysis without a frequency, with its loads on: refuses harmonic ones, which its start has left. */
fw_status fw_job_check_steady(const fw_job *job, const fw_state *state);

/* For `check`: FW_ERR_DECK with the place if the number of attribute `low` is not below that of `high`; if one of the
 * loads that `common` names is not harmonic, or drives a harmonic beyond those that are computed, or one that so many
 * steps of a period do not show. */
fw_status fw_check_once(fw_context *ctx, const fw_args *args, const char *name); /* a number twice in a list */
/* If one of these words, NULL behind the last, is given: they mean nothing with `with`, e.g. method="shooting". */
fw_status fw_check_unused(fw_context *ctx, const fw_args *args, const char *const *words, const char *with);
fw_status fw_check_below(fw_context *ctx, const fw_args *args, const char *low, const char *high);
fw_status fw_check_harmonic(fw_context *ctx, const fw_model *model, const fw_args *common, int harmonics);
fw_status fw_check_stepped(fw_context *ctx, const fw_model *model, const fw_args *common, int steps);

/* If a load of a drive is constant: levels scale what drives, and what is always there is not part of it. */
fw_status fw_check_varies(fw_context *ctx, const fw_load *load, const fw_args *common);

/* If none of them is harmonic: nothing drives the structure. */
fw_status fw_check_driven(fw_context *ctx, const fw_model *model, const fw_args *common);
/* The contrary, for an analysis without a frequency: refuses loads that need one. */
fw_status fw_check_steady(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args);
/* If one of them is not constant; `what`: "linear modes are". */
fw_status fw_check_constant(fw_context *ctx, const fw_model *model, const fw_args *common, const char *what);

/* What a user should know before taking the results for all that was asked: a line of the log, and one of the summary's
 * `warnings`, with which an analysis is not plainly done. */
fw_status fw_job_warn(const fw_job *job, fw_warning kind, const char *format, ...) FW_PRINTF(3, 4);

/* The number of the load that the list of names at *at begins with, -1 if there is none such; moves *at behind the
 * name. False at the end. */
bool fw_next_load(const fw_model *model, const char **at, int *load);

/* Adds `level` to the factor of every load the job's `loads` attribute names. */
fw_status fw_job_loads(const fw_job *job, double level, double *factors);

/* The first of them that is harmonic at its fundamental, at level 1: what phases are measured against. */
fw_status fw_job_drive(const fw_job *job, double complex *drive);

#endif
