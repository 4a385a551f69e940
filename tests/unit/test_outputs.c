/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <outputs> of a run: a comparison at the level asked for, and one that cannot be done; spectra and plots. */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "program.h"
#include "remove_folder.h"

/* A mass on a spring far below its resonance: x = F/k = 0.01 m at 1 N. */
static const char deck[] =
    "<fretwork version=\"1\">\n"
    "<bodies><rigid id=\"b\" at=\"0, 0\" m=\"1e-6\" J=\"1\"/></bodies>\n"
    "<supports><support at=\"b.centre\" x=\"100\" y=\"100\" rz=\"1\"/></supports>\n"
    "<loads><harmonic id=\"d\" at=\"b.centre\" fx=\"1\"/></loads>\n"
    "<sensors><sensor id=\"x\" at=\"b.centre\" direction=\"x\"/></sensors>\n"
    "<data><frf id=\"measured\" file=\"measured.csv\"/></data>\n"
    "<analyses><frf id=\"curve\" loads=\"d\" levels=\"1, 3\" response=\"x\" f-min=\"1\" f-max=\"2\" "
    "points=\"5\"/></analyses>\n"
    "<outputs><compare analysis=\"curve\" data=\"measured\" level=\"3\"/></outputs>\n"
    "</fretwork>\n";

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* Of the deck, in per cent. */
static double misfit_of_run(void) {
  static program p;
  static char summary[PROGRAM_TEXT];
  PROGRAM_RUN(&p, "run", "deck.xml", "--out", "out", "--force");
  if (p.code != 0) fail_msg("%d\n%s", p.code, p.err);
  program_read("out/summary.json", summary);
  const char *misfit = strstr(summary, "\"misfit_percent\": ");
  assert_non_null(misfit);
  return strtod(misfit + strlen("\"misfit_percent\": "), NULL);
}

/* The data are of 3 N though their file does not say so. */
static void compares_at_the_level_asked_for(void **state) {
  (void)state;
  write_text("deck.xml", deck);
  write_text("measured.csv", "frequency_Hz,x.amplitude\n1,0.03\n1.5,0.03\n2,0.03\n");
  assert_true(misfit_of_run() < 0.01);
}

/* As a spreadsheet writes it, in units of the measuring system; what is in another unit is refused, so are other sensors. */
static void compares_in_the_units_of_the_data(void **state) {
  (void)state;
  static const char *const wrong[][2] = {
      {"frequency [Hz],x.amplitude [N]\n1,30\n2,30\n", "column 'x.amplitude' is in N, not in m"},
      {"frequency [rad/s],x.amplitude [mm]\n1,30\n2,30\n", "column 'frequency' is in rad/s, not in Hz"},
      {"frequency [Hz],y.amplitude [mm]\n1,30\n2,30\n", "no analysis of the result can be compared"},
      {"frequency [Hz];x.amplitude [mm]\n1;30\n2;30\n", "cells are separated by semicolons"}};
  static program p;
  write_text("deck.xml", deck);
  write_text("measured.csv", "\xef\xbb\xbf\"frequency [kHz]\",\"x.amplitude [mm]\"\n1e-3,30\n1.5e-3,30\n2e-3,30\n");
  assert_true(misfit_of_run() < 0.01);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    write_text("measured.csv", wrong[i][0]);
    PROGRAM_RUN(&p, "run", "deck.xml", "--out", "out", "--force");
    assert_int_equal(p.code, 1);
    if (!strstr(p.err, wrong[i][1])) fail_msg("%s: %s", wrong[i][1], p.err);
  }
}

/* Tables of a response begin with the frequency, whatever method: what compares and exports it reads it there. */
static void compares_and_exports_responses_of_every_method(void **state) {
  (void)state;
  static const char *const methods[] = {"time", "shooting", "auto"};
  static program p;
  static char text[sizeof deck + 64], summary[PROGRAM_TEXT];
  write_text("measured.csv", "frequency_Hz,x.amplitude\n1,0.03\n1.5,0.03\n2,0.03\n");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const char *behind = strstr(deck, "points=\"5\"");
    snprintf(text, sizeof text, "%.*ssteps=\"100\" method=\"%s\" %s", (int)(behind - deck), deck, methods[i], behind);
    write_text("deck.xml", text);
    PROGRAM_RUN(&p, "run", "deck.xml", "--out", "out", "--force");
    if (p.code != 0) fail_msg("%s: %d\n%s", methods[i], p.code, p.err);
    program_read("out/summary.json", summary);
    const char *misfit = strstr(summary, "\"misfit_percent\": ");
    assert_non_null(misfit);
    assert_true(strtod(misfit + strlen("\"misfit_percent\": "), NULL) < 0.01);
    PROGRAM_RUN(&p, "export", "out", "curve.uff", "--force");
    if (p.code != 0) fail_msg("%s: %d\n%s", methods[i], p.code, p.err);
  }
}

static void fails_where_nothing_can_be_compared(void **state) {
  (void)state;
  static program p;
  write_text("deck.xml", deck);
  write_text("measured.csv", "frequency_Hz,elsewhere.amplitude\n10,0.03\n20,0.03\n");
  PROGRAM_RUN(&p, "run", "deck.xml", "--out", "out", "--force");
  assert_int_equal(p.code, 1);
  assert_non_null(strstr(p.err, "deck.xml:8: <compare>: analysis curve cannot be compared with"));
}

/* The same mass driven at 1 Hz, in time: its rms is that of its amplitude, x over v is a circle in units of omega. */
static const char driven[] =
    "<fretwork version=\"1\">\n"
    "<bodies><rigid id=\"b\" at=\"0, 0\" m=\"1\" J=\"1\"/></bodies>\n"
    "<damping><rayleigh alpha=\"4\"/></damping>\n"
    "<supports><support at=\"b.centre\" x=\"100\" y=\"100\" rz=\"1\"/></supports>\n"
    "<loads><harmonic id=\"d\" at=\"b.centre\" fx=\"1\"/></loads>\n"
    "<sensors><sensor id=\"x\" at=\"b.centre\" direction=\"x\"/>\n"
    "<sensor id=\"v\" at=\"b.centre\" quantity=\"velocity\" direction=\"x\"/></sensors>\n"
    "<analyses><transient id=\"t\" loads=\"d\" at-frequency=\"1\" duration=\"40\" step=\"0.01\" "
    "solver=\"alpha\"/><transient id=\"after\" start=\"t\" duration=\"0.1\" at-frequency=\"1\"/></analyses>\n"
    "<outputs><spectrum analysis=\"t\" sensors=\"x\" record=\"512\" from=\"10\" over-time=\"yes\"/>\n"
    "<plot id=\"phase\" analysis=\"t\" x=\"x\" y=\"v, %s\" title=\"phase plane\"/></outputs>\n"
    "</fretwork>\n";

static double number_after(const char *text, const char *name) {
  const char *at = strstr(text, name);
  if (!at) fail_msg("no %s", name);
  return strtod(at + strlen(name), NULL);
}

static void spectra_and_plots_are_made(void **state) {
  (void)state;
  static program p;
  static char text[PROGRAM_TEXT], found[PROGRAM_TEXT];
  snprintf(text, sizeof text, driven, "kinetic");
  write_text("deck.xml", text);
  PROGRAM_RUN(&p, "run", "deck.xml", "--out", "out", "--force");
  if (p.code != 0) fail_msg("%d\n%s", p.code, p.err);
  program_read("out/summary.json", found);
  const char *spectrum = strstr(found, "\"spectrum\""), *sensors = strstr(found, "\"sensors\"");
  assert_non_null(spectrum);
  assert_non_null(sensors);
  double omega = 2 * M_PI, exact = 1.0 / hypot(100.0 - omega * omega, 4.0 * omega) / sqrt(2);
  double whole = number_after(sensors, "\"rms\": 0"), density = number_after(spectrum, "\"rms\": 0");
  printf("rms %.8g of the steps, %.8g of the density, %.8g exact\n", whole, density, exact);
  assert_true(fabs(whole / exact - 1) < 1e-3 &&
              fabs(density / exact - 1) < 1e-3); /* steps of a hundredth of a period */
  assert_int_equal(access("out/t/spectrum.csv", R_OK), 0);
  assert_int_equal(access("out/t/spectrogram-x.svg", R_OK), 0);
  assert_int_equal(access("out/t/plot-phase.svg", R_OK), 0); /* velocity of the same table, energy of another */
  snprintf(text, sizeof text, driven, "kinetc");
  write_text("deck.xml", text);
  PROGRAM_RUN(&p, "run", "deck.xml", "--out", "out", "--force");
  assert_int_equal(p.code, 1);
  assert_non_null(strstr(p.err, "no table with 'kinetc' over 'x'; its columns are: time, x, v, "));
  assert_non_null(strstr(p.err, "deck.xml:10: <plot>: plot phase cannot be drawn"));
  program_read("out/summary.json", found); /* what starts from it still runs */
  const char *after = strstr(found, "\"after\"");
  assert_non_null(after);
  assert_non_null(strstr(after, "\"status\": \"done\""));
  assert_non_null(strstr(found, "\"status\": \"done with warnings\""));
  assert_non_null(strstr(found, "\"status\": \"failed\""));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compares_at_the_level_asked_for), cmocka_unit_test(compares_in_the_units_of_the_data),
      cmocka_unit_test(compares_and_exports_responses_of_every_method),
      cmocka_unit_test(fails_where_nothing_can_be_compared), cmocka_unit_test(spectra_and_plots_are_made)};
  remove_folder("outputs.tmp");
  mkdir("outputs.tmp", 0755);
  if (chdir("outputs.tmp") != 0) return 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
