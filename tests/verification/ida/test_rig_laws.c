/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig under every friction law of the table: generalised-alpha at falling steps against IDA at a tight tolerance.
 * Both start from the seated rig at rest; compared is the driving point over the last period. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "contact/friction/friction.h"
#include "fretwork.h"

#ifndef DIVISIONS
#define DIVISIONS 8
#define PERIODS 3
#endif
enum { ROWS = 50, RUNS = 3 }; /* rows a period; alpha at 4, 8, 16 steps a row */

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
    "    <transient id=\"t0\" %s step=\"1/52.5/400\" every=\"8\" rho-inf=\"0.9\"/>\n"
    "    <transient id=\"t1\" %s step=\"1/52.5/800\" every=\"16\" rho-inf=\"0.9\"/>\n"
    "    <transient id=\"t2\" %s step=\"1/52.5/1600\" every=\"32\" rho-inf=\"0.9\"/>\n"
    "    <transient id=\"ida\" %s step=\"1/52.5/50\" solver=\"ida\" tolerance=\"1e-7\" "
    "displacement-tolerance=\"1e-12\"/>\n"
    "  </analyses>\n"
    "</fretwork>\n";

static fw_status run_rig(fw_context *ctx, const char *law, const char *enforcement, fw_results **results) {
  char path[] = "/tmp/fw_rig_XXXXXX", common[160];
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  snprintf(common, sizeof common,
           "start=\"seated\" loads=\"shaker\" at-level=\"3\" at-frequency=\"52.5\" periods=\"%d\" observe=\"1\"",
           PERIODS);
  fprintf(file, text, DIVISIONS, law, enforcement, common, common, common, common);
  fclose(file);
  fw_deck *deck = NULL;
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_run(ctx, deck, NULL, results);
  fw_deck_destroy(&deck);
  unlink(path);
  return status;
}

static double seconds(const fw_results *results, const char *id) {
  char path[60];
  double value = NAN;
  snprintf(path, sizeof path, "analyses.%s.cpu_seconds", id);
  fw_results_number(results, path, &value);
  return value;
}

/* Largest difference over the last period, over the largest value there. */
static double distance(const fw_results *results, const char *id) {
  size_t m, n;
  const double *x, *y;
  assert_int_equal(fw_results_column(results, id, "history", "drive", &m, &x), FW_OK);
  assert_int_equal(fw_results_column(results, "ida", "history", "drive", &n, &y), FW_OK);
  assert_int_equal(m, n);
  assert_true(n > ROWS);
  double most = 0.0, largest = 0.0;
  for (size_t i = n - ROWS; i < n; i++) {
    most = fmax(most, fabs(x[i] - y[i]));
    largest = fmax(largest, fabs(y[i]));
  }
  return most / largest;
}

/* Sliding force that falls with speed: stick and slip take turns and neighbouring motions part, so that two integrators
 * approach each other only slowly. */
static bool is_sensitive(const char *law, const char *enforcement) {
  static const char *const laws[] = {"stribeck", "decay", "elasto-plastic", "gms", "tabulated"};
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
    if (strcmp(laws[i], law) == 0) return strcmp(enforcement, "penalty") == 0;
  return false;
}

static int compare_law(const char *law, const char *enforcement) {
  static const char *const ids[RUNS] = {"t0", "t1", "t2"};
  fw_context *ctx = NULL;
  fw_results *results = NULL;
  double error[RUNS];
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  if (run_rig(ctx, law, enforcement, &results) != FW_OK) {
    printf("%-22s %s\n", law, fw_context_message(ctx));
    fw_results_destroy(&results);
    fw_context_destroy(&ctx);
    return 1;
  }
  for (int k = 0; k < RUNS; k++) error[k] = distance(results, ids[k]);
  double order = log2(error[0] / error[2]) / 2.0;
  bool good = is_sensitive(law, enforcement) ? order > 0.2 && error[2] < 5e-2 : order > 1.2 && error[2] < 1e-3;
  printf("%-22s %-9s %9.2e %9.2e %9.2e   %5.2f %8.3f %8.3f %s\n", law, enforcement, error[0], error[1], error[2], order,
         seconds(results, "t2"), seconds(results, "ida"), good ? "" : "<-- too far");
  fw_results_destroy(&results);
  fw_context_destroy(&ctx);
  return !good;
}

static void every_law_on_the_rig(void **unused) {
  (void)unused;
  int failures = 0;
  printf("alpha at 400, 800, 1600 steps a period against ida, order of convergence, seconds of the last two\n");
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++) {
    const fw_friction_ops *ops = (const fw_friction_ops *)*entry;
    bool set_valued = ops->limit && !ops->rate && !ops->step;
    /* elastic stick within a band of velocities has a force that jumps where the band is left: rigid only */
    if (strcmp((*entry)->name, "karnopp") != 0) failures += compare_law((*entry)->name, "penalty");
    if (set_valued) failures += compare_law((*entry)->name, "lagrange");
  }
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_law_on_the_rig)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
