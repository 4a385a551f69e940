/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limit cycles: a slider pulled by a spring, with its exact motion; a mass on a belt whose friction falls with the
 * velocity, against a Runge-Kutta integration of its own and against time integration of variable order; the speed where
 * the cycle dies out, against the linear loss of stability; and the derivative of the period map by the pace. */
#include "../deck_run.h"

#include <math.h>
#include <stdlib.h>

#include "input/deck.h"
#include "solver/shooting/cycle.h"

#define DATA FW_SOURCE_DIR "/tests/verification/shooting/"

static void open_only(deck_run *run, const char *deck, const char *const *settings, const char *only) {
  if (deck_try_only(run, deck, settings, only) != FW_OK) fail_msg("%s", fw_context_message(run->ctx));
}

/* ---- the slider -------------------------------------------------------------------------------- */

static void pulled_slider(void **state) {
  (void)state;
  double w = sqrt(2), D = 0.5, kV = 0.2, V = 0.1;
  double period = 2 / w * (M_PI - atan(D * w / kV)) + 2 * D / kV, fastest = V + sqrt(V * V + D * D / 2);
  double before = NAN, off = NAN;
  for (int steps = 400; steps <= 3200; steps *= 2) {
    char text[40];
    const char *settings[] = {text, NULL};
    deck_run run;
    snprintf(text, sizeof text, "steps=%d", steps);
    open_only(&run, DATA "slider.xml", settings, NULL);
    before = off;
    off = fabs(deck_number(&run, "cycle", "period") / period - 1);
    printf("    %5d steps: period %.9f s, exact %.9f s, off by %.1e, order %.2f, along %.7f\n", steps,
           deck_number(&run, "cycle", "period"), period, off, log2(before / off), deck_number(&run, "cycle", "along"));
    if (steps == 3200) {
      compare("largest velocity (m/s)", deck_number(&run, "cycle", "highest"), fastest, 1e-6);
      compare("multiplier along the motion", deck_number(&run, "cycle", "along"), 1, 1e-4);
      bounded("multiplier of all others: stick forgets", deck_number(&run, "cycle", "multiplier"), 1e-6);
    }
    deck_close(&run);
  }
  bounded("period off the exact one at the finest steps", off, 1e-6);
  compare("order", log2(before / off), 2, 0.2);
}

/* ---- the belt ---------------------------------------------------------------------------------- */

static const double N = 1, mu_s = 0.4, mu_c = 0.2, v_s = 0.5;

typedef struct belt {
  double V, c;
} belt;

/* x'' while it slides behind the belt. */
static double slides(const belt *b, double x, double v) {
  return -x - b->c * v + N * (mu_c + (mu_s - mu_c) * exp(-(b->V - v) / v_s));
}

static void kutta(const belt *b, double h, double *x, double *v) {
  double k1 = slides(b, *x, *v), k2 = slides(b, *x + h / 2 * *v, *v + h / 2 * k1);
  double k3 = slides(b, *x + h / 2 * *v + h * h / 4 * k1, *v + h / 2 * k2);
  double k4 = slides(b, *x + h * *v + h * h / 2 * k2, *v + h * k3);
  *x += h * *v + h * h / 6 * (k1 + k2 + k3);
  *v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

/* From where it breaks away until it sticks again; false: it never does. */
static bool slip(const belt *b, double *time, double *x, double *lowest, double *highest) {
  const double h = 1e-4;
  double v = b->V;
  *x = mu_s * N - b->c * b->V;
  *lowest = *highest = *x;
  for (int i = 0; i < 100000; i++) {
    double x0 = *x, v0 = v;
    kutta(b, h, x, &v);
    *lowest = fmin(*lowest, *x);
    *highest = fmax(*highest, *x);
    *time = i * h;
    if (i < 1000 || v < b->V) continue;
    double low = 0, high = h;
    for (int k = 0; k < 60; k++) {
      double middle = 0.5 * (low + high), xm = x0, vm = v0;
      kutta(b, middle, &xm, &vm);
      *(vm < b->V ? &low : &high) = middle;
      *x = xm;
    }
    *time += low;
    return true;
  }
  return false;
}

static void belt_driven_mass(void **state) {
  (void)state;
  const belt b = {0.5, 0.1};
  const char *const settings[] = {"steps=3200", NULL};
  double time = 0, x = 0, lowest = 0, highest = 0;
  deck_run run;
  assert_true(slip(&b, &time, &x, &lowest, &highest));
  double period = time + (mu_s * N - b.c * b.V - x) / b.V;
  open_only(&run, DATA "belt.xml", settings, "time");
  compare("period (s)", deck_number(&run, "cycle", "period"), period, 2e-6);
  compare("lowest (m)", deck_number(&run, "cycle", "lowest"), lowest, 5e-6);
  compare("highest (m)", deck_number(&run, "cycle", "highest"), highest, 5e-6);
  compare("lowest in time (m)", deck_number(&run, "time", "sensors.x.min"), deck_number(&run, "cycle", "lowest"), 5e-6);
  compare("highest in time (m)", deck_number(&run, "time", "sensors.x.max"), deck_number(&run, "cycle", "highest"),
          5e-6);
  deck_close(&run);
}

/* Beyond the speed of linear stability the cycle still sticks, until it only just comes up to the belt. */
static void dies_out_at_once(void **state) {
  (void)state;
  double low = 0.75, high = 1.2, time, x, lowest, highest;
  for (int k = 0; k < 50; k++) {
    double middle = 0.5 * (low + high);
    *(slip(&(belt){middle, 0.1}, &time, &x, &lowest, &highest) ? &low : &high) = middle;
  }
  const char *const settings[] = {"steps=800", NULL};
  deck_run run;
  open_only(&run, DATA "belt.xml", settings, "curve");
  compare("largest speed of the cycle", deck_number(&run, "curve", "turns[0].speed"), low / 0.5, 1e-3);
  compare("speed where steady sliding loses stability", deck_number(&run, "curve", "ends.speed"),
          v_s * log(N * (mu_s - mu_c) / (0.1 * v_s)) / 0.5, 1e-6);
  deck_close(&run);
}

static double fall(double w) { return 2 * N * (mu_s - mu_c) / v_s * w * exp(-w * w); }

/* With a Gaussian fall it comes to nothing where steady sliding becomes stable. */
static void dies_out_slowly(void **state) {
  (void)state;
  const char *const settings[] = {"exponent=2", "c=0.26", "V=0.3", NULL};
  double low = 0.9, high = 1.22;
  deck_run run;
  for (int k = 0; k < 60; k++) {
    double middle = 0.5 * (low + high);
    *(fall(middle) > 0.26 ? &low : &high) = middle;
  }
  open_only(&run, DATA "belt.xml", settings, "curve");
  compare("speed where the amplitude comes to nothing", deck_number(&run, "curve", "ends.speed"), low * v_s / 0.3,
          1e-6);
  size_t rows;
  const double *period = deck_column(&run, "curve", "cycles", "period", &rows);
  compare("period there (s)", period[rows - 1], 2 * M_PI, 1e-4);
  deck_close(&run);
}

static bool has_number(const deck_run *run, const char *path) {
  double value;
  return fw_results_number(run->results, path, &value) == FW_OK;
}

/* With few steps the curve goes to and fro where stick becomes shorter than one: that is where it ends, at its furthest,
 * and the turns of that part are neither turns nor folds of the cycle. */
static void ends_where_steps_no_longer_tell(void **state) {
  (void)state;
  const char *const settings[] = {"steps=100", "exponent=4", NULL};
  deck_run run;
  open_only(&run, DATA "belt.xml", settings, "curve");
  compare("speed at which it ends", deck_number(&run, "curve", "ends.speed"), 1.9927, 1e-3);
  assert_false(has_number(&run, "analyses.curve.turns[0].speed"));
  assert_false(has_number(&run, "analyses.curve.bifurcations[0].level"));
  deck_close(&run);
}

/* ---- the pace ---------------------------------------------------------------------------------- */

/* dP/dpace against differences, on a cycle that sticks and slips. */
static void derivative_by_pace(void **state) {
  (void)state;
  fw_context *ctx;
  fw_deck *deck = NULL;
  fw_built *built = NULL;
  fw_state *rest = NULL;
  fw_cycle cycle = {0};
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_status status = fw_deck_load(ctx, DATA "belt.xml", &deck);
  if (status == FW_OK) status = fw_deck_build(ctx, deck, &built);
  if (status == FW_OK) status = fw_state_create(ctx, built->model, &rest);
  if (status != FW_OK) fail_msg("%s", fw_context_message(ctx));
  rest->load_factors[0] = 1;
  assert_int_equal(fw_cycle_init(ctx, built->model, rest, &(fw_alpha_options){.rho = 0.8, .locate = true}, 400, &cycle),
                   FW_OK);
  fw_period_map *map = &cycle.s.map;
  int n = map->n;
  double *y = calloc((size_t)n + 2, sizeof *y), *by = calloc(4 * (size_t)n, sizeof *by), *less = by + n;
  double *derivative = calloc((size_t)(n * n), sizeof *derivative), *more = less + n, *end = more + n, off = 0;
  memcpy(y, fw_cycle_begin(&cycle), (size_t)n * sizeof *y);
  y[n] = 1;
  y[n + 1] = 1;
  assert_int_equal(fw_cycle_find(&cycle, 1e-8, 1000, y), FW_OK);
  assert_int_equal(fw_period_map_differentiate(map, y, y[n], end, derivative), FW_OK);
  assert_true(map->switches >= 2);
  fw_period_map_by(map, FW_MAP_PACE, by);
  for (int way = -1; way <= 1; way += 2) {
    map->value = 1 + way * 1e-4;
    assert_int_equal(fw_period_map_run(map, y, y[n], NULL, NULL, way < 0 ? less : more), FW_OK);
  }
  for (int i = 0; i < n; i++) off = fmax(off, fabs(by[i] - (more[i] - less[i]) / 2e-4));
  bounded("derivative by the pace, off differences", off, 1e-5);
  free(y);
  free(by);
  free(derivative);
  fw_cycle_clear(&cycle);
  fw_state_destroy(&rest);
  fw_built_destroy(&built);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pulled_slider),
                                     cmocka_unit_test(belt_driven_mass),
                                     cmocka_unit_test(dies_out_at_once),
                                     cmocka_unit_test(dies_out_slowly),
                                     cmocka_unit_test(ends_where_steps_no_longer_tell),
                                     cmocka_unit_test(derivative_by_pace)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
