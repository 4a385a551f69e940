/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rows a transient writes (every n steps, at given times, of the last periods), what does not depend on them, and
 * what it says where it cannot go on. */
#include "verification/deck_run.h"

/* ---- rows -------------------------------------------------------------------------------- */

/* A mass on a spring at 10 Hz, 100 steps a period, four periods. */
static const char oscillator[] =
    "<fretwork version=\"1\"><bodies><rigid id=\"block\" at=\"0, 0\" m=\"1\" rotation=\"none\"/>"
    "<spring id=\"x\" at=\"block.centre\" ground=\"-1, 0\" k=\"1e4\"/>"
    "<spring id=\"y\" at=\"block.centre\" ground=\"0, -1\" k=\"1e4\"/></bodies>"
    "<loads><harmonic id=\"shaker\" at=\"block.centre\" fx=\"1\"/></loads>"
    "<sensors><sensor id=\"x\" at=\"block.centre\" quantity=\"displacement\" direction=\"x\"/></sensors>"
    "<analyses><transient id=\"t\" loads=\"shaker\" at-frequency=\"10\" periods=\"4\" step=\"1e-3\" solver=\"%s\" %s/>"
    "</analyses></fretwork>";

/* The rows of `more` must be those of the run that writes every step whose times are `times`. */
static void rows_are(const char *solver, const char *more, const double *times, size_t count) {
  char text[1200];
  deck_run all, some;
  size_t n, m;
  snprintf(text, sizeof text, oscillator, solver, "");
  assert_int_equal(deck_try_text(&all, "%s", text), FW_OK);
  snprintf(text, sizeof text, oscillator, solver, more);
  assert_int_equal(deck_try_text(&some, "%s", text), FW_OK);
  const double *t_all = deck_column(&all, "t", "history", "time", &n),
               *t = deck_column(&some, "t", "history", "time", &m);
  const double *x_all = deck_column(&all, "t", "history", "x", &n), *x = deck_column(&some, "t", "history", "x", &m);
  printf("  %-5s %-40s %zu of %zu rows\n", solver, more, m, n);
  assert_int_equal(n, 401);
  assert_int_equal(m, count);
  for (size_t i = 0; i < m; i++) {
    size_t step = (size_t)lround(times[i] / 1e-3);
    assert_true(fabs(t[i] - times[i]) < 1e-9);
    assert_true(t[i] == t_all[step]);
    assert_true(x[i] == x_all[step]);
  }
  deck_close(&all);
  deck_close(&some);
}

static void chosen_rows(void **unused) {
  (void)unused;
  static const char *const solvers[] = {"alpha", "ida", "cvode"};
  static const double given[] = {0.05, 0.121, 0.4};
  double every[81], last[151], both[16];
  for (int i = 0; i < 81; i++) every[i] = 5e-3 * i;
  for (int i = 0; i < 151; i++) last[i] = 0.25 + 1e-3 * i;
  for (int i = 0; i < 16; i++) both[i] = 0.25 + 0.01 * i;
  for (int k = 0; k < 3; k++) {
    rows_are(solvers[k], "every=\"5\"", every, 81);
    rows_are(solvers[k], "times=\"0.05, 0.121, 0.4\"", given, 3);
    rows_are(solvers[k], "last=\"1.5\"", last, 151);
    rows_are(solvers[k], "last=\"1.5\" every=\"10\"", both, 16);
  }
}

/* ---- where it stops ---------------------------------------------------------------------- */

static const char rig[] =
    "<fretwork version=\"1\"><materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"7800\"/></materials>"
    "<sections><rectangle id=\"strip\" width=\"38.88e-3\" height=\"4.76e-3\"/></sections>"
    "<bodies><beam id=\"beam\" element=\"euler-bernoulli\" material=\"steel\" section=\"strip\" from=\"0, 0\" "
    "to=\"0.606, 0\" divisions=\"%d\"><point id=\"clamp\" s=\"0\"/><point id=\"drive\" s=\"0.555\"/>"
    "<point id=\"tip\" s=\"0.606\"/></beam><mass id=\"foot\" at=\"beam.tip\" m=\"0.0119\" J=\"%g\"/></bodies>"
    "<damping><rayleigh body=\"beam\" alpha=\"0.06\" beta=\"1e-6\"/></damping>"
    "<supports><support at=\"beam.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/></supports>"
    "<contact><surface id=\"floor\"><line from=\"0.5, -7.38e-3\" to=\"0.7, -7.38e-3\"/></surface>"
    "<pair id=\"foot\" target=\"floor\"><disc at=\"beam.tip\" offset=\"0, -2.38e-3\" "
    "radius=\"5e-3\"/>%s</pair></contact>"
    "<loads><force id=\"preload\" at=\"beam.tip\" fy=\"-83\"/><harmonic id=\"shaker\" at=\"beam.drive\" fy=\"1\" "
    "phase=\"-90\"/></loads><analyses><static id=\"seated\" loads=\"preload\"/>"
    "<transient id=\"t\" start=\"seated\" loads=\"shaker\" at-level=\"6\" at-frequency=\"52.5\" periods=\"3\" "
    "step=\"1/52.5/50\" solver=\"ida\" tolerance=\"1e-7\" displacement-tolerance=\"1e-11\"/></analyses></fretwork>";

static void stops(int divisions, double inertia, const char *laws, const char *says) {
  char text[3000];
  deck_run run;
  snprintf(text, sizeof text, rig, divisions, inertia, laws);
  assert_int_not_equal(deck_try_text(&run, "%s", text), FW_OK);
  printf("  %s\n", fw_context_message(run.ctx));
  assert_non_null(strstr(fw_context_message(run.ctx), says));
  assert_null(strstr(fw_context_message(run.ctx), "IDA")); /* names of a library */
  deck_close(&run);
}

/* On a fine mesh and without the foot's moment of inertia b/a is 5.5 h/l = 2.7, and friction of 0.5 is beyond a/b. */
static void painleve(void **unused) {
  (void)unused;
  stops(
      40, 0.0,
      "<normal law=\"hard\" enforcement=\"lagrange\"/><friction law=\"coulomb\" mu=\"0.5\" enforcement=\"lagrange\"/>",
      "Painleve");
}

/* Friction that gives way to less force, on a support that rings: a moment without a solution, told instead of tried
 * for ever. (A tolerance of 1e-5 or 1e-6 already stops at 35 or at 43 ms, as rounding will have it.) */
static void no_solution(void **unused) {
  (void)unused;
  stops(8, 3.4e-7,
        "<normal law=\"hard\" enforcement=\"lagrange\"/><friction law=\"reset-integrator\" mu-c=\"0.5\" a=\"0.2\"/>",
        "ida stops at t = 0.0426");
}

/* ---- looks ------------------------------------------------------------------------------- */

/* Extremes and contact figures of the solvers with steps of their own do not ask how often one looks: 8, 37 and 400
 * times a period. Those of forces have no rates by which to find them between steps. */
static const struct {
  const char *path;
  double tolerance;
} figures[] = {{"sensors.x.min", 2e-6},
               {"sensors.x.max", 2e-6},
               {"sensors.y.max", 1e-4} /* soft: 0.025 of its range */,
               {"sensors.u.min", 2e-6},
               {"sensors.u.max", 2e-6},
               {"contact.foot.work_rate", 1e-5},
               {"contact.foot.contact_work_rate", 1e-5},
               {"contact.foot.irreversible_work_rate", 1e-5},
               {"contact.foot.dissipated_power", 1e-5},
               {"contact.foot.sliding_power", 1e-4} /* a step counts as a whole */,
               {"contact.foot.slip_amplitude", 1e-5},
               {"contact.foot.open_fraction", 1e-3},
               {"contact.foot.normal_mean", 1e-5},
               {"contact.foot.normal_max", 1e-4},
               {"contact.foot.tangential_max", 1e-4},
               {"contact.foot.slip_velocity_max", 1e-4}};

static void compare_looks(const char *deck, const char *analysis) {
  static const char *const looks[3][2] = {{"looks=400", NULL}, {"looks=37", NULL}, {"looks=8", NULL}};
  deck_run runs[3];
  printf("%s %s\n", deck, analysis);
  for (int r = 0; r < 3; r++) deck_open(&runs[r], deck, looks[r]);
  for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
    for (int r = 1; r < 3; r++)
      compare(figures[k].path, deck_number(&runs[r], analysis, figures[k].path),
              deck_number(&runs[0], analysis, figures[k].path), figures[k].tolerance);
  for (int r = 0; r < 3; r++) deck_close(&runs[r]);
}

static void looks_do_not_matter(void **unused) {
  (void)unused;
  compare_looks(FW_SOURCE_DIR "/tests/verification/ida/looks-soft.xml", "ida");
  compare_looks(FW_SOURCE_DIR "/tests/verification/ida/looks-soft.xml", "cvode");
  compare_looks(FW_SOURCE_DIR "/tests/verification/ida/looks-hard.xml", "ida");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chosen_rows), cmocka_unit_test(painleve),
                                     cmocka_unit_test(no_solution), cmocka_unit_test(looks_do_not_matter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
