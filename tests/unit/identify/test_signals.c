/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured signals through a deck: what is read, and what is refused by name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "fretwork.h"

static char folder[64];

static void write_file(const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static const char deck_text[] =
    "<fretwork version=\"1\">\n"
    "<bodies><rigid id=\"block\" at=\"0, 0\" m=\"1\" rotation=\"none\"/>\n"
    "<spring id=\"spring\" at=\"block.centre\" ground=\"-1, 0\" k=\"1e4\"/></bodies>\n"
    "<supports><support at=\"block.centre\" y=\"fixed\"/></supports>\n"
    "<sensors><sensor id=\"tip\" at=\"block.centre\" direction=\"x\"/>\n"
    "<sensor id=\"other\" at=\"block.centre\" direction=\"x\"/>\n"
    "<sensor id=\"acc\" at=\"block.centre\" quantity=\"acceleration\" direction=\"x\"/></sensors>\n"
    "<data><signals id=\"test\" file=\"%s\"/></data>\n"
    "<identification><identify id=\"d\" method=\"decrement\" data=\"test\" %s/></identification>\n"
    "</fretwork>\n";

/* Loads and runs the deck with that data; the message is in the context, the results are the caller's. */
static fw_status run(fw_context *ctx, const char *data, const char *attributes, bool only_check, fw_results **results) {
  char text[2048], path[128];
  fw_deck *deck = NULL;
  snprintf(text, sizeof text, deck_text, data, attributes);
  write_file("deck.xml", text);
  snprintf(path, sizeof path, "%s/deck.xml", folder);
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = only_check ? fw_deck_check(ctx, deck) : fw_run(ctx, deck, NULL, results);
  fw_deck_destroy(&deck);
  return status;
}

/* Extremes 1, -0.8, ... of a viscous decay, in unit and under names as asked for. */
static void write_decay(const char *header, double factor, double second) {
  char path[128];
  snprintf(path, sizeof path, "%s/decay.csv", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "# made for a test\n%s\n", header);
  for (int k = 0; k < 1000; k++) {
    double t = k * 0.01, x = 0.01 * exp(-0.3 * t) * cos(6.0 * t) + 0.002;
    fprintf(file, second != 0.0 ? "%.10g,%.10g,%.10g\n" : "%.10g,%.10g\n", t, factor * x, second * sin(t));
  }
  assert_int_equal(fclose(file), 0);
}

static void reads_signals_in_their_units(void **unused) {
  (void)unused;
  static const struct {
    const char *header, *attributes;
    double factor, second;
  } cases[] = {{"time [s],tip [m]", "", 1, 0},
               {"t,tip", "", 1, 0},
               {"time [s],tip [mm]", "", 1e3, 0},
               {"t [s],tip [um],force [N]", "", 1e6, 5},
               {"t [s],tip [m],other [m]", "sensor=\"tip\"", 1, 5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fw_context *ctx;
    fw_results *results = NULL;
    double zeta = 0, offset = 0;
    assert_int_equal(fw_context_create(&ctx), FW_OK);
    write_decay(cases[i].header, cases[i].factor, cases[i].second);
    fw_status status = run(ctx, "decay.csv", cases[i].attributes, false, &results);
    if (status != FW_OK) fail_msg("%s: %s", cases[i].header, fw_context_message(ctx));
    assert_int_equal(fw_results_number(results, "identification.d.zeta", &zeta), FW_OK);
    assert_int_equal(fw_results_number(results, "identification.d.offset", &offset), FW_OK);
    double reference = 0.3 / hypot(0.3, 6.0);
    printf("%s: zeta computed %.8g, reference %.8g, difference %.1e; offset %.8g\n", cases[i].header, zeta, reference,
           zeta - reference, offset);
    assert_true(fabs(zeta - reference) < 1e-4 * reference);
    assert_true(fabs(offset - 0.002) < 1e-7);
    fw_results_destroy(&results);
    fw_context_destroy(&ctx);
  }
}

static void refuses_by_name(void **unused) {
  (void)unused;
  static const struct {
    const char *data, *attributes, *told;
  } cases[] = {
      {"time [s],tip [m]\n0,1\n1,2\n", "", "2 rows; 8 are needed at least"},
      {"time [s],tip [m]\n0,1\n1,2\n2,3\n3,\n4,3\n5,2\n6,1\n7,0\n", "", "column 'tip' has a gap in row 4"},
      {"time [s],tip [m]\n0,1\n1,2\n2,3\n3,1\n4,3\n5,2\n6,1\n30,0\n", "", "a gap in time from 6 s to 30 s"},
      {"time [s],tip [m]\n0,1\n1,2\n2,3\n3,1\n3,3\n5,2\n6,1\n7,0\n", "", "time does not go on from row 4"},
      {"time [s],tip [m]\n0,1\n1,1\n2,1\n3,1\n4,1\n5,1\n6,1\n7,1\n", "", "column 'tip' is constant"},
      {"time [s],tip [kg]\n0,1\n1,2\n2,3\n3,1\n4,3\n5,2\n6,1\n7,0\n", "", "column 'tip' is in kg, not in m"},
      {"time [m],tip [m]\n0,1\n1,2\n2,3\n3,1\n4,3\n5,2\n6,1\n7,0\n", "", "column 'time' is in m, not in s"},
      {"time [s],tipp [m]\n0,1\n1,2\n2,3\n3,1\n4,3\n5,2\n6,1\n7,0\n", "", "did you mean 'tip'?"},
      {"tip [m],other [m]\n0,1\n1,2\n2,3\n3,1\n4,3\n5,2\n6,1\n7,0\n", "", "there is no column 'time'"},
      {"time [s],tip [m],other [m]\n0,1,1\n1,2,2\n2,3,1\n3,1,3\n4,3,2\n5,2,1\n6,1,0\n7,0,1\n", "",
       "attribute 'sensor' must say which"},
      {"time [s],tip [m],other [m]\n0,1,1\n1,2\n2,3,1\n3,1,3\n4,3,2\n5,2,1\n6,1,0\n7,0,1\n", "",
       "2 cells where the header has 3"},
      {"time [s],acc [m/s^2]\n0,1\n1,2\n2,3\n3,1\n4,3\n5,2\n6,1\n7,0\n", "", "sensor 'acc' reads acceleration"},
      {"time [s],tip [m]\n0,1\n1,2\n2,3\n3,1\n4,3\n5,2\n6,1\n7,0\n", "sensor=\"other\"", "there is no column 'other'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fw_context *ctx;
    assert_int_equal(fw_context_create(&ctx), FW_OK);
    write_file("bad.csv", cases[i].data);
    fw_status status = run(ctx, "bad.csv", cases[i].attributes, true, NULL);
    const char *message = fw_context_message(ctx);
    if (status == FW_OK || !strstr(message, cases[i].told) || !strstr(message, "bad.csv"))
      fail_msg("status %d, not told \"%s\": %s", status, cases[i].told, message);
    fw_context_destroy(&ctx);
  }
}

static void refuses_a_signal_that_does_not_decay(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_results *results = NULL;
  const char *text = NULL;
  char data[4096] = "time [s],tip [m]\n";
  for (int k = 0; k < 60; k++) snprintf(data + strlen(data), sizeof data - strlen(data), "%d,%d\n", k, k);
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  write_file("ramp.csv", data);
  assert_int_equal(run(ctx, "ramp.csv", "", false, &results), FW_ERR_ANALYSIS);
  assert_non_null(strstr(fw_context_message(ctx), "extremes stand out of the noise"));
  assert_int_equal(fw_results_text(results, "identification.d.status", &text), FW_OK);
  assert_string_equal(text, "failed");
  fw_results_destroy(&results);
  fw_context_destroy(&ctx);
}

static int make_folder(void **unused) {
  (void)unused;
  snprintf(folder, sizeof folder, "/tmp/fw-signals-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused) {
  (void)unused;
  static const char *const names[] = {"deck.xml", "decay.csv", "bad.csv", "ramp.csv"};
  char path[128];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_signals_in_their_units),
      cmocka_unit_test(refuses_by_name),
      cmocka_unit_test(refuses_a_signal_that_does_not_decay),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
