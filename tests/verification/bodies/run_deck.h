/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a deck through the public interface; a line of the verification book for each figure. */
#ifndef FW_TESTS_BODIES_RUN_DECK_H
#define FW_TESTS_BODIES_RUN_DECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"

#define BODIES_FOLDER FW_SOURCE_DIR "/tests/verification/bodies/"

typedef struct deck_results {
  fw_context *ctx;
  fw_deck *deck;
  fw_results *results;
  fw_status status; /* of the run */
} deck_results;

/* settings: "name=value" words, NULL at the end (may be NULL). */
static inline deck_results try_deck(const char *path, const char *const *settings) {
  deck_results run = {0};
  assert_int_equal(fw_context_create(&run.ctx), FW_OK);
  if (fw_deck_load(run.ctx, path, &run.deck) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  for (; settings && *settings; settings++) {
    char word[64];
    const char *equals = strchr(*settings, '=');
    snprintf(word, sizeof word, "%.*s", (int)(equals - *settings), *settings);
    assert_int_equal(fw_deck_set(run.ctx, run.deck, word, equals + 1), FW_OK);
  }
  run.status = fw_run(run.ctx, run.deck, NULL, &run.results);
  return run;
}

static inline deck_results run_deck(const char *path, const char *const *settings) {
  deck_results run = try_deck(path, settings);
  if (run.status != FW_OK) fail_msg("%s: %s", path, fw_context_message(run.ctx));
  return run;
}

static inline void close_deck(deck_results *run) {
  fw_results_destroy(&run->results);
  fw_deck_destroy(&run->deck);
  fw_context_destroy(&run->ctx);
}

static inline const double *column(const deck_results *run, const char *analysis, const char *table, const char *name,
                                   size_t *rows) {
  const double *values = NULL;
  if (fw_results_column(run->results, analysis, table, name, rows, &values) != FW_OK)
    fail_msg("%s: no column %s", table, name);
  return values;
}

static inline double number(const deck_results *run, const char *path) {
  double value = NAN;
  if (fw_results_number(run->results, path, &value) != FW_OK) fail_msg("no %s", path);
  return value;
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
