/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LuGre's law fitted to resonances of an oscillator whose bristles are damped too much to be passive: what is told of
 * it, what passive numbers reach, and the trade between the two kinds of figures; the bound on the rig. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "identify_case.h"

static const char deck_text[] =
    "<fretwork version=\"1\">\n"
    "<parameters><parameter name=\"sigma0\" value=\"2000\" unit=\"1/m\" min=\"100\" max=\"1e5\"/>\n"
    "<parameter name=\"sigma1\" value=\"15\" unit=\"s/m\" min=\"1\" max=\"1e3\"/></parameters>\n"
    OSCILLATOR("100", "law=\"lugre-normalised\" mu-s=\"0.4\" mu-c=\"0.1\" v-s=\"0.004\" sigma-0=\"sigma0\" "
                      "sigma-1=\"sigma1\" sigma-2=\"0\"")
    "<data><resonance id=\"rig\" file=\"data.csv\" deviation=\"0.05\"/></data>\n"
    "<analyses><static id=\"seated\" loads=\"weight\"/>\n"
    "<resonance id=\"locus\" start=\"seated\" loads=\"drive\" response=\"x\" level-min=\"0.8\" level-max=\"9\" "
    "f-min=\"12\" f-max=\"40\" points=\"8\" harmonics=\"1\"/></analyses>\n"
    "<identification>%s</identification>\n</fretwork>\n";

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
  write_file("data.csv", "force_N,frequency_Hz\n1,1\n");
  write_file("deck.xml", deck_text, "");
  run_deck(&run, (const char *[]){"sigma0=1000", "sigma1=60", NULL});
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
  write_file("data.csv", "%s", text);
}

static void passive_numbers_are_found_apart(void **unused) {
  (void)unused;
  deck_run run;
  measure();
  write_file("deck.xml", deck_text,
             "<identify id=\"any\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"sigma0, sigma1\" "
             "search=\"levenberg-marquardt\" bound=\"1\"/>"
             "<identify id=\"passive\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"sigma0, sigma1\" "
             "search=\"levenberg-marquardt\" passive=\"yes\"/>");
  run_deck(&run, NULL);
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
  write_file("deck.xml", deck_text,
             "<identify id=\"any\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"sigma0, sigma1\" "
             "search=\"levenberg-marquardt\"/>");
  run_deck(&run, NULL);
  size_t rows;
  const double *level = deck_column(&run, "locus", "locus", "level", &rows);
  const double *frequency = deck_column(&run, "locus", "locus", "frequency", &rows);
  const double *amplitude = deck_column(&run, "locus", "locus", "x.amplitude", &rows);
  const double *spring = deck_column(&run, "locus", "locus", "sole.equivalent_stiffness", &rows);
  const double *damper = deck_column(&run, "locus", "locus", "sole.equivalent_damper", &rows);
  for (size_t r = 0; r < rows; r++) {
    double w = 2 * M_PI * frequency[r], k = w * w - 1e4, c = level[r] / (w * amplitude[r]) - 100;
    printf("level %-8.4g spring %.6g, balance %.6g; damper %.6g, balance %.6g\n", level[r], spring[r], k, damper[r], c);
    assert_near(spring[r], k, 1e-3 * (fabs(k) + 1e4));
    assert_near(damper[r], c, 1e-3 * c);
  }
  deck_close(&run);
}

static void trade_goes_from_amplitude_to_frequency(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  measure();
  write_file("deck.xml", deck_text,
             "<identify id=\"passive\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"sigma0, sigma1\" "
             "search=\"levenberg-marquardt\" passive=\"yes\" trade=\"3\"/>");
  run_deck(&run, NULL);
  const double *frequency = deck_column(&run, "passive", "trade", "frequency_rms", &rows);
  const double *amplitude = deck_column(&run, "passive", "trade", "amplitude_rms", &rows);
  const double *part = deck_column(&run, "passive", "trade", "passivity", &rows);
  assert_int_equal((int)rows, 3);
  for (size_t r = 0; r < rows; r++) {
    printf("frequency %.4f %%, amplitude %.4f %%, passivity %.3f\n", frequency[r], amplitude[r], part[r]);
    assert_true(part[r] <= 1.0);
  }
  for (size_t r = 1; r < rows; r++)
    assert_true(frequency[r] < 0.999 * frequency[r - 1] && amplitude[r] > 1.001 * amplitude[r - 1]);
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
    snprintf(identify, sizeof identify,
             "<identify id=\"f\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"sigma0\" %s/>",
             cases[i].identify);
    write_file("data.csv", "%s", cases[i].data);
    write_file("deck.xml", deck_text, identify);
    refused(cases[i].told);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(passive_numbers_are_found_apart),
      cmocka_unit_test(equivalents_balance_the_oscillator),
      cmocka_unit_test(trade_goes_from_amplitude_to_frequency),
      cmocka_unit_test(wishes_without_meaning_are_refused),
      cmocka_unit_test(rig_has_a_bound),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
