/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The method that suits each motion: harmonics where they settle, shooting where the mass rebounds from its stop, against
 * exact motions; and three methods beside each other where friction is smooth. */
#include "impacts.h"

enum { ROWS = 400 };
static const double ZETA = 0.05, STOP = 3, REBOUND = 0.5;

typedef struct curve {
  size_t rows;
  double method[ROWS], spread[ROWS], difference[ROWS], switches[ROWS], frequency[ROWS], multiplier[ROWS], size[ROWS],
      phase[ROWS];
} curve;

static void read_column(const deck_run *run, const char *analysis, const char *column, double *to, size_t *rows) {
  const double *values = deck_column(run, analysis, "frf-1", column, rows);
  assert_in_range(*rows, 2, ROWS);
  memcpy(to, values, *rows * sizeof *to);
}

static void run_deck(deck_run *run, const char *analysis) {
  const char *const settings[] = {"c=3", "e=0.5", "steps=400", NULL};
  bool stop = strcmp(analysis, "either") == 0;
  if (deck_try_only(run, stop ? DATA "stop.xml" : DATA "rubs.xml", stop ? settings : NULL, analysis) != FW_OK)
    fail_msg("%s", fw_context_message(run->ctx));
}

static curve compute(deck_run *run, const char *analysis, const char *sensor) {
  char column[40];
  curve c = {0};
  run_deck(run, analysis);
  read_column(run, analysis, "method", c.method, &c.rows);
  read_column(run, analysis, "spread", c.spread, &c.rows);
  read_column(run, analysis, "difference", c.difference, &c.rows);
  read_column(run, analysis, "switches", c.switches, &c.rows);
  read_column(run, analysis, "frequency", c.frequency, &c.rows);
  read_column(run, analysis, "multiplier", c.multiplier, &c.rows);
  snprintf(column, sizeof column, "%s.amplitude", sensor);
  read_column(run, analysis, column, c.size, &c.rows);
  snprintf(column, sizeof column, "%s.phase", sensor);
  read_column(run, analysis, column, c.phase, &c.rows);
  return c;
}

static double complex first_of(const curve *c, size_t i) { return c->size[i] * cexp(I * c->phase[i] * M_PI / 180); }

static double off_linear(const curve *c, size_t i) {
  flight f = {.zeta = ZETA, .w = 2 * M_PI * c->frequency[i]};
  return cabs(first_of(c, i) - forced(&f)) / cabs(forced(&f));
}

static double off_impact(const curve *c, size_t i, int steps) {
  double complex H[HARMONICS + 1];
  double w = 2 * M_PI * c->frequency[i];
  orbit exact = find_impact(ZETA, STOP, REBOUND, w, 1, steps, first_of(c, i));
  harmonics(position_of, &exact, w, 1, steps, H);
  return cabs(first_of(c, i) - H[1]) / cabs(H[1]);
}

static void shooting_where_it_rebounds(void **state) {
  (void)state;
  deck_run run;
  curve c = compute(&run, "either", "x");
  double linear = 0, impact = 0, loose = 0;
  int balanced = 0, shot = 0, impacts = 0;
  for (size_t i = 0; i < c.rows; i++) {
    bool touches = c.method[i] > 0 ? c.switches[i] > 0 : c.size[i] > 2.99;
    if (c.method[i] > 0)
      shot++;
    else
      balanced++, assert_true(c.spread[i] <= 1e-3);
    if (!touches && c.method[i] > 0) loose = fmax(loose, off_linear(&c, i));
    if (!touches && c.method[i] == 0) linear = fmax(linear, off_linear(&c, i));
    if (!touches || c.method[i] == 0 || c.multiplier[i] > 1) continue;
    impact = fmax(impact, off_impact(&c, i, 400));
    impacts++;
  }
  printf("    %d motions by harmonics, %d by shooting, %d of these rebound and last\n", balanced, shot, impacts);
  assert_true(balanced >= 5 && impacts >= 10);
  bounded("harmonics, off the exact motion that does not touch", linear, 1e-9);
  bounded("shooting, off the exact motion that does not touch", loose, 1e-3);
  bounded("shooting, off the exact motion that rebounds", impact, 1e-3);
  assert_int_equal(deck_number(&run, "either", "levels[0].methods.points_by_harmonics"), balanced);
  assert_int_equal(deck_number(&run, "either", "levels[0].methods.points_by_shooting"), shot);
  assert_true(fabs(c.frequency[c.rows - 1] - 1.5 / (2 * M_PI)) < 1e-9);
  deck_close(&run);
}

static void harmonics_where_they_settle(void **state) {
  (void)state;
  deck_run run;
  curve c = compute(&run, "rubs", "u");
  for (size_t i = 0; i < c.rows; i++) assert_true(c.method[i] == 0 && c.spread[i] <= 1e-3);
  assert_int_equal(deck_number(&run, "rubs", "levels[0].methods.points_by_shooting"), 0);
  bounded("how far the methods differ at the resonance", deck_number(&run, "rubs", "levels[0].methods.difference"),
          2e-3);
  deck_close(&run);
}

static void three_methods(void **state) {
  (void)state;
  deck_run run;
  run_deck(&run, "three");
  double points = deck_number(&run, "three", "levels[0].agreement.points");
  assert_true(points >= 2);
  assert_true(deck_number(&run, "three", "levels[0].agreement.shooting.points") == points);
  bounded("balance against shooting", deck_number(&run, "three", "levels[0].agreement.shooting.first_harmonic"), 1e-3);
  bounded("balance against time", deck_number(&run, "three", "levels[0].agreement.first_harmonic"), 2e-3);
  assert_true(deck_number(&run, "three", "levels[0].agreement.shooting.multiplier") < 1);
  size_t rows;
  const double *time = deck_column(&run, "three", "agreement-1", "u.amplitude.time", &rows);
  const double *shot = deck_column(&run, "three", "agreement-1", "u.amplitude.shooting", &rows);
  for (size_t i = 0; i < rows; i++) compare("the same steps, time and shooting", time[i], shot[i], 2e-4);
  deck_close(&run);
}

/* Half power lies where motions were shot, of which harmonics know nothing; the peak is no lower than the resonance. */
static void peaks_beside_shot_motions(void **state) {
  (void)state;
  deck_run run;
  deck_open(&run, DATA "between.xml", NULL);
  double shot = deck_number(&run, "shot", "levels[0].resonance.amplitude");
  assert_true(deck_number(&run, "either", "levels[0].methods.points_by_shooting") > 0);
  compare("bandwidth, harmonics beside shot motions", deck_number(&run, "either", "levels[0].peak.bandwidth"), 1.749,
          2e-3);
  assert_true(deck_number(&run, "either", "levels[0].peak.amplitude") >= shot);
  assert_true(deck_number(&run, "shot", "levels[0].peak.amplitude") >= shot);
  deck_close(&run);
}

static double peak(const char *analysis) {
  deck_run run;
  run_deck(&run, analysis);
  double amplitude = deck_number(&run, analysis, "levels[0].peak.amplitude");
  deck_close(&run);
  return amplitude;
}

/* A transient leaves its drive on, which what starts from it does not add to its own. */
static void the_drive_is_what_is_named(void **state) {
  (void)state;
  compare("peak after a driven transient", peak("after"), peak("alone"), 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shooting_where_it_rebounds),
                                     cmocka_unit_test(harmonics_where_they_settle), cmocka_unit_test(three_methods),
                                     cmocka_unit_test(peaks_beside_shot_motions),
                                     cmocka_unit_test(the_drive_is_what_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
