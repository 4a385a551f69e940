/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig under every friction law of the table: generalised-alpha at falling steps against IDA at a tight tolerance.
 * Both start from the seated rig at rest; compared is the driving point over the last period. Steps fall until the two
 * are within CLOSE of each other: a force that drops as slip begins strikes the strip's axial modes, and alpha gets
 * there only with steps that resolve them (26 us on eight elements). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "contact/friction/friction.h"
#include "fretwork.h"

enum {
  DIVISIONS = 8,
  PERIODS = 2,
  ROWS = 50,
  COARSEST = 800,
  RUNS = 5
}; /* rows a period; alpha at 800, 3200, ..., 204800 steps a period */
#define CLOSE 1e-3

/* The foot has its moment of inertia: without it rigid contact at a fine mesh runs into Painleve's paradox. */
static const char text[] =
    "<fretwork version=\"1\">\n"
    "  <materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"7800\"/></materials>\n"
    "  <sections><rectangle id=\"strip\" width=\"38.88e-3\" height=\"4.76e-3\"/></sections>\n"
    "  <bodies>\n"
    "    <beam id=\"beam\" element=\"euler-bernoulli\" material=\"steel\" section=\"strip\" from=\"0, 0\" to=\"0.606, "
    "0\"\n"
    "          divisions=\"%d\"><point id=\"clamp\" s=\"0\"/><point id=\"drive\" s=\"0.555\"/><point id=\"tip\" "
    "s=\"0.606\"/>\n"
    "    </beam>\n"
    "    <mass id=\"foot\" at=\"beam.tip\" m=\"0.0119\" J=\"3.4e-7\"/>\n"
    "  </bodies>\n"
    "  <damping><rayleigh body=\"beam\" alpha=\"0.06\" beta=\"1e-6\"/></damping>\n"
    "  <supports><support at=\"beam.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/></supports>\n"
    "  <contact>\n"
    "    <surface id=\"floor\"><line from=\"0.5, -7.38e-3\" to=\"0.7, -7.38e-3\"/></surface>\n"
    "    <pair id=\"foot\" target=\"floor\"><disc at=\"beam.tip\" offset=\"0, -2.38e-3\" radius=\"5e-3\"/>\n"
    "      <normal law=\"hard\" enforcement=\"lagrange\" restitution=\"0\"/>\n"
    "      <friction law=\"%s\" enforcement=\"%s\" u-crit=\"4.15e-6\"/></pair>\n"
    "  </contact>\n"
    "  <loads><force id=\"preload\" at=\"beam.tip\" fy=\"-83\"/>\n"
    "    <harmonic id=\"shaker\" at=\"beam.drive\" fy=\"1\" phase=\"-90\"/></loads>\n"
    "  <sensors><sensor id=\"drive\" at=\"beam.drive\" quantity=\"displacement\" direction=\"y\"/></sensors>\n"
    "  <analyses><static id=\"seated\" loads=\"preload\"/>\n"
    "    <transient id=\"t\" start=\"seated\" loads=\"shaker\" at-level=\"6\" at-frequency=\"52.5\" periods=\"%d\" "
    "observe=\"1\" %s/>\n"
    "  </analyses>\n"
    "</fretwork>\n";

typedef struct rig_kind {
  const char *law, *enforcement;
  fw_context *ctx;
} rig_kind;

static fw_status run_rig(const rig_kind *rig, const char *how, fw_results **results) {
  char path[] = "/tmp/fw_rig_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  fprintf(file, text, DIVISIONS, rig->law, rig->enforcement, PERIODS, how);
  fclose(file);
  fw_deck *deck = NULL;
  fw_status status = fw_deck_load(rig->ctx, path, &deck);
  if (status == FW_OK) status = fw_run(rig->ctx, deck, NULL, results);
  fw_deck_destroy(&deck);
  unlink(path);
  return status;
}

static const double *last_period(const fw_results *results) {
  size_t n;
  const double *x;
  assert_int_equal(fw_results_column(results, "t", "history", "drive", &n, &x), FW_OK);
  assert_int_equal(n, PERIODS * ROWS + 1);
  return x + n - ROWS;
}

/* Largest difference over the last period, over the largest value there. */
static double distance(const double *x, const double *y) {
  double most = 0.0, largest = 0.0;
  for (int i = 0; i < ROWS; i++) {
    most = fmax(most, fabs(x[i] - y[i]));
    largest = fmax(largest, fabs(y[i]));
  }
  return most / largest;
}

/* Two runs for an order, a third unless that is already near the error of the reference itself, more where needed. */
static bool enough(int runs, double error) {
  return runs >= RUNS || (runs >= 3 && error <= CLOSE) || (runs == 2 && error <= 0.1 * CLOSE);
}

/* Steps fall until alpha is close; prints the distances and the order between the first and the last. */
static bool approaches(const rig_kind *rig, const double *reference) {
  double error = INFINITY, first = NAN;
  int run = 0;
  for (int steps = COARSEST; !enough(run, error); run++, steps *= 4) {
    char how[100];
    fw_results *results = NULL;
    snprintf(how, sizeof how, "step=\"1/52.5/%d\" every=\"%d\" rho-inf=\"0.9\"", steps, steps / ROWS);
    if (run_rig(rig, how, &results) != FW_OK) {
      printf("  %s\n", fw_context_message(rig->ctx));
      fw_results_destroy(&results);
      return false;
    }
    error = distance(last_period(results), reference);
    fw_results_destroy(&results);
    if (run == 0) first = error;
    printf(" %8.1e", error);
  }
  printf("%*s order %5.2f", 9 * (RUNS - run), "", log(first / error) / log(4.0) / (run - 1));
  return error <= CLOSE;
}

static int compare_law(const char *law, const char *enforcement) {
  rig_kind rig = {law, enforcement, NULL};
  fw_results *results = NULL;
  assert_int_equal(fw_context_create(&rig.ctx), FW_OK);
  printf("%-22s %-9s", law, enforcement);
  bool good = run_rig(&rig, "step=\"1/52.5/50\" solver=\"ida\" tolerance=\"1e-7\" displacement-tolerance=\"1e-13\"",
                      &results) == FW_OK;
  if (good)
    good = approaches(&rig, last_period(results));
  else
    printf("  %s", fw_context_message(rig.ctx));
  printf("%s\n", good ? "" : " <-- too far");
  fflush(stdout);
  fw_results_destroy(&results);
  fw_context_destroy(&rig.ctx);
  return !good;
}

static void every_law_on_the_rig(void **unused) {
  (void)unused;
  int failures = 0;
  printf("alpha at %d steps a period, then four times as many, until within %g of ida; mean order\n", COARSEST, CLOSE);
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++) {
    const fw_friction_ops *ops = (const fw_friction_ops *)*entry;
    failures += compare_law((*entry)->name, "penalty");
    if (ops->limit && !ops->rate && !ops->step) failures += compare_law((*entry)->name, "lagrange");
  }
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_law_on_the_rig)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
