/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of resonances by shooting: against exact motions with impacts, and against harmonic balance with many harmonics
 * where friction is smooth. */
#include "impacts.h"

enum { ROWS = 400 };

/* The first harmonic of a sensor along a curve of resonances. */
typedef struct locus {
  size_t rows;
  double level[ROWS], frequency[ROWS], multiplier[ROWS];
  double complex x[ROWS];
} locus;

static void read_column(const deck_run *run, const char *analysis, const char *column, double *to, size_t *rows) {
  const double *values = deck_column(run, analysis, "locus", column, rows);
  assert_in_range(*rows, 2, ROWS);
  memcpy(to, values, *rows * sizeof *to);
}

static locus compute(const char *deck, int steps, const char *analysis, const char *sensor) {
  deck_run run;
  char setting[32], column[40];
  const char *settings[] = {setting, NULL};
  double phase[ROWS], size[ROWS];
  locus l = {0};
  snprintf(setting, sizeof setting, "steps=%d", steps);
  if (deck_try_only(&run, deck, settings, analysis) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  read_column(&run, analysis, "level", l.level, &l.rows);
  read_column(&run, analysis, "frequency", l.frequency, &l.rows);
  read_column(&run, analysis, "multiplier", l.multiplier, &l.rows);
  snprintf(column, sizeof column, "%s.amplitude", sensor);
  read_column(&run, analysis, column, size, &l.rows);
  snprintf(column, sizeof column, "%s.phase", sensor);
  read_column(&run, analysis, column, phase, &l.rows);
  for (size_t i = 0; i < l.rows; i++) l.x[i] = size[i] * cexp(I * phase[i] * M_PI / 180);
  deck_close(&run);
  return l;
}

/* At level p the stop at c is what one at c/p is at level 1. */
static double off_exact(const locus *l, size_t row, int steps, double complex *H) {
  double p = l->level[row];
  orbit exact = find_impact(0.05, 0.2 / p, 0.5, 2 * M_PI * l->frequency[row], 1, steps, l->x[row] / p);
  harmonics(position_of, &exact, exact.f.w, 1, steps, H);
  return cabs(l->x[row] / p - H[1]) / cabs(H[1]);
}

static void resonances_with_impacts(void **state) {
  (void)state;
  double before = NAN, off = NAN, last = NAN;
  for (int steps = 800; steps <= 3200; steps *= 2) {
    locus l = compute(DATA "stop.xml", steps, "resonances", "x");
    before = off;
    off = 0;
    for (size_t i = 0; i < l.rows; i++) {
      double complex H[HARMONICS + 1];
      if (l.level[i] < 0.02) bounded("phase before it touches", fabs(carg(l.x[i]) + M_PI / 2), 1e-9);
      if (l.level[i] < 0.021) continue; /* it touches from 0.02 on, and only grazes at first */
      last = off_exact(&l, i, steps, H);
      off = fmax(off, last);
      if (i + 1 == l.rows)
        printf("    %5d steps, level %g, %.9f Hz: amplitude %.9f, exact %.9f, phase %.7f, exact %.7f\n", steps,
               l.level[i], l.frequency[i], cabs(l.x[i]), l.level[i] * cabs(H[1]), carg(l.x[i]), carg(H[1]));
    }
    printf("    %5d steps: %zu points, off the exact motions by at most %.1e, order %.2f\n", steps, l.rows, off,
           log2(before / off));
  }
  bounded("off the exact motion at the last level, finest steps", last, 2e-6);
  bounded("at any level, most where the impact is gentle", off, 2e-5);
  compare("order", log2(before / off), 2, 0.2);
}

/* A velocity sensor means the same resonance: the phase is that of the displacement. */
static void resonance_by_velocity(void **state) {
  (void)state;
  locus a = compute(DATA "stop.xml", 400, "resonances", "x"), b = compute(DATA "stop.xml", 400, "by-velocity", "x");
  compare("frequency at the last level", b.frequency[b.rows - 1], a.frequency[a.rows - 1], 1e-9);
  compare("amplitude", cabs(b.x[b.rows - 1]), cabs(a.x[a.rows - 1]), 1e-9);
}

static const int levels = 5;

/* Row at level i of the grid. */
static size_t row_at(const locus *l, int i) {
  double level = 0.05 + 0.95 * i / (levels - 1);
  size_t row = 0;
  while (row < l->rows && fabs(l->level[row] - level) > 1e-9) row++;
  assert_true(row < l->rows);
  return row;
}

static double complex at_level(const locus *l, int i, double *frequency) {
  size_t row = row_at(l, i);
  *frequency = l->frequency[row];
  return l->x[row];
}

/* Dahl's law has a corner where slip turns, which steps do not locate: second order in the large only. */
static void smooth_friction(void **state) {
  (void)state;
  locus shot = compute(DATA "resonance.xml", 1600, "rubs", "u");
  locus balanced = compute(DATA "resonance.xml", 1600, "balanced", "u");
  for (int i = 0; i < levels; i++) {
    double f, g;
    double complex x = at_level(&shot, i, &f), z = at_level(&balanced, i, &g);
    printf("    level %.4f\n", 0.05 + 0.95 * i / (levels - 1));
    compare("frequency", f, g, 5e-6);
    compare("amplitude", cabs(x), cabs(z), 5e-6);
    compare("largest multiplier", shot.multiplier[row_at(&shot, i)], balanced.multiplier[row_at(&balanced, i)], 2e-3);
  }
}

/* With shorter steps the curve does not end earlier: what steps leave out of balance does not grow as they shrink. */
static void short_steps(void **state) {
  (void)state;
  locus l = compute(DATA "resonance.xml", 2000, "rubs", "u");
  compare("level at the end", l.level[l.rows - 1], 1, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(resonances_with_impacts), cmocka_unit_test(resonance_by_velocity),
                                     cmocka_unit_test(smooth_friction), cmocka_unit_test(short_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
