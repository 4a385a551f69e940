/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"
#include "output/plot.h"
#include "output/plot_range.h"

static int start(void **state) { return fw_context_create((fw_context **)state); }

static int stop(void **state) {
  fw_context_destroy((fw_context **)state);
  return 0;
}

static void draws_gaps_log_axes_and_hash_signs(void **state) {
  const double x[] = {1, 2, 3, 4, 5}, y[] = {1e-6, 0, NAN, 1e-3, 1};
  const fw_plot_curve curves[] = {{.label = "#1 µ", .count = 5, .x = x, .y = y},
                                  {.label = "rig", .count = 5, .x = x, .y = y, .markers = true}};
  const fw_panel panels[] = {
      {.title = "a", .x_label = "x [m]", .y_log = true, .x_log = true, .curves = curves, .curve_count = 2},
      {.curves = curves, .curve_count = 1, .equal = true}};
  char *svg;
  size_t length;
  assert_int_equal(fw_plot_svg(*state, panels, 2, &svg, &length), FW_OK);
  assert_int_equal(strlen(svg), length);
  assert_non_null(strstr(svg, "<svg"));
  assert_non_null(strstr(svg, "</svg>"));
  assert_null(strstr(svg, "nan"));
  free(svg);
}

/* Threads of libraries live longer here than they would: the page is done before them. */
typedef struct late {
  void *(*begin)(void *);
  void *argument;
} late;

static int late_threads;

static void *end_late(void *what) {
  late own = *(late *)what;
  free(what);
  void *result = own.begin(own.argument);
  nanosleep(&(struct timespec){0, 20000000}, NULL);
  return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
  late *own = malloc(sizeof *own);
  if (!own) return EAGAIN;
  *own = (late){begin, argument};
  late_threads++;
  return create(thread, attributes, end_late, own);
}

static long threads(void) {
  long count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) skip();
  for (struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/* Whoever draws may fork at once: no thread of the drawing is left that might hold a lock. */
static void threads_end_with_the_page(void **state) {
  const double x[] = {0, 1}, y[] = {0, 2};
  const fw_plot_curve curve = {.label = "one", .count = 2, .x = x, .y = y};
  const fw_panel panel = {.title = "title", .curves = &curve, .curve_count = 1};
  const long before = threads();
  const int made = late_threads;
  for (int i = 0; i < 3; i++) {
    char *svg;
    size_t length;
    assert_int_equal(fw_plot_svg(*state, &panel, 1, &svg, &length), FW_OK);
    assert_int_equal(threads(), before);
    free(svg);
  }
  assert_true(late_threads > made);
}

/* A longer label leaves less room for the panel. */
static void long_labels_have_room(void **state) {
  const double x[] = {0, 1}, y[] = {0, 2};
  const char *const labels[] = {"short", "a label of some forty letters, or a few more"};
  double edge[2] = {0};
  for (int i = 0; i < 2; i++) {
    const fw_plot_curve curve = {.label = labels[i], .count = 2, .x = x, .y = y};
    const fw_panel panel = {.y_label = "acceleration [m/s^2]", .curves = &curve, .curve_count = 1};
    char *svg;
    size_t length;
    assert_int_equal(fw_plot_svg(*state, &panel, 1, &svg, &length), FW_OK);
    const char *blue = strstr(svg, "stroke:rgb(0%,44.7"), *end = blue ? strstr(blue, " L ") : NULL;
    assert_non_null(end);
    edge[i] = strtod(end + 3, NULL);
    free(svg);
  }
  print_message("the curve ends at %g of 900 with a short label, at %g with a long one\n", edge[0], edge[1]);
  assert_true(edge[1] < edge[0] - 20.0);
}

/* The states of a contact are named from 0 on. */
static void names_begin_at_zero(void **state) {
  static const char *const names[] = {"open", "stick"};
  const double x[] = {0, 1}, y[] = {0, 1}, above[] = {1, 2};
  char *svg[2];
  size_t length;
  const fw_plot_curve from_zero = {.count = 2, .x = x, .y = y}, from_one = {.count = 2, .x = x, .y = above};
  const fw_panel panels[] = {
      {.y_names = names, .name_count = 2, .from_zero = true, .curves = &from_zero, .curve_count = 1},
      {.y_names = names, .name_count = 2, .curves = &from_one, .curve_count = 1}};
  for (int i = 0; i < 2; i++) assert_int_equal(fw_plot_svg(*state, &panels[i], 1, &svg[i], &length), FW_OK);
  for (int i = 0; i < 2; i++) *strstr(svg[i], "<metadata") = '\0'; /* the numbers themselves differ */
  assert_string_equal(svg[0], svg[1]);
  free(svg[0]);
  free(svg[1]);
}

static void is_deterministic_and_draws_nothing_too(void **state) {
  const fw_panel empty = {.title = "empty"};
  char *first, *second;
  size_t length[2];
  assert_int_equal(fw_plot_svg(*state, &empty, 1, &first, &length[0]), FW_OK);
  assert_int_equal(fw_plot_svg(*state, &empty, 1, &second, &length[1]), FW_OK);
  assert_string_equal(first, second);
  free(first);
  free(second);
}

static void leaves_out_points_nobody_can_see(void **state) {
  enum { MANY = 200000 };
  double *x = malloc(2 * MANY * sizeof *x), *y = x + MANY;
  for (int i = 0; i < MANY; i++) x[i] = i, y[i] = sin(6.28 * i / MANY);
  const fw_plot_curve curve = {.count = MANY, .x = x, .y = y};
  const fw_panel panel = {.curves = &curve, .curve_count = 1};
  char *svg;
  size_t length;
  assert_int_equal(fw_plot_svg(*state, &panel, 1, &svg, &length), FW_OK);
  assert_in_range(length, 1000, 200000);
  free(svg);
  free(x);
}

/* The second tint is filled with its own colour, gaps or not, and names take the place of numbers. */
static void fills_areas_and_names_places(void **state) {
  const double x[] = {0.7, 1.3, NAN, 1.3, 0.7}, y[] = {0, 0, 5, 1, 1};
  const char *const names[] = {"one", "#two"};
  const fw_plot_curve curve = {.label = "area", .count = 5, .x = x, .y = y, .tint = 2};
  const fw_panel panel = {.y_names = names, .name_count = 2, .curves = &curve, .curve_count = 1};
  char *svg;
  size_t length;
  assert_int_equal(fw_plot_svg(*state, &panel, 1, &svg, &length), FW_OK);
  assert_non_null(strstr(svg, "72.54902%")); /* 185 of 255 */
  assert_null(strstr(svg, "nan"));
  free(svg);
}

static int count_glyphs(const char *svg) {
  int count = 0;
  for (const char *at = svg; (at = strstr(at, "<use")); at++) count++;
  return count;
}

/* Less than a decade still has numbers: 8.10^6 to 1.2.10^7 are five letters each, three at least on each axis; between
 * 2.1 and 2.8 stand 2.2, 2.4, 2.6 and 2.8. */
static void short_logarithmic_axes_have_numbers(void **state) {
  const double large[] = {8e6, 1.2e7}, small[] = {2.1, 2.8};
  const fw_plot_curve curves[] = {{.count = 2, .x = large, .y = large}, {.count = 2, .x = small, .y = small}};
  for (int i = 0; i < 2; i++) {
    const fw_panel panel = {.x_log = true, .y_log = true, .curves = &curves[i], .curve_count = 1};
    char *svg;
    size_t length;
    assert_int_equal(fw_plot_svg(*state, &panel, 1, &svg, &length), FW_OK);
    assert_in_range(count_glyphs(svg), 18, 60);
    free(svg);
  }
}

/* A force of 10 N that is right to 1e-8 is told as 10 N, not as what is between 9.99999999 and 10.00000001. */
static void what_hardly_changes_is_constant(void **state) {
  (void)state;
  const double x[] = {0.0, 1.0, 2.0}, nearly[] = {10.0, 10.0 + 1e-8, 10.0 - 1e-8}, really[] = {10.0, 10.001, 9.999};
  fw_plot_curve curve = {.count = 3, .x = x, .y = nearly};
  const fw_panel panel = {.x_label = "time [s]", .y_label = "normal [N]", .curves = &curve, .curve_count = 1};
  fw_panel_axis axis = fw_panel_axis_of(&panel, true);
  assert_true(axis.low < 9.5 && axis.high > 10.5);
  curve.y = really;
  axis = fw_panel_axis_of(&panel, true);
  assert_true(axis.low > 9.99 && axis.high < 10.01);
}

/* The normal force of an open point is what other points leave of their rounding. */
static void rounding_is_zero(void **state) {
  (void)state;
  const double x[] = {0.0, 1.0, 2.0}, y[] = {1e-13, -2e-13, 0.0};
  const fw_plot_curve curve = {.count = 3, .x = x, .y = y};
  fw_panel panel = {.y_label = "normal [N]", .curves = &curve, .curve_count = 1, .rounding = 1e-9};
  fw_panel_axis axis = fw_panel_axis_of(&panel, true);
  assert_string_equal(axis.label, "normal [N]");
  assert_true(fw_panel_place(&axis, y[1]) == 0.0 && axis.low < -0.1 && axis.high > 0.1);
  panel.rounding = 1e-13;
  axis = fw_panel_axis_of(&panel, true);
  assert_true(fw_panel_place(&axis, y[1]) != 0.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_end_with_the_page), /* the first: later pages know the fonts */
      cmocka_unit_test(draws_gaps_log_axes_and_hash_signs),
      cmocka_unit_test(long_labels_have_room),
      cmocka_unit_test(names_begin_at_zero),
      cmocka_unit_test(is_deterministic_and_draws_nothing_too),
      cmocka_unit_test(leaves_out_points_nobody_can_see),
      cmocka_unit_test(fills_areas_and_names_places),
      cmocka_unit_test(short_logarithmic_axes_have_numbers),
      cmocka_unit_test(what_hardly_changes_is_constant),
      cmocka_unit_test(rounding_is_zero),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
