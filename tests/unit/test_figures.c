/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contact figures against sums by hand: two points, N that changes within a step, drift, impacts that reverse the slip.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/figures.h"
#include "contact_parts.h"
#include "output/files.h"

typedef struct bench {
  fw_context *ctx;
  fw_pair pair;
  fw_pair *list[1];
  fw_model model;
  fw_figures *figures;
  fw_touch touch[2];
} bench;

/* Two points without friction laws: slip is all that lasts. */
static void start(bench *b, double period) {
  memset(b, 0, sizeof *b);
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  b->pair = (fw_pair){.id = "foot", .count = 2, .archard = 2e-15, .wear_power = 1};
  b->list[0] = &b->pair;
  b->model = (fw_model){.pair_count = 1, .pairs = b->list, .contact_count = 2};
  assert_int_equal(fw_figures_create(b->ctx, &b->model, period, 0, &b->figures), FW_OK);
}

static void stop(bench *b) {
  fw_figures_destroy(&b->figures);
  fw_context_destroy(&b->ctx);
}

/* One step of point c: forces at its end, slip gained. */
static void move(bench *b, int c, double N, double T, double gain, double velocity, double dt) {
  fw_touch old = b->touch[c], *touch = &b->touch[c];
  touch->N = N;
  touch->T = T;
  touch->slip = gain;
  touch->slip_velocity = velocity;
  touch->status = N > 0 ? FW_SLIP : FW_OPEN;
  fw_touch_accrue(&b->pair, &old, dt, false, touch);
}

static double figure(const bench *b, fw_contact_figure_index which) {
  fw_pair_figures found;
  fw_figures_find(b->figures, 0, &found);
  return found.at[which];
}

static void near(double computed, double reference) {
  assert_near(computed, reference, 1e-12 * fabs(reference) + 1e-15);
}

/* N of a step is the mean of its ends; the two points pull against each other, so that the pair's largest T is less
 * than any point's. */
static void works_and_extremes(void **unused) {
  (void)unused;
  bench b;
  start(&b, 0);
  b.touch[0] = (fw_touch){.status = FW_SLIP, .N = 10, .T = 4};
  b.touch[1] = (fw_touch){.status = FW_SLIP, .N = 6, .T = -2};
  fw_figures_begin(b.figures, b.touch);
  move(&b, 0, 20, 8, 1e-3, 0.5, 1e-3);
  move(&b, 1, 2, -1, -2e-3, -2, 1e-3);
  fw_figures_step(b.figures, b.touch, 1e-3);
  move(&b, 0, 0, 0, 5e-3, 0.7, 3e-3); /* leaves its floor: what it moves in the air is no slip */
  move(&b, 1, 4, 3, 1e-3, 1, 3e-3);
  fw_figures_step(b.figures, b.touch, 3e-3);
  double span = 4e-3;
  double work = 15 * 1e-3 + 4 * 2e-3 + 10 * 5e-3 + 3 * 1e-3;
  near(figure(&b, FW_WORK_RATE), work / span);
  near(figure(&b, FW_DISSIPATED_POWER), (6 * 1e-3 + 1.5 * 2e-3 + 4 * 5e-3 + 1 * 1e-3) / span);
  near(figure(&b, FW_SLIDING_POWER) + figure(&b, FW_PRESLIDING_POWER), figure(&b, FW_DISSIPATED_POWER));
  near(figure(&b, FW_OPEN_FRACTION), 0.5 * 3 / 4);
  near(figure(&b, FW_CONTACT_WORK_RATE), work / span / (1 - 3.0 / 8));
  near(figure(&b, FW_WEAR_RATE), 2e-15 * work / span);
  near(figure(&b, FW_NORMAL_MEAN), ((15 + 4) * 1e-3 + (10 + 3) * 3e-3) / span);
  near(figure(&b, FW_NORMAL_RMS), sqrt((19.0 * 19 * 1e-3 + 13.0 * 13 * 3e-3) / span));
  near(figure(&b, FW_TANGENTIAL_RMS), sqrt((4.5 * 4.5 * 1e-3 + 5.0 * 5 * 3e-3) / span));
  near(figure(&b, FW_NORMAL_MAX), 22);
  near(figure(&b, FW_NORMAL_MIN), 4);
  near(figure(&b, FW_TANGENTIAL_MAX), 7);
  near(figure(&b, FW_TANGENTIAL_POINT_MAX), 8);
  near(figure(&b, FW_SLIP_VELOCITY_MAX), 2); /* 0.7 was in the air */
  assert_true(figure(&b, FW_IRREVERSIBLE_WORK_RATE) <= figure(&b, FW_WORK_RATE));
  stop(&b);
}

/* Friction that sticks with 1e4 N/m: of a slip of 1 mm in which T grows by 4 N, 0.4 mm come back. */
static void elastic_slip_is_taken_off(void **unused) {
  (void)unused;
  static const char *const settings[] = {"stiffness=1e4", "limit=1"};
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, "maxwell-slip");
  fw_friction law;
  bench b;
  start(&b, 0);
  fw_args args = entry_args(b.ctx, &ops->entry, settings, 2);
  assert_int_equal(fw_friction_create(b.ctx, ops, &args, (fw_stick){0}, &law), FW_OK);
  b.pair.friction = law;
  b.touch[0] = (fw_touch){.status = FW_SLIP, .N = 10, .T = 4};
  fw_figures_begin(b.figures, b.touch);
  move(&b, 0, 20, 8, 1e-3, 0.5, 1e-3);
  fw_figures_step(b.figures, b.touch, 1e-3);
  near(figure(&b, FW_WORK_RATE), 15 * 1e-3 / 1e-3);
  near(figure(&b, FW_IRREVERSIBLE_WORK_RATE), 15 * 0.6e-3 / 1e-3);
  near(figure(&b, FW_DISSIPATED_POWER), 6 * 1e-3 / 1e-3);
  near(figure(&b, FW_SLIDING_POWER), 6 * 0.6e-3 / 1e-3);
  near(figure(&b, FW_PRESLIDING_POWER), 6 * 0.4e-3 / 1e-3);
  fw_friction_clear(&law);
  fw_args_clear(&args);
  stop(&b);
}

/* Slip that goes to and fro by 2 and creeps on by 1 in each period: the amplitude is one period's, the drift apart. */
static void drift_is_no_amplitude(void **unused) {
  (void)unused;
  bench b;
  start(&b, 4);
  b.touch[0] = b.touch[1] = (fw_touch){.status = FW_SLIP, .N = 1};
  fw_figures_begin(b.figures, b.touch);
  static const double gains[4] = {1, 2, -1, -1};
  for (int j = 0; j < 40; j++) {
    move(&b, 0, 1, 0, gains[j % 4], 0, 1);
    move(&b, 1, 1, 0, 0, 0, 1);
    fw_figures_step(b.figures, b.touch, 1);
  }
  near(figure(&b, FW_SLIP_AMPLITUDE), 1.5);
  near(figure(&b, FW_SLIP_DRIFT), 1);
  stop(&b);
}

/* T = k u + c v of a harmonic slip, with a constant and a third harmonic that do not count, over two and a half periods. */
static void harmonic_friction_is_a_spring_and_a_damper(void **unused) {
  (void)unused;
  bench b;
  double period = 0.02, w = 2 * M_PI / period, k = 3e6, c = 2e4, a = 4e-6;
  enum { STEPS = 64 };
  start(&b, period);
  for (int j = 0; j <= STEPS * 5 / 2; j++) {
    double phase = 2 * M_PI * j / STEPS + 0.7;
    b.touch[0] = b.touch[1] = (fw_touch){.status = FW_SLIP, .N = 83};
    b.touch[0].slip = a * cos(phase);
    b.touch[1].slip = 0.5 * a * sin(phase);
    b.touch[0].T = k * a * cos(phase) - c * w * a * sin(phase) + 7 + 3 * cos(3 * phase);
    b.touch[1].T = 0.5 * (k * a * sin(phase) + c * w * a * cos(phase));
    if (j == 0)
      fw_figures_begin(b.figures, b.touch);
    else
      fw_figures_step(b.figures, b.touch, period / STEPS);
  }
  assert_near(figure(&b, FW_EQUIVALENT_STIFFNESS), k, 1e-9 * k);
  assert_near(figure(&b, FW_EQUIVALENT_DAMPER), c, 1e-9 * c);
  stop(&b);
}

/* An impulse of 3 N s turns a slip of 2 m/s into one of -1 m/s: |v| goes 2..0 in two thirds, 0..1 in a third of it. */
static void reversing_impact(void **unused) {
  (void)unused;
  bench b;
  start(&b, 0);
  b.touch[0] = b.touch[1] = (fw_touch){.status = FW_SLIP, .N = 1};
  fw_figures_begin(b.figures, b.touch);
  b.touch[0].slip_velocity = -1;
  fw_touch_strike(3, 0.6, 2, &b.touch[0]);
  fw_figures_step(b.figures, b.touch, 0.5);
  near(figure(&b, FW_WORK_RATE), 3 * (2.0 / 3 * 1 + 1.0 / 3 * 0.5) / 0.5);
  near(figure(&b, FW_IRREVERSIBLE_WORK_RATE), figure(&b, FW_WORK_RATE));
  near(figure(&b, FW_DISSIPATED_POWER), 0.6 * 0.5 / 0.5);
  near(figure(&b, FW_SLIDING_POWER), 0.6 * 0.5 / 0.5);
  near(figure(&b, FW_NORMAL_MEAN), 3 / 0.5);
  near(figure(&b, FW_IMPACT_MEAN), 3 / 0.5);
  near(figure(&b, FW_NORMAL_MAX), 2); /* without impacts */
  stop(&b);
}

/* A checkpoint's numbers bring back all that was observed. */
static void numbers_are_all(void **unused) {
  (void)unused;
  bench a, b;
  start(&a, 2);
  start(&b, 2);
  fw_figures_begin(a.figures, a.touch);
  move(&a, 0, 5, 1, 1e-3, 1, 1);
  fw_figures_step(a.figures, a.touch, 1);
  size_t count, same;
  const double *from = fw_figures_numbers(a.figures, &count);
  memcpy(fw_figures_numbers(b.figures, &same), from, count * sizeof *from);
  assert_int_equal(count, same);
  fw_pair_figures x, y;
  fw_figures_find(a.figures, 0, &x);
  fw_figures_find(b.figures, 0, &y);
  assert_memory_equal(&x, &y, sizeof x);
  stop(&a);
  stop(&b);
}

static void names_are_one_of_a_kind(void **unused) {
  (void)unused;
  for (int i = 0; i < FW_CONTACT_FIGURES; i++) {
    assert_int_equal(fw_contact_figure_named(fw_contact_figures[i].name), i);
    assert_true(strlen(fw_contact_figures[i].meaning) > 0);
  }
  assert_int_equal(fw_contact_figure_named("no such figure"), -1);
}

/* Its row of the page of results; bars within a cell are escaped. */
static void row_of(const fw_contact_figure *f, char *row, size_t room) {
  int at = snprintf(row, room, "\n| `%s` | %s | ", f->name, f->unit[0] ? f->unit : "1");
  for (const char *c = f->meaning; *c; c++) at += snprintf(row + at, room - (size_t)at, *c == '|' ? "\\%c" : "%c", *c);
  snprintf(row + at, room - (size_t)at, " |\n");
}

static void page_has_all(void **unused) {
  (void)unused;
  fw_context *ctx;
  char *page = NULL, row[600];
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_file_read(ctx, FW_SOURCE_DIR "/docs/results.md", &page, NULL), FW_OK);
  for (int i = 0; i < FW_CONTACT_FIGURES; i++) {
    row_of(&fw_contact_figures[i], row, sizeof row);
    if (!strstr(page, row)) fail_msg("docs/results.md lacks %s", row);
  }
  free(page);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(works_and_extremes),      cmocka_unit_test(elastic_slip_is_taken_off),
      cmocka_unit_test(drift_is_no_amplitude),   cmocka_unit_test(harmonic_friction_is_a_spring_and_a_damper),
      cmocka_unit_test(reversing_impact),        cmocka_unit_test(numbers_are_all),
      cmocka_unit_test(names_are_one_of_a_kind), cmocka_unit_test(page_has_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
