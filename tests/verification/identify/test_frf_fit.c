/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a deck from resonances at several levels: an oscillator whose numbers are known, and the rig. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "identify_case.h"

static const char deck_text[] =
    "<fretwork version=\"1\">\n"
    "<parameters><parameter name=\"mu\" value=\"0.3\" min=\"0.05\" max=\"2\"/>\n"
    "<parameter name=\"sigma\" value=\"20\" unit=\"kN/m\" min=\"0.1\" max=\"1e3\"/>\n"
    "<parameter name=\"spare\" value=\"1\" min=\"0\" max=\"2\"/>\n"
    "<parameter name=\"grid\" value=\"14\"/><parameter name=\"orders\" value=\"5\"/>\n"
    "<parameter name=\"aside\" value=\"0\"/><parameter name=\"second\" value=\"1\" unit=\"s\"/>%s</parameters>\n"
    OSCILLATOR("2+aside", "law=\"dahl\" mu-c=\"mu\" sigma-0=\"sigma\" exponent=\"1\"")
    "<data><resonance id=\"rig\" file=\"data.csv\" %s/></data>\n"
    "<analyses><static id=\"seated\" loads=\"weight\"/>\n"
    "<resonance id=\"locus\" start=\"seated\" loads=\"drive\" response=\"x\" level-min=\"0.5\" level-max=\"12\" "
    "f-min=\"12\" f-max=\"30\" points=\"grid\"\n"
    "harmonics=\"orders\"/></analyses>\n"
    "<identification>%s</identification>\n</fretwork>\n";

static void write_deck(const char *more, const char *deviation, const char *identify) {
  write_file("deck.xml", deck_text, more, deviation, identify);
}

/* Resonances of the oscillator with mu = 0.4 and sigma = 8 kN/m at four levels, as a measurement. */
static void measure_by(const char *grid, const char *orders) {
  static const double levels[] = {1, 3, 6, 10};
  const char *settings[] = {"mu=0.4", "sigma=8", grid, orders, NULL};
  deck_run run;
  size_t rows;
  char text[512] = "force_N,frequency_Hz\n";
  write_file("data.csv", "%s", "force_N,frequency_Hz\n1,1\n");
  write_deck("", "", "");
  run_deck(&run, settings);
  const double *level = deck_column(&run, "locus", "locus", "level", &rows);
  const double *frequency = deck_column(&run, "locus", "locus", "frequency", &rows);
  for (int k = 0; k < 4; k++)
    for (size_t r = 1; r < rows; r++) {
      if (!(level[r - 1] < levels[k] && level[r] >= levels[k])) continue;
      double part = (levels[k] - level[r - 1]) / (level[r] - level[r - 1]);
      snprintf(text + strlen(text), sizeof text - strlen(text), "%g,%.12g\n", levels[k],
               frequency[r - 1] + part * (frequency[r] - frequency[r - 1]));
      break;
    }
  deck_close(&run);
  printf("%s", text);
  write_file("data.csv", "%s", text);
}

static void measure(void) { measure_by("grid=400", "orders=5"); }

static void oscillator_is_recovered(void **unused) {
  (void)unused;
  deck_run run;
  measure();
  write_deck("", "deviation=\"0.01\"",
             "<identify id=\"fit\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"mu, sigma\" "
             "leave-out=\"yes\"/>");
  run_deck(&run, NULL);
  near(&run, "identification.fit.mu", 0.4, 0.01);
  near(&run, "identification.fit.sigma", 8, 0.01);
  near(&run, "identification.fit.targets[3].computed", number(&run, "identification.fit.targets[3].measured"), 1e-4);
  near(&run, "identification.fit.left_out[2].foretold", number(&run, "identification.fit.left_out[2].measured"), 1e-3);
  assert_int_equal((int)number(&run, "identification.fit.rank"), 2);
  assert_true(number(&run, "identification.fit.deviation.mu") > 0);
  assert_true(number(&run, "identification.fit.contact[3].friction_over_limit") < 1.01);
  const char *source;
  assert_int_equal(fw_results_text(run.results, "identification.fit.targets[0].deviation_source", &source), FW_OK);
  assert_string_equal(source, "given");
  deck_close(&run);
}

/* Deviations so small that the curve is straight over them: the posterior is that of the least squares. */
static void posterior_is_that_of_least_squares(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  measure_by("grid=6", "orders=1");
  write_deck("", "deviation=\"0.01\"",
             "<identify id=\"fit\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"mu, sigma\" "
             "search=\"levenberg-marquardt\" posterior=\"40\" walkers=\"8\"/>");
  run_deck(&run, (const char *[]){"grid=6", "orders=1", NULL});
  near(&run, "identification.fit.posterior.mu.mean", number(&run, "identification.fit.mu"), 5e-3);
  near(&run, "identification.fit.posterior.sigma.mean", number(&run, "identification.fit.sigma"), 5e-3);
  near(&run, "identification.fit.posterior.mu.deviation", number(&run, "identification.fit.deviation.mu"), 0.5);
  near(&run, "identification.fit.posterior.sigma.deviation", number(&run, "identification.fit.deviation.sigma"), 0.5);
  assert_int_equal((int)number(&run, "identification.fit.posterior.walkers"), 8);
  const double *low = deck_column(&run, "fit", "bands", "p025", &rows);
  const double *high = deck_column(&run, "fit", "bands", "p975", &rows);
  assert_int_equal((int)rows, 20);
  for (int i = 0; i < 2; i++) { /* the ends are targets: within their deviations */
    size_t r = i ? rows - 1 : 0;
    double at = number(&run, i ? "identification.fit.targets[3].measured" : "identification.fit.targets[0].measured");
    assert_true(low[r] < at + 0.002 && high[r] > at - 0.002 && high[r] - low[r] < 0.06 && high[r] > low[r]);
  }
  const char *told; /* 40 steps are not enough to be sure */
  assert_int_equal(fw_results_text(run.results, "identification.fit.warnings[0].text", &told), FW_OK);
  assert_non_null(strstr(told, "autocorrelation times"));
  deck_column(&run, "fit", "posterior", "mu", &rows);
  assert_int_equal((int)rows, 40 * 8);
  deck_close(&run);
}

/* Derivatives of harmonic balance against differences of whole curves: a damper that depends on a parameter by 1e-6 of
 * itself hides from the fit that the parameter acts through the law alone. */
static void derivatives_are_those_of_differences(void **unused) {
  (void)unused;
  static const char *const figures[] = {"deviation.mu", "deviation.sigma", "singular_values[0]", "singular_values[1]"};
  double told[3][4], curves[3];
  static const char *const aside[] = {"aside=0", "aside=1e-10*sigma*second", "aside=1e-10*mu*sigma*second"};
  measure();
  write_deck("", "deviation=\"0.01\"",
             "<identify id=\"fit\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"mu, sigma\" "
             "search=\"levenberg-marquardt\"/>");
  for (int i = 0; i < 3; i++) {
    deck_run run;
    run_deck(&run, (const char *[]){aside[i], NULL});
    curves[i] = number(&run, "identification.fit.evaluations");
    for (int k = 0; k < 4; k++) told[i][k] = number(&run, "identification.fit.%s", figures[k]);
    near(&run, "identification.fit.mu", 0.4, 1e-4);
    near(&run, "identification.fit.sigma", 8, 1e-4);
    deck_close(&run);
  }
  for (int i = 1; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      printf("%-20s %s: analytic %.8g, by differences %.8g, difference %.2g\n", figures[k], aside[i], told[0][k],
             told[i][k], told[i][k] / told[0][k] - 1);
      assert_near(told[i][k], told[0][k], 5e-6 * told[0][k]);
    }
  printf("curves: %.0f, sigma by differences %.0f, both %.0f\n", curves[0], curves[1], curves[2]);
  assert_true(curves[0] < curves[1] && curves[1] < curves[2]);
}

/* A parameter that nothing depends on is named, and four frequencies do not rank three parameters. */
static void parameters_without_effect_are_named(void **unused) {
  (void)unused;
  deck_run run;
  measure();
  write_deck("", "",
             "<identify id=\"fit\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"mu, sigma, spare\" "
             "search=\"levenberg-marquardt\"/>");
  run_deck(&run, NULL);
  assert_true(is_warned(&run, "fit", "spare has no effect"));
  assert_true(is_warned(&run, "fit", "rank 2 for 3 parameters"));
  assert_true(is_warned(&run, "fit", "do not rank a law of 3"));
  deck_close(&run);
}

static void wrong_wishes_are_refused(void **unused) {
  (void)unused;
  static const struct {
    const char *data, *more, *identify, *told;
  } cases[] = {
      {"force_N,frequency_Hz\n1,50\n", "",
       "<identify id=\"f\" method=\"frf\" data=\"rig\" analysis=\"seated\" parameters=\"mu\"/>",
       "'seated' is no <resonance>"},
      {"force_N,frequency_Hz\n1,50\n", "<parameter name=\"free\" value=\"1\"/>",
       "<identify id=\"f\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"free\"/>", "attribute 'min'"},
      {"force_N,speed\n1,50\n", "",
       "<identify id=\"f\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"mu\"/>",
       "the columns force (or level) and frequency are needed"},
      {"force_N,frequency [m]\n1,50\n", "",
       "<identify id=\"f\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"mu\"/>",
       "column 'frequency' is in m, not in Hz"},
      {"force_N,frequency_Hz\n,50\n", "",
       "<identify id=\"f\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"mu\"/>", "row 1 has no level"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_file("data.csv", "%s", cases[i].data);
    write_deck(cases[i].more, "", cases[i].identify);
    refused(cases[i].told);
  }
}

/* Harmonics of an accelerometer with a phase and a deviation, in a unit of their own: they are targets in SI. */
static void harmonics_have_units_and_deviations(void **unused) {
  (void)unused;
  deck_run run;
  static const char data[] = "<resonance id=\"rig\" file=\"data.csv\" ";
  measure();
  write_file("h.csv", "# drive 3 N at 18 Hz\nharmonic,a [mm/s^2],a.deviation [mm/s^2],a.phase\n1,%s\n", "700,20,-90");
  write_deck("", "",
             "<identify id=\"fit\" method=\"frf\" data=\"rig, h\" analysis=\"locus\" parameters=\"mu, sigma\" "
             "search=\"levenberg-marquardt\"/>");
  char path[CASE_PATH], text[4096];
  path_in_folder("deck.xml", path);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  char *at = strstr(text, data), *sensors = strstr(text, "</sensors>");
  assert_true(at && sensors && sensors < at);
  write_file(
      "deck.xml",
      "%.*s<sensor id=\"a\" at=\"block.centre\" quantity=\"acceleration\" direction=\"x\"/>%.*s<harmonics id=\"h\" "
      "file=\"h.csv\"/>%s",
      (int)(sensors - text), text, (int)(at - sensors), sensors, at);
  run_deck(&run, NULL);
  near(&run, "identification.fit.targets[4].measured", 0.7, 1e-12);
  near(&run, "identification.fit.targets[4].deviation", 0.02, 1e-12);
  deck_close(&run);
  write_file("h.csv", "# drive 3 N at 18 Hz\nharmonic,a [%s]\n1,1\n", "N");
  refused("column 'a' is in N, not in m/s^2");
}

/* ---- the rig ----------------------------------------------------------------------------- */

/* Dahl's law meets all four resonances of the rig within 0.1 %. */
static void dahl_explains_the_rig(void **unused) {
  (void)unused;
  deck_run run;
  if (deck_try_only(&run, FW_SOURCE_DIR "/examples/rig/identify-dahl.xml", NULL, "fit") != FW_OK)
    fail_msg("%s", fw_context_message(run.ctx));
  static const double measured[] = {53, 52, 50, 49.1};
  for (int i = 0; i < 4; i++) {
    char path[64];
    snprintf(path, sizeof path, "identification.fit.targets[%d].computed", i);
    near(&run, path, measured[i], 0.001);
  }
  near(&run, "identification.fit.mu", 0.77, 0.02);
  near(&run, "identification.fit.sigma0", 6.1e6, 0.02);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oscillator_is_recovered),
      cmocka_unit_test(derivatives_are_those_of_differences),
      cmocka_unit_test(posterior_is_that_of_least_squares),
      cmocka_unit_test(parameters_without_effect_are_named),
      cmocka_unit_test(harmonics_have_units_and_deviations),
      cmocka_unit_test(wrong_wishes_are_refused),
      cmocka_unit_test(dahl_explains_the_rig),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
