/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which pictures tables become: what their axes say and which curves they have, read from the numbers inside. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "output/files.h"
#include "output/plots.h"

static const char folder[] = "plots.tmp";

static int start(void **state) {
  fw_status status = fw_context_create((fw_context **)state);
  return status == FW_OK ? fw_folder_make(*state, folder) : status;
}

static int stop(void **state) {
  fw_context_destroy((fw_context **)state);
  return 0;
}

static int count(const char *text, const char *part) {
  int found = 0;
  for (const char *at = text; (at = strstr(at, part)); at++) found++;
  return found;
}

/* A table of one analysis in a sink of its own. */
static fw_sink *sink_with(fw_context *ctx, const char *name, const fw_column *columns, int column_count,
                          fw_data_table **table) {
  fw_sink *sink;
  assert_int_equal(fw_sink_create(ctx, &sink), FW_OK);
  assert_int_equal(fw_sink_table(sink, ctx, "a", name, columns, column_count, false, table), FW_OK);
  return sink;
}

/* The picture NAME that the tables of a sink become, which is destroyed; to be freed. */
static char *picture(fw_context *ctx, fw_sink *sink, const char *name) {
  char *path, *svg = NULL;
  assert_int_equal(fw_plots_write(ctx, sink, "a", folder), FW_OK);
  assert_int_equal(fw_path_join(ctx, folder, name, &path), FW_OK);
  assert_int_equal(fw_file_read(ctx, path, &svg, NULL), FW_OK);
  free(path);
  fw_sink_destroy(&sink);
  return svg;
}

/* Columns that say how motions were found stand before the frequency, which is the abscissa all the same. */
static void responses_by_shooting_are_over_frequency(void **state) {
  const fw_column columns[] = {{"switches", ""},    {"families", ""},     {"unknowns", ""},
                               {"frequency", "Hz"}, {"x.amplitude", "m"}, {"x.phase", "deg"}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "frf-3", columns, 6, &table);
  for (int i = 0; i < 20; i++)
    assert_int_equal(fw_sink_row(sink, *state, table, (double[]){4, 0, 11, 40 + i, 1e-3 / (1 + i), -9.0 * i}), FW_OK);
  char *svg = picture(*state, sink, "over-frequency-x.svg");
  assert_int_equal(count(svg, "\"x\":\"frequency [Hz]\""), 2);
  assert_non_null(strstr(svg, "\"y\":\"phase [deg]\""));
  assert_null(strstr(svg, "switches"));
  free(svg);
}

/* Rows go through the modes at each flow; each mode is a curve. */
static void modes_over_a_flow_are_curves(void **state) {
  const fw_column columns[] = {{"flow", ""}, {"mode", ""}, {"frequency", "Hz"}, {"damping", ""}, {"growth", "1/s"}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "flow", columns, 5, &table);
  for (int i = 0; i < 5; i++)
    for (int mode = 1; mode <= 3; mode++)
      assert_int_equal(fw_sink_row(sink, *state, table, (double[]){i, mode, 23.0 * mode, 0.01 - 0.003 * i, 0}), FW_OK);
  char *svg = picture(*state, sink, "flow.svg");
  assert_int_equal(count(svg, "\"style\":\"line\""), 2 * 3);
  assert_int_equal(count(svg, "\"style\":\"faint\""), 1); /* no damping */
  assert_non_null(strstr(svg, "\"label\":\"mode 3\""));
  free(svg);
}

/* Of limit cycles over a speed what people ask for, not how they were found. */
static void cycles_are_told_by_their_figures(void **state) {
  const fw_column columns[] = {{"speed", ""},       {"period", "s"},      {"lowest", "m"},
                               {"highest", "m"},    {"along", ""},        {"switches", ""},
                               {"frequency", "Hz"}, {"x.amplitude", "m"}, {"x.mean", "m"}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "cycles", columns, 9, &table);
  for (int i = 0; i < 20; i++) {
    double size = 1 + 0.1 * i;
    const double row[] = {size, 6.3, -size, size, 1, 2, 1 / 6.3 + 0.001 * i, size, 0};
    assert_int_equal(fw_sink_row(sink, *state, table, row), FW_OK);
  }
  char *svg = picture(*state, sink, "cycles.svg");
  assert_int_equal(count(svg, "\"x\":\"speed\""), 3);
  assert_non_null(strstr(svg, "\"y\":\"frequency [Hz]\""));
  assert_non_null(strstr(svg, "\"label\":\"highest\""));
  assert_null(strstr(svg, "switches"));
  assert_null(strstr(svg, "along"));
  free(svg);
}

/* Multipliers are over what the motions were followed. */
static void multipliers_are_over_their_speed(void **state) {
  const fw_column columns[] = {{"speed", ""}, {"number", ""}, {"real", ""}, {"imaginary", ""}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "multipliers", columns, 4, &table);
  for (int i = 0; i < 5; i++)
    assert_int_equal(fw_sink_row(sink, *state, table, (double[]){1 + i, 1, 0.5, 0.1 * i}), FW_OK);
  char *svg = picture(*state, sink, "multipliers.svg");
  assert_non_null(strstr(svg, "\"x\":\"speed\""));
  assert_null(strstr(svg, "frequency"));
  free(svg);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(responses_by_shooting_are_over_frequency),
      cmocka_unit_test(modes_over_a_flow_are_curves),
      cmocka_unit_test(cycles_are_told_by_their_figures),
      cmocka_unit_test(multipliers_are_over_their_speed),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
