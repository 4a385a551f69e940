/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States over a period of a response: what their contact points carry for pictures agrees with the response's figures.
 */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "input/deck.h"
#include "solver/analysis.h"

enum { FRAMES = 8, RUNS = 4 };
static const double LEVEL = 3, FREQUENCY = 52.5;

typedef struct course {
  fw_context *ctx;
  fw_deck *deck;
  fw_built *built;
  fw_sink *sink;
  fw_record *summary[RUNS];
  fw_outcome outcomes[RUNS];
} course;

/* The static and the frf of the rig. */
static void run(course *c) {
  *c = (course){0};
  assert_int_equal(fw_context_create(&c->ctx), FW_OK);
  assert_int_equal(fw_deck_load(c->ctx, FW_SOURCE_DIR "/tests/verification/hb/rig.xml", &c->deck), FW_OK);
  assert_int_equal(fw_deck_build(c->ctx, c->deck, &c->built), FW_OK);
  assert_int_equal(fw_sink_create(c->ctx, &c->sink), FW_OK);
  for (int i = 0; i < 2; i++) {
    const fw_item *item = &c->built->analyses->children[i];
    c->outcomes[i].ops = (const fw_analysis_ops *)item->entry;
    assert_int_equal(fw_record_create(&c->summary[i]), FW_OK);
    fw_job job = {.ctx = c->ctx,
                  .model = c->built->model,
                  .id = fw_args_text(&item->args, "id"),
                  .common = &item->args,
                  .args = &item->entry_args,
                  .start = i ? &c->outcomes[i - 1] : NULL,
                  .summary = c->summary[i],
                  .sink = c->sink,
                  .threads = 1};
    if (c->outcomes[i].ops->run(&job, &c->outcomes[i]) != FW_OK) fail_msg("%s", fw_context_message(c->ctx));
  }
}

static void clear(course *c) {
  for (int i = 0; i < 2; i++) {
    fw_outcome_clear(&c->outcomes[i]);
    fw_record_destroy(&c->summary[i]);
  }
  fw_sink_destroy(&c->sink);
  fw_built_destroy(&c->built);
  fw_deck_destroy(&c->deck);
  fw_context_destroy(&c->ctx);
}

static double figure(const course *c, const char *name) {
  const fw_data_table *t = fw_sink_find(c->sink, "frf", "frf-3-up");
  assert_non_null(t);
  int column = fw_data_table_column(t, name);
  assert_true(column >= 0);
  for (size_t r = 0; r < t->rows; r++)
    if (fabs(t->values[0][r] - FREQUENCY) < 1e-9) return t->values[column][r];
  fail_msg("no row");
  return NAN;
}

static void check(const char *what, double found, double reference, double tolerance) {
  printf("%-40s %14.8g %14.8g %9.1e\n", what, found, reference, fabs(found / reference - 1));
  assert_true(fabs(found / reference - 1) < tolerance);
}

static void fields_over_a_period(void **unused) {
  (void)unused;
  course c;
  double slip[FRAMES], low = INFINITY, high = -INFINITY, work = 0;
  run(&c);
  for (int k = 0; k < FRAMES; k++) {
    fw_state *state;
    assert_int_equal(
        c.outcomes[1].ops->state_at(c.ctx, &c.outcomes[1], LEVEL, FREQUENCY, 2 * M_PI * k / FRAMES, &state), FW_OK);
    const fw_touch *touch = &state->touch[0];
    slip[k] = touch->slip;
    low = fmin(low, slip[k]);
    high = fmax(high, slip[k]);
    assert_true(touch->work >= work && touch->distance >= 0); /* grows through the period */
    work = touch->work;
    if (k == FRAMES - 1) {
      check("mean work rate (W)", touch->mean_work_rate, figure(&c, "foot.work_rate"), 1e-6);
      check("slip amplitude (m)", touch->slip_amplitude, figure(&c, "foot.slip_amplitude"), 1e-6);
      check("stick fraction", touch->stick_fraction, figure(&c, "foot.stick_fraction"), 1e-6);
    }
    fw_state_destroy(&state);
  }
  check("gain (m/N)", figure(&c, "drive.gain"), figure(&c, "drive.amplitude") / LEVEL, 1e-15);
  double half = (high - low) / 2;
  printf("half the range of the slip in %d frames %.4g m\n", FRAMES, half);
  assert_true(half > 0.9 * figure(&c, "foot.slip_amplitude") && half <= 1.0001 * figure(&c, "foot.slip_amplitude"));
  clear(&c);
}

/* The area of the loop at the resonance, times frequency, is the power lost there; it closes. */
static void loop_at_the_resonance(void **unused) {
  (void)unused;
  course c;
  double area = 0, reference;
  run(&c);
  const fw_data_table *t = fw_sink_find(c.sink, "frf", "loops");
  assert_non_null(t);
  int level = fw_data_table_column(t, "level"), at = fw_data_table_column(t, "at");
  int u = fw_data_table_column(t, "foot slip"), T = fw_data_table_column(t, "foot tangential");
  assert_true(level >= 0 && at >= 0 && u >= 0 && T >= 0);
  size_t first = 0, last;
  while (first < t->rows && t->values[level][first] != LEVEL) first++;
  for (last = first; last + 1 < t->rows && t->values[level][last + 1] == LEVEL;) last++;
  assert_true(last > first + 100);
  for (size_t r = first; r < last; r++)
    area += 0.5 * (t->values[T][r] + t->values[T][r + 1]) * (t->values[u][r + 1] - t->values[u][r]);
  assert_true(t->values[u][first] == t->values[u][last] && t->values[T][first] == t->values[T][last]);
  assert_int_equal(fw_record_number(c.summary[1], "levels[1].contact.foot.dissipated_power", &reference), FW_OK);
  check("area of the loop times frequency (W)", area * t->values[at][first], reference, 1e-6);
  clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields_over_a_period), cmocka_unit_test(loop_at_the_resonance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
