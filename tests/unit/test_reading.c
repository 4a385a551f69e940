/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as people read them: units, and ticks that can be told apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/reading.h"
#include "output/plot.h"
#include "output/plot_axes.h"
#include "output/plot_data.h"

static void units_are_those_people_use(void **state) {
  (void)state;
  const struct {
    const char *label, *read;
    double most, factor;
  } cases[] = {{"slip [m]", "slip [µm]", 4.2e-5, 1e6},
               {"slip [m]", "slip [mm]", 1e-3, 1e3},
               {"speed [m/s]", "speed [mm/s]", 0.2, 1e3},
               {"work rate [W]", "work rate [mW]", 5e-2, 1e3},
               {"stress [Pa]", "stress [MPa]", 2e8, 1e-6},
               {"wear [m^3/s]", "wear [µm^3/s]", 3e-16, 1e18},
               {"damping", "damping", 0.03, 1},
               {"damping", "damping [10^-6]", 3e-5, 1e6},
               {"level", "level", 8, 1},
               {"flat [m]", "flat [m]", 0, 1},
               {"k [N/m]", "k [N/µm]", 1.003e7, 1e-6},
               {"f [Hz]", "f [Hz]", 5e4, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char read[80];
    double factor = fw_reading_of_label(cases[i].label, cases[i].most, false, read, sizeof read).factor;
    print_message("%g %s: %g, %s\n", cases[i].most, cases[i].label, factor * cases[i].most, read);
    assert_string_equal(read, cases[i].read);
    assert_true(fabs(factor / cases[i].factor - 1.0) < 1e-12);
  }
}

/* What rounding leaves of a zero is said to be one and keeps its number; what is small and has a name does not. */
static void quantities_in_words(void **state) {
  (void)state;
  const struct {
    double value;
    const char *unit, *said;
  } cases[] = {{-1.234e-5, "m", "-12.34 µm"},
               {3.2e-12, "N", "3.2 pN"},
               {5e-14, "m", "0.05 pm"},
               {-4.63e-20, "m", "0 (-4.6e-20 m)"},
               {2.6e-36, "J", "0 (2.6e-36 J)"},
               {0.0, "m", "0 m"},
               {3e-5, "", "3e-05"},
               {2.7e4, "N s/m", "2.7e+04 N s/m"},
               {0.25, "Hz", "0.25 Hz"},
               {1e-3, "Hz", "0.001 Hz"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fw_said said = fw_say(cases[i].value, cases[i].unit);
    print_message("%g %s: %s\n", cases[i].value, cases[i].unit, said.text);
    assert_string_equal(said.text, cases[i].said);
  }
}

/* Whatever the range, at least three numbers, no two of them alike, in order and each where it says. */
static void ticks_can_be_told_apart(void **state) {
  (void)state;
  const double ranges[][2] = {{21.7612, 21.7648}, {-3e-4, 5e-4}, {0, 1},      {1e6 + 0.25, 1e6 + 0.75},
                              {-200, 900},        {49.1, 53},    {-4.2, 3.9}, {-48, 49}};
  for (int logarithmic = 0; logarithmic < 2; logarithmic++)
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
      for (int most = 3; most < 10; most++) {
        fw_tick ticks[FW_TICKS];
        fw_axis axis = {ranges[i][0], ranges[i][1], .most = most};
        if (logarithmic && ranges[i][0] <= 0) continue;
        if (logarithmic) axis = (fw_axis){log10(ranges[i][0]), log10(ranges[i][1]), true, .most = most};
        int count = fw_axis_ticks(&axis, ticks);
        assert_in_range(count, 3, FW_TICKS);
        for (int k = 0; k < count; k++) {
          double value = strtod(ticks[k].text, NULL), at = logarithmic ? pow(10, ticks[k].at) : ticks[k].at;
          assert_true(fabs(value - at) <= 1e-6 * fmax(fabs(value), ranges[i][1] - ranges[i][0]));
          if (k) assert_string_not_equal(ticks[k].text, ticks[k - 1].text);
        }
      }
}

/* What a page draws from is in the picture, as read, and text cannot leave it. */
static void numbers_travel_with_the_picture(void **state) {
  fw_context *ctx = *state;
  const double x[] = {0, 1}, y[] = {0, 2e-6};
  const fw_plot_curve curve = {.label = "</metadata><script>\"\\", .count = 2, .x = x, .y = y};
  const fw_panel panel = {.y_label = "slip [m]", .curves = &curve, .curve_count = 1};
  char *svg;
  size_t length, found;
  assert_int_equal(fw_plot_svg(ctx, &panel, 1, &svg, &length), FW_OK);
  const char *data = fw_plot_data_find(svg, &found);
  assert_non_null(data);
  assert_null(strstr(svg, "<script"));
  static const char told[] =
      "{\"panels\":[{\"y\":\"slip [µm]\",\"curves\":[{\"label\":\"\\u003c/metadata\\u003e\\u003cscript\\u003e"
      "\\u0022\\u005c\",\"style\":\"line\",\"x\":\"AAAAAAAAgD8=\",\"y\":\"AAAAAAAAAEA=\"}]}]}"; /* 0, 1; 0, 2 */
  assert_int_equal(found, sizeof told - 1);
  assert_memory_equal(data, told, found);
  free(svg);
}

static int start(void **state) { return fw_context_create((fw_context **)state); }

static int stop(void **state) {
  fw_context_destroy((fw_context **)state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_are_those_people_use),
                                     cmocka_unit_test(quantities_in_words), cmocka_unit_test(ticks_can_be_told_apart),
                                     cmocka_unit_test_setup_teardown(numbers_travel_with_the_picture, start, stop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
