/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of a made-up result with made-up measurements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/unknown.h"
#include "output/compare.h"
#include "output/directory.h"
#include "output/files.h"
#include "output/summary.h"
#include "output/uff58.h"
#include "remove_folder.h"

static const char folder[] = "compare.tmp";
static fw_record *record;

/* Levels 1 and 3 N with resonances at 50 and 48 Hz, 5 N lost; a response at 3 N with amplitude f - 40 at 30 degrees. */
static int start(void **state) {
  static const fw_column columns[] = {{"frequency", "Hz"},
                                      {"drive.amplitude", "m"},
                                      {"drive.phase", "deg"},
                                      {"a83.amplitude", "m/s^2"},
                                      {"a83.amplitude-3", "m/s^2"}};
  fw_context *ctx;
  fw_context_create(&ctx);
  *state = ctx;
  remove_folder(folder);
  fw_folder_make(ctx, folder);
  fw_record_create(&record);
  const double levels[] = {1, 3, 5}, frequencies[] = {50, 48, fw_unknown()};
  for (int i = 0; i < 3; i++) {
    fw_record_set_number(record, levels[i], "analyses.frf.levels[%d].level", i);
    fw_record_set_number(record, frequencies[i], "analyses.frf.levels[%d].resonance.frequency", i);
  }
  fw_record_set_text(record, "static", "analyses.seated.kind");
  fw_record_set_text(record, "resonance", "analyses.curve.kind");
  fw_summary_write(ctx, record, folder);
  fw_record_destroy(&record);
  fw_sink *sink;
  fw_data_table *table;
  fw_directory_create(ctx, folder, &sink);
  fw_sink_table(sink, ctx, "frf", "frf-3", columns, 5, false, &table);
  for (int f = 44; f <= 60; f++) fw_sink_row(sink, ctx, table, (const double[]){f, f - 40, 30, 0.5 * f, 0.1 * f});
  fw_sink_table(sink, ctx, "curve", "resonance", (const fw_column[]){{"level", "N"}, {"frequency", "Hz"}}, 2, false,
                &table);
  for (int level = 1; level <= 9; level += 2)
    fw_sink_row(sink, ctx, table, (const double[]){level, 50 - level * level});
  fw_sink_destroy(&sink);
  return fw_record_create(&record);
}

static int stop(void **state) {
  fw_context *ctx = *state;
  fw_record_destroy(&record);
  remove_folder(folder);
  fw_context_destroy(&ctx);
  return 0;
}

static void write_data(fw_context *ctx, const char *path, const char *text) {
  assert_int_equal(fw_file_write(ctx, path, text, strlen(text)), FW_OK);
}

static double number(const char *path) {
  double value;
  if (fw_record_number(record, path, &value) != FW_OK) fail_msg("no %s", path);
  return value;
}

static void assert_same(double value, double expected) {
  if (fabs(value - expected) > 1e-9 * fabs(expected)) fail_msg("%.12g, not %.12g", value, expected);
}

static void compares_resonances(void **state) {
  write_data(*state, "compare.tmp/resonance.csv", "# by phase\nforce_N,frequency_Hz\n1,50\n3,50\n5,47\n");
  assert_int_equal(fw_compare_data(*state, folder, "compare.tmp/resonance.csv", NULL, fw_unknown(), record), FW_OK);
  assert_same(number("resonance.frf.rows[1].difference_percent"), -4.0);
  assert_same(number("resonance.frf.misfit_percent"), 100 * sqrt((0.0 + 0.04 * 0.04) / 2));
  assert_int_equal(fw_record_kind_at(record, "resonance.frf.rows[2].computed.frequency"), FW_RECORD_ABSENT);
  assert_int_equal(fw_record_kind_at(record, "resonance.seated"), FW_RECORD_ABSENT);
  assert_true(fw_path_exists("compare.tmp/compare-resonance-frf.svg"));
}

/* A curve of resonances over the level, f = 50 - level^2 at 1, 3, 5, 7, 9, is straight between its points: 45 - 4 = 41 at 3,
 * (41 + 25)/2 at 4; beyond it nothing is known. */
static void compares_curves_of_resonances(void **state) {
  write_data(*state, "compare.tmp/curve.csv", "force_N,frequency_Hz\n3,41\n4,30\n12,20\n");
  assert_int_equal(fw_compare_data(*state, folder, "compare.tmp/curve.csv", "curve", fw_unknown(), record), FW_OK);
  assert_same(number("curve.curve.rows[1].computed.frequency"), 33);
  assert_same(number("curve.curve.rows[1].difference_percent"), 10);
  assert_int_equal(fw_record_kind_at(record, "curve.curve.rows[2].computed.frequency"), FW_RECORD_ABSENT);
  assert_same(number("curve.curve.misfit_percent"), 100 * sqrt((0.0 + 0.1 * 0.1) / 2));
}

static void compares_harmonics(void **state) {
  write_data(*state, "compare.tmp/harmonics-3.0N.csv",
             "# m/s^2, drive 3.0 N at 50.2 Hz\nharmonic,x=0.083,x=0.153\n1,20,1\n2,0.1,1\n3,5,1\n");
  assert_int_equal(fw_compare_data(*state, folder, "compare.tmp/harmonics-3.0N.csv", "frf", fw_unknown(), record),
                   FW_OK);
  assert_same(number("harmonics-3_0N.frf.computed_at.frequency"), 50);
  assert_same(number("harmonics-3_0N.frf.rows[0].computed"), 25);
  assert_same(number("harmonics-3_0N.frf.rows[1].harmonic"), 3);
  assert_same(number("harmonics-3_0N.frf.misfit_percent"), 100 * sqrt((25.0 + 0.0) / (400.0 + 25.0)));
}

static void compares_responses(void **state) {
  write_data(*state, "compare.tmp/frf-3N.csv", "frequency [Hz],amplitude [m]\n43,1\n50.5,10\n52,12\n");
  assert_int_equal(fw_compare_data(*state, folder, "compare.tmp/frf-3N.csv", NULL, fw_unknown(), record), FW_OK);
  assert_same(number("frf-3N.frf.points"), 2);
  assert_same(number("frf-3N.frf.misfit_percent"), 100 * sqrt(0.25 / 244.0));
  double x[] = {50, 51}, re[] = {6, 0}, im[] = {8, -11};
  fw_uff58 f = {.function = FW_UFF_FRF, .z = 3, .count = 2, .x = x, .re = re, .im = im};
  assert_int_equal(fw_uff58_write(*state, "compare.tmp/rig.uff", &f, 1, true), FW_OK);
  assert_int_equal(fw_compare_data(*state, folder, "compare.tmp/rig.uff", NULL, fw_unknown(), record), FW_OK);
  assert_true(number("rig.frf.misfit_percent") < 1e-9);
}

/* Amplitude f - 40 at 30 degrees comes back as a complex spectrum at level 3. */
static void exports_responses(void **state) {
  fw_uff58 *back;
  int count;
  assert_int_equal(fw_export(*state, folder, "compare.tmp/out.uff", true, false), FW_OK);
  assert_int_equal(fw_uff58_read(*state, "compare.tmp/out.uff", &back, &count), FW_OK);
  assert_int_equal(count, 1);
  assert_int_equal(back->function, FW_UFF_SPECTRUM);
  assert_string_equal(back->id[0], "drive.amplitude");
  assert_int_equal(back->ordinate.kind, FW_UFF_DISPLACEMENT);
  assert_same(back->z, 3);
  assert_int_equal(back->count, 17);
  for (int i = 0; i < 17; i++) {
    assert_same(back->re[i], (4 + i) * sqrt(0.75));
    assert_same(back->im[i], (4 + i) * 0.5);
  }
  fw_uff58_destroy(&back, count);
}

static void says_what_does_not_fit(void **state) {
  fw_context *ctx = *state;
  fw_context_clear(ctx);
  write_data(ctx, "compare.tmp/other.csv", "time,y\n1,2\n");
  assert_int_equal(fw_compare_data(ctx, folder, "compare.tmp/other.csv", NULL, fw_unknown(), record), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "neither resonances, harmonics nor a response"));
  write_data(ctx, "compare.tmp/frf-7N.csv", "frequency [Hz],amplitude [m]\n50,1\n");
  assert_int_equal(fw_compare_data(ctx, folder, "compare.tmp/frf-7N.csv", NULL, fw_unknown(), record), FW_ERR_ARGUMENT);
  char *text;
  const char *data = "compare.tmp/resonance.csv";
  assert_int_equal(fw_compare(ctx, folder, &data, 1, &text), FW_OK);
  assert_non_null(strstr(text, "misfit_percent"));
  assert_true(fw_path_exists("compare.tmp/compare.json"));
  free(text);
}

static void take_log(void *user, const char *text) {
  char *log = user;
  snprintf(log + strlen(log), 1000 - strlen(log), "%s\n", text);
}

/* All that fits of a folder; what does not is told with the reason. */
static void compares_folders(void **state) {
  fw_context *ctx = *state;
  char *text, log[1000] = "";
  const char *data = "compare.tmp/measured";
  fw_context_on_log(ctx, take_log, log);
  assert_int_equal(fw_folder_make(ctx, data), FW_OK);
  write_data(ctx, "compare.tmp/measured/other.csv", "time,y\n1,2\n");
  assert_int_equal(fw_compare(ctx, folder, &data, 1, &text), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "measured: nothing to compare with"));
  write_data(ctx, "compare.tmp/measured/frf-3N.csv", "frequency [Hz],amplitude [m]\n43,1\n50.5,10\n52,12\n");
  log[0] = '\0';
  assert_int_equal(fw_compare(ctx, folder, &data, 1, &text), FW_OK);
  assert_non_null(strstr(text, "frf-3N"));
  assert_null(strstr(text, "other"));
  free(text);
  assert_non_null(strstr(log, "measured/other.csv: passed over: "));
  assert_non_null(strstr(log, "neither resonances, harmonics nor a response"));
  fw_context_on_log(ctx, NULL, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compares_resonances),    cmocka_unit_test(compares_harmonics),
      cmocka_unit_test(compares_responses),     cmocka_unit_test(exports_responses),
      cmocka_unit_test(says_what_does_not_fit), cmocka_unit_test(compares_curves_of_resonances),
      cmocka_unit_test(compares_folders),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
