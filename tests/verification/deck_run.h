/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a deck through the public interface and looks into its results; a line of the verification book for each figure.
 */
#ifndef FW_TESTS_DECK_RUN_H
#define FW_TESTS_DECK_RUN_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/results.h"
#include "cmocka_all.h"
#include "fretwork.h"

typedef struct deck_run {
  fw_context *ctx;
  fw_deck *deck;
  fw_results *results;
} deck_run;

/* settings: "name=value" words, NULL at the end (may be NULL). only: the analysis to run (NULL: all).
 * Returns the status of loading or running; its message is in run->ctx. */
static inline fw_status deck_try_only(deck_run *run, const char *path, const char *const *settings, const char *only) {
  *run = (deck_run){0};
  assert_int_equal(fw_context_create(&run->ctx), FW_OK);
  fw_status status = fw_deck_load(run->ctx, path, &run->deck);
  for (; status == FW_OK && settings && *settings; settings++) {
    char name[64];
    const char *equals = strchr(*settings, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - *settings), *settings);
    status = fw_deck_set(run->ctx, run->deck, name, equals + 1);
  }
  const fw_run_options options = {.only = only ? &only : NULL, .only_count = only != NULL};
  return status == FW_OK ? fw_run(run->ctx, run->deck, &options, &run->results) : status;
}

static inline fw_status deck_try(deck_run *run, const char *path, const char *const *settings) {
  return deck_try_only(run, path, settings, NULL);
}

/* A deck that a test writes itself, in a file of its own that is gone afterwards. */
__attribute__((format(printf, 2, 3))) static inline fw_status deck_try_text(deck_run *run, const char *format, ...) {
  char path[] = "/tmp/fretwork-deck-XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  assert_non_null(file);
  va_list list;
  va_start(list, format);
  vfprintf(file, format, list);
  va_end(list);
  assert_int_equal(fclose(file), 0);
  fw_status status = deck_try(run, path, NULL);
  unlink(path);
  return status;
}

#define deck_open_text(run, ...)                                                                  \
  do {                                                                                            \
    if (deck_try_text(run, __VA_ARGS__) != FW_OK) fail_msg("%s", fw_context_message((run)->ctx)); \
  } while (0)

static inline void deck_open(deck_run *run, const char *path, const char *const *settings) {
  if (deck_try(run, path, settings) != FW_OK) fail_msg("%s: %s", path, fw_context_message(run->ctx));
}

static inline void deck_close(deck_run *run) {
  fw_results_destroy(&run->results);
  fw_deck_destroy(&run->deck);
  fw_context_destroy(&run->ctx);
}

static inline const fw_data_table *deck_table(const deck_run *run, const char *analysis, const char *name) {
  const fw_data_table *table = fw_sink_find(run->results->sink, analysis, name);
  if (!table) fail_msg("%s: no table %s", analysis, name);
  return table;
}

static inline const double *deck_column(const deck_run *run, const char *analysis, const char *table, const char *name,
                                        size_t *rows) {
  const double *values = NULL;
  if (fw_results_column(run->results, analysis, table, name, rows, &values) != FW_OK)
    fail_msg("%s: no column %s", table, name);
  return values;
}

static inline double deck_number(const deck_run *run, const char *analysis, const char *path) {
  char full[200];
  double value = NAN;
  snprintf(full, sizeof full, "analyses.%s.%s", analysis, path);
  if (fw_results_number(run->results, full, &value) != FW_OK) fail_msg("no %s", full);
  return value;
}

/* A figure of a mode: "frequency", "damping", ... */
static inline double deck_mode(const deck_run *run, const char *analysis, int mode, const char *figure) {
  char path[64];
  snprintf(path, sizeof path, "modes[%d].%s", mode, figure);
  return deck_number(run, analysis, path);
}

/* Fails beyond the relative tolerance (absolute where the reference is 0). */
static inline void compare(const char *what, double computed, double reference, double tolerance) {
  double difference = (computed - reference) / (reference != 0.0 ? fabs(reference) : 1.0);
  printf("  %-44s %-17.10g %-17.10g %10.2e\n", what, computed, reference, difference);
  if (!(fabs(difference) <= tolerance)) fail_msg("%s: %.10g, not %.10g", what, computed, reference);
}

/* A figure that should be 0: printed with its bound. */
static inline void bounded(const char *what, double computed, double bound) {
  printf("  %-44s %-17.3g %-17s %10.1e\n", what, computed, "at most", bound);
  if (!(fabs(computed) <= bound)) fail_msg("%s: %.3g is more than %.1e", what, computed, bound);
}

#endif
