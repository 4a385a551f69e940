/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra of histories whose densities are known. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "solver/analyses/spectrum.h"

enum { ROWS = 8192 };
static const double step = 1e-3;

typedef struct bench {
  fw_context *ctx;
  fw_sink *sink;
  fw_record *summary;
  fw_data_table *history;
} bench;

static double noise(uint64_t *state) { /* uniform, of unit variance */
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(*state >> 11) * 0x1p-53 - 0.5) * sqrt(12);
}

static void open_bench(bench *b) {
  const fw_column columns[] = {{"time", "s"}, {"tone", "m"}, {"noise", "m/s"}, {"sweep", "m"}};
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  assert_int_equal(fw_sink_create(b->ctx, &b->sink), FW_OK);
  assert_int_equal(fw_record_create(&b->summary), FW_OK);
  assert_int_equal(fw_sink_table(b->sink, b->ctx, "t", "history", columns, 4, false, &b->history), FW_OK);
  uint64_t state = 3;
  for (int i = 0; i < ROWS; i++) {
    double t = i * step;
    const double row[] = {t, 5.0 + 2e-6 * sin(2 * M_PI * 62.5 * t), 3.0 * noise(&state),
                          cos(2 * M_PI * (20.0 * t + 10.0 * t * t))}; /* from 20 Hz on, 20 Hz more each second */
    assert_int_equal(fw_sink_row(b->sink, b->ctx, b->history, row), FW_OK);
  }
}

static void close_bench(bench *b) {
  fw_record_destroy(&b->summary);
  fw_sink_destroy(&b->sink);
  fw_context_destroy(&b->ctx);
}

static double figure(const bench *b, const char *path) {
  double number = NAN;
  assert_int_equal(fw_record_number(b->summary, path, &number), FW_OK);
  return number;
}

/* A tone in the middle of a bin: its whole power, rms A/sqrt 2, around its frequency; a constant does not count. White
 * noise of variance v, rate 1/step: density 2 v step, here within three times the scatter of its mean over all bins of
 * 31 overlapping records. */
static void densities_are_those_of_tone_and_noise(void **unused) {
  (void)unused;
  bench b;
  open_bench(&b);
  const fw_spectrum_options options = {.record = 512};
  assert_int_equal(fw_spectrum_write(b.ctx, b.sink, b.history, &options, b.summary), FW_OK);
  assert_true(fabs(figure(&b, "spectrum.tone.rms") / (2e-6 / sqrt(2)) - 1) < 1e-9);
  assert_true(fabs(figure(&b, "spectrum.tone.peak_frequency") - 62.5) < 1e-9);
  assert_true(fabs(figure(&b, "spectrum.resolution") - 1 / (512 * step)) < 1e-9);
  assert_true(figure(&b, "spectrum.records") == 31);
  const fw_data_table *table = fw_sink_find(b.sink, "t", "spectrum");
  assert_non_null(table);
  assert_string_equal(table->column_units[1], "m^2/Hz");
  assert_string_equal(table->column_units[2], "(m/s)^2/Hz");
  assert_int_equal(table->rows, 256);
  double mean = 0;
  for (int k = 0; k < 255; k++) mean += table->values[2][k] / 255; /* without the last, which is not folded */
  double exact = 2 * 9.0 * step, scatter = sqrt(1.0 / ROWS * 2);
  printf("noise: density %.6g, exact %.6g, difference %.2f %%\n", mean, exact, 100 * (mean / exact - 1));
  assert_true(fabs(mean / exact - 1) < 3 * scatter);
  close_bench(&b);
}

/* The peak of each record of the sweep is at the frequency in its middle, within a bin. */
static void spectrograms_follow_a_sweep(void **unused) {
  (void)unused;
  bench b;
  open_bench(&b);
  const fw_spectrum_options options = {.sensors = "sweep", .record = 512, .over_time = true, .f_max = 250.0};
  assert_int_equal(fw_spectrum_write(b.ctx, b.sink, b.history, &options, b.summary), FW_OK);
  assert_null(fw_sink_find(b.sink, "t", "spectrogram-tone"));
  assert_int_equal(fw_sink_find(b.sink, "t", "spectrum")->columns, 2);
  const fw_data_table *map = fw_sink_find(b.sink, "t", "spectrogram-sweep");
  assert_non_null(map);
  size_t bins = 128, records = map->rows / bins;
  assert_int_equal(records, 31);
  for (size_t r = 0; r < records; r++) {
    size_t peak = r * bins;
    for (size_t k = r * bins; k < (r + 1) * bins; k++)
      if (map->values[2][k] > map->values[2][peak]) peak = k;
    double exact = 20.0 + 20.0 * map->values[0][peak];
    assert_true(fabs(map->values[1][peak] - exact) < 1 / (512 * step));
  }
  close_bench(&b);
}

static void what_cannot_be_is_refused(void **unused) {
  (void)unused;
  bench b;
  open_bench(&b);
  fw_spectrum_options options = {.record = 16384};
  assert_int_equal(fw_spectrum_write(b.ctx, b.sink, b.history, &options, b.summary), FW_ERR_ARGUMENT);
  options = (fw_spectrum_options){.record = 512, .from = 8.0};
  assert_int_equal(fw_spectrum_write(b.ctx, b.sink, b.history, &options, b.summary), FW_ERR_ARGUMENT);
  b.history->values[0][100] += 0.3 * step * ROWS * 1e-3;
  options = (fw_spectrum_options){.record = 512};
  assert_int_equal(fw_spectrum_write(b.ctx, b.sink, b.history, &options, b.summary), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(b.ctx), "equal times"));
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(densities_are_those_of_tone_and_noise),
                                     cmocka_unit_test(spectrograms_follow_a_sweep),
                                     cmocka_unit_test(what_cannot_be_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
