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

/* Columns that say how motions were found have no panel of their own. */
static void responses_by_shooting_are_over_frequency(void **state) {
  const fw_column columns[] = {{"frequency", "Hz"}, {"switches", ""},     {"families", ""},
                               {"unknowns", ""},    {"x.amplitude", "m"}, {"x.phase", "deg"}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "frf-3", columns, 6, &table);
  for (int i = 0; i < 20; i++)
    assert_int_equal(fw_sink_row(sink, *state, table, (double[]){40 + i, 4, 0, 11, 1e-3 / (1 + i), -9.0 * i}), FW_OK);
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

/* Rows of a column are a sine of a size over 20 times; its number of columns is that of the sizes. */
static void fill_sines(fw_context *ctx, fw_sink *sink, fw_data_table *table, const double *sizes, int columns) {
  double row[16];
  for (int i = 0; i < 20; i++) {
    row[0] = 0.1 * i;
    for (int c = 1; c < columns; c++) row[c] = sizes[c - 1] * sin(1.0 + i);
    assert_int_equal(fw_sink_row(sink, ctx, table, row), FW_OK);
  }
}

/* A contact that sticks: gap, slip and work are what rounding leaves, and its loop is a line at no slip. */
static void contacts_that_stick_do_not_move(void **state) {
  const fw_column columns[] = {{"time", "s"},          {"foot gap", "m"},
                               {"foot normal", "N"},   {"foot tangential", "N"},
                               {"foot slip", "m"},     {"foot slip velocity", "m/s"},
                               {"foot work rate", "W"}};
  const double sizes[] = {1e-17, 84, 8, 1e-18, 1e-13, 4e-11};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "contact", columns, 7, &table);
  fill_sines(*state, sink, table, sizes, 7);
  char *svg = picture(*state, sink, "contact.svg");
  assert_non_null(strstr(svg, "\"y\":\"foot gap [m]\""));
  assert_non_null(strstr(svg, "\"y\":\"foot slip [m]\""));
  assert_non_null(strstr(svg, "\"y\":\"foot slip velocity [m/s]\""));
  assert_non_null(strstr(svg, "\"y\":\"foot work rate [W]\""));
  assert_non_null(strstr(svg, "\"y\":\"foot tangential [N]\""));
  free(svg);
  assert_int_equal(fw_file_read(*state, "plots.tmp/contact-loops.svg", &svg, NULL), FW_OK);
  assert_non_null(strstr(svg, "\"x\":\"slip [m]\""));
  free(svg);
}

/* The same slips where they are not rounding: a nanometre. */
static void small_slips_are_drawn(void **state) {
  const fw_column columns[] = {{"time", "s"}, {"foot tangential", "N"}, {"foot slip", "m"}, {"foot work rate", "W"}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "contact", columns, 4, &table);
  fill_sines(*state, sink, table, (double[]){8, 2e-9, 2e-7}, 4);
  char *svg = picture(*state, sink, "contact.svg");
  assert_non_null(strstr(svg, "\"y\":\"foot slip [nm]\""));
  assert_non_null(strstr(svg, "\"y\":\"foot work rate [nW]\""));
  free(svg);
}

/* Work that is rounding beside the other energies has no panel of its own, where it would be a line at zero. */
static void energies_that_are_nothing_share_a_panel(void **state) {
  const fw_column columns[] = {{"time", "s"}, {"kinetic", "J"}, {"strain", "J"}, {"friction", "J"}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "energy", columns, 4, &table);
  fill_sines(*state, sink, table, (double[]){1e-6, 1e-6, 1e-20}, 4);
  char *svg = picture(*state, sink, "energy.svg");
  assert_int_equal(count(svg, "\"x\":"), 1 + 3); /* a panel, three curves */
  assert_non_null(strstr(svg, "a: energies over time"));
  free(svg);
}

/* Four sensors of one kind would hide each other; three share a panel. */
static void many_sensors_have_a_panel_each(void **state) {
  const fw_column columns[] = {{"time", "s"}, {"a1", "m/s^2"}, {"a2", "m/s^2"}, {"a3", "m/s^2"}, {"a4", "m/s^2"}};
  const double sizes[] = {1, 2, 3, 4};
  for (int sensors = 3; sensors <= 4; sensors++) {
    fw_data_table *table;
    fw_sink *sink = sink_with(*state, "history", columns, 1 + sensors, &table);
    fill_sines(*state, sink, table, sizes, 1 + sensors);
    char *svg = picture(*state, sink, "history.svg");
    assert_int_equal(count(svg, "\"x\":\"time [s]\""), sensors == 3 ? 1 : 4);
    free(svg);
  }
}

/* Three contacts have a panel each, two share one, whose legend says whose curve is whose. */
static void contacts_share_a_panel_up_to_two(void **state) {
  const fw_column columns[] = {{"time", "s"}, {"p1 slip", "m"}, {"p2 slip", "m"}, {"p3 slip", "m"}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "contact", columns, 3, &table);
  fill_sines(*state, sink, table, (double[]){2e-6, 3e-6}, 3);
  char *svg = picture(*state, sink, "contact.svg");
  assert_non_null(strstr(svg, "\"label\":\"p2\""));
  assert_int_equal(count(svg, "\"y\":\"slip [µm]\""), 1);
  free(svg);
  sink = sink_with(*state, "contact", columns, 4, &table);
  fill_sines(*state, sink, table, (double[]){2e-6, 3e-6, 4e-6}, 4);
  svg = picture(*state, sink, "contact-slip.svg");
  assert_int_equal(count(svg, "\"y\":\"slip [µm]\""), 3);
  free(svg);
}

/* Numbers of iterations are whole, here 1 to 3, and those of a logarithmic axis tell their powers themselves. */
static void axes_fit_what_they_count(void **state) {
  const fw_column columns[] = {{"iteration", ""}, {"residual", "of the largest force"}, {"error", ""}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "convergence", columns, 3, &table);
  for (int i = 1; i <= 3; i++)
    assert_int_equal(fw_sink_row(sink, *state, table, (double[]){i, pow(10, -i), pow(1e-3, i)}), FW_OK);
  char *svg = picture(*state, sink, "convergence.svg");
  assert_int_equal(count(svg, "\"xwhole\":true"), 2);
  assert_int_equal(count(svg, "\"ylog\":true"), 2);
  assert_non_null(strstr(svg, "\"y\":\"error\"")); /* not [10^-3] */
  free(svg);
}

/* The scale of a spectrogram is told in units people use. */
static void spectrograms_tell_their_scale(void **state) {
  const fw_column columns[] = {{"time", "s"}, {"frequency", "Hz"}, {"density", "m^2/Hz"}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "spectrogram-tip", columns, 3, &table);
  for (int i = 0; i < 12; i++)
    assert_int_equal(fw_sink_row(sink, *state, table, (double[]){i / 4, 10 * (i % 4), i % 4 == 1 ? 5e-6 : 1e-7}),
                     FW_OK);
  char *svg = picture(*state, sink, "spectrogram-tip.svg");
  assert_non_null(strstr(svg, "a: tip over time; 0 dB is 5 mm^2/Hz"));
  free(svg);
}

/* Changes of contact have names. */
static void changes_are_named(void **state) {
  const fw_column columns[] = {{"time", "s"}, {"contact point", ""}, {"change", ""}};
  fw_data_table *table;
  fw_sink *sink = sink_with(*state, "events", columns, 3, &table);
  for (int i = 0; i < 4; i++)
    assert_int_equal(fw_sink_row(sink, *state, table, (double[]){0.1 * i, 1, i % 2 ? 4 : 5}), FW_OK);
  char *svg = picture(*state, sink, "events.svg");
  assert_non_null(strstr(svg, "[\"closes\",\"opens\",\"bounces\",\"sticks\",\"slips\",\"turns\"]"));
  assert_non_null(strstr(svg, "\"ywhole\":true"));
  free(svg);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(responses_by_shooting_are_over_frequency),
      cmocka_unit_test(modes_over_a_flow_are_curves),
      cmocka_unit_test(cycles_are_told_by_their_figures),
      cmocka_unit_test(multipliers_are_over_their_speed),
      cmocka_unit_test(contacts_that_stick_do_not_move),
      cmocka_unit_test(small_slips_are_drawn),
      cmocka_unit_test(energies_that_are_nothing_share_a_panel),
      cmocka_unit_test(many_sensors_have_a_panel_each),
      cmocka_unit_test(contacts_share_a_panel_up_to_two),
      cmocka_unit_test(axes_fit_what_they_count),
      cmocka_unit_test(changes_are_named),
      cmocka_unit_test(spectrograms_tell_their_scale),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
