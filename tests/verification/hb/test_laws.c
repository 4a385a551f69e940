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

/* What is to be seen of a law. */
typedef enum outcome {
  AGREE,    /* the two methods agree */
  UNSTABLE, /* the periodic motion does not last: harmonic balance has a multiplier above 1, time integration leaves it
             */
  ENDS,     /* forces jump as slip begins: the curve ends before the resonance, which harmonic balance says */
  REFUSED   /* the law is not periodic */
} outcome;

/* Level: a force at which friction holds the resonance. beta: damping proportional to stiffness, 5e-7 s where Coulomb's
 * friction would epmc_damping modes of kilohertz. */
typedef struct rig_case {
  const char *law, *settings;
  double level, beta;
  outcome expected;
  int harmonics, points, steps; /* 0: 15, 111, 1600 a period */
} rig_case;

#define ELASTIC "enforcement=\"penalty\" u-crit=\"4.15e-6\" "
#define RIGID "enforcement=\"lagrange\" "

static const rig_case cases[] = {{"dahl", "", 3, 0, AGREE, 0, 0, 0},
                                 {"coulomb", ELASTIC, 3, 0, AGREE, 0, 0, 0},
                                 {"coulomb", RIGID, 5, 5e-7, AGREE, 31, 23, 3200},
                                 {"coulomb-viscous", ELASTIC, 3, 0, AGREE, 0, 0, 0},
                                 {"continuous", "", 3, 0, AGREE, 0, 0, 0},
                                 {"lugre", "", 1, 0, AGREE, 0, 0, 0},
                                 {"lugre-normalised", "", 1, 0, AGREE, 0, 0, 0},
                                 {"elasto-plastic", "mu-s=\"0.5\" mu-c=\"0.45\"", 1, 0, AGREE, 0, 0, 0},
                                 {"maxwell-slip", "", 3, 0, AGREE, 0, 0, 0},
                                 {"maxwell-slip-modified", "k-n=\"2.4e7\" k-t=\"2e6\"", 3, 0, AGREE, 0, 0, 0},
                                 {"gms", "mu-s=\"0.5\" mu-c=\"0.5\"", 1, 0, AGREE, 0, 0, 0},
                                 {"bouc-wen", "", 3, 0, AGREE, 0, 0, 0},
                                 {"iwan", "", 3, 0, AGREE, 0, 0, 0},
                                 {"hybrid", "", 1, 0, AGREE, 0, 0, 0},
                                 {"tabulated", ELASTIC "mu=\"0.48, 0.5, 0.52\"", 3, 0, AGREE, 0, 0, 0},
                                 {"reset-integrator", "a=\"0\"", 1, 5e-7, AGREE, 0, 0, 0},
                                 {"karnopp", "mu-s=\"0.52\" mu-c=\"0.52\"", 5, 5e-7, AGREE, 31, 23, 3200},
                                 {"force-balance", "mu-s=\"0.52\" mu-c=\"0.52\"", 5, 5e-7, AGREE, 31, 23, 3200},
                                 {"armstrong", "f-a=\"0\" f-inf=\"0\" tau-l=\"0\"", 3, 5e-7, AGREE, 7, 56, 0},
                                 {"stribeck", ELASTIC, 1, 0, UNSTABLE, 0, 0, 0},
                                 {"decay", ELASTIC, 1, 0, UNSTABLE, 0, 0, 0},
                                 {"elasto-plastic", "", 1, 0, UNSTABLE, 0, 0, 0},
                                 {"gms", "mu-s=\"0.5\" mu-c=\"0.45\"", 1, 0, UNSTABLE, 0, 0, 0},
                                 {"gms", "", 1, 0, UNSTABLE, 0, 0, 0},
                                 {"karnopp", "", 1, 0, UNSTABLE, 0, 0, 0},
                                 {"tabulated", ELASTIC, 1, 0, UNSTABLE, 0, 0, 0},
                                 {"coulomb-static", ELASTIC "mu-s=\"0.53\" mu-c=\"0.52\"", 1, 0, UNSTABLE, 0, 0, 0},
                                 {"coulomb-static", ELASTIC, 1, 0, ENDS, 0, 0, 0},
                                 {"reset-integrator", "", 1, 0, ENDS, 0, 0, 0},
                                 {"spring-damper", "", 1, 0, ENDS, 0, 0, 0},
                                 {"bristle", "", 1, 0, REFUSED, 0, 0, 0}};

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
    "  <damping><rayleigh body=\"beam\" alpha=\"0.06\" beta=\"%g\"/></damping>\n"
    "  <supports><support at=\"beam.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/></supports>\n"
    "  <contact>\n"
    "    <surface id=\"floor\"><line from=\"0.5, -7.38e-3\" to=\"0.7, -7.38e-3\"/></surface>\n"
    "    <pair id=\"foot\" target=\"floor\"><disc at=\"beam.tip\" offset=\"0, -2.38e-3\" radius=\"5e-3\"/>\n"
    "      <normal law=\"hard\" enforcement=\"lagrange\" restitution=\"0\"/>\n"
    "      <friction law=\"%s\" %s/></pair>\n"
    "  </contact>\n"
    "  <loads><force id=\"preload\" at=\"beam.tip\" fy=\"-83\"/>\n"
    "    <harmonic id=\"shaker\" at=\"beam.drive\" fy=\"1\"/></loads>\n"
    "  <sensors><sensor id=\"drive\" at=\"beam.drive\" quantity=\"displacement\" direction=\"y\"/></sensors>\n"
    "  <analyses><static id=\"seated\" loads=\"preload\"/>\n%s  </analyses>\n"
    "</fretwork>\n";

/* NULL if the analysis is refused. */
static fw_results *run(fw_context *ctx, const rig_case *c, const char *analysis) {
  char path[] = "/tmp/fw_laws_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  fprintf(file, text, c->beta, c->law, c->settings, analysis);
  fclose(file);
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_run(ctx, deck, NULL, &results);
  if (status != FW_OK) {
    printf("%s: %s\n", c->law, fw_context_message(ctx));
    assert_int_equal(c->expected, REFUSED);
    assert_non_null(strstr(fw_context_message(ctx), "periodic"));
    fw_results_destroy(&results);
  }
  fw_deck_destroy(&deck);
  unlink(path);
  return results;
}

static double number(const fw_results *results, const char *path) {
  double value = NAN;
  fw_results_number(results, path, &value);
  return value;
}

static int steps_of(const rig_case *c) { return c->steps ? c->steps : 1600; }

/* First harmonic from rest after 200 periods at the resonance, relative to that of the orbit. */
static double from_rest(fw_context *ctx, const rig_case *c, double frequency, double amplitude) {
  char analysis[300];
  snprintf(analysis, sizeof analysis,
           "<transient id=\"rest\" start=\"seated\" loads=\"shaker\" at-level=\"%.17g\" at-frequency=\"%.17g\" "
           "periods=\"200\" observe=\"10\" step=\"%.17g\" every=\"100\"/>\n",
           c->level, frequency, 1 / (steps_of(c) * frequency));
  fw_results *results = run(ctx, c, analysis);
  double found = number(results, "analyses.rest.sensors.drive.harmonics[1].amplitude");
  fw_results_destroy(&results);
  return found / amplitude - 1;
}

static bool has_text(const fw_results *results, const char *path, const char *part) {
  const char *said = NULL;
  return fw_results_text(results, path, &said) == FW_OK && strstr(said, part);
}

/* One run from rest: within 2 %, or twice the spread over harmonics. */
static bool rest_agrees(fw_context *ctx, const rig_case *c, const fw_results *results, double spread) {
  double frequency = number(results, "analyses.frf.levels[0].resonance.frequency");
  double rest = from_rest(ctx, c, frequency, number(results, "analyses.frf.levels[0].resonance.amplitude"));
  printf(" %8.1e |", rest);
  return fabs(rest) < fmax(0.02, 2 * spread);
}

static bool as_expected(fw_context *ctx, const rig_case *c, const fw_results *results) {
  double frequency = number(results, "analyses.frf.levels[0].resonance.frequency"), spread = 0;
  double off = number(results, "analyses.frf.levels[0].agreement.resonance.difference");
  bool within = number(results, "analyses.frf.levels[0].agreement.within") == 1;
  static const char *const figures[] = {"first_harmonic", "contact.foot.normal_max", "contact.foot.tangential_max",
                                        "contact.foot.slip_amplitude", "contact.foot.work_rate"};
  printf("| %s | %s | %g | %g | %.5f | %.1e |", c->law, c->settings, c->level, c->beta, frequency, off);
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    char path[160];
    snprintf(path, sizeof path, "analyses.frf.levels[0].agreement.%s", figures[i]);
    printf(" %.1e |", number(results, path));
    snprintf(path, sizeof path, "analyses.frf.levels[0].agreement.spread.%s", figures[i]);
    spread = fmax(spread, number(results, path));
  }
  printf(" %.1e |", spread);
  switch (c->expected) {
    case AGREE:
      return rest_agrees(ctx, c, results, spread) && within && off < 1e-3;
    case UNSTABLE: {
      double multiplier = number(results, "analyses.frf.levels[0].agreement.multiplier");
      printf(" multiplier %.3g at %.2g Hz |", multiplier,
             number(results, "analyses.frf.levels[0].agreement.multiplier_frequency"));
      return !within && (multiplier > 1 || has_text(results, "analyses.frf.levels[0].agreement.note", "not periodic"));
    }
    case ENDS:
      return isnan(frequency) && has_text(results, "analyses.frf.levels[0].note", "the curve ends");
    case REFUSED:
      break;
  }
  return false;
}

static bool examine(const rig_case *c) {
  fw_context *ctx = NULL;
  char analysis[400];
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  snprintf(
      analysis, sizeof analysis,
      "<frf id=\"frf\" start=\"seated\" loads=\"shaker\" levels=\"%g\" response=\"drive\" f-min=\"44\" f-max=\"66\" "
      "points=\"%d\" harmonics=\"%d\" method=\"both\" steps=\"%d\" periods=\"50\" check-points=\"1\"/>\n",
      c->level, c->points ? c->points : 111, c->harmonics ? c->harmonics : 15, steps_of(c));
  fw_results *results = run(ctx, c, analysis);
  bool good = results ? as_expected(ctx, c, results) : c->expected == REFUSED;
  printf("%s\n", good ? "" : " <-- not as it should be");
  fw_results_destroy(&results);
  fw_context_destroy(&ctx);
  return good;
}

static void two_methods_agree_under_every_law(void **unused) {
  (void)unused;
  int failures = 0;
  printf(
      "law, settings, level, beta, resonance (Hz), its difference in time; differences of first harmonic, N, T, slip, "
      "work rate; largest spread over harmonics; first harmonic from rest\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) failures += !examine(&cases[i]);
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_methods_agree_under_every_law)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
