/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LuGre's law fitted to resonances of an oscillator whose bristles are damped too much to be passive: what is told of
 * it, what passive numbers reach, and the trade between the two kinds of figures; the bound on the rig. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "verification/deck_run.h"

static char folder[64], deck_path[96], data_path[96];

static const char deck_text[] =
    "<fretwork version=\"1\">\n"
    "<parameters><parameter name=\"sigma0\" value=\"2000\" unit=\"1/m\" min=\"100\" max=\"1e5\"/>\n"
    "<parameter name=\"sigma1\" value=\"15\" unit=\"s/m\" min=\"1\" max=\"1e3\"/></parameters>\n"
    "<bodies><rigid id=\"block\" at=\"0, 0\" m=\"1\" rotation=\"none\"/>\n"
    "<spring id=\"spring\" at=\"block.centre\" ground=\"-1, 0\" k=\"1e4\"/>\n"
    "<damper id=\"damper\" at=\"block.centre\" ground=\"-1, 0\" c=\"100\"/></bodies>\n"
    "<contact><surface id=\"floor\"><line from=\"-1, 0\" to=\"1, 0\"/></surface>\n"
    "<pair id=\"sole\" target=\"floor\"><point at=\"block.centre\"/>\n"
    "<normal law=\"hard\" enforcement=\"lagrange\"/>\n"
    "<friction law=\"lugre-normalised\" mu-s=\"0.4\" mu-c=\"0.1\" v-s=\"0.004\" sigma-0=\"sigma0\" sigma-1=\"sigma1\" "
    "sigma-2=\"0\"/></pair></contact>\n"
    "<loads><force id=\"weight\" at=\"block.centre\" fy=\"-10\"/>\n"
    "<harmonic id=\"drive\" at=\"block.centre\" fx=\"1\"/></loads>\n"
    "<sensors><sensor id=\"x\" at=\"block.centre\" quantity=\"displacement\" direction=\"x\"/></sensors>\n"
    "<data><resonance id=\"rig\" file=\"data.csv\" deviation=\"0.05\"/></data>\n"
    "<analyses><static id=\"seated\" loads=\"weight\"/>\n"
    "<resonance id=\"locus\" start=\"seated\" loads=\"drive\" response=\"x\" level-min=\"0.8\" level-max=\"9\" "
    "f-min=\"12\" f-max=\"40\" points=\"8\" harmonics=\"1\"/></analyses>\n"
    "<identification>%s</identification>\n</fretwork>\n";

static void write_file(const char *path, const char *text, const char *more) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, text, more);
  assert_int_equal(fclose(file), 0);
}

static double number(const deck_run *run, const char *path) {
  double value = NAN;
  if (fw_results_number(run->results, path, &value) != FW_OK) fail_msg("no %s", path);
  return value;
}

static void near(const deck_run *run, const char *path, double reference, double tolerance) {
  double value = number(run, path), difference = value / reference - 1;
  printf("%-48s computed %.6g, reference %.6g, difference %.3f %%\n", path, value, reference, 100 * difference);
  assert_true(fabs(difference) < tolerance);
}

static bool is_warned(const deck_run *run, const char *id, const char *text) {
  for (int i = 0; i < 40; i++) {
    char path[80];
    const char *told;
    snprintf(path, sizeof path, "identification.%s.warnings[%d].text", id, i);
    if (fw_results_text(run->results, path, &told) != FW_OK) return false;
    if (strstr(told, text)) return true;
  }
  return false;
}

static double at_level(const double *level, const double *y, size_t rows, double wanted) {
  for (size_t r = 1; r < rows; r++)
    if (level[r - 1] < wanted && level[r] >= wanted)
      return y[r - 1] + (wanted - level[r - 1]) / (level[r] - level[r - 1]) * (y[r] - y[r - 1]);
  fail_msg("the curve does not reach %g", wanted);
  return NAN;
}

/* Frequencies and amplitudes with sigma-0 = 1000 1/m and sigma-1 = 60 s/m, as a measurement; slip at one level. */
static void measure(void) {
  static const double levels[] = {1, 4, 8};
  deck_run run;
  size_t rows;
  char text[512] = "force_N,frequency_Hz,amplitude [mm],slip [mm]\n";
  write_file(data_path, "force_N,frequency_Hz\n1,1\n", "");
  write_file(deck_path, deck_text, "");
  deck_open(&run, deck_path, (const char *[]){"sigma0=1000", "sigma1=60", NULL});
  const double *level = deck_column(&run, "locus", "locus", "level", &rows);
  const double *frequency = deck_column(&run, "locus", "locus", "frequency", &rows);
  const double *amplitude = deck_column(&run, "locus", "locus", "x.amplitude", &rows);
  const double *slip = deck_column(&run, "locus", "locus", "sole.slip_amplitude", &rows);
  for (int k = 0; k < 3; k++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%g,%.12g,%.12g,%.12g\n", levels[k],
             at_level(level, frequency, rows, levels[k]), 1e3 * at_level(level, amplitude, rows, levels[k]),
             1e3 * at_level(level, slip, rows, levels[k]));
  deck_close(&run);
  printf("%s", text);
  write_file(data_path, "%s", text);
}

static void passive_numbers_are_found_apart(void **unused) {
  (void)unused;
  deck_run run;
  measure();
  write_file(deck_path, deck_text,
             "<identify id=\"any\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"sigma0, sigma1\" "
             "search=\"levenberg-marquardt\" bound=\"1\"/>"
             "<identify id=\"passive\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"sigma0, sigma1\" "
             "search=\"levenberg-marquardt\" passive=\"yes\"/>");
  deck_open(&run, deck_path, NULL);
  near(&run, "identification.any.sigma0", 1000, 0.01);
  near(&run, "identification.any.sigma1", 60, 0.01);
  double part = number(&run, "identification.any.contact[2].passivity");
  double allowed = number(&run, "identification.passive.contact[2].passivity");
  printf("sigma-1 |v|/4 s: %.3f of all numbers, %.3f of passive ones\n", part, allowed);
  assert_true(part > 1.5 && allowed <= 1.0 && allowed > 0.9);
  assert_true(is_warned(&run, "any", "is not passive") && !is_warned(&run, "passive", "is not passive"));
  assert_true(number(&run, "identification.passive.chi2") > number(&run, "identification.any.chi2") + 1);
  /* six criteria at three levels; slip was measured */
  near(&run, "identification.any.criteria[14].computed", number(&run, "identification.any.criteria[14].measured"),
       1e-3);
  /* where drive, response and contact are at one place a damper can hold it: no bound */
  assert_true(number(&run, "identification.any.bound[0].amplitude") < 1e-9);
  deck_close(&run);
}

/* T_1 = (k + i w c) u_1 of the contact with the block's own: at resonance k + 1e4 = m w^2 and (c + 100) w A = F. */
static void equivalents_balance_the_oscillator(void **unused) {
  (void)unused;
  deck_run run;
  measure();
  write_file(deck_path, deck_text,
             "<identify id=\"any\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"sigma0, sigma1\" "
             "search=\"levenberg-marquardt\"/>");
  deck_open(&run, deck_path, NULL);
  size_t rows;
  const double *level = deck_column(&run, "locus", "locus", "level", &rows);
  const double *frequency = deck_column(&run, "locus", "locus", "frequency", &rows);
  const double *amplitude = deck_column(&run, "locus", "locus", "x.amplitude", &rows);
  const double *spring = deck_column(&run, "locus", "locus", "sole.equivalent_stiffness", &rows);
  const double *damper = deck_column(&run, "locus", "locus", "sole.equivalent_damper", &rows);
  for (size_t r = 0; r < rows; r++) {
    double w = 2 * M_PI * frequency[r], k = w * w - 1e4, c = level[r] / (w * amplitude[r]) - 100;
    printf("level %-8.4g spring %.6g, balance %.6g; damper %.6g, balance %.6g\n", level[r], spring[r], k, damper[r], c);
    assert_float_equal(spring[r], k, 1e-3 * (fabs(k) + 1e4));
    assert_float_equal(damper[r], c, 1e-3 * c);
  }
  deck_close(&run);
}

static void trade_goes_from_amplitude_to_frequency(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  measure();
  write_file(deck_path, deck_text,
             "<identify id=\"passive\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"sigma0, sigma1\" "
             "search=\"levenberg-marquardt\" passive=\"yes\" trade=\"3\"/>");
  deck_open(&run, deck_path, NULL);
  const double *frequency = deck_column(&run, "passive", "trade", "frequency_rms", &rows);
  const double *amplitude = deck_column(&run, "passive", "trade", "amplitude_rms", &rows);
  const double *part = deck_column(&run, "passive", "trade", "passivity", &rows);
  assert_int_equal((int)rows, 3);
  for (size_t r = 0; r < rows; r++) {
    printf("frequency %.4f %%, amplitude %.4f %%, passivity %.3f\n", frequency[r], amplitude[r], part[r]);
    assert_true(part[r] <= 1.0);
  }
  for (size_t r = 1; r < rows; r++) assert_true(frequency[r] < frequency[r - 1] && amplitude[r] > amplitude[r - 1]);
  assert_true(frequency[2] < 0.99 * frequency[0]);
  deck_close(&run);
}

static void wishes_without_meaning_are_refused(void **unused) {
  (void)unused;
  static const struct {
    const char *data, *identify, *told;
  } cases[] = {
      {"force_N,frequency_Hz\n1,20\n", "trade=\"3\"", "no amplitudes to trade"},
      {"force_N,frequency_Hz,amplitudo\n1,20,1\n", "", "column 'amplitudo' is none of"},
      {"force_N,frequency_Hz,frequency.deviation\n1,20,0\n", "",
       "the deviation of frequency at level 1 is 0: not above 0"},
      {"force_N,frequency_Hz,slip [s]\n1,20,1\n", "", "column 'slip' is in s, not in m"},
      {"force_N,frequency_Hz,amplitude [mm],amplitude.deviation [s]\n1,20,1,1\n", "",
       "column 'amplitude.deviation' is in s, not in m"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char identify[256];
    fw_context *ctx;
    fw_deck *deck = NULL;
    snprintf(identify, sizeof identify,
             "<identify id=\"f\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"sigma0\" %s/>",
             cases[i].identify);
    write_file(data_path, "%s", cases[i].data);
    write_file(deck_path, deck_text, identify);
    assert_int_equal(fw_context_create(&ctx), FW_OK);
    fw_status status = fw_deck_load(ctx, deck_path, &deck);
    if (status == FW_OK) status = fw_deck_check(ctx, deck);
    if (status != FW_ERR_DECK || !strstr(fw_context_message(ctx), cases[i].told))
      fail_msg("not told \"%s\": %s", cases[i].told, fw_context_message(ctx));
    fw_deck_destroy(&deck);
    fw_context_destroy(&ctx);
  }
}

/* Independent models of the rig found that no contact of non-negative stiffness leaves less than about 53 um at 8 N
 * within 1 % of 49.1 Hz. */
static void rig_has_a_bound(void **unused) {
  (void)unused;
  deck_run run;
  if (deck_try_only(&run, FW_SOURCE_DIR "/examples/rig/identify-trade.xml", NULL, "published") != FW_OK)
    fail_msg("%s", fw_context_message(run.ctx));
  near(&run, "identification.published.bound[3].amplitude", 53e-6, 0.01);
  near(&run, "identification.published.bound[3].frequency", 49.1 * 1.01, 1e-6);
  assert_true(is_warned(&run, "published", "was measured as 33.3 µm"));
  deck_close(&run);
}

static int make_folder(void **unused) {
  (void)unused;
  snprintf(folder, sizeof folder, "/tmp/fw-frf-passive-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(deck_path, sizeof deck_path, "%s/deck.xml", folder);
  snprintf(data_path, sizeof data_path, "%s/data.csv", folder);
  return 0;
}

static int remove_folder(void **unused) {
  (void)unused;
  unlink(deck_path);
  unlink(data_path);
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(passive_numbers_are_found_apart),
      cmocka_unit_test(equivalents_balance_the_oscillator),
      cmocka_unit_test(trade_goes_from_amplitude_to_frequency),
      cmocka_unit_test(wishes_without_meaning_are_refused),
      cmocka_unit_test(rig_has_a_bound),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
