/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig under friction laws by harmonic balance and by time integration, which starts on the orbit at the resonance
 * and, once more, from rest. Laws with a falling characteristic have no periodic motion: both methods say so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "fretwork.h"

/* Level: a force at which friction holds the resonance. */
typedef struct rig_case {
  const char *law, *enforcement;
  double level;
  int harmonics;
  bool periodic;
} rig_case;

static const rig_case cases[] = {{"dahl", "penalty", 3, 15, true},
                                 {"coulomb", "penalty", 3, 15, true},
                                 {"coulomb", "lagrange", 5, 15, true},
                                 {"coulomb-viscous", "penalty", 3, 15, true},
                                 {"continuous", "penalty", 3, 15, true},
                                 {"lugre", "penalty", 1, 15, true},
                                 {"lugre-normalised", "penalty", 1, 15, true},
                                 {"maxwell-slip", "penalty", 3, 15, true},
                                 {"bouc-wen", "penalty", 3, 15, true},
                                 {"iwan", "penalty", 3, 15, true},
                                 {"hybrid", "penalty", 1, 15, true},
                                 {"stribeck", "penalty", 1, 15, false},
                                 {"decay", "penalty", 1, 15, false}};

/* The foot has its moment of inertia: without it rigid contact runs into Painleve's paradox. */
static const char text[] =
    "<fretwork version=\"1\">\n"
    "  <materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"7800\"/></materials>\n"
    "  <sections><rectangle id=\"strip\" width=\"38.88e-3\" height=\"4.76e-3\"/></sections>\n"
    "  <bodies>\n"
    "    <beam id=\"beam\" element=\"euler-bernoulli\" material=\"steel\" section=\"strip\" from=\"0, 0\" to=\"0.606, "
    "0\"\n"
    "          divisions=\"8\"><point id=\"clamp\" s=\"0\"/><point id=\"drive\" s=\"0.555\"/>\n"
    "      <point id=\"tip\" s=\"0.606\"/></beam>\n"
    "    <mass id=\"foot\" at=\"beam.tip\" m=\"0.0119\" J=\"3.4e-7\"/>\n"
    "  </bodies>\n"
    "  <damping><rayleigh body=\"beam\" alpha=\"0.06\" beta=\"0\"/></damping>\n"
    "  <supports><support at=\"beam.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/></supports>\n"
    "  <contact>\n"
    "    <surface id=\"floor\"><line from=\"0.5, -7.38e-3\" to=\"0.7, -7.38e-3\"/></surface>\n"
    "    <pair id=\"foot\" target=\"floor\"><disc at=\"beam.tip\" offset=\"0, -2.38e-3\" radius=\"5e-3\"/>\n"
    "      <normal law=\"hard\" enforcement=\"lagrange\" restitution=\"0\"/>\n"
    "      <friction law=\"%s\" enforcement=\"%s\" u-crit=\"4.15e-6\"/></pair>\n"
    "  </contact>\n"
    "  <loads><force id=\"preload\" at=\"beam.tip\" fy=\"-83\"/>\n"
    "    <harmonic id=\"shaker\" at=\"beam.drive\" fy=\"1\"/></loads>\n"
    "  <sensors><sensor id=\"drive\" at=\"beam.drive\" quantity=\"displacement\" direction=\"y\"/></sensors>\n"
    "  <analyses><static id=\"seated\" loads=\"preload\"/>\n%s  </analyses>\n"
    "</fretwork>\n";

static fw_results *run(fw_context *ctx, const rig_case *c, const char *analysis) {
  char path[] = "/tmp/fw_laws_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  fprintf(file, text, c->law, c->enforcement, analysis);
  fclose(file);
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_run(ctx, deck, NULL, &results);
  if (status != FW_OK) printf("%s: %s\n", c->law, fw_context_message(ctx));
  assert_int_equal(status, FW_OK);
  fw_deck_destroy(&deck);
  unlink(path);
  return results;
}

static double number(const fw_results *results, const char *path) {
  double value = NAN;
  fw_results_number(results, path, &value);
  return value;
}

/* First harmonic from rest after 200 periods at the resonance, relative to that of the orbit. */
static double from_rest(fw_context *ctx, const rig_case *c, double frequency, double amplitude) {
  char analysis[300];
  snprintf(analysis, sizeof analysis,
           "<transient id=\"rest\" start=\"seated\" loads=\"shaker\" at-level=\"%.17g\" at-frequency=\"%.17g\" "
           "periods=\"200\" observe=\"10\" step=\"%.17g\" every=\"100\"/>\n",
           c->level, frequency, 1 / (1600 * frequency));
  fw_results *results = run(ctx, c, analysis);
  double found = number(results, "analyses.rest.sensors.drive.harmonics[1].amplitude");
  fw_results_destroy(&results);
  return found / amplitude - 1;
}

static bool agree(const rig_case *c) {
  static const char *const figures[] = {"first_harmonic", "contact.foot.normal_max", "contact.foot.tangential_max",
                                        "contact.foot.slip_amplitude", "contact.foot.work_rate"};
  fw_context *ctx = NULL;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  char analysis[400], path[160];
  snprintf(
      analysis, sizeof analysis,
      "<frf id=\"frf\" start=\"seated\" loads=\"shaker\" levels=\"%g\" response=\"drive\" f-min=\"44\" f-max=\"66\" "
      "points=\"111\" harmonics=\"%d\" method=\"both\" steps=\"1600\" periods=\"50\" check-points=\"1\"/>\n",
      c->level, c->harmonics);
  fw_results *results = run(ctx, c, analysis);
  double frequency = number(results, "analyses.frf.levels[0].resonance.frequency"), spread = 0;
  printf("%-17s %-8s %4g %9.5f", c->law, c->enforcement, c->level, frequency);
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    snprintf(path, sizeof path, "analyses.frf.levels[0].agreement.%s", figures[i]);
    double difference = number(results, path);
    snprintf(path, sizeof path, "analyses.frf.levels[0].agreement.spread.%s", figures[i]);
    spread = fmax(spread, number(results, path));
    printf(" %8.1e", difference);
  }
  const char *note = NULL;
  bool said = fw_results_text(results, "analyses.frf.levels[0].agreement.note", &note) == FW_OK;
  bool within = number(results, "analyses.frf.levels[0].agreement.within") == 1, good = c->periodic ? within : said;
  if (c->periodic) {
    double rest = from_rest(ctx, c, frequency, number(results, "analyses.frf.levels[0].resonance.amplitude"));
    printf(" %8.1e, spread %.1e", rest, spread);
    good = good && fabs(rest) < fmax(0.02, 2 * spread);
  }
  printf("%s%s%s\n", said ? "; " : "", said ? note : "", good ? "" : " <-- not as it should be");
  fw_results_destroy(&results);
  fw_context_destroy(&ctx);
  return good;
}

static void two_methods_agree_under_every_law(void **unused) {
  (void)unused;
  int failures = 0;
  printf(
      "law, level, resonance (Hz), differences of first harmonic, N, T, slip, work rate; first harmonic from rest\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) failures += !agree(&cases[i]);
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_methods_agree_under_every_law)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
