/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library as another program uses it: through include/fretwork.h alone. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"

/* A cantilever, its first frequency proportional to `thick`, and a tip load. */
static const char *const text =
    "<fretwork version=\"1\">\n"
    "<parameters><parameter name=\"thick\" value=\"5\" unit=\"mm\" min=\"1\" max=\"9\"/></parameters>\n"
    "<materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"7800\"/></materials>\n"
    "<sections><rectangle id=\"strip\" width=\"40e-3\" height=\"thick\"/></sections>\n"
    "<bodies><beam id=\"beam\" section=\"strip\" material=\"steel\" from=\"0, 0\" to=\"0.5, 0\" divisions=\"8\">\n"
    "<point id=\"clamp\" s=\"0\"/><point id=\"tip\" s=\"0.5\"/></beam></bodies>\n"
    "<supports><support at=\"beam.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/></supports>\n"
    "<loads><harmonic id=\"shaker\" at=\"beam.tip\" fy=\"1\"/></loads>\n"
    "<sensors><sensor id=\"tip\" at=\"beam.tip\" quantity=\"displacement\" direction=\"y\"/></sensors>\n"
    "<analyses><modal id=\"modes\" modes=\"2\"/>\n"
    "<transient id=\"shake\" solver=\"alpha\" loads=\"shaker\" at-frequency=\"20\" step=\"1e-3\" "
    "duration=\"0.2\"/></analyses>\n"
    "</fretwork>\n";

static const char *const path = "api.tmp.xml";

static int write_deck(void **state) {
  (void)state;
  FILE *file = fopen(path, "w");
  if (!file) return -1;
  fputs(text, file);
  return fclose(file);
}

static int remove_deck(void **state) {
  (void)state;
  return remove(path);
}

/* The figures of one run in a context of its own. */
typedef struct figures {
  const char *thick;
  fw_status status;
  double first, tip;
} figures;

static fw_status compute(fw_context *ctx, figures *f) {
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  const double *tip = NULL;
  size_t rows = 0;
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_deck_set(ctx, deck, "thick", f->thick);
  if (status == FW_OK) status = fw_run(ctx, deck, NULL, &results);
  if (status == FW_OK) status = fw_results_number(results, "analyses.modes.modes[0].frequency", &f->first);
  if (status == FW_OK) status = fw_results_column(results, "shake", "history", "tip", &rows, &tip);
  f->tip = rows ? tip[rows - 1] : NAN;
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  return status;
}

static void *in_a_thread(void *argument) {
  figures *f = argument;
  fw_context *ctx;
  f->status = fw_context_create(&ctx);
  if (f->status == FW_OK) f->status = compute(ctx, f);
  if (f->status != FW_OK) fprintf(stderr, "%s\n", fw_context_message(ctx));
  fw_context_destroy(&ctx);
  return NULL;
}

static void contexts_in_threads_do_not_meet(void **state) {
  (void)state;
  enum { THREADS = 4 };
  figures alone[THREADS] = {{.thick = "3"}, {.thick = "4"}, {.thick = "5"}, {.thick = "6"}}, together[THREADS];
  pthread_t threads[THREADS];
  memcpy(together, alone, sizeof alone);
  for (int i = 0; i < THREADS; i++) in_a_thread(&alone[i]);
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, in_a_thread, &together[i]), 0);
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(alone[i].status, FW_OK);
    assert_int_equal(together[i].status, FW_OK);
    assert_true(alone[i].first == together[i].first && alone[i].tip == together[i].tip);
    assert_true(fabs(alone[i].first / alone[0].first - (3.0 + i) / 3.0) < 1e-6); /* the parameter arrived */
  }
}

static void wrong_questions_get_an_error(void **state) {
  (void)state;
  fw_context *ctx;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  double number;
  const char *word;
  const double *values;
  size_t rows;
  char *list = NULL;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_list(ctx, NULL, "dahl", &list), FW_ERR_ARGUMENT);
  assert_null(list);
  assert_non_null(strstr(fw_context_message(ctx), "dahl"));
  fw_context_clear(ctx);
  assert_string_equal(fw_context_message(ctx), "");
  assert_int_equal(fw_list(ctx, "lows", NULL, &list), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "laws"));

  assert_int_equal(fw_deck_load(ctx, "nowhere.xml", &deck), FW_ERR_DECK);
  assert_null(deck);
  assert_int_equal(fw_deck_load(ctx, path, &deck), FW_OK);
  assert_int_not_equal(fw_deck_set(ctx, deck, "thikc", "4"), FW_OK);
  assert_int_equal(fw_deck_set(ctx, deck, "thick", "40"), FW_OK); /* beyond its range: found when it is evaluated */
  assert_int_equal(fw_deck_check(ctx, deck), FW_ERR_DECK);
  assert_int_equal(fw_deck_set(ctx, deck, "thick", "4 +"), FW_OK);
  assert_int_equal(fw_run(ctx, deck, NULL, &results), FW_ERR_DECK);
  fw_results_destroy(&results);
  assert_int_equal(fw_deck_set(ctx, deck, "thick", "4"), FW_OK);
  assert_int_equal(fw_run(ctx, deck, NULL, &results), FW_OK);
  assert_int_equal(fw_results_number(results, "analyses.modes.modes[2].frequency", &number), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_number(results, "analyses.modes.modes[", &number), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_number(results, "", &number), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_text(results, "analyses.modes.modes[0].frequency", &word), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_column(results, "shake", "history", "top", &rows, &values), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_column(results, "shook", "history", "tip", &rows, &values), FW_ERR_ARGUMENT);
  fw_results_destroy(&results);
  fw_results_destroy(&results); /* destroyed once only */
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
}

static void interrupt_at_a_third(void *user, const char *what, double fraction) {
  (void)what;
  if (fraction > 0.3) fw_context_interrupt(user, true);
}

/* What was computed before the interruption is there, what comes after is not. */
static void an_interrupted_run_keeps_its_results(void **state) {
  (void)state;
  fw_context *ctx;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  double number;
  const double *values;
  size_t rows = 0;
  const char *const only[] = {"shake"};
  const fw_run_options options = {.only = only, .only_count = 1};
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_context_on_progress(ctx, interrupt_at_a_third, ctx);
  assert_int_equal(fw_deck_load(ctx, path, &deck), FW_OK);
  assert_int_equal(fw_run(ctx, deck, &options, &results), FW_ERR_INTERRUPTED);
  assert_int_equal(fw_results_number(results, "analyses.modes.modes[0].frequency", &number), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_column(results, "shake", "history", "tip", &rows, &values), FW_OK);
  assert_in_range(rows, 20, 199);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(contexts_in_threads_do_not_meet),
                                     cmocka_unit_test(wrong_questions_get_an_error),
                                     cmocka_unit_test(an_interrupted_run_keeps_its_results)};
  return cmocka_run_group_tests(tests, write_deck, remove_deck);
}
