/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library as a careless program uses it: whatever is missing is refused, and said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"

static const char *const path = "api_arguments.tmp.xml";
static fw_context *ctx;
static fw_deck *deck;

static int start(void **state) {
  (void)state;
  FILE *file = fopen(path, "w");
  if (!file) return -1;
  fputs(
      "<fretwork version=\"1\"><parameters><parameter name=\"k\" value=\"100\"/></parameters>\n"
      "<bodies><rigid id=\"m\" at=\"0,0\" m=\"1\" J=\"1\"/><spring id=\"s\" at=\"m.centre\" direction=\"1,0\" k=\"k\"/>"
      "<spring id=\"u\" at=\"m.centre\" direction=\"0,1\" k=\"k\"/><torsional-spring id=\"r\" at=\"m.centre\" k=\"3\"/>"
      "</bodies>\n<analyses><modal id=\"modes\" modes=\"1\"/></analyses></fretwork>\n",
      file);
  if (fclose(file) != 0 || fw_context_create(&ctx) != FW_OK) return -1;
  return fw_deck_load(ctx, path, &deck);
}

static int stop(void **state) {
  (void)state;
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return remove(path);
}

/* A call that must be refused, and what its message names. */
#define REFUSED(call, named)                                                                         \
  do {                                                                                               \
    fw_context_clear(ctx);                                                                           \
    assert_int_equal(call, FW_ERR_ARGUMENT);                                                         \
    if (!strstr(fw_context_message(ctx), named)) fail_msg("%s: %s", #call, fw_context_message(ctx)); \
  } while (0)

static void nothing_is_destroyed_nothing_is_told(void **state) {
  (void)state;
  fw_context *no_ctx = NULL;
  fw_deck *no_deck = NULL;
  fw_results *no_results = NULL;
  fw_context_destroy(NULL);
  fw_context_destroy(&no_ctx);
  fw_deck_destroy(NULL);
  fw_deck_destroy(&no_deck);
  fw_results_destroy(NULL);
  fw_results_destroy(&no_results);
  assert_string_equal(fw_context_message(NULL), "");
  fw_context_clear(NULL);
  fw_context_on_log(NULL, NULL, NULL);
  fw_context_on_progress(NULL, NULL, NULL);
  fw_context_interrupt(NULL, true);
  fw_context_on_row(NULL, NULL, NULL);
  fw_context_on_frame(NULL, NULL, NULL);
  fw_free(NULL);
  fw_context_allow_plugins(NULL, true);
  assert_string_equal(fw_status_text((fw_status)12345), "unknown status");
}

/* There is nowhere to put a message then. */
static void no_context(void **state) {
  (void)state;
  fw_deck *loaded = NULL;
  fw_results *results = NULL;
  char *text = NULL;
  const fw_loop_options loop = {0};
  assert_int_equal(fw_context_create(NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_deck_load(NULL, path, &loaded), FW_ERR_ARGUMENT);
  assert_int_equal(fw_deck_set(NULL, deck, "k", "1"), FW_ERR_ARGUMENT);
  assert_int_equal(fw_deck_check(NULL, deck), FW_ERR_ARGUMENT);
  assert_int_equal(fw_run(NULL, deck, NULL, &results), FW_ERR_ARGUMENT);
  assert_int_equal(fw_list(NULL, NULL, NULL, &text), FW_ERR_ARGUMENT);
  assert_int_equal(fw_template(NULL, NULL, &text), FW_ERR_ARGUMENT);
  assert_int_equal(fw_report(NULL, NULL, 0, NULL, false), FW_ERR_ARGUMENT);
  assert_int_equal(fw_compare(NULL, "x", NULL, 0, &text), FW_ERR_ARGUMENT);
  assert_int_equal(fw_loop(NULL, &loop, &text), FW_ERR_ARGUMENT);
  assert_int_equal(fw_export(NULL, "x", "y", false, false), FW_ERR_ARGUMENT);
  assert_null(loaded);
  assert_null(results);
  assert_null(text);
}

static void decks(void **state) {
  (void)state;
  fw_deck *loaded = deck;
  REFUSED(fw_deck_load(ctx, NULL, &loaded), "fw_deck_load: path is NULL");
  assert_null(loaded);
  REFUSED(fw_deck_load(ctx, path, NULL), "deck is NULL");
  REFUSED(fw_deck_set(ctx, NULL, "k", "1"), "deck is NULL");
  REFUSED(fw_deck_set(ctx, deck, NULL, "1"), "name is NULL");
  REFUSED(fw_deck_set(ctx, deck, "k", NULL), "expression is NULL");
  REFUSED(fw_deck_check(ctx, NULL), "deck is NULL");
  assert_int_equal(fw_deck_check(ctx, deck), FW_OK);
}

static void runs(void **state) {
  (void)state;
  fw_results *results = NULL;
  const char *const unknown[] = {"nope"}, *const missing[] = {NULL};
  REFUSED(fw_run(ctx, NULL, NULL, &results), "deck is NULL");
  REFUSED(fw_run(ctx, deck, NULL, NULL), "results is NULL");
  REFUSED(fw_run(ctx, deck, &(fw_run_options){.only_count = 3}, &results), "only is NULL, its count 3");
  REFUSED(fw_run(ctx, deck, &(fw_run_options){.only = unknown, .only_count = -1}, &results),
          "count of options->only is -1");
  REFUSED(fw_run(ctx, deck, &(fw_run_options){.only = missing, .only_count = 1}, &results), "only[0] is NULL");
  REFUSED(fw_run(ctx, deck, &(fw_run_options){.only = unknown, .only_count = 1}, &results), "no analysis \"nope\"");
  REFUSED(fw_run(ctx, deck, &(fw_run_options){.threads = -5}, &results), "-5 threads");
  REFUSED(fw_run(ctx, deck, &(fw_run_options){.resume = true, .force = true}, &results), "either resume or force");
  assert_null(results);
}

static void results_are_asked(void **state) {
  (void)state;
  static const char *const nowhere[] = {"",
                                        ".",
                                        "analyses",
                                        "analyses.",
                                        "analyses..modes",
                                        "analyses.modes.modes[-1].frequency",
                                        "analyses.modes.modes[99999999999999999999].frequency",
                                        "analyses.modes.modes[0",
                                        "analyses.modes.modes[].frequency",
                                        "[0]",
                                        "%s%n"};
  fw_results *results = NULL;
  double number = 7.0;
  const char *text = NULL;
  size_t rows = 0;
  const double *values = NULL;
  assert_int_equal(fw_run(ctx, deck, NULL, &results), FW_OK);
  for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
    assert_int_equal(fw_results_number(results, nowhere[i], &number), FW_ERR_ARGUMENT);
  assert_true(number == 7.0);
  assert_int_equal(fw_results_number(NULL, "status", &number), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_number(results, NULL, &number), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_number(results, "cpu_seconds", NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_text(NULL, "status", &text), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_text(results, NULL, &text), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_text(results, "status", NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_text(results, "cpu_seconds", &text), FW_ERR_ARGUMENT); /* a number */
  assert_int_equal(fw_results_column(NULL, "modes", "modes", "frequency", &rows, &values), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_column(results, NULL, "modes", "frequency", &rows, &values), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_column(results, "modes", NULL, "frequency", &rows, &values), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_column(results, "modes", "modes", NULL, &rows, &values), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_column(results, "modes", "modes", "frequency", NULL, &values), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_column(results, "modes", "modes", "frequency", &rows, NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_column(results, "modes", "modes", "frequency", &rows, &values), FW_OK);
  fw_results_destroy(&results);
}

static void what_is_besides_runs(void **state) {
  (void)state;
  const char *const one[] = {"no-such-folder"}, *const missing[] = {"x", NULL};
  char *text = NULL;
  REFUSED(fw_list(ctx, NULL, NULL, NULL), "text is NULL");
  REFUSED(fw_list(ctx, NULL, "dahl", &text), "an entry of which table");
  REFUSED(fw_template(ctx, NULL, NULL), "text is NULL");
  REFUSED(fw_report(ctx, NULL, 2, NULL, false), "folders is NULL");
  REFUSED(fw_report(ctx, one, -1, NULL, false), "count of folders is -1");
  REFUSED(fw_report(ctx, missing + 1, 1, NULL, false), "folders[0] is NULL");
  REFUSED(fw_compare(ctx, NULL, one, 1, &text), "folder is NULL");
  REFUSED(fw_compare(ctx, "x", NULL, 1, &text), "data is NULL");
  REFUSED(fw_loop(ctx, NULL, &text), "options is NULL");
  REFUSED(fw_loop(ctx, &(fw_loop_options){.words = one, .word_count = 1}, NULL), "text is NULL");
  REFUSED(fw_loop(ctx, &(fw_loop_options){.word_count = 1}, &text), "words is NULL");
  REFUSED(fw_loop(ctx, &(fw_loop_options){.drive = missing, .drive_count = 2}, &text), "drive[1] is NULL");
  REFUSED(fw_loop(ctx, &(fw_loop_options){0}, &text), "");
  REFUSED(fw_export(ctx, NULL, "y", false, false), "folder is NULL");
  REFUSED(fw_export(ctx, "x", NULL, false, false), "path is NULL");
  assert_null(text);
}

/* Results do not need the deck or the context they came from. */
static void results_outlive_their_deck(void **state) {
  (void)state;
  fw_context *own = NULL;
  fw_deck *lent = NULL;
  fw_results *results = NULL;
  double hertz = 0.0;
  assert_int_equal(fw_context_create(&own), FW_OK);
  assert_int_equal(fw_deck_load(own, path, &lent), FW_OK);
  assert_int_equal(fw_run(own, lent, NULL, &results), FW_OK);
  fw_deck_destroy(&lent);
  fw_context_destroy(&own);
  assert_int_equal(fw_results_number(results, "analyses.modes.modes[0].frequency", &hertz), FW_OK);
  assert_true(hertz > 0.0);
  fw_results_destroy(&results);
}

/* A log callback may use the context it is called from. */
static void clear_messages(void *user, const char *text) {
  (void)text;
  fw_context_clear(user);
}

static void callbacks_may_clear_messages(void **state) {
  (void)state;
  fw_results *results = NULL;
  fw_context_on_log(ctx, clear_messages, ctx);
  assert_int_equal(fw_run(ctx, deck, NULL, &results), FW_OK);
  fw_context_on_log(ctx, NULL, NULL);
  fw_results_destroy(&results);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_destroyed_nothing_is_told),
      cmocka_unit_test(no_context),
      cmocka_unit_test(decks),
      cmocka_unit_test(runs),
      cmocka_unit_test(results_are_asked),
      cmocka_unit_test(what_is_besides_runs),
      cmocka_unit_test(results_outlive_their_deck),
      cmocka_unit_test(callbacks_may_clear_messages),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
