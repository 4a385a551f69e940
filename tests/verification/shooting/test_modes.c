/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonlinear modes by shooting against those by harmonic balance: friction that gives way, friction with memory, a beam that
 * stiffens. */
#include "impacts.h"

enum { ROWS = 400 };

typedef struct curve {
  size_t rows;
  double amplitude[ROWS], frequency[ROWS], damping[ROWS], along[ROWS], multiplier[ROWS], growing[ROWS], response[ROWS],
      phase[ROWS], residual[ROWS];
} curve;

static void read_column(const deck_run *run, const char *analysis, const char *column, double *to, size_t *rows) {
  const double *values = deck_column(run, analysis, "nnm", column, rows);
  assert_in_range(*rows, 2, ROWS);
  memcpy(to, values, *rows * sizeof *to);
}

static curve compute(const char *deck, int steps, const char *analysis, const char *sensor) {
  deck_run run;
  char setting[32], column[40];
  const char *settings[] = {setting, NULL};
  curve c = {0};
  snprintf(setting, sizeof setting, "steps=%d", steps);
  if (deck_try_only(&run, deck, settings, analysis) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  read_column(&run, analysis, "amplitude", c.amplitude, &c.rows);
  read_column(&run, analysis, "frequency", c.frequency, &c.rows);
  read_column(&run, analysis, "damping", c.damping, &c.rows);
  read_column(&run, analysis, "along", c.along, &c.rows);
  read_column(&run, analysis, "multiplier", c.multiplier, &c.rows);
  read_column(&run, analysis, "growing", c.growing, &c.rows);
  read_column(&run, analysis, "energy_residual", c.residual, &c.rows);
  snprintf(column, sizeof column, "%s.amplitude", sensor);
  read_column(&run, analysis, column, c.response, &c.rows);
  snprintf(column, sizeof column, "%s.phase", sensor);
  read_column(&run, analysis, column, c.phase, &c.rows);
  deck_close(&run);
  return c;
}

/* The largest differences over the points of the grid, which both have. */
typedef struct apart {
  int points;
  double frequency, damping, multiplier, response, phase;
} apart;

static apart difference(const curve *a, const curve *b) {
  apart d = {0};
  for (size_t i = 0; i < a->rows; i++)
    for (size_t k = 0; k < b->rows; k++) {
      if (fabs(a->amplitude[i] / b->amplitude[k] - 1) > 1e-9) continue;
      d.points++;
      d.frequency = fmax(d.frequency, fabs(a->frequency[i] / b->frequency[k] - 1));
      d.damping = fmax(d.damping, fabs(a->damping[i] - b->damping[k]));
      d.multiplier = fmax(d.multiplier, fabs(a->multiplier[i] - b->multiplier[k]));
      d.response = fmax(d.response, fabs(a->response[i] / b->response[k] - 1));
      d.phase = fmax(d.phase, fabs(a->phase[i] - b->phase[k]));
    }
  printf("    %d points in common: frequency %.1e, damping %.1e, multiplier %.1e, response %.1e, phase %.1e deg\n",
         d.points, d.frequency, d.damping, d.multiplier, d.response, d.phase);
  return d;
}

static void compare_modes(const char *deck, const char *shot, const char *balanced, const char *sensor, int steps,
                          int points) {
  curve b = compute(deck, steps, balanced, sensor), coarse = compute(deck, steps, shot, sensor),
        fine = compute(deck, 2 * steps, shot, sensor);
  apart before = difference(&coarse, &b), after = difference(&fine, &b);
  assert_true(before.points >= points && after.points >= points); /* a curve may step over the last one */
  bounded("frequency off", after.frequency, 3e-5);
  bounded("damping off", after.damping, 3e-5);
  bounded("response off", after.response, 1e-4);
  bounded("phase off", after.phase, 0.01);
  bounded("largest multiplier off", after.multiplier, 2e-3);
  compare("order", log2(before.frequency / after.frequency), 2, 0.15); /* what harmonic balance leaves out is less */
}

/* From stuck, where nothing is lost and the disturbance along the mode stays as it is, through the beginning of slip. */
static void elastic_friction(void **state) {
  (void)state;
  compare_modes(DATA "modes.xml", "shot", "balanced", "u", 400, 6);
  curve stuck = compute(DATA "modes.xml", 400, "shot", "u");
  compare("along the mode while it sticks", stuck.along[0], 1, 1e-5);
  bounded("damping while it sticks", stuck.damping[0], 1e-8);
  bounded("growing", stuck.growing[0], 0);
}

static double along_at(const char *analysis, double amplitude) {
  curve c = compute(DATA "resonance.xml", 400, analysis, "u");
  for (size_t i = 0; i < c.rows; i++)
    if (fabs(c.amplitude[i] / amplitude - 1) < 1e-9) return c.along[i];
  return NAN;
}

/* Far from small damping a disturbance along the mode decays much faster than exp(-2 pi dzeta/d ln a) = 0.69 says. */
static void friction_with_memory(void **state) {
  (void)state;
  compare_modes(DATA "resonance.xml", "mode-shot", "mode-balanced", "u", 400, 6);
  double amplitude = 0.01 * pow(30, 5 / 6.0);
  compare("along the mode", along_at("mode-shot", amplitude), along_at("mode-balanced", amplitude), 3e-3);
}

/* All freedoms of a beam, its axial ones too; no losses but those of the steps. */
static void stiffening_beam(void **state) {
  (void)state;
  compare_modes(DATA "beam-mode.xml", "shot", "balanced", "middle", 200, 5);
  curve shot = compute(DATA "beam-mode.xml", 200, "shot", "middle");
  double most = 0, open = 0;
  for (size_t i = 0; i < shot.rows; i++) most = fmax(most, fabs(shot.damping[i]));
  for (size_t i = 0; i < shot.rows; i++) open = fmax(open, shot.residual[i]);
  bounded("damping of the steps", most, 5e-8);
  bounded("energy balance, which that leaves open", open, 0.01);
}

/* At resonance the displacement is zero where a period begins, and so is the force of friction: it is no measure of it. */
static void friction_that_passes_zero(void **state) {
  (void)state;
  deck_run run;
  size_t rows;
  deck_open(&run, DATA "sticks.xml", NULL);
  deck_column(&run, "response", "frf-1", "frequency", &rows);
  double resonance = deck_number(&run, "response", "levels[0].resonances[0].frequency");
  const double *level = deck_column(&run, "resonances", "locus", "level", &rows);
  const double *frequency = deck_column(&run, "resonances", "locus", "frequency", &rows);
  compare("last level", level[rows - 1], 1, 1e-9);
  for (size_t i = 0; i < rows; i++) compare("resonance at a level", frequency[i], resonance, 1e-8);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(elastic_friction), cmocka_unit_test(friction_with_memory),
                                     cmocka_unit_test(stiffening_beam), cmocka_unit_test(friction_that_passes_zero)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
