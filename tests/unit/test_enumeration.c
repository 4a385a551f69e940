/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program finds out without knowing names: parameters and tasks of a deck in memory, tables, columns and units
 * of results, rows and frames as they come. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"

static const char *const text =
    "<fretwork version=\"1\">\n"
    "<parameters><parameter name=\"k\" value=\"100\" unit=\"N/m\"/><parameter name=\"c\" "
    "value=\"k/100\"/></parameters>\n"
    "<bodies><rigid id=\"m\" at=\"0.5, 0\" m=\"1\" J=\"1\"/><spring id=\"s\" at=\"m.centre\" direction=\"1, 0\" "
    "k=\"k\"/>"
    "<spring id=\"u\" at=\"m.centre\" direction=\"0, 1\" k=\"500\"/><torsional-spring id=\"r\" at=\"m.centre\" "
    "k=\"900\"/></bodies>\n"
    "<loads><force id=\"push\" at=\"m.centre\" fx=\"1\"/></loads>\n"
    "<sensors><sensor id=\"x\" at=\"m.centre\" quantity=\"displacement\" direction=\"x\"/>"
    "<sensor id=\"v\" at=\"m.centre\" quantity=\"velocity\" direction=\"x\"/></sensors>\n"
    "<analyses><modal id=\"modes\" modes=\"1\"/><transient id=\"run\" loads=\"push\" step=\"1e-3\" duration=\"0.1\"/>"
    "</analyses>\n"
    "<outputs><vtk analysis=\"run\" every=\"50\"/></outputs>\n"
    "<studies><study id=\"vary\" run=\"modes\" sampling=\"grid\" steps=\"3\"><vary parameter=\"k\" min=\"90\" "
    "max=\"110\"/>"
    "<result name=\"f\" of=\"modes\" quantity=\"modes[0].frequency\"/></study></studies></fretwork>\n";

static fw_context *ctx;
static fw_deck *deck;

static int start(void **state) {
  (void)state;
  if (fw_context_create(&ctx) != FW_OK) return -1;
  fw_status status = fw_deck_parse(ctx, text, strlen(text), NULL, &deck);
  if (status != FW_OK) fprintf(stderr, "%s\n", fw_context_message(ctx));
  return status;
}

static int stop(void **state) {
  (void)state;
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return 0;
}

static void decks_in_memory(void **state) {
  (void)state;
  fw_deck *other = NULL;
  char *dumped = NULL;
  assert_int_equal(fw_deck_parse(ctx, "", 0, "empty.xml", &other), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "empty.xml: is empty"));
  fw_context_clear(ctx);
  const char *wrong = "<fretwork version=\"1\">\n<analyses>\n<modul id=\"a\"/></analyses></fretwork>";
  assert_int_equal(fw_deck_parse(ctx, wrong, strlen(wrong), "folder/wrong.xml", &other), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "folder/wrong.xml:3: "));
  assert_int_equal(fw_deck_parse(ctx, text, strlen(text) - 20, NULL, &other), FW_ERR_DECK); /* not beyond its size */
  fw_context_clear(ctx);
  assert_int_equal(fw_deck_parse(NULL, text, 1, NULL, &other), FW_ERR_ARGUMENT);
  assert_int_equal(fw_deck_parse(ctx, NULL, 1, NULL, &other), FW_ERR_ARGUMENT);
  assert_int_equal(fw_deck_parse(ctx, text, 1, NULL, NULL), FW_ERR_ARGUMENT);
  assert_null(other);

  assert_int_equal(fw_deck_set(ctx, deck, "k", "144"), FW_OK);
  assert_int_equal(fw_deck_text(ctx, deck, &dumped), FW_OK);
  assert_non_null(strstr(dumped, "name=\"k\" value=\"144\""));
  assert_int_equal(fw_deck_parse(ctx, dumped, strlen(dumped), NULL, &other), FW_OK);
  assert_int_equal(fw_deck_set(ctx, deck, "k", "100"), FW_OK);
  fw_free(dumped);
  fw_deck_destroy(&other);
  assert_int_equal(fw_deck_text(ctx, NULL, &dumped), FW_ERR_ARGUMENT);
  assert_int_equal(fw_deck_text(ctx, deck, NULL), FW_ERR_ARGUMENT);
}

static void parameters_and_tasks(void **state) {
  (void)state;
  static const char *const tasks[][2] = {{"modes", "modal"}, {"run", "transient"}, {"vary", "study"}};
  const char *name, *expression, *unit;
  assert_int_equal(fw_deck_parameter_count(deck), 2);
  assert_int_equal(fw_deck_parameter_count(NULL), 0);
  assert_int_equal(fw_deck_parameter(deck, 0, &name, &expression, &unit), FW_OK);
  assert_string_equal(name, "k");
  assert_string_equal(expression, "100");
  assert_string_equal(unit, "N/m");
  assert_int_equal(fw_deck_parameter(deck, 1, &name, &expression, &unit), FW_OK);
  assert_string_equal(expression, "k/100");
  assert_string_equal(unit, "");
  assert_int_equal(fw_deck_parameter(deck, 2, NULL, NULL, NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_deck_parameter(deck, -1, NULL, NULL, NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_deck_task_count(deck), 3);
  assert_int_equal(fw_deck_task_count(NULL), 0);
  for (int i = 0; i < 3; i++) {
    const char *id, *kind;
    assert_int_equal(fw_deck_task(deck, i, &id, &kind), FW_OK);
    assert_string_equal(id, tasks[i][0]);
    assert_string_equal(kind, tasks[i][1]);
  }
  assert_int_equal(fw_deck_task(deck, 3, NULL, NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_deck_task(deck, -1, NULL, NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_deck_task(NULL, 0, NULL, NULL), FW_ERR_ARGUMENT);
}

/* Each column found by numbers is the one found by names. */
static void check_table(const fw_results *results, int index) {
  const char *analysis, *table, *name, *unit;
  size_t rows, same;
  int columns;
  assert_int_equal(fw_results_table(results, index, &analysis, &table, &rows, &columns), FW_OK);
  assert_true(columns > 0);
  for (int c = 0; c < columns; c++) {
    const double *values, *named;
    assert_int_equal(fw_results_table_column(results, index, c, &name, &unit, &values), FW_OK);
    assert_int_equal(fw_results_column(results, analysis, table, name, &same, &named), FW_OK);
    assert_true(rows == same && values == named);
    if (strcmp(name, "time") == 0) assert_string_equal(unit, "s");
    if (strcmp(name, "v") == 0) assert_string_equal(unit, "m/s");
  }
  assert_int_equal(fw_results_table_column(results, index, columns, NULL, NULL, NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_table_column(results, index, -1, NULL, NULL, NULL), FW_ERR_ARGUMENT);
}

static void tables_columns_units(void **state) {
  (void)state;
  fw_results *results = NULL;
  char *json = NULL;
  bool history = false, samples = false;
  if (fw_run(ctx, deck, NULL, &results) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  int count = fw_results_table_count(results);
  for (int i = 0; i < count; i++) {
    const char *analysis, *table;
    assert_int_equal(fw_results_table(results, i, &analysis, &table, NULL, NULL), FW_OK);
    history = history || (strcmp(analysis, "run") == 0 && strcmp(table, "history") == 0);
    samples = samples || (strcmp(analysis, "vary") == 0 && strcmp(table, "samples") == 0);
    check_table(results, i);
  }
  assert_true(history && samples);
  assert_int_equal(fw_results_table(results, count, NULL, NULL, NULL, NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_table(results, -1, NULL, NULL, NULL, NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_table_count(NULL), 0);
  assert_int_equal(fw_results_summary(results, &json), FW_OK);
  assert_non_null(strstr(json, "\"frequency\": 1.59"));
  fw_free(json);
  assert_int_equal(fw_results_summary(NULL, &json), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_summary(results, NULL), FW_ERR_ARGUMENT);
  fw_results_destroy(&results);
}

/* ---- as they come ------------------------------------------------------------------------ */

typedef struct seen {
  size_t rows, frames, refuse_after;
  double last[3]; /* time, x, v */
  double displaced;
} seen;

static fw_status see_row(void *user, const fw_row_view *row) {
  seen *s = user;
  if (strcmp(row->analysis, "run") != 0 || strcmp(row->table, "history") != 0) return FW_OK;
  assert_int_equal(row->columns, 3);
  assert_string_equal(row->names[1], "x");
  assert_string_equal(row->units[1], "m");
  memcpy(s->last, row->values, sizeof s->last);
  return ++s->rows == s->refuse_after ? FW_ERR_INTERRUPTED : FW_OK;
}

static fw_status see_frame(void *user, const fw_frame_view *frame) {
  seen *s = user;
  if (strcmp(frame->analysis, "run") != 0) return FW_OK;
  assert_int_equal(frame->nodes, 4); /* the mass, and the far ends of three springs */
  assert_true(frame->places[0] == 0.5 && frame->places[1] == 0.0 && frame->places[2] == 0.0);
  assert_true(frame->rotations[2] == 0.0);
  s->displaced = frame->displacements[0];
  s->frames++;
  return FW_OK;
}

static void rows_and_frames(void **state) {
  (void)state;
  seen s = {0};
  fw_results *results = NULL;
  const double *x;
  size_t rows;
  fw_context_on_row(ctx, see_row, &s);
  fw_context_on_frame(ctx, see_frame, &s);
  if (fw_run(ctx, deck, NULL, &results) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  assert_int_equal(fw_results_column(results, "run", "history", "x", &rows, &x), FW_OK);
  assert_true(s.rows == rows && rows == 101 && s.last[1] == x[rows - 1]);
  assert_int_equal(s.frames, 3);
  assert_true(s.displaced == x[rows - 1] && fabs(s.displaced) > 1e-4);
  fw_results_destroy(&results);
  s = (seen){.refuse_after = 7};
  assert_int_equal(fw_run(ctx, deck, NULL, &results), FW_ERR_INTERRUPTED); /* the receiver's own status */
  assert_int_equal(s.rows, 7);
  fw_results_destroy(&results);
  fw_context_on_row(ctx, NULL, NULL);
  fw_context_on_frame(ctx, NULL, NULL);
}

/* A bending mode of a tube across space: its end moves and turns at right angles to the axis and to each other. */
static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static fw_status see_bending(void *user, const fw_frame_view *frame) {
  static const double axis[3] = {1. / 3, -2. / 3, 2. / 3};
  size_t end = 3 * (frame->nodes - 1);
  const double *place = frame->places + end, *u = frame->displacements + end, *turn = frame->rotations + end;
  double size = sqrt(dot(u, u)), angle = sqrt(dot(turn, turn));
  assert_true(fabs(dot(place, axis) - 1.2) < 1e-12 && fabs(place[2] - 0.8) < 1e-12);
  assert_true(dot(frame->displacements, frame->displacements) == 0.0); /* clamped */
  assert_true(size > 0.0 && fabs(angle / size - 1.3765 / 1.2) < 2e-2); /* slope of the first mode of a cantilever */
  assert_true(fabs(dot(u, axis)) < 1e-6 * size && fabs(dot(turn, axis)) < 1e-6 * angle);
  assert_true(fabs(dot(u, turn)) < 1e-6 * size * angle);
  ++*(int *)user;
  return FW_OK;
}

static void frames_in_space(void **state) {
  (void)state;
  static const char *const tube =
      "<fretwork version='1'><materials><elastic id='steel' E='2e11' nu='0.3' rho='8000'/></materials>"
      "<sections><tube id='pipe' diameter='16e-3' wall='1e-3'/></sections><bodies><tube id='t' material='steel' "
      "section='pipe' from='0, 0, 0' to='0.4, -0.8, 0.8' divisions='12'><point id='a' s='0'/></tube></bodies>"
      "<supports><support at='t.a' x='fixed' y='fixed' z='fixed' rx='fixed' ry='fixed' rz='fixed'/></supports>"
      "<analyses><modal id='modes' modes='1'/></analyses></fretwork>";
  fw_deck *bent = NULL;
  fw_results *results = NULL;
  int frames = 0;
  if (fw_deck_parse(ctx, tube, strlen(tube), NULL, &bent) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  fw_context_on_frame(ctx, see_bending, &frames);
  assert_int_equal(fw_run(ctx, bent, NULL, &results), FW_OK);
  fw_context_on_frame(ctx, NULL, NULL);
  assert_int_equal(frames, 1);
  fw_results_destroy(&results);
  fw_deck_destroy(&bent);
}

/* ---- options of other versions, interruption from elsewhere -------------------------------- */

static void sizes_of_options(void **state) {
  (void)state;
  fw_results *results = NULL;
  struct {
    fw_run_options known;
    int more;
  } newer = {.known = {.struct_size = sizeof newer, .threads = 1}};
  fw_run_options shorter = {.struct_size = offsetof(fw_run_options, threads), .threads = -5};
  assert_int_equal(fw_run(ctx, deck, &newer.known, &results), FW_OK);
  fw_results_destroy(&results);
  newer.more = 1;
  fw_context_clear(ctx);
  assert_int_equal(fw_run(ctx, deck, &newer.known, &results), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "does not know"));
  assert_int_equal(fw_run(ctx, deck, &shorter, &results), FW_OK); /* what it has not is 0 */
  fw_results_destroy(&results);
  shorter.struct_size = 3;
  assert_int_equal(fw_run(ctx, deck, &shorter, &results), FW_ERR_ARGUMENT);
}

static void *interrupt(void *user) {
  fw_context_interrupt(user, true);
  return NULL;
}

static void interrupted_by_a_thread(void **state) {
  (void)state;
  pthread_t thread;
  fw_results *results = NULL;
  fw_deck *endless = NULL;
  char *at = strstr(text, "0.1\"/></analyses>");
  char *longer = malloc(strlen(text) + 10);
  assert_true(at && longer);
  sprintf(longer, "%.*s99999%s", (int)(at - text), text, at + 3);
  assert_int_equal(fw_deck_parse(ctx, longer, strlen(longer), NULL, &endless), FW_OK);
  free(longer);
  assert_int_equal(pthread_create(&thread, NULL, interrupt, ctx), 0);
  assert_int_equal(fw_run(ctx, endless, NULL, &results), FW_ERR_INTERRUPTED);
  assert_int_equal(pthread_join(thread, NULL), 0);
  fw_context_interrupt(ctx, false);
  fw_results_destroy(&results);
  fw_deck_destroy(&endless);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(decks_in_memory),        cmocka_unit_test(parameters_and_tasks),
                                     cmocka_unit_test(tables_columns_units),   cmocka_unit_test(rows_and_frames),
                                     cmocka_unit_test(frames_in_space),        cmocka_unit_test(sizes_of_options),
                                     cmocka_unit_test(interrupted_by_a_thread)};
  return cmocka_run_group_tests(tests, start, stop);
}
