/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads that jump on closed hard contact and rigid stick, at the beginning of a run and within it: contact forces and
 * accelerations obey their laws at once, and the motion begins when the load does. A block of 1 kg, pressed by 10 N. */
#include "verification/deck_run.h"

static const char block[] =
    "<fretwork version=\"1\"><bodies><rigid id=\"b\" at=\"0,0\" m=\"1\" rotation=\"none\"/>"
    "<spring id=\"k\" at=\"b.centre\" ground=\"1,0\" direction=\"1,0\" k=\"1e-6\"/></bodies>"
    "<contact><surface id=\"floor\"><line from=\"-100,0\" to=\"100,0\"/></surface><pair id=\"c\" target=\"floor\">"
    "<point at=\"b.centre\"/><normal law=\"hard\"/>%s</pair></contact>"
    "<loads><force id=\"w\" at=\"b.centre\" fy=\"-10\"/>%s</loads>"
    "<sensors><sensor id=\"x\" at=\"b.centre\" direction=\"x\"/><sensor id=\"y\" at=\"b.centre\" direction=\"y\"/>"
    "<sensor id=\"ax\" at=\"b.centre\" direction=\"x\" quantity=\"acceleration\"/>"
    "<sensor id=\"ay\" at=\"b.centre\" direction=\"y\" quantity=\"acceleration\"/></sensors>"
    "<analyses><static id=\"s\" loads=\"w\"/>"
    "<transient id=\"t\" start=\"s\" loads=\"jump\" duration=\"0.1\" step=\"0.01\" %s/></analyses></fretwork>";

static const char *const solvers[] = {"", "locate=\"no\"", "adaptive=\"1e-6\"", "general=\"yes\"",
                                      "solver=\"ida\" tolerance=\"1e-9\""};

/* Every law that can stick rigidly, its coefficient 0.1 once it slips. */
static const char *const laws[] = {
    "<friction law=\"coulomb\" mu=\"0.1\" enforcement=\"lagrange\"/>",
    "<friction law=\"coulomb-viscous\" mu=\"0.1\" mu-v=\"0\" enforcement=\"lagrange\"/>",
    "<friction law=\"coulomb-static\" mu-s=\"0.2\" mu-c=\"0.1\" enforcement=\"lagrange\"/>",
    "<friction law=\"stribeck\" mu-s=\"0.1\" mu-c=\"0.1\" enforcement=\"lagrange\"/>",
    "<friction law=\"decay\" mu-s=\"0.1\" mu-c=\"0.1\" enforcement=\"lagrange\"/>",
    "<friction law=\"karnopp\" mu-s=\"0.1\" mu-c=\"0.1\" enforcement=\"lagrange\"/>",
    "<friction law=\"force-balance\" mu-s=\"0.2\" mu-c=\"0.1\" enforcement=\"lagrange\"/>",
    "<friction law=\"tabulated\" speed=\"0, 1\" mu=\"0.1, 0.1\" enforcement=\"lagrange\"/>"};

typedef struct expected {
  double x, y, ax, ay; /* at the end, and the accelerations in the first row */
} expected;

static void check(const char *law, const char *load, const char *solver, const expected *e) {
  deck_run run;
  size_t rows;
  deck_open_text(&run, block, law, load, solver);
  printf("%s %s %s\n", law, load, solver);
  compare("x", deck_number(&run, "t", "sensors.x.final"), e->x, 1e-6);
  compare("y", deck_number(&run, "t", "sensors.y.final"), e->y, 1e-6);
  compare("acceleration along, at once", deck_column(&run, "t", "history", "ax", &rows)[0], e->ax, 1e-9);
  compare("acceleration up, at once", deck_column(&run, "t", "history", "ay", &rows)[0], e->ay, 1e-9);
  deck_close(&run);
}

static void for_all_solvers(const char *law, const char *load, const expected *e) {
  for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) check(law, load, solvers[k], e);
}

/* Pushed by 5 N, either way, against 1 N: 4 m/s^2 from the first moment. */
static void pushed(void **unused) {
  (void)unused;
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    for_all_solvers(laws[k], "<force id=\"jump\" at=\"b.centre\" fx=\"5\"/>", &(expected){0.02, 0.0, 4.0, 0.0});
    check(laws[k], "<force id=\"jump\" at=\"b.centre\" fx=\"-5\"/>", "", &(expected){-0.02, 0.0, -4.0, 0.0});
  }
}

/* Pushed by less than friction holds: nothing. */
static void held(void **unused) {
  (void)unused;
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
    for_all_solvers(laws[k], "<force id=\"jump\" at=\"b.centre\" fx=\"0.9\"/>", &(expected){0});
}

/* Lifted by 15 N and pushed, off the floor, where nothing rubs. */
static void lifted(void **unused) {
  (void)unused;
  for_all_solvers(laws[0], "<force id=\"jump\" at=\"b.centre\" fx=\"5\" fy=\"15\"/>",
                  &(expected){0.025, 0.025, 5.0, 5.0});
}

/* The push comes at 43 ms, within a step, or 40 ms, at the end of one: by expression, by table. */
static void later(void **unused) {
  (void)unused;
  const double inside = 0.5 * 4.0 * 0.057 * 0.057, edge = 0.5 * 4.0 * 0.06 * 0.06;
  for_all_solvers(laws[0], "<expression id=\"jump\" at=\"b.centre\" fx=\"5\" value=\"t > 0.043 ? 1 : 0\"/>",
                  &(expected){.x = inside});
  for_all_solvers(laws[2],
                  "<table id=\"jump\" at=\"b.centre\" fx=\"5\" times=\"0.04, 0.04000000001\" values=\"0, 1\"/>",
                  &(expected){.x = edge});
  for_all_solvers(laws[0], "<expression id=\"jump\" at=\"b.centre\" fy=\"15\" value=\"t >= 0.043 ? 1 : 0\"/>",
                  &(expected){.y = 0.5 * 5.0 * 0.057 * 0.057});
}

/* On for 20 ms and off again, : friction stops it at v^2/(2 mu g). */
static void pulse(void **unused) {
  (void)unused;
  double v = 4.0 * 0.02;
  for_all_solvers(laws[0], "<expression id=\"jump\" at=\"b.centre\" fx=\"5\" value=\"t > 0.02 ? 0 : 1\"/>",
                  &(expected){.x = 0.5 * 4.0 * 0.02 * 0.02 + v * 0.08 - 0.5 * 0.08 * 0.08, .ax = 4.0});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pushed), cmocka_unit_test(held), cmocka_unit_test(lifted),
                                     cmocka_unit_test(later), cmocka_unit_test(pulse)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
