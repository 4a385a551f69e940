/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured data from universal files: signals over time, amplitudes and phases over frequency, the level they were measured at. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "identify/channels.h"
#include "one_context.h"
#include "output/uff58.h"

#define PATH "channels.tmp.uff"

static const fw_param params[] = {{"file", FW_PARAM_TEXT, "", NULL, 0, 0, NULL, "where it is"}, {0}};
static char path[] = PATH;
static fw_value file = {.given = true, .line = 3, .text = path};
static const fw_item signals = {.name = "signals", .args = {{"deck.xml", 3, NULL}, params, &file}};
static const fw_item response = {.name = "frf", .args = {{"deck.xml", 3, NULL}, params, &file}};

static double time[] = {0.0, 0.25, 0.5}, other_time[] = {0.0, 0.25, 0.75}, one[] = {1.5, -2.0, 3.0},
              two[] = {4.0, 5.0, 6.0};
static double hertz[] = {10.0, 20.0}, re[] = {3.0, 0.0}, im[] = {4.0, -2.0};

static fw_uff58 signal_of(const char *id, size_t count, double *x, double *values) {
  fw_uff58 f = {.function = FW_UFF_TIME, .count = count, .x = x, .re = values};
  f.abscissa.kind = FW_UFF_AXIS_TIME;
  f.ordinate = (fw_uff_axis){FW_UFF_ACCELERATION, "", "mm/s^2"};
  strcpy(f.id[0], id);
  return f;
}

static fw_uff58 spectrum_of(const char *id, double level, double *imaginary) {
  fw_uff58 f = {.function = FW_UFF_SPECTRUM, .z = level, .count = 2, .x = hertz, .re = re, .im = imaginary};
  f.abscissa.kind = FW_UFF_AXIS_FREQUENCY;
  f.ordinate = (fw_uff_axis){FW_UFF_DISPLACEMENT, "", "mm"};
  strcpy(f.id[0], id);
  return f;
}

static fw_status read_item(const fw_item *item, const fw_uff58 *functions, int count, fw_sink **sink,
                           fw_data_table **table) {
  fw_context_clear(ctx);
  *table = NULL;
  assert_int_equal(fw_uff58_write(ctx, PATH, functions, count, true), FW_OK);
  assert_int_equal(fw_sink_create(ctx, sink), FW_OK);
  fw_status status = fw_channels_read(ctx, item, *sink, table);
  unlink(PATH);
  return status;
}

static void assert_column(const fw_data_table *table, int c, const char *name, const char *unit, const double *values) {
  assert_string_equal(table->column_names[c], name);
  assert_string_equal(table->column_units[c], unit);
  for (size_t r = 0; r < table->rows; r++) assert_near(table->values[c][r], values[r], 1e-12 * fabs(values[r]));
}

/* Of a file that holds both an item takes its own kind: signals those over time, frf those over frequency. */
static void files_hold_signals_and_spectra(void **unused) {
  (void)unused;
  fw_sink *sink;
  fw_data_table *table;
  const fw_uff58 both[] = {spectrum_of("tip.amplitude", 3.0, im), signal_of("a1", 3, time, one),
                           signal_of("a2", 3, time, two)};
  assert_int_equal(read_item(&signals, both, 3, &sink, &table), FW_OK);
  assert_int_equal(table->columns, 3);
  assert_int_equal(table->rows, 3);
  assert_column(table, 0, "time", "s", time);
  assert_column(table, 1, "a1", "mm/s^2", one);
  assert_column(table, 2, "a2", "mm/s^2", two);
  assert_int_equal(fw_channels_to_si(ctx, &signals, table, 1, "m/s^2"), FW_OK);
  assert_column(table, 1, "a1", table->column_units[1], (const double[]){1.5e-3, -2e-3, 3e-3});
  fw_sink_destroy(&sink);
  assert_int_equal(read_item(&response, both, 3, &sink, &table), FW_OK);
  assert_int_equal(table->columns, 3);
  assert_int_equal(table->rows, 2);
  assert_column(table, 0, "frequency", "Hz", hertz);
  assert_column(table, 1, "tip.amplitude", "mm", (const double[]){5.0, 2.0});
  assert_column(table, 2, "tip.phase", "deg", (const double[]){atan2(4, 3) * 180 / M_PI, -90.0});
  fw_sink_destroy(&sink);
}

static void the_level_is_that_of_all(void **unused) {
  (void)unused;
  double level;
  fw_uff58 list[] = {signal_of("a1", 3, time, one), spectrum_of("x", 3.0, im), spectrum_of("y", 3.0, im)};
  assert_int_equal(fw_uff58_write(ctx, PATH, list, 3, true), FW_OK);
  assert_int_equal(fw_channels_level(ctx, &response, &level), FW_OK);
  assert_near(level, 3.0, 0.0);
  list[2].z = 4.0;
  assert_int_equal(fw_uff58_write(ctx, PATH, list, 3, true), FW_OK);
  assert_int_equal(fw_channels_level(ctx, &response, &level), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "deck.xml:3: " PATH ": 'y' is of level 4, others of 3"));
  unlink(PATH);
}

static void assert_refused(const fw_item *item, const fw_uff58 *functions, int count, const char *why) {
  fw_sink *sink;
  fw_data_table *table;
  assert_int_equal(read_item(item, functions, count, &sink, &table), FW_ERR_DECK);
  if (!strstr(fw_context_message(ctx), why)) fail_msg("%s: %s", why, fw_context_message(ctx));
  fw_sink_destroy(&sink);
}

static void what_does_not_belong_together_is_refused(void **unused) {
  (void)unused;
  const fw_uff58 shorter[] = {signal_of("a1", 3, time, one), signal_of("a2", 2, time, two)};
  assert_refused(&signals, shorter, 2, "'a2' has 2 samples where 'a1' has 3");
  const fw_uff58 clocks[] = {signal_of("a1", 3, time, one), signal_of("a2", 3, other_time, two)};
  assert_refused(&signals, clocks, 2, "'a2' and 'a1' were not sampled at the same places");
  const fw_uff58 real[] = {spectrum_of("x", 3.0, NULL)};
  assert_refused(&response, real, 1, "'x' is not complex");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(files_hold_signals_and_spectra, open_context, close_context),
      cmocka_unit_test_setup_teardown(the_level_is_that_of_all, open_context, close_context),
      cmocka_unit_test_setup_teardown(what_does_not_belong_together_is_refused, open_context, close_context)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
