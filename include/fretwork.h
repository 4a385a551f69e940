/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fretwork: vibration with friction. The one public header of libfretwork. */
/** @file
 * The one public header of libfretwork.
 *
 * @code
 *   fw_context *ctx;  fw_context_create(&ctx);
 *   fw_deck *deck;    fw_deck_load(ctx, "rig.xml", &deck);
 *   fw_deck_set(ctx, deck, "mu", "0.52");
 *   fw_results *res;  fw_run(ctx, deck, NULL, &res);
 *   fw_results_number(res, "analyses.frf.levels[0].resonance.frequency", &hertz);
 * @endcode
 *
 * No globals, re-entrant (one context per thread), never exits, never prints. Every function
 * that can fail returns an fw_status; its message is in fw_context_message(). Only what is said to be
 * optional may be NULL: anything else is refused with FW_ERR_ARGUMENT. Numbers have a decimal point whatever the
 * locale of the program; callbacks are called with the C locale in force in their thread.
 * Structs of options begin with `struct_size`: sizeof of the struct as the program knows it, or 0 for that of version
 * 0.1. A library that knows more members takes those as 0; one that knows fewer refuses what it does not know.
 */
#ifndef FRETWORK_H
#define FRETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the shared library exports; everything else in it is hidden. */
#if defined(__GNUC__)
#define FW_API __attribute__((visibility("default")))
#else
#define FW_API
#endif

/** Statuses: 0 done, positive recoverable (a smaller step may help), negative fatal. The signs are
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

/** A status as an enumerator. */
#define FW_STATUS_ENUM(name, value, text) name = value,
/** What a function returns that can fail: see FW_STATUSES. */
typedef enum fw_status { FW_STATUSES(FW_STATUS_ENUM) } fw_status;
#undef FW_STATUS_ENUM

/** Fixed text of a status. */
FW_API const char *fw_status_text(fw_status status);

/** Version "major.minor.patch". */
FW_API const char *fw_version(void);

/** Frees a text that a function of the library handed over; NULL-safe. free() of the same C library does too. */
FW_API void fw_free(void *text);

/* ---- context: messages, log, progress, rows, interruption --------------------------------- */

/** Messages, callbacks and permissions of one thread of work. */
typedef struct fw_context fw_context;

/** Creates a context. */
FW_API fw_status fw_context_create(fw_context **ctx);

/** Destroys a context and clears the pointer; NULL-safe. */
FW_API void fw_context_destroy(fw_context **ctx);

/** All messages since the last clear, one per line, each "file:line: element: text" where a place
 * is known. "" when there is none. Valid until the next call on the context. */
FW_API const char *fw_context_message(const fw_context *ctx);

/** Forgets all messages. */
FW_API void fw_context_clear(fw_context *ctx);

/** Receives a line of the log; text is lent. */
typedef void (*fw_log_fn)(void *user, const char *text);

/** Receives progress: `fraction` is 0..1 of the analysis `what`, or < 0 when unknown. */
typedef void (*fw_progress_fn)(void *user, const char *what, double fraction);

/** Who receives lines of the log; fn NULL: nobody. */
FW_API void fw_context_on_log(fw_context *ctx, fw_log_fn fn, void *user);

/** Who receives progress; fn NULL: nobody. */
FW_API void fw_context_on_progress(fw_context *ctx, fw_progress_fn fn, void *user);

/** A row of a table as it is computed. All is lent for the duration of the call. */
typedef struct fw_row_view {
  const char *analysis;     /**< id of the analysis */
  const char *table;        /**< name of the table */
  int columns;              /**< how many */
  const char *const *names; /**< of the columns */
  const char *const *units; /**< of the columns; "" none */
  const double *values;     /**< of the row; NaN where a value is not known */
} fw_row_view;

/** A shape of the structure as it is computed. All is lent for the duration of the call. */
typedef struct fw_frame_view {
  const char *analysis;        /**< id of the analysis */
  const char *series;          /**< which of its series: "motion", "mode", "response-3N" */
  double time;                 /**< time, phase, frequency or number of the mode: the series' coordinate */
  size_t nodes;                /**< how many */
  const double *places;        /**< [3 nodes] x, y, z of the undeformed structure (m) */
  const double *displacements; /**< [3 nodes] (m) */
  const double *rotations;     /**< [3 nodes] about x, y, z (rad); 0 where a node has none */
} fw_frame_view;

/** Receives a row; anything but FW_OK ends the analysis with that status. */
typedef fw_status (*fw_row_fn)(void *user, const fw_row_view *row);

/** Receives a frame; anything but FW_OK ends the analysis with that status. */
typedef fw_status (*fw_frame_fn)(void *user, const fw_frame_view *frame);

/** Who receives the rows of all tables while fw_run computes them, in the thread that called it; fn NULL: nobody.
 * Samples of studies have none. */
FW_API void fw_context_on_row(fw_context *ctx, fw_row_fn fn, void *user);

/** Who receives frames: those for which the deck's outputs ask, and shapes of modes; fn NULL: nobody. */
FW_API void fw_context_on_frame(fw_context *ctx, fw_frame_fn fn, void *user);

/** Stops what runs with the context, cleanly and soon, with FW_ERR_INTERRUPTED; stays in force until it is called with
 * false. May be called from other threads and from signal handlers. */
FW_API void fw_context_interrupt(fw_context *ctx, bool stop);

/** Permits law="plugin:NAME" to load NAME.so from beside the deck: code that is not fretwork's. Off at first. */
FW_API void fw_context_allow_plugins(fw_context *ctx, bool allow);

/** Asked before such code is loaded: its file, and a mark of its contents and of this version. False refuses it. */
typedef bool (*fw_plugin_fn)(void *user, const char *path, uint64_t mark);

/** Who is asked; fn NULL, as at first: nobody, and plug-ins that are permitted are loaded. */
FW_API void fw_context_on_plugin(fw_context *ctx, fw_plugin_fn fn, void *user);

/** Loads a plug-in and puts it to the checks of laws, as a deck that names it does. A host that does not trust it calls
 * this in a process of its own first. */
FW_API fw_status fw_plugin_try(fw_context *ctx, const char *path);

/* ---- decks ------------------------------------------------------------------------------- */

/** A deck as it was read, with its parameters as they are set. */
typedef struct fw_deck fw_deck;

/** Reads and checks a deck: form (schema) and meaning (names, ranges, physics). All errors are
 * collected in the context. */
FW_API fw_status fw_deck_load(fw_context *ctx, const char *path, fw_deck **deck);

/** The same of a deck in memory, `size` bytes of text. `name` is what messages call it, and the files it names are
 * looked for beside it, as if it were a file there; NULL: "deck.xml". */
FW_API fw_status fw_deck_parse(fw_context *ctx, const char *text, size_t size, const char *name, fw_deck **deck);

/** Destroys a deck and clears the pointer; NULL-safe. */
FW_API void fw_deck_destroy(fw_deck **deck);

/** Sets a parameter of the deck to an expression ("0.52", "2*thick"), as --set does; the number
 * is in the parameter's own unit. An unknown name is refused here; the expression, which may use other parameters,
 * and the range are checked when the deck is checked or run. */
FW_API fw_status fw_deck_set(fw_context *ctx, fw_deck *deck, const char *name, const char *expression);

/** How many parameters a deck has; 0 of NULL. */
FW_API int fw_deck_parameter_count(const fw_deck *deck);

/** A parameter by its number from 0: its name, expression as set, and unit ("": none). Lent until the deck changes;
 * each may be NULL where it is not wanted. FW_ERR_ARGUMENT if there is none of that number. */
FW_API fw_status fw_deck_parameter(const fw_deck *deck, int index, const char **name, const char **expression,
                                   const char **unit);

/** How many analyses, identifications and studies a deck has; 0 of NULL. */
FW_API int fw_deck_task_count(const fw_deck *deck);

/** One of them by its number from 0, in the order in which they run: its id, and its kind as the deck has it ("frf",
 * "study"). Lent until the deck is destroyed; each may be NULL. FW_ERR_ARGUMENT if there is none of that number. */
FW_API fw_status fw_deck_task(const fw_deck *deck, int index, const char **id, const char **kind);

/** The deck as it would run now, as XML text to be freed: parts included, parameters as set, files by their full paths.
 */
FW_API fw_status fw_deck_text(fw_context *ctx, const fw_deck *deck, char **text);

/** Builds the model and reads the studies without running: finds what only a built model shows (zero lengths, dangling
 * names, mechanisms) and what a study could not collect. */
FW_API fw_status fw_deck_check(fw_context *ctx, const fw_deck *deck);

/** What a sound deck says that is hardly meant (docs/warnings.md), a line each, as text to be freed; "" if nothing. */
FW_API fw_status fw_deck_warnings(fw_context *ctx, const fw_deck *deck, char **text);

/* ---- runs and results -------------------------------------------------------------------- */

/** What a run leaves in memory. It needs neither deck nor context. */
typedef struct fw_results fw_results;

/** How to run. */
typedef struct fw_run_options {
  size_t struct_size; /**< sizeof(fw_run_options), or 0 */
  const char *out;    /**< result directory; NULL: keep results in memory only */
  bool resume;        /**< continue in an existing directory */
  bool force;         /**< replace an existing directory */
  bool strict;        /**< warnings of the deck are FW_ERR_DECK, nothing runs; others FW_ERR_ANALYSIS after the run */
  int threads;        /**< 0: one per core */
  const char *const *only; /**< ids to run (and those they start from) */
  int only_count;          /**< 0: all */
  bool may_fork; /**< studies may compute their samples in processes forked from the caller's: as many as threads, and a
                  * crash costs one sample; else one after the other in the caller's own */
  bool may_join_mpi; /**< under a launcher (mpirun, srun) the processes may share out samples: MPI is started and ended
                      */
} fw_run_options;

/** Runs the analyses of a deck in order; options NULL: all, in memory. On failure *results still holds what was
 * computed. */
FW_API fw_status fw_run(fw_context *ctx, const fw_deck *deck, const fw_run_options *options, fw_results **results);

/** Destroys results and clears the pointer; NULL-safe. */
FW_API void fw_results_destroy(fw_results **results);

/** A number of summary.json by its path, e.g. "analyses.stuck.modes[0].frequency".
 * FW_ERR_ARGUMENT if there is no such number. */
FW_API fw_status fw_results_number(const fw_results *results, const char *path, double *number);

/** A text of summary.json by its path, lent until destroy. FW_ERR_ARGUMENT if there is no such text. */
FW_API fw_status fw_results_text(const fw_results *results, const char *path, const char **text);

/** All of summary.json, as text to be freed. */
FW_API fw_status fw_results_summary(const fw_results *results, char **json);

/** How many tables there are in memory; 0 of NULL. */
FW_API int fw_results_table_count(const fw_results *results);

/** A table by its number from 0: the id it belongs to (an analysis, a study ...), its name and its size. Lent until
 * destroy; each may be NULL. FW_ERR_ARGUMENT if there is none of that number. */
FW_API fw_status fw_results_table(const fw_results *results, int index, const char **analysis, const char **name,
                                  size_t *rows, int *columns);

/** A column of a table by the numbers of both from 0: its name, its unit ("": none) and its values, one for each row,
 * NaN where one is not known. Lent until destroy; each may be NULL. FW_ERR_ARGUMENT if there is none of these numbers.
 */
FW_API fw_status fw_results_table_column(const fw_results *results, int index, int column, const char **name,
                                         const char **unit, const double **values);

/** A column by the names of analysis, table and column: its values, lent until destroy. */
FW_API fw_status fw_results_column(const fw_results *results, const char *analysis, const char *table,
                                   const char *column, size_t *rows, const double **values);

/* ---- step by step ------------------------------------------------------------------------- */

/** A transient that the caller takes through time, for co-simulation. One thread at a time may use it. */
typedef struct fw_sim fw_sim;

/** Runs what the transient `id` of the deck starts from, in memory, and stands at its beginning. The deck and the
 * context must outlive it. */
FW_API fw_status fw_sim_create(fw_context *ctx, const fw_deck *deck, const char *id, fw_sim **sim);

/** Destroys it and clears the pointer; NULL-safe. */
FW_API void fw_sim_destroy(fw_sim **sim);

/** Takes so many of the transient's steps, also beyond its duration. Without a change of loads the numbers are those of
 * the same transient in one run. After a failure it stands where it came to and can only be read. */
FW_API fw_status fw_sim_advance(fw_sim *sim, long steps);

/** The factor of a load from now on; the transient begins with 1 (times at-level) for those it names, 0 for others. A
 * new value acts at once, as a load that jumps does. */
FW_API fw_status fw_sim_set_load(fw_sim *sim, const char *load, double factor);

/** What a sensor shows now. */
FW_API fw_status fw_sim_read(const fw_sim *sim, const char *sensor, double *value);

/** Time now, and that of one step (s); each may be NULL. */
FW_API fw_status fw_sim_time(const fw_sim *sim, double *time, double *step);

/* ---- friction laws ------------------------------------------------------------------------ */

/** A friction law with its numbers, without a deck. */
typedef struct fw_specimen fw_specimen;

/** From words as `fretwork loop` takes them: the law and its settings ("dahl", "mu-c=0.4"), perhaps "+" and a law
 * beside it. */
FW_API fw_status fw_specimen_create(fw_context *ctx, const char *const *words, int count, fw_specimen **specimen);

/** Destroys it and clears the pointer; NULL-safe. */
FW_API void fw_specimen_destroy(fw_specimen **specimen);

/** Drives a fresh contact along a history of `count` instants: time t (rising), slip u, normal force N (NULL: that of
 * `fretwork loop`), linear in between. T [count] is the friction force at each; at the first it is that of the fresh
 * contact. */
FW_API fw_status fw_specimen_drive(fw_context *ctx, const fw_specimen *specimen, size_t count, const double *t,
                                   const double *u, const double *N, double *T);

/** Friction T [count] of steady sliding at speeds v (either sign) under the normal force N. */
FW_API fw_status fw_specimen_slide(fw_context *ctx, const fw_specimen *specimen, double N, size_t count,
                                   const double *v, double *T);

/* ---- besides runs ------------------------------------------------------------------------ */

/** What decks can use, as text to be freed: the tables (table NULL), the entries of a table (name
 * NULL), or one entry with its equations and parameters. FW_ERR_ARGUMENT, with a suggestion, for unknown names. */
FW_API fw_status fw_list(fw_context *ctx, const char *table, const char *name, char **text);

/** A commented starter deck as text to be freed; name NULL: the usual one. */
FW_API fw_status fw_template(fw_context *ctx, const char *name, char **text);

/** Writes a sketch of the deck's model as SVG: bodies, supports, contacts with normals and gaps, loads, sensors. A file of
 * that name is only replaced with `force`. */
FW_API fw_status fw_deck_sketch(fw_context *ctx, const fw_deck *deck, const char *path, bool force);

/** Rebuilds the plots and report.html of each result folder and, if `page` is not NULL, one page about
 * all of them; a file of that name is only replaced with `force`. */
FW_API fw_status fw_report(fw_context *ctx, const char *const *folders, int count, const char *page, bool force);

/** Compares a result folder with rig data: CSV or UFF-58 files, or folders of them (docs/compare.md). The
 * misfits are left in FOLDER/compare.json and compare.txt, the plots in FOLDER/compare-*.svg. `text` is what
 * compare.txt holds, to be freed; it may be NULL. */
FW_API fw_status fw_compare(fw_context *ctx, const char *folder, const char *const *data, int count, char **text);

/** The virtual tribometer. */
typedef struct fw_loop_options {
  size_t struct_size;       /**< sizeof(fw_loop_options), or 0 */
  const char *const *words; /**< laws, each followed by its settings: "dahl", "mu-c=0.4", "lugre" */
  int word_count;           /**< how many words */
  const char *const *drive; /**< "motion=triangle", "amplitude=1e-5" ... */
  int drive_count;          /**< how many settings */
  const char *out;          /**< folder for loops, curves and plots; NULL: none */
  bool force;               /**< replace an existing folder */
} fw_loop_options;

/** Drives friction laws along a slip history, or lets them carry a mass pulled by a spring; writes a CSV for each law,
 * the figures, the curves of steady friction, and plots that overlay all laws. *text: the figures, to be freed. */
FW_API fw_status fw_loop(fw_context *ctx, const fw_loop_options *options, char **text);

/** Writes a result folder for other programs, by the ending of `path`: all tables as JSON (.json) or HDF5 (.h5, .hdf5), else
 * the responses over frequency and the histories as UFF-58 functions, `binary` or as text. A file of that name is only
 * replaced with `force`. */
FW_API fw_status fw_export(fw_context *ctx, const char *folder, const char *path, bool binary, bool force);

#ifdef __cplusplus
}
#endif
#endif
