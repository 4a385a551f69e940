/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tubes reduced to the modes of their spans: what they answer, and how they are drawn. */
#include <stdlib.h>

#include "input/mesh/vtu.h"
#include "output/files.h"
#include "verification/deck_run.h"

#define HERE FW_SOURCE_DIR "/tests/verification/tubes/"

static void reduced_tube_is_the_tube(void **unused) {
  (void)unused;
  const char *const whole[] = {"modes=0", "seconds=0.05", NULL}, *const some[] = {"modes=30", "seconds=0.05", NULL};
  deck_run full, reduced;
  double worst = 0;
  deck_open(&full, HERE "reduced.xml", whole);
  deck_open(&reduced, HERE "reduced.xml", some);
  for (int ring = 1; ring <= 3; ring++)
    for (int i = 0; i < 9; i++) { /* compliance of each ring, 3 x 3, over its largest entry of the row */
      char analysis[16], row[24], own[24];
      snprintf(analysis, sizeof analysis, "s%c%d", "xyr"[i / 3], ring);
      snprintf(row, sizeof row, "sensors.%c%d", "xyr"[i % 3], ring);
      snprintf(own, sizeof own, "sensors.%c%d", "xyr"[i / 3], ring);
      double before = deck_number(&full, analysis, row), after = deck_number(&reduced, analysis, row);
      double scale = i / 3 == i % 3 ? fabs(before) : fmax(fabs(before), fabs(deck_number(&full, analysis, own)));
      worst = fmax(worst, fabs(after - before) / scale);
    }
  bounded("compliance at every ring, reduced", worst, 1e-9);
  for (int i = 0; i < 6; i++) {
    compare("frequency, reduced", deck_mode(&reduced, "modes", i, "frequency"),
            deck_mode(&full, "modes", i, "frequency"), 1e-4);
    compare("damping, reduced", deck_mode(&reduced, "modes", i, "damping"), deck_mode(&full, "modes", i, "damping"),
            1e-4);
    double mass = deck_mode(&full, "modes", i, "effective_mass.x");
    if (mass > 1e-3)
      compare("effective mass, reduced", deck_mode(&reduced, "modes", i, "effective_mass.x"), mass, 1e-4);
  }
  compare("under its weight", deck_number(&reduced, "hangs", "sensors.x3"), deck_number(&full, "hangs", "sensors.x3"),
          1e-8);
  size_t rows, others;
  const double *x = deck_column(&full, "shaken", "history", "look", &rows);
  const double *y = deck_column(&reduced, "shaken", "history", "look", &others);
  double most = 0, apart = 0;
  assert_int_equal(rows, others);
  for (size_t i = 0; i < rows; i++) most = fmax(most, fabs(x[i])), apart = fmax(apart, fabs(x[i] - y[i]));
  assert_true(deck_number(&full, "shaken", "contact.plate.normal_max") > 10);
  bounded("shaken against its supports, reduced", apart / most, 2e-3);
  deck_close(&full);
  deck_close(&reduced);
}

/* A picture of the tube under its weight, as a file. */
static fw_vtu picture(const char *modes) {
  char name[64];
  fw_context *ctx;
  fw_deck *deck;
  fw_results *results;
  fw_vtu vtu;
  const char *const only[] = {"hangs"};
  snprintf(name, sizeof name, "reduced-%s.out", modes);
  const fw_run_options options = {.out = name, .force = true, .only = only, .only_count = 1};
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_deck_load(ctx, HERE "reduced.xml", &deck), FW_OK);
  assert_int_equal(fw_deck_set(ctx, deck, "modes", modes), FW_OK);
  assert_int_equal(fw_run(ctx, deck, &options, &results), FW_OK);
  snprintf(name, sizeof name, "reduced-%s.out/hangs/static-0001.vtu", modes);
  char *data;
  size_t size;
  assert_int_equal(fw_file_read(ctx, name, &data, &size), FW_OK);
  assert_int_equal(fw_vtu_read(ctx, name, data, size, &vtu), FW_OK);
  free(data);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return vtu;
}

static const double *field(const fw_vtu *vtu, const char *name) {
  for (int i = 0; i < vtu->of_points.count; i++)
    if (strcmp(vtu->of_points.list[i].name, name) == 0) return vtu->of_points.list[i].values;
  fail_msg("no field %s", name);
  return NULL;
}

/* Largest difference of a field over its largest value. */
static double apart(const fw_vtu *full, const fw_vtu *reduced, const char *name) {
  const double *a = field(full, name), *b = field(reduced, name);
  double most = 0, difference = 0;
  for (int i = 0; i < full->points; i++) {
    most = fmax(most, fabs(a[i]));
    difference = fmax(difference, fabs(a[i] - b[i]));
  }
  assert_true(most > 0);
  return difference / most;
}

/* A reduced tube is drawn by its elements, between its supports too; what is left are the modes left out. */
static void reduced_tube_is_seen(void **unused) {
  (void)unused;
  fw_vtu full = picture("0"), reduced = picture("30"), finer = picture("60");
  assert_int_equal(full.points, reduced.points);
  assert_int_equal(full.cells, reduced.cells);
  double moment = apart(&full, &reduced, "M");
  bounded("rotation", apart(&full, &reduced, "rotation"), 2e-5);
  bounded("bending moment", moment, 1e-3);
  bounded("with twice the modes", apart(&full, &finer, "M"), 0.5 * moment);
  fw_vtu_clear(&full);
  fw_vtu_clear(&reduced);
  fw_vtu_clear(&finer);
}

/* Three modes of a round tube would cut a pair in two, and which half of it is kept would be up to rounding. */
static void pairs_of_modes_stay_whole(void **unused) {
  (void)unused;
  deck_run full, reduced;
  deck_open(&full, HERE "pairs.xml", (const char *const[]){"modes=0", NULL});
  deck_open(&reduced, HERE "pairs.xml", (const char *const[]){"modes=3", NULL});
  for (int i = 0; i < 4; i++)
    compare("frequency of a pair, reduced", deck_mode(&reduced, "modes", i, "frequency"),
            deck_mode(&full, "modes", i, "frequency"), 1e-8);
  deck_close(&full);
  deck_close(&reduced);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reduced_tube_is_the_tube), cmocka_unit_test(reduced_tube_is_seen),
                                     cmocka_unit_test(pairs_of_modes_stay_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
