/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the analyses of a deck in memory and keeps outcomes and summaries, for tests that look inside. */
#ifndef FW_TESTS_HB_DECK_RUN_H
#define FW_TESTS_HB_DECK_RUN_H

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"
#include "input/deck.h"
#include "solver/analysis.h"

enum { RUNS = 16 };

typedef struct deck_run {
  fw_context *ctx;
  fw_deck *deck;
  fw_built *built;
  fw_sink *sink;
  int count;
  const char *ids[RUNS];
  fw_outcome outcomes[RUNS];
  fw_record *summaries[RUNS];
  double seconds[RUNS];
} deck_run;

static inline void deck_log(void *user, const char *text) {
  (void)user;
  printf("  %s\n", text);
}

static inline int deck_find(const deck_run *run, const char *id) {
  for (int i = 0; id && i < run->count; i++)
    if (strcmp(run->ids[i], id) == 0) return i;
  return -1;
}

static inline void deck_analysis(deck_run *run, const fw_item *item) {
  int i = run->count++;
  assert_true(i < RUNS);
  const fw_analysis_ops *ops = (const fw_analysis_ops *)item->entry;
  run->ids[i] = fw_args_text(&item->args, "id");
  run->outcomes[i].ops = ops;
  assert_int_equal(fw_record_create(&run->summaries[i]), FW_OK);
  int start = deck_find(run, fw_args_text(&item->args, "start"));
  fw_job job = {.ctx = run->ctx,
                .model = run->built->model,
                .id = run->ids[i],
                .common = &item->args,
                .args = &item->entry_args,
                .start = start >= 0 ? &run->outcomes[start] : NULL,
                .summary = run->summaries[i],
                .sink = run->sink,
                .threads = 3};
  clock_t begin = clock();
  fw_status status = ops->run(&job, &run->outcomes[i]);
  run->seconds[i] = (double)(clock() - begin) / CLOCKS_PER_SEC;
  if (status != FW_OK) fail_msg("%s: %s", run->ids[i], fw_context_message(run->ctx));
}

/* settings: "name=value" pairs, NULL at the end. */
static inline void deck_open(deck_run *run, const char *path, const char *const *settings) {
  memset(run, 0, sizeof *run);
  assert_int_equal(fw_context_create(&run->ctx), FW_OK);
  fw_context_on_log(run->ctx, deck_log, NULL);
  if (fw_deck_load(run->ctx, path, &run->deck) != FW_OK) fail_msg("%s", fw_context_message(run->ctx));
  for (; settings && *settings; settings++) {
    char name[64];
    const char *equals = strchr(*settings, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - *settings), *settings);
    if (fw_deck_set(run->ctx, run->deck, name, equals + 1) != FW_OK) fail_msg("%s", fw_context_message(run->ctx));
  }
  if (fw_deck_build(run->ctx, run->deck, &run->built) != FW_OK) fail_msg("%s", fw_context_message(run->ctx));
  assert_int_equal(fw_sink_create(run->ctx, &run->sink), FW_OK);
  for (int i = 0; i < run->built->analyses->child_count; i++) deck_analysis(run, &run->built->analyses->children[i]);
}

static inline void deck_close(deck_run *run) {
  for (int i = 0; i < run->count; i++) {
    fw_outcome_clear(&run->outcomes[i]);
    fw_record_destroy(&run->summaries[i]);
  }
  fw_sink_destroy(&run->sink);
  fw_built_destroy(&run->built);
  fw_deck_destroy(&run->deck);
  fw_context_destroy(&run->ctx);
}

static inline double deck_number(const deck_run *run, const char *id, const char *path) {
  double value;
  int i = deck_find(run, id);
  assert_true(i >= 0);
  if (fw_record_number(run->summaries[i], path, &value) != FW_OK) fail_msg("%s: no %s", id, path);
  return value;
}

#endif
