/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transients step by step: the numbers of the analysis to the last digit, loads that the caller changes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "one_context.h"

/* A mass on a spring that a foot rubs on the floor, preloaded by a static analysis; the floor's laws are placeholders.
 */
static const char *const rubbed =
    "<fretwork version=\"1\"><bodies><rigid id=\"m\" at=\"0, 0\" m=\"1\" J=\"1\"/>"
    "<spring id=\"s\" at=\"m.centre\" direction=\"1, 0\" k=\"400\"/><torsional-spring id=\"r\" at=\"m.centre\" "
    "k=\"3\"/></bodies>"
    "<contact><surface id=\"floor\"><line from=\"-1, -0.1\" to=\"1, -0.1\"/></surface><pair id=\"foot\" "
    "target=\"floor\"><disc at=\"m.centre\" radius=\"0.1\"/>%s</pair></contact>"
    "<loads><force id=\"weight\" at=\"m.centre\" fy=\"-10\"/><harmonic id=\"shaker\" at=\"m.centre\" fx=\"9\"/></loads>"
    "<sensors><sensor id=\"x\" at=\"m.centre\" quantity=\"displacement\" direction=\"x\"/>"
    "<sensor id=\"v\" at=\"m.centre\" quantity=\"velocity\" direction=\"x\"/></sensors>"
    "<analyses><static id=\"seated\" loads=\"weight\"/><transient id=\"run\" start=\"seated\" loads=\"shaker\" "
    "at-frequency=\"3\" step=\"2e-3\" duration=\"0.6\" %s/></analyses></fretwork>";

static const char *const hard =
    "<normal law=\"hard\" enforcement=\"lagrange\"/><friction law=\"coulomb\" mu=\"0.3\" enforcement=\"lagrange\"/>";
static const char *const soft =
    "<normal law=\"linear\" stiffness=\"1e5\"/><friction law=\"dahl\" mu-c=\"0.3\" sigma-0=\"1e4\" exponent=\"1\"/>";

static fw_deck *parse(const char *text) {
  fw_deck *deck = NULL;
  fw_context_clear(ctx);
  if (fw_deck_parse(ctx, text, strlen(text), "sim.xml", &deck) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  return deck;
}

static void must(fw_status status) {
  if (status != FW_OK) fail_msg("%s: %s", fw_status_text(status), fw_context_message(ctx));
}

/* Every row of the analysis' history, and the clock, as the simulation shows them. */
static void compare(const fw_deck *deck, const fw_results *results) {
  static const char *const names[] = {"time", "x", "v"};
  const double *columns[3];
  size_t rows = 0;
  fw_sim *sim = NULL;
  for (int c = 0; c < 3; c++) must(fw_results_column(results, "run", "history", names[c], &rows, &columns[c]));
  assert_int_equal(rows, 301);
  must(fw_sim_create(ctx, deck, "run", &sim));
  for (size_t i = 0; i < rows; i++) {
    double now[3];
    if (i > 0) must(fw_sim_advance(sim, 1));
    must(fw_sim_time(sim, &now[0], NULL));
    must(fw_sim_read(sim, "x", &now[1]));
    must(fw_sim_read(sim, "v", &now[2]));
    for (int c = 0; c < 3; c++)
      if (now[c] != columns[c][i]) fail_msg("row %zu, %s: %.17g, not %.17g", i, names[c], now[c], columns[c][i]);
  }
  assert_true(fabs(columns[1][rows - 1]) > 1e-4); /* it moved */
  fw_sim_destroy(&sim);
  assert_null(sim);
}

static void steps_are_those_of_the_analysis(void **state) {
  (void)state;
  static const struct {
    const char *const *contact;
    const char *options;
  } cases[] = {{&hard, "solver=\"alpha\""},
               {&hard, "solver=\"alpha\" locate=\"no\""},
               {&soft, "solver=\"alpha\" adaptive=\"1e-4\""},
               {&hard, "solver=\"ida\""},
               {&hard, "solver=\"ida\" checkpoint-every=\"0.1\""},
               {&soft, "solver=\"cvode\""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[4096];
    fw_results *results = NULL;
    snprintf(text, sizeof text, rubbed, *cases[i].contact, cases[i].options);
    fw_deck *deck = parse(text);
    must(fw_run(ctx, deck, NULL, &results));
    compare(deck, results);
    fw_results_destroy(&results);
    fw_deck_destroy(&deck);
  }
}

/* m x'' + k x = F for t > 0 from rest: x = F/k (1 - cos w t); F is off again after half a period, at x = 2 F/k. */
static const char *const free_mass =
    "<fretwork version=\"1\"><bodies><rigid id=\"m\" at=\"0, 0\" m=\"1\" J=\"1\"/>"
    "<spring id=\"s\" at=\"m.centre\" direction=\"1, 0\" k=\"100\"/><spring id=\"u\" at=\"m.centre\" direction=\"0, "
    "1\" "
    "k=\"500\"/><torsional-spring id=\"r\" at=\"m.centre\" k=\"900\"/></bodies>"
    "<loads><force id=\"push\" at=\"m.centre\" fx=\"2\"/></loads>"
    "<sensors><sensor id=\"x\" at=\"m.centre\" quantity=\"displacement\" direction=\"x\"/>"
    "<sensor id=\"a\" at=\"m.centre\" quantity=\"acceleration\" direction=\"x\"/></sensors>"
    "<analyses><transient id=\"run\" step=\"3.14159265358979e-4\" duration=\"1\" %s/><modal id=\"modes\" "
    "modes=\"1\"/></analyses></fretwork>";

static double read(const fw_sim *sim, const char *sensor) {
  double value = NAN;
  must(fw_sim_read(sim, sensor, &value));
  return value;
}

static void loads_change_at_once(void **state) {
  (void)state;
  static const char *const solvers[] = {"solver=\"alpha\" rho-inf=\"1\"", "solver=\"ida\" tolerance=\"1e-8\""};
  for (int i = 0; i < 2; i++) {
    char text[2048];
    fw_sim *sim = NULL;
    double time, step;
    snprintf(text, sizeof text, free_mass, solvers[i]);
    fw_deck *deck = parse(text);
    must(fw_sim_create(ctx, deck, "run", &sim));
    must(fw_sim_time(sim, NULL, &step));
    must(fw_sim_advance(sim, 100));
    assert_true(read(sim, "x") == 0.0);
    must(fw_sim_set_load(sim, "push", 0.5));
    assert_true(fabs(read(sim, "a") - 1.0) < 1e-12); /* F/m, before any step */
    long half = lround(M_PI / 10.0 / step);
    must(fw_sim_advance(sim, half));
    assert_true(fabs(read(sim, "x") - 0.02) < 1e-6);
    must(fw_sim_set_load(sim, "push", 0.0));
    must(fw_sim_advance(sim, half));
    assert_true(fabs(read(sim, "x") + 0.02) < 1e-6);
    must(fw_sim_advance(sim, 3 * half)); /* beyond the duration of the analysis */
    must(fw_sim_time(sim, &time, NULL));
    assert_true(time > 1.5);
    assert_true(fabs(read(sim, "x") - 0.02) < 3e-6);
    fw_sim_destroy(&sim);
    fw_deck_destroy(&deck);
  }
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  char text[2048];
  fw_sim *sim = NULL;
  double value;
  snprintf(text, sizeof text, free_mass, "");
  fw_deck *deck = parse(text);
  assert_int_equal(fw_sim_create(ctx, deck, "modes", &sim), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "only a transient"));
  assert_int_equal(fw_sim_create(ctx, deck, "runs", &sim), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "did you mean \"run\""));
  assert_int_equal(fw_sim_create(NULL, deck, "run", &sim), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_create(ctx, NULL, "run", &sim), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_create(ctx, deck, NULL, &sim), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_create(ctx, deck, "run", NULL), FW_ERR_ARGUMENT);
  assert_null(sim);
  fw_sim_destroy(NULL);
  fw_sim_destroy(&sim);
  assert_int_equal(fw_sim_advance(NULL, 1), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_set_load(NULL, "push", 1.0), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_read(NULL, "x", &value), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_time(NULL, &value, NULL), FW_ERR_ARGUMENT);
  must(fw_sim_create(ctx, deck, "run", &sim));
  assert_int_equal(fw_sim_advance(sim, -1), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_set_load(sim, "pull", 1.0), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_set_load(sim, NULL, 1.0), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_set_load(sim, "push", NAN), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_read(sim, "y", &value), FW_ERR_ARGUMENT);
  assert_int_equal(fw_sim_read(sim, "x", NULL), FW_ERR_ARGUMENT);
  must(fw_sim_time(sim, NULL, NULL));
  must(fw_sim_advance(sim, 1)); /* nothing of that has broken it */
  fw_context_interrupt(ctx, true);
  assert_int_equal(fw_sim_advance(sim, 1), FW_ERR_INTERRUPTED);
  fw_context_interrupt(ctx, false);
  must(fw_sim_advance(sim, 1));
  fw_sim_destroy(&sim);
  fw_deck_destroy(&deck);
}

/* A load beyond all measure leaves no motion to go on with. */
static void what_has_failed_does_not_go_on(void **unused) {
  (void)unused;
  char text[2048];
  fw_sim *sim = NULL;
  snprintf(text, sizeof text, free_mass, "solver=\"alpha\"");
  fw_deck *deck = parse(text);
  must(fw_sim_create(ctx, deck, "run", &sim));
  must(fw_sim_advance(sim, 1));
  assert_int_equal(fw_sim_set_load(sim, "push", 1.7e308), FW_ERR_ANALYSIS);
  assert_string_equal(fw_context_message(ctx), "run: t = 0.000314070352 s: a value is not finite");
  fw_context_clear(ctx);
  assert_int_equal(fw_sim_advance(sim, 1), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "run has failed and does not go on"));
  fw_sim_destroy(&sim);
  fw_deck_destroy(&deck);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_those_of_the_analysis), cmocka_unit_test(loads_change_at_once),
      cmocka_unit_test(what_makes_no_sense_is_refused), cmocka_unit_test(what_has_failed_does_not_go_on)};
  return cmocka_run_group_tests(tests, open_context, close_context);
}
