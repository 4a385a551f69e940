/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits of one deck to the same resonances side by side: by the information criterion, or by what they leave where the
 * figures do not rank one of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "identify_case.h"

/* Resonances of mu 0.4 and sigma 8 kN/m at six levels, moved by about their deviation. */
static const char data[] = "force_N,frequency_Hz\n1,20.41\n2,19.38\n3,18.28\n6,16.13\n8,15.98\n10,15.935\n";

static const char deck_text[] =
    "<fretwork version=\"1\">\n"
    "<parameters><parameter name=\"mu\" value=\"0.35\" min=\"0.1\" max=\"1\"/>\n"
    "<parameter name=\"sigma\" value=\"9\" unit=\"kN/m\" min=\"1\" max=\"100\"/>\n"
    "<parameter name=\"spare\" value=\"1\" min=\"0\" max=\"2\"/></parameters>\n"
    OSCILLATOR("2", "law=\"dahl\" mu-c=\"mu\" sigma-0=\"sigma\" exponent=\"1\"")
    "<data><resonance id=\"rig\" file=\"data.csv\" deviation=\"0.02\"/>"
    "<resonance id=\"few\" file=\"few.csv\" deviation=\"0.02\"/></data>\n"
    "<analyses><static id=\"seated\" loads=\"weight\"/>\n"
    "<resonance id=\"locus\" start=\"seated\" loads=\"drive\" response=\"x\" level-min=\"0.8\" level-max=\"11\" "
    "f-min=\"12\" f-max=\"30\" points=\"8\" harmonics=\"3\"/></analyses>\n"
    "<identification>%s</identification>\n</fretwork>\n";

#define FIT(id, data, parameters)                                                                        \
  "<identify id=\"" id "\" method=\"frf\" data=\"" data "\" analysis=\"locus\" parameters=\"" parameters \
  "\" "                                                                                                  \
  "search=\"levenberg-marquardt\"/>\n"

static const char *fit_at(const deck_run *run, int row) {
  char path[64];
  const char *id;
  snprintf(path, sizeof path, "ranking[%d].fit", row);
  if (fw_results_text(run->results, path, &id) != FW_OK) fail_msg("no %s", path);
  return id;
}

static void write_case(const char *fits) {
  write_file("data.csv", "%s", data);
  write_file("few.csv", "%s", "force_N,frequency_Hz\n1,20.41\n3,18.28\n");
  write_file("deck.xml", deck_text, fits);
}

/* AICc = chi2 + 2 k + 2 k (k + 1)/(n - k - 1), BIC = chi2 + k ln n; a number without effect is only a cost. */
static void criterion_ranks(void **unused) {
  (void)unused;
  deck_run run;
  double value;
  write_case(FIT("one", "rig", "mu") FIT("spare", "rig", "mu, sigma, spare") FIT("two", "rig", "mu, sigma")
                 FIT("alone", "few", "mu"));
  run_deck(&run, NULL);
  static const char *const order[] = {"two", "spare", "one"};
  static const double k[] = {2, 3, 1}, n = 6;
  for (int i = 0; i < 3; i++) {
    double misfit = number(&run, "identification.%s.chi2", order[i]);
    char path[64];
    assert_string_equal(fit_at(&run, i), order[i]);
    snprintf(path, sizeof path, "ranking[%d].aicc", i);
    near(&run, path, misfit + 2 * k[i] + 2 * k[i] * (k[i] + 1) / (n - k[i] - 1), 1e-12);
    snprintf(path, sizeof path, "ranking[%d].bic", i);
    near(&run, path, misfit + k[i] * log(n), 1e-12);
    assert_true(number(&run, "ranking[%d].figures", i) == n && number(&run, "ranking[%d].parameters", i) == k[i]);
  }
  assert_true(number(&run, "ranking[0].above_best") == 0 && number(&run, "ranking[1].above_best") > 1);
  assert_int_not_equal(fw_results_number(run.results, "ranking[3].misfit", &value), FW_OK); /* alone with its data */
  deck_close(&run);
}

/* Two figures rank no two numbers: what the fits leave orders them, and the line says why. */
static void misfit_orders_what_nothing_ranks(void **unused) {
  (void)unused;
  deck_run run;
  const char *note;
  double value;
  write_case(FIT("one", "few", "mu") FIT("two", "few", "mu, sigma"));
  run_deck(&run, NULL);
  assert_string_equal(fit_at(&run, 0), "two");
  assert_string_equal(fit_at(&run, 1), "one");
  assert_int_equal(fw_results_text(run.results, "ranking[0].note", &note), FW_OK);
  assert_string_equal(note, "2 figures do not rank 2 numbers");
  assert_int_not_equal(fw_results_number(run.results, "ranking[0].aicc", &value), FW_OK);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(criterion_ranks),
      cmocka_unit_test(misfit_orders_what_nothing_ranks),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
