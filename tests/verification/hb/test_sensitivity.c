/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of the rig's resonance with respect to every number of every friction law, by implicit differentiation of
 * harmonic balance, against central differences of whole runs, preload included: 5 digits, unless a time sample changes
 * between stick and slip, which is then named. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/friction/friction.h"
#include "one_context.h"
#include "output/files.h"

#define DECK "sensitivity.tmp.xml"
static const double STEP = 1e-4; /* of the differences, relative */

/* The rig with a linear beam. */
static const char deck_format[] =
    "<fretwork version=\"1\">"
    "<materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"7800\"/></materials>"
    "<sections><rectangle id=\"strip\" width=\"38.88e-3\" height=\"4.76e-3\"/></sections>"
    "<bodies><beam id=\"beam\" material=\"steel\" section=\"strip\" from=\"0, 0\" to=\"0.606, 0\" divisions=\"8\">"
    "<point id=\"clamp\" s=\"0\"/><point id=\"drive\" s=\"0.555\"/><point id=\"tip\" s=\"0.606\"/></beam>"
    "<mass id=\"foot-mass\" at=\"beam.tip\" m=\"0.0119\"/></bodies>"
    "<damping><rayleigh body=\"beam\" alpha=\"0.06\" beta=\"0\"/></damping>"
    "<supports><support at=\"beam.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/></supports>"
    "<contact><surface id=\"floor\"><line from=\"0.5, -7.38e-3\" to=\"0.7, -7.38e-3\"/></surface>"
    "<pair id=\"foot\" target=\"floor\"><disc at=\"beam.tip\" offset=\"0, -2.38e-3\" radius=\"5e-3\"/>"
    "<normal law=\"hard\" enforcement=\"lagrange\" restitution=\"0\"/><friction %s/></pair></contact>"
    "<loads><force id=\"preload\" at=\"beam.tip\" fy=\"-83\"/><harmonic id=\"shaker\" at=\"beam.drive\" "
    "fy=\"1\"/></loads>"
    "<sensors><sensor id=\"drive\" at=\"beam.drive\" quantity=\"displacement\" direction=\"y\"/></sensors>"
    "<analyses><static id=\"seated\" loads=\"preload\"/><frf id=\"frf\" start=\"seated\" loads=\"shaker\" "
    "levels=\"%g\" "
    "response=\"drive\" f-min=\"%g\" f-max=\"58\" points=\"10\" harmonics=\"5\" samples=\"128\" "
    "sensitivities=\"%s\"/></analyses>"
    "</fretwork>";

/* A law at a level where the rig has a resonance with it, in a range around that. */
typedef struct sample {
  const char *law, *attributes;
  double level, f_min;
} sample;

#define ELASTIC "enforcement=\"penalty\" u-crit=\"4.146e-6\""
static const sample samples[] = {{"dahl", "", 3, 50},
                                 {"dahl", "mu-c-minus=\"0.4\" exponent=\"0.8\"", 3, 50},
                                 {"lugre", "", 1, 50},
                                 {"lugre", "mu-s-minus=\"0.6\" exponent=\"1\"", 1, 50},
                                 {"lugre-normalised", "", 1, 50},
                                 {"elasto-plastic", "", 1, 46},
                                 {"bouc-wen", "", 3, 50},
                                 {"iwan", "", 3, 50},
                                 {"maxwell-slip", "", 3, 49},
                                 {"maxwell-slip-modified", "", 1, 48},
                                 {"hybrid", "", 1, 50},
                                 {"coulomb", ELASTIC, 3, 50},
                                 {"coulomb", ELASTIC, 1, 50},
                                 {"coulomb-viscous", ELASTIC, 3, 50}};

/* Runs the rig with further attributes of its friction; NULL if that fails. */
static fw_results *run(const sample *with, const char *more, const char *sensitivities) {
  char text[8192], friction[2048];
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  snprintf(friction, sizeof friction, "law=\"%s\" %s", with->law, more);
  int length = snprintf(text, sizeof text, deck_format, friction, with->level, with->f_min, sensitivities);
  assert_true(length > 0 && length < (int)sizeof text);
  assert_int_equal(fw_file_write(ctx, DECK, text, (size_t)length), FW_OK);
  fw_status status = fw_deck_load(ctx, DECK, &deck);
  if (status == FW_OK) status = fw_run(ctx, deck, NULL, &results);
  fw_deck_destroy(&deck);
  if (status != FW_OK) fw_results_destroy(&results);
  return results;
}

static bool number_at(const fw_results *results, const char *path, double *number) {
  char full[256];
  snprintf(full, sizeof full, "analyses.frf.levels[0].%s", path);
  return results && fw_results_number(results, full, number) == FW_OK && isfinite(*number);
}

static const struct {
  const char *path, *name;
} figures[] = {{"resonance.frequency", "frequency"},
               {"resonance.amplitude", "amplitude"},
               {"contact.foot.work_rate", "work_rate"}};
enum { FIGURES = sizeof figures / sizeof *figures };

typedef struct tally {
  int equal, named, wrong;
} tally;

/* The sample's attributes with number j of an attribute (of `count`; 1: not a list) multiplied. */
static void write_attributes(const fw_results *base, const sample *with, const char *name, int count, int j,
                             double factor, char *text, size_t room) {
  size_t at = 0;
  const char *own = strstr(with->attributes, name);
  bool replaces = own && (own == with->attributes || own[-1] == ' ') && own[strlen(name)] == '=';
  if (!replaces) at = (size_t)snprintf(text, room, "%s", with->attributes);
  if (replaces) { /* all but this one */
    const char *end = strchr(strchr(own, '"') + 1, '"') + 1;
    at = (size_t)snprintf(text, room, "%.*s%s", (int)(own - with->attributes), with->attributes, end);
  }
  at += (size_t)snprintf(text + at, room - at, " %s=\"", name);
  for (int i = 0; i < count; i++) {
    char path[128];
    double value;
    snprintf(path, sizeof path, count > 1 ? "sensitivity.foot.%s[%d].value" : "sensitivity.foot.%s.value", name, i);
    assert_true(number_at(base, path, &value));
    at += (size_t)snprintf(text + at, room - at, "%s%.17g", i ? ", " : "", i == j ? value * factor : value);
  }
  snprintf(text + at, room - at, "\"");
}

/* One number of a law. */
static void compare(const fw_results *base, const sample *with, const char *name, int count, int j, tally *t) {
  char at_name[64], path[128], attributes[1024];
  double value, changed, at[2][FIGURES];
  snprintf(at_name, sizeof at_name, count > 1 ? "%s[%d]" : "%s", name, j);
  snprintf(path, sizeof path, "sensitivity.foot.%s.value", at_name);
  if (!number_at(base, path, &value) || value == 0) return;
  snprintf(path, sizeof path, "sensitivity.foot.%s.changed", at_name);
  assert_true(number_at(base, path, &changed));
  for (int side = 0; side < 2; side++) {
    write_attributes(base, with, name, count, j, 1 + (side ? STEP : -STEP), attributes, sizeof attributes);
    fw_results *results = run(with, attributes, "no");
    for (int f = 0; f < FIGURES; f++)
      if (!number_at(results, figures[f].path, &at[side][f])) at[side][f] = NAN;
    fw_results_destroy(&results);
  }
  for (int f = 0; f < FIGURES; f++) {
    double analytic = NAN, figure = NAN, difference = (at[1][f] - at[0][f]) / (2 * STEP * value);
    snprintf(path, sizeof path, "sensitivity.foot.%s.%s", at_name, figures[f].name);
    if (!isfinite(difference)) continue; /* one of its neighbours is refused: the edge of its range */
    assert_true(number_at(base, path, &analytic) && number_at(base, figures[f].path, &figure));
    /* what rounding leaves of a difference: a few 1e-12 of the figure */
    double allowed = 1e-5 * fabs(difference) + 5e-8 * fabs(figure / value);
    bool equal = fabs(analytic - difference) <= allowed;
    printf("%-22s %-14s %-9s analytic %15.8g  differences %15.8g  relative %8.1e%s\n", with->law, at_name,
           figures[f].name, analytic, difference, fabs(analytic / difference - 1),
           changed > 0 ? "  samples change between stick and slip"
           : equal     ? ""
                       : "  WRONG");
    *(changed > 0 ? &t->named : equal ? &t->equal : &t->wrong) += 1;
  }
}

static void compare_law(const sample *with, tally *t) {
  const fw_entry *entry = fw_table_find(&fw_laws, with->law);
  double number;
  assert_non_null(entry);
  fw_results *base = run(with, with->attributes, "yes");
  if (!number_at(base, "resonance.frequency", &number)) fail_msg("%s has no resonance", with->law);
  for (const fw_param *p = entry->params; p && p->name; p++) {
    int count = 0;
    char path[128];
    do snprintf(path, sizeof path, "sensitivity.foot.%s[%d].value", p->name, count);
    while (number_at(base, path, &number) && ++count);
    for (int j = 0; j < (count ? count : 1); j++) compare(base, with, p->name, count ? count : 1, j, t);
  }
  compare(base, with, "u-crit", 1, 0, t);
  fw_results_destroy(&base);
}

static void every_number_of_the_laws(void **state) {
  (void)state;
  tally t = {0};
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) compare_law(&samples[i], &t);
  printf("%d derivatives agree to 5 digits, %d are at a change of state, %d are wrong\n", t.equal, t.named, t.wrong);
  assert_int_equal(t.wrong, 0);
  assert_true(t.equal > 5 * t.named);
}

static int close_all(void **state) {
  remove(DECK);
  return close_context(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_number_of_the_laws)};
  return cmocka_run_group_tests(tests, open_context, close_all);
}
