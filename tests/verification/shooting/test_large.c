/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shooting where the monodromy matrix is applied to vectors and never held: against harmonic balance. */
#include "impacts.h"

enum { ROWS = 200 };

typedef struct curve {
  size_t rows;
  double frequency[ROWS], amplitude[ROWS], phase[ROWS], multiplier[ROWS], growing[ROWS];
} curve;

static curve compute(const char *analysis, int steps) {
  static const char *const columns[] = {"frequency", "drive.amplitude", "drive.phase", "multiplier", "growing"};
  curve c = {0};
  double *to[] = {c.frequency, c.amplitude, c.phase, c.multiplier, c.growing};
  deck_run run;
  char setting[32];
  const char *settings[] = {setting, NULL};
  snprintf(setting, sizeof setting, "steps=%d", steps);
  if (deck_try_only(&run, DATA "large.xml", settings, analysis) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  for (int i = 0; i < 5; i++) {
    const double *values = deck_column(&run, analysis, "frf-2", columns[i], &c.rows);
    assert_in_range(c.rows, 2, ROWS);
    memcpy(to[i], values, c.rows * sizeof *values);
  }
  if (strcmp(analysis, "shot") == 0) {
    const double *unknowns = deck_column(&run, analysis, "frf-2", "unknowns", &c.rows);
    assert_true(unknowns[0] > 250);
  }
  deck_close(&run);
  return c;
}

static size_t row_at(const curve *c, double frequency) {
  size_t row = 0;
  while (row < c->rows && fabs(c->frequency[row] - frequency) > 1e-9) row++;
  assert_true(row < c->rows);
  return row;
}

static void products_of_the_monodromy_matrix(void **state) {
  (void)state;
  curve coarse = compute("shot", 200), fine = compute("shot", 400), balanced = compute("balanced", 400);
  for (double f = 54; f < 55.5; f++) {
    size_t c = row_at(&coarse, f), i = row_at(&fine, f), k = row_at(&balanced, f);
    double before = fabs(coarse.phase[c] - balanced.phase[k]), after = fabs(fine.phase[i] - balanced.phase[k]);
    printf("    %g Hz\n", f);
    compare("amplitude", fine.amplitude[i], balanced.amplitude[k], 1e-3);
    bounded("phase off, degrees", after, 0.15);
    compare("order", log2(before / after), 2, 0.15);
    compare("largest multiplier", fine.multiplier[i], balanced.multiplier[k], 2e-3);
    bounded("growing", fine.growing[i] + balanced.growing[k], 0);
  }
}

enum { PLANE_POINTS = 2 };

typedef struct plane_curve {
  double amplitude[PLANE_POINTS], periods;
} plane_curve;

/* At the ends of the range. */
static plane_curve compute_plane(const char *analysis, int steps) {
  plane_curve c = {0};
  deck_run run;
  size_t rows;
  char setting[32];
  const char *settings[] = {setting, NULL};
  snprintf(setting, sizeof setting, "steps=%d", steps);
  if (deck_try_only(&run, DATA "plane.xml", settings, analysis) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  const double *amplitude = deck_column(&run, analysis, "frf-2", "drive.amplitude", &rows);
  const double *frequency = deck_column(&run, analysis, "frf-2", "frequency", &rows);
  assert_near(frequency[0], 50, 1e-9);
  assert_near(frequency[rows - 1], 50.2, 1e-9);
  c.amplitude[0] = amplitude[0];
  c.amplitude[1] = amplitude[rows - 1];
  if (strcmp(analysis, "shot") == 0) {
    c.periods = deck_number(&run, analysis, "levels[0].periods_integrated");
    printf("    %g periods integrated for %zu points\n", c.periods, rows);
  }
  deck_close(&run);
  return c;
}

/* Modes that are hardly damped, a thousand of them: the map of a reduced model makes a motion cost a few products. */
static void many_modes(void **state) {
  (void)state;
  plane_curve coarse = compute_plane("shot", 200), fine = compute_plane("shot", 400),
              balanced = compute_plane("balanced", 400);
  for (int i = 0; i < PLANE_POINTS; i++) {
    double target = balanced.amplitude[i];
    compare("amplitude", fine.amplitude[i], target, 6e-4);
    compare("order", log2((coarse.amplitude[i] - target) / (fine.amplitude[i] - target)), 2, 0.15);
  }
  bounded("periods", fine.periods, 250);
}

/* `both` shoots too. */
static void three_methods(void **state) {
  (void)state;
  deck_run run;
  if (deck_try_only(&run, DATA "plane.xml", (const char *const[]){"steps=400", NULL}, "three") != FW_OK)
    fail_msg("%s", fw_context_message(run.ctx));
  double points = deck_number(&run, "three", "levels[0].agreement.points");
  assert_true(points >= 2);
  assert_true(deck_number(&run, "three", "levels[0].agreement.shooting.points") == points);
  bounded("balance against shooting", deck_number(&run, "three", "levels[0].agreement.shooting.first_harmonic"), 2e-3);
  bounded("largest multiplier", deck_number(&run, "three", "levels[0].agreement.shooting.multiplier"), 1);
  deck_close(&run);
}

/* The last values of up to three columns (NULL: there is none) of an analysis alone. */
static void last_of(const char *deck, const char *analysis, const char *table, const char *const *columns,
                    const char *divisions, int steps, double *values) {
  deck_run run;
  size_t rows;
  char path[256], setting[32];
  const char *settings[] = {divisions, setting, NULL};
  snprintf(path, sizeof path, "%s%s", DATA, deck);
  snprintf(setting, sizeof setting, "steps=%d", steps);
  if (deck_try_only(&run, path, settings, analysis) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  for (int i = 0; i < 3 && columns[i]; i++) values[i] = deck_column(&run, analysis, table, columns[i], &rows)[rows - 1];
  deck_close(&run);
}

/* Two figures of shooting with 200 and 400 steps against harmonic balance: of second order, and how far off; and the
 * multiplier, whose error is of first order. */
static void converges(const char *analysis, const char *balanced, const char *table, const char *second,
                      const double *within) {
  const char *const columns[] = {"frequency", second, "multiplier"};
  double coarse[3], fine[3], target[3];
  last_of("large.xml", balanced, table, columns, "divisions=12", 400, target);
  last_of("large.xml", analysis, table, columns, "divisions=12", 200, coarse);
  last_of("large.xml", analysis, table, columns, "divisions=12", 400, fine);
  for (int i = 0; i < 3; i++) {
    compare(columns[i], fine[i], target[i], within[i]);
    if (i < 2) compare("order", log2((coarse[i] - target[i]) / (fine[i] - target[i])), 2, 0.3);
  }
}

static void modes(void **state) {
  (void)state;
  converges("mode", "mode-balanced", "nnm", "damping", (const double[]){6e-5, 1e-3, 1e-3});
}

static void resonances(void **state) {
  (void)state;
  converges("locus", "locus-balanced", "locus", "drive.amplitude", (const double[]){6e-5, 2e-3, 2e-3});
}

/* With 8 elements the matrix is held. */
static void limit_cycle(void **state) {
  static const char *const columns[] = {"period", "lowest", "multiplier"};
  static const double within[] = {2e-5, 1e-4, 1e-4};
  double few[3], many[3];
  (void)state;
  last_of("bar.xml", "cycle", "cycles", columns, "divisions=8", 400, few);
  last_of("bar.xml", "cycle", "cycles", columns, "divisions=30", 400, many);
  for (int i = 0; i < 3; i++) compare(columns[i], many[i], few[i], within[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_of_the_monodromy_matrix),
                                     cmocka_unit_test(many_modes),
                                     cmocka_unit_test(three_methods),
                                     cmocka_unit_test(modes),
                                     cmocka_unit_test(resonances),
                                     cmocka_unit_test(limit_cycle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
