/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fretwork: vibration with friction. The one public header of libfretwork.
 *
 *   fw_context *ctx;  fw_context_create(&ctx);
 *   fw_deck *deck;    fw_deck_load(ctx, "rig.xml", &deck);
 *   fw_deck_set(ctx, deck, "mu", "0.52");
 *   fw_results *res;  fw_run(ctx, deck, NULL, &res);
 *   fw_results_number(res, "analyses.frf.levels[0].resonance.frequency", &hertz);
 *
 * No globals, re-entrant (one context per thread), never exits, never prints. Every function
 * that can fail returns an fw_status; its message is in fw_context_message(). Only what is said to be
 * optional may be NULL: anything else is refused with FW_ERR_ARGUMENT. Numbers have a decimal point whatever the
 * locale of the program; callbacks are called with the C locale in force in their thread.
 */
#ifndef FRETWORK_H
#define FRETWORK_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Statuses: 0 done, positive recoverable (a smaller step may help), negative fatal. The signs are
 * those of SUNDIALS callbacks. X(name, value, text) */
#define FW_STATUSES(X)                                             \
  X(FW_OK, 0, "done")                                              \
  X(FW_RECOVER_NAN, 1, "a value is not finite")                    \
  X(FW_RECOVER_ELEMENT, 2, "an element is inverted or degenerate") \
  X(FW_RECOVER_CONTACT, 3, "a contact point lost its target")      \
  X(FW_RECOVER_DIVERGED, 4, "an iteration did not converge")       \
  X(FW_ERR_ARGUMENT, -1, "wrong argument")                         \
  X(FW_ERR_DECK, -2, "wrong deck")                                 \
  X(FW_ERR_MEMORY, -3, "out of memory")                            \
  X(FW_ERR_IO, -4, "a file cannot be read or written")             \
  X(FW_ERR_LIBRARY, -5, "a library failed")                        \
  X(FW_ERR_SINGULAR, -6, "the structure is a mechanism")           \
  X(FW_ERR_ANALYSIS, -7, "the analysis failed")                    \
  X(FW_ERR_INTERRUPTED, -8, "interrupted")

#define FW_STATUS_ENUM(name, value, text) name = value,
typedef enum fw_status { FW_STATUSES(FW_STATUS_ENUM) } fw_status;
#undef FW_STATUS_ENUM

/* Fixed text of a status. */
const char *fw_status_text(fw_status status);

/* ---- context: messages, log, progress, interruption -------------------------------------- */

typedef struct fw_context fw_context;

/* Creates a context; destroy is NULL-safe and clears the pointer. */
fw_status fw_context_create(fw_context **ctx);
void fw_context_destroy(fw_context **ctx);

/* All messages since the last clear, one per line, each "file:line: element: text" where a place
 * is known. "" when there is none. Valid until the next call on the context. */
const char *fw_context_message(const fw_context *ctx);
void fw_context_clear(fw_context *ctx);

/* Callbacks; text is lent. `fraction` is 0..1 of the running analysis, or < 0 when unknown. */
typedef void (*fw_log_fn)(void *user, const char *text);
typedef void (*fw_progress_fn)(void *user, const char *what, double fraction);
void fw_context_on_log(fw_context *ctx, fw_log_fn fn, void *user);
void fw_context_on_progress(fw_context *ctx, fw_progress_fn fn, void *user);

/* A flag the caller raises (from a signal handler, another thread) to stop a run cleanly. */
void fw_context_interrupt_flag(fw_context *ctx, const volatile int *flag);

/* Permits law="plugin:NAME" to load NAME.so from beside the deck: code that is not fretwork's. Off at first. */
void fw_context_allow_plugins(fw_context *ctx, bool allow);

/* ---- decks ------------------------------------------------------------------------------- */

typedef struct fw_deck fw_deck;

/* Reads and checks a deck: form (schema) and meaning (names, ranges, physics). All errors are
 * collected in the context. */
fw_status fw_deck_load(fw_context *ctx, const char *path, fw_deck **deck);
void fw_deck_destroy(fw_deck **deck);

/* Sets a <parameter> of the deck to an expression ("0.52", "2*thick"), as --set does; the number
 * is in the parameter's own unit. An unknown name is refused here; the expression, which may use other parameters,
 * and the range are checked when the deck is checked or run. */
fw_status fw_deck_set(fw_context *ctx, fw_deck *deck, const char *name, const char *expression);

/* Builds the model and reads the studies without running: finds what only a built model shows (zero lengths, dangling
 * names, mechanisms) and what a study could not collect. */
fw_status fw_deck_check(fw_context *ctx, const fw_deck *deck);

/* What a sound deck says that is hardly meant (docs/warnings.md), a line each, as text to be freed; "" if nothing. */
fw_status fw_deck_warnings(fw_context *ctx, const fw_deck *deck, char **text);

/* ---- runs and results -------------------------------------------------------------------- */

typedef struct fw_results fw_results;

typedef struct fw_run_options {
  const char *out;    /* result directory; NULL: keep results in memory only */
  bool resume, force; /* continue in, or replace, an existing directory */
  bool strict;        /* warnings of the deck are FW_ERR_DECK, nothing runs; others FW_ERR_ANALYSIS after the run */
  int threads;        /* 0: one per core */
  const char *const *only; /* analysis ids to run (and those they start from); only_count 0: all */
  int only_count;
  bool may_fork; /* studies may compute their samples in processes forked from the caller's: as many as threads, and a
                  * crash costs one sample; else one after the other in the caller's own */
  bool may_join_mpi; /* under a launcher (mpirun, srun) the processes may share out samples: MPI is started and ended */
} fw_run_options;

/* Runs the analyses of a deck in order; options NULL: all, in memory. On failure *results still holds what was
 * computed. */
fw_status fw_run(fw_context *ctx, const fw_deck *deck, const fw_run_options *options, fw_results **results);
void fw_results_destroy(fw_results **results);

/* A number or text of summary.json by its path, e.g. "analyses.stuck.modes[0].frequency".
 * FW_ERR_ARGUMENT if there is no such entry. Text is lent until destroy. */
fw_status fw_results_number(const fw_results *results, const char *path, double *number);
fw_status fw_results_text(const fw_results *results, const char *path, const char **text);

/* A table of an analysis: column-major view, lent until destroy. `column` by name. */
fw_status fw_results_column(const fw_results *results, const char *analysis, const char *table, const char *column,
                            size_t *rows, const double **values);

/* ---- besides runs ------------------------------------------------------------------------ */

/* What decks can use, as text to be freed: the tables (table NULL), the entries of a table (name
 * NULL), or one entry with its equations and parameters. FW_ERR_ARGUMENT, with a suggestion, for unknown names. */
fw_status fw_list(fw_context *ctx, const char *table, const char *name, char **text);

/* A commented starter deck as text to be freed; name NULL: the usual one. */
fw_status fw_template(fw_context *ctx, const char *name, char **text);

/* Rebuilds the plots and report.html of each result folder and, if `page` is not NULL, one page about
 * all of them; a file of that name is only replaced with `force`. */
fw_status fw_report(fw_context *ctx, const char *const *folders, int count, const char *page, bool force);

/* Compares a result folder with rig data: CSV or UFF-58 files, or folders of them (docs/compare.md). The
 * misfits are left in FOLDER/compare.json and compare.txt, the plots in FOLDER/compare-*.svg. `text` is what
 * compare.txt holds, to be freed; it may be NULL. */
fw_status fw_compare(fw_context *ctx, const char *folder, const char *const *data, int count, char **text);

/* The virtual tribometer. */
typedef struct fw_loop_options {
  const char *const *words; /* laws, each followed by its settings: "dahl", "mu-c=0.4", "lugre" */
  int word_count;
  const char *const *drive; /* "motion=triangle", "amplitude=1e-5" ... */
  int drive_count;
  const char *out; /* folder for loops, curves and plots; NULL: none */
  bool force;      /* replace an existing folder */
} fw_loop_options;

/* Drives friction laws along a slip history, or lets them carry a mass pulled by a spring; writes a CSV for each law,
 * the figures, the curves of steady friction, and plots that overlay all laws. *text: the figures, to be freed. */
fw_status fw_loop(fw_context *ctx, const fw_loop_options *options, char **text);

/* Writes the responses over frequency and the histories of a result folder as UFF-58 functions; a file of that name is
 * only replaced with `force`. */
fw_status fw_export(fw_context *ctx, const char *folder, const char *path, bool binary, bool force);

/* Version "major.minor.patch". */
const char *fw_version(void);

#ifdef __cplusplus
}
#endif
#endif
