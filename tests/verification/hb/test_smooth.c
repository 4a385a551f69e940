/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of a result folder look like curves: straight lines between the rows of its tables are within a hundredth of a
 * picture's height of the curve, here of the same one from a grid fifty times as fine, on linear and logarithmic axes. */
#include <math.h>
#include <stdlib.h>

#include "verification/deck_run.h"

static const char deck[] = FW_SOURCE_DIR "/tests/verification/hb/smooth.xml";
static const double ASPECT = 3;

typedef struct line {
  size_t count;
  double *x, *y;
} line;

static double *copy(const double *values, size_t count) {
  double *made = malloc(count * sizeof *made);
  assert_non_null(made);
  memcpy(made, values, count * sizeof *made);
  return made;
}

/* A column over frequency; angles without jumps. */
static line read_line(const deck_run *run, const char *column, bool logarithmic) {
  line l;
  const double *x = deck_column(run, "frf", "frf-0.2", "frequency", &l.count);
  l.x = copy(x, l.count);
  const double *y = deck_column(run, "frf", "frf-0.2", column, &l.count);
  l.y = copy(y, l.count);
  bool angle = strstr(column, ".phase") != NULL;
  for (size_t i = 1; angle && i < l.count; i++) l.y[i] -= 360 * round((l.y[i] - l.y[i - 1]) / 360);
  for (size_t i = 0; logarithmic && i < l.count; i++) l.y[i] = log10(l.y[i]);
  return l;
}

static double extent(const double *values, size_t count) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < count; i++) low = fmin(low, values[i]), high = fmax(high, values[i]);
  return high - low;
}

/* From a point to the straight line between points i and i + 1. */
static double distance(const line *l, size_t i, double x, double y, double width, double height) {
  double ax = (l->x[i] - x) / width, ay = (l->y[i] - y) / height;
  double dx = (l->x[i + 1] - l->x[i]) / width, dy = (l->y[i + 1] - l->y[i]) / height, square = dx * dx + dy * dy;
  double part = square > 0 ? fmax(0, fmin(1, -(ax * dx + ay * dy) / square)) : 0;
  return hypot(ax + part * dx, ay + part * dy);
}

/* The farthest that the fine line is from the coarse one, in heights of the picture. */
static double farthest(const line *coarse, const line *fine) {
  double width = extent(coarse->x, coarse->count) / ASPECT, height = extent(coarse->y, coarse->count), most = 0;
  for (size_t k = 0; k < fine->count; k++) {
    double least = INFINITY;
    for (size_t i = 0; i + 1 < coarse->count; i++)
      least = fmin(least, distance(coarse, i, fine->x[k], fine->y[k], width, height));
    most = fmax(most, least);
  }
  return most;
}

static const char *const columns[] = {"drive.amplitude",     "drive.phase",    "near.amplitude",
                                      "near.phase",          "foot.work_rate", "foot.slip_amplitude",
                                      "foot.tangential_max", "foot.normal_max"};

/* The farthest of all columns. */
static double compare_columns(const deck_run *coarse, const deck_run *fine, bool told) {
  double most = 0;
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
    for (int logarithmic = 0; logarithmic < (strstr(columns[c], ".phase") ? 1 : 2); logarithmic++) {
      line a = read_line(coarse, columns[c], logarithmic);
      line b = read_line(fine, columns[c], logarithmic);
      double here = farthest(&a, &b);
      if (told) printf("  %-24s %-12s %.4f\n", columns[c], logarithmic ? "logarithmic" : "linear", here);
      most = fmax(most, here);
      free(a.x), free(a.y), free(b.x), free(b.y);
    }
  return most;
}

static void open_in_folder(deck_run *run, const char *folder) {
  *run = (deck_run){0};
  assert_int_equal(fw_context_create(&run->ctx), FW_OK);
  assert_int_equal(fw_deck_load(run->ctx, deck, &run->deck), FW_OK);
  const fw_run_options options = {.out = folder, .force = true, .threads = 1};
  if (fw_run(run->ctx, run->deck, &options, &run->results) != FW_OK) fail_msg("%s", fw_context_message(run->ctx));
}

static void lines_look_like_curves(void **unused) {
  (void)unused;
  deck_run looked_at, grid, fine;
  size_t added, rows;
  open_in_folder(&looked_at, "smooth.tmp");
  deck_open(&grid, deck, NULL);
  deck_open(&fine, deck, (const char *const[]){"points=2000", NULL});
  deck_column(&looked_at, "frf", "frf-0.2", "frequency", &added);
  deck_column(&grid, "frf", "frf-0.2", "frequency", &rows);
  double before = compare_columns(&grid, &fine, false), now = compare_columns(&looked_at, &fine, true);
  printf("%zu points, %zu in memory; farthest from the curve, in heights of the picture: %.4f, %.4f\n", added, rows,
         now, before);
  assert_true(before > 0.1); /* dips of the sensors and of the foot were cut off */
  assert_true(now < 0.01);
  assert_true(added > rows && added <= 10 * 40);
  deck_close(&looked_at);
  deck_close(&grid);
  deck_close(&fine);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines_look_like_curves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
