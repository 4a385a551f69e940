/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a deck from whole response curves and bandwidths: an oscillator whose numbers are known. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "identify_case.h"

static const char deck_text[] =
    "<fretwork version=\"1\">\n"
    "<parameters><parameter name=\"mu\" value=\"0.3\" min=\"0.05\" max=\"2\"/>\n"
    "<parameter name=\"sigma\" value=\"20\" unit=\"kN/m\" min=\"0.1\" max=\"1e3\"/><parameter name=\"grid\" "
    "value=\"40\"/></parameters>\n"
    OSCILLATOR("2", "law=\"dahl\" mu-c=\"mu\" sigma-0=\"sigma\" exponent=\"1\"")
    "<data>%s</data>\n"
    "<analyses><static id=\"seated\" loads=\"weight\"/>\n"
    "<frf id=\"sweep\" start=\"seated\" loads=\"drive\" response=\"x\" levels=\"2, 3\" f-min=\"12\" f-max=\"30\" "
    "points=\"grid\" harmonics=\"1\"/>\n"
    "<resonance id=\"locus\" start=\"seated\" loads=\"drive\" response=\"x\" level-min=\"0.5\" level-max=\"4\" "
    "f-min=\"12\" f-max=\"30\" points=\"8\" harmonics=\"1\"/></analyses>\n"
    "<identification>%s</identification>\n</fretwork>\n";

static void write_deck(const char *data, const char *identify) { write_file("deck.xml", deck_text, data, identify); }

/* The response with mu = 0.4 and sigma = 8 kN/m, as a measurement whose amplitudes are off by a per mille by turns. */
static void measure(bool phases) {
  size_t rows;
  deck_run run;
  write_deck("", "");
  run_deck(&run, (const char *[]){"mu=0.4", "sigma=8", NULL});
  const double *f = deck_column(&run, "sweep", "frf-3", "frequency", &rows);
  const double *amplitude = deck_column(&run, "sweep", "frf-3", "x.amplitude", &rows);
  const double *phase = deck_column(&run, "sweep", "frf-3", "x.phase", &rows);
  FILE *file = open_file("curve.csv");
  fprintf(file, "# drive 3 N\nfrequency [Hz],x.amplitude [mm]%s\n", phases ? ",x.phase [deg]" : "");
  for (size_t r = 0; r < rows; r++) {
    fprintf(file, "%.12g,%.12g", f[r], 1e3 * amplitude[r] * (r % 2 ? 1.001 : 0.999));
    fprintf(file, phases ? ",%.12g\n" : "\n", phase[r]);
  }
  assert_int_equal(fclose(file), 0);
  deck_close(&run);
}

#define FIT(data, more)                              \
  "<identify id=\"fit\" method=\"frf\" data=\"" data \
  "\" analysis=\"locus\" parameters=\"mu, sigma\" "  \
  "search=\"levenberg-marquardt\" " more "/>"

static void curve_is_met(bool phases) {
  deck_run run;
  measure(phases);
  write_deck("<frf id=\"rig\" file=\"curve.csv\"/>", FIT("rig", "curves=\"sweep\" amplitude-percent=\"0.1\""));
  run_deck(&run, NULL);
  near(&run, "identification.fit.mu", 0.4, 1e-3);
  near(&run, "identification.fit.sigma", 8, 1e-3);
  near(&run, "identification.fit.responses[0].difference_percent", 0.1, 0.05);
  assert_int_equal((int)number(&run, "identification.fit.targets_not_met"), 0);
  assert_int_equal((int)number(&run, "identification.fit.rank"), 2);
  size_t rows;
  deck_column(&run, "fit", "response-3-x.amplitude", "computed", &rows);
  assert_int_equal((int)rows, (int)number(&run, "identification.fit.responses[0].points"));
  double value;
  assert_int_equal(fw_results_number(run.results, "identification.fit.responses[1].rms", &value) == FW_OK, phases);
  deck_close(&run);
}

static void amplitudes_alone(void **unused) { (void)unused, curve_is_met(false); }
static void amplitudes_and_phases(void **unused) { (void)unused, curve_is_met(true); }

/* A column of the curve of resonances where it passes a level. */
static double at_level(const deck_run *run, const char *column, double wanted) {
  size_t rows, r = 1;
  const double *level = deck_column(run, "locus", "locus", "level", &rows);
  const double *y = deck_column(run, "locus", "locus", column, &rows);
  while (level[r] < wanted) r++;
  return y[r - 1] + (wanted - level[r - 1]) / (level[r] - level[r - 1]) * (y[r] - y[r - 1]);
}

/* Frequencies and bandwidths at two levels determine two numbers. Measured are the widths that the frf solves for,
 * computed those of its rows. */
static void bandwidth_is_met(void **unused) {
  (void)unused;
  deck_run run;
  char text[300];
  write_deck("", "");
  run_deck(&run, (const char *[]){"mu=0.4", "sigma=8", NULL});
  double width = number(&run, "analyses.sweep.levels[1].peak.bandwidth");
  snprintf(text, sizeof text, "force [N],frequency [Hz],bandwidth [Hz]\n2,%.12g,%.12g\n3,%.12g,%.12g\n",
           at_level(&run, "frequency", 2), number(&run, "analyses.sweep.levels[0].peak.bandwidth"),
           at_level(&run, "frequency", 3), width);
  deck_close(&run);
  write_file("curve.csv", "%s", text);
  write_deck("<resonance id=\"rig\" file=\"curve.csv\"/>", FIT("rig", "curves=\"sweep\""));
  run_deck(&run, (const char *[]){"grid=150", NULL});
  near(&run, "identification.fit.mu", 0.4, 3e-3);
  near(&run, "identification.fit.sigma", 8, 3e-3);
  near(&run, "identification.fit.targets[3].computed", width, 3e-3);
  deck_close(&run);
}

static void wrong_data_are_refused(void **unused) {
  (void)unused;
  static const struct {
    const char *tag, *data, *more, *told;
  } cases[] = {
      {"frf", "# drive 3 N\nfrequency,x.amplitude\n15,1\n16,2\n", "", "attribute 'curves' names no analysis"},
      {"frf", "# drive 3 N\nfrequency,x.amplitude\n15,1\n16,2\n", "curves=\"locus\"", "'locus' is no <frf>"},
      {"frf", "frequency,x.amplitude\n15,1\n16,2\n", "curves=\"sweep\"", "nothing says the level of the drive"},
      {"frf", "# drive 5 N\nfrequency,x.amplitude\n15,1\n16,2\n", "curves=\"sweep\"", "none of the levels of <frf>"},
      {"frf", "# drive 3 N\nfrequency,x.amplitude\n15,1\n36,2\n", "curves=\"sweep\"", "row 2, 36 Hz, is outside"},
      {"frf", "# drive 3 N\nfrequency,y.amplitude\n15,1\n16,2\n", "curves=\"sweep\"",
       "column 'y.amplitude' is neither"},
      {"frf", "# drive 3 N\nfrequency,x.amplitude [N]\n15,1\n16,2\n", "curves=\"sweep\"", "is in N, not in m"},
      {"frf", "# drive 3 N\nfrequency,x.amplitude\n15,1\n16,\n", "curves=\"sweep\"", "has a gap in row 2"},
      {"frf", "# drive 3 N\nfrequency,x.amplitude\n15,1\n16,1\n", "curves=\"sweep\"", "is constant"},
      {"frf", "# drive 3 N\nlevel,x.amplitude\n15,1\n16,1\n", "curves=\"sweep\"",
       "the first column is to be frequency"},
      {"resonance", "force,frequency,bandwidth\n3,18,1\n", "", "column 'bandwidth' asks for an <frf>"},
      {"resonance", "force,frequency\n3,18\n", "curves=\"sweep\"", "the data have neither responses"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char data[100], identify[300];
    write_file("curve.csv", "%s", cases[i].data);
    snprintf(data, sizeof data, "<%s id=\"rig\" file=\"curve.csv\"/>", cases[i].tag);
    snprintf(identify, sizeof identify,
             "<identify id=\"fit\" method=\"frf\" data=\"rig\" analysis=\"locus\" parameters=\"mu\" %s/>",
             cases[i].more);
    write_deck(data, identify);
    refused(cases[i].told);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(amplitudes_alone),
      cmocka_unit_test(amplitudes_and_phases),
      cmocka_unit_test(bandwidth_is_met),
      cmocka_unit_test(wrong_data_are_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
