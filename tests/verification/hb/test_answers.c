/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonic balance answers, or fails and says why: never done with nothing. */
#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/hb/answers/" name ".xml"

static const char *text_of(const deck_run *run, const char *path) {
  const char *text = "";
  if (fw_record_text(run->results->summary, path, &text) != FW_OK) fail_msg("no %s", path);
  return text;
}

static void assert_in(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("'%s' is not in '%s'", part, text);
}

static void a_failed_analysis_tells_its_own_message_only(void **state) {
  (void)state;
  deck_run run;
  assert_int_equal(deck_try(&run, DECK("missing-modes"), NULL), FW_ERR_ANALYSIS);
  assert_in(text_of(&run, "analyses.one.message"), "no mode 7");
  assert_in(text_of(&run, "analyses.two.message"), "no mode 9");
  assert_null(strstr(text_of(&run, "analyses.two.message"), "mode 7"));
  assert_int_not_equal(text_of(&run, "analyses.two.message")[0], '\n');
  deck_close(&run);
}

static void contact_alone_carries_a_block(void **state) {
  (void)state;
  deck_run run;
  size_t rows, same;
  if (deck_try_only(&run, DECK("floating"), NULL, "sideways") != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  const double *a = deck_column(&run, "sideways", "frf-1", "a.amplitude", &rows);
  const double *b = deck_column(&run, "sideways", "frf-1", "b.amplitude", &same);
  assert_true(rows >= 13);
  double farthest = 0;
  for (size_t i = 0; i < rows; i++) farthest = fmax(farthest, fabs(a[i] / b[i] - 1));
  bounded("compliant against hard floor", farthest, 1e-5);
  deck_close(&run);
  const char *const up[] = {"along=0", "up=0.1", NULL};
  if (deck_try_only(&run, DECK("floating"), up, "upward") != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  double omega = sqrt(1e7);
  compare("resonance on the floor's stiffness (Hz)", deck_number(&run, "upward", "levels[0].resonance.frequency"),
          omega / (2 * M_PI), 1e-6);
  compare("amplitude there (m)", deck_number(&run, "upward", "levels[0].resonance.amplitude"), 0.1 / (20 * omega),
          1e-6);
  deck_close(&run);
}

static void a_sensor_in_antiphase_has_a_resonance(void **state) {
  (void)state;
  deck_run run;
  const char *const down[] = {"along=0", "up=-0.1", NULL};
  if (deck_try_only(&run, DECK("floating"), down, "upward") != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  compare("resonance (Hz)", deck_number(&run, "upward", "levels[0].resonance.frequency"), sqrt(1e7) / (2 * M_PI), 1e-6);
  deck_close(&run);
}

static void peaks_are_not_those_of_the_grid(void **state) {
  (void)state;
  deck_run run;
  double damping, zeta = 2.0 / 200, omega = 100, width = 2 * zeta * sqrt(1 - zeta * zeta), middle = 1 - 2 * zeta * zeta;
  deck_open(&run, DECK("coarse"), NULL);
  compare("peak (Hz)", deck_number(&run, "frf", "levels[0].peak.frequency"), omega * sqrt(middle) / (2 * M_PI), 1e-6);
  compare("its amplitude (m)", deck_number(&run, "frf", "levels[0].peak.amplitude"), 1e-4 / width, 1e-9);
  compare("its width (Hz)", deck_number(&run, "frf", "levels[0].peak.bandwidth"),
          omega * (sqrt(middle + width) - sqrt(middle - width)) / (2 * M_PI), 1e-6);
  deck_close(&run);
  const char *const undamped[] = {"c=0", NULL};
  deck_open(&run, DECK("coarse"), undamped);
  assert_int_not_equal(fw_results_number(run.results, "analyses.frf.levels[0].peak.damping", &damping), FW_OK);
  assert_int_not_equal(fw_results_number(run.results, "analyses.frf.levels[0].peak.bandwidth", &damping), FW_OK);
  deck_close(&run);
}

/* What Newton's method leaves along the curve is 6 % of the power there. */
/* Where rows of a table, from `from` on in a direction, fall below `half`: by a straight line. */
static double falls_below(const double *f, const double *a, int rows, int from, int step, double half) {
  int i = from;
  while (i + step >= 0 && i + step < rows && a[i + step] > half) i += step;
  return f[i] + (a[i] - half) / (a[i] - a[i + step]) * (f[i + step] - f[i]);
}

/* Sampled friction gives this peak a corner, in which no parabola has its top. */
static void peaks_with_corners_are_found(void **state) {
  (void)state;
  deck_run run;
  size_t rows;
  if (deck_try_only(&run, FW_SOURCE_DIR "/examples/study/rig-lugre.xml", NULL, "frf") != FW_OK)
    fail_msg("%s", fw_context_message(run.ctx));
  const double *f = deck_column(&run, "frf", "frf-1", "frequency", &rows);
  const double *a = deck_column(&run, "frf", "frf-1", "drive.amplitude", &rows);
  int top = 0;
  for (int i = 1; i < (int)rows; i++)
    if (a[i] > a[top]) top = i;
  double peak = deck_number(&run, "frf", "levels[0].peak.amplitude"), half = peak / sqrt(2);
  assert_true(peak >= a[top] && peak < 1.001 * a[top]);
  double width = falls_below(f, a, (int)rows, top, 1, half) - falls_below(f, a, (int)rows, top, -1, half);
  compare("width of a peak with a corner (Hz)", deck_number(&run, "frf", "levels[0].peak.bandwidth"), width, 2e-3);
  deck_close(&run);
}

static void flanks_of_a_sharp_resonance_balance(void **state) {
  (void)state;
  deck_run run;
  deck_open(&run, DECK("flank"), NULL);
  bounded("energy residual", deck_number(&run, "frf", "energy.residual"), 1e-3);
  deck_close(&run);
}

static void what_friction_holds_rests(void **state) {
  (void)state;
  deck_run run;
  size_t rows;
  deck_open(&run, DECK("stuck"), NULL);
  const double *x = deck_column(&run, "frf", "frf-1", "x.amplitude", &rows);
  assert_true(rows >= 5);
  for (size_t i = 0; i < rows; i++) assert_true(x[i] == 0);
  assert_true(deck_number(&run, "frf", "levels[0].contact.sole.tangential_max") > 11.99);
  assert_true(deck_number(&run, "frf", "levels[0].truncation") == 0);
  assert_in(text_of(&run, "analyses.frf.levels[0].note"), "\"x\" does not move");
  deck_close(&run);
}

static void curves_of_a_part_of_the_range_warn(void **state) {
  (void)state;
  deck_run run;
  assert_int_equal(deck_try(&run, DECK("hard-to-find"), NULL), FW_OK);
  assert_in(text_of(&run, "analyses.drops.warnings[0]"), "no periodic motion found at 30 Hz: the curve begins at");
  assert_true(deck_number(&run, "drops", "levels[0].points") > 5);
  assert_in(text_of(&run, "analyses.rubs.warnings[0]"), "more than 60 points");
  assert_string_equal(text_of(&run, "analyses.seated.status"), "done");
  assert_string_equal(text_of(&run, "analyses.rubs.status"), "done with warnings");
  assert_string_equal(text_of(&run, "status"), "done with warnings");
  deck_close(&run);
}

static void curves_without_points_fail(void **state) {
  (void)state;
  const char *const narrow[] = {"low=30", "high=31", "grid=3", NULL};
  deck_run run;
  assert_int_equal(deck_try_only(&run, DECK("hard-to-find"), narrow, "drops"), FW_ERR_ANALYSIS);
  assert_in(text_of(&run, "analyses.drops.message"),
            "no periodic motion found at any frequency tried from 30 to 31 Hz");
  double truncation;
  assert_int_not_equal(fw_results_number(run.results, "analyses.drops.levels[0].truncation", &truncation), FW_OK);
  deck_close(&run);
  assert_int_equal(deck_try(&run, DECK("at-rest"), NULL), FW_ERR_ANALYSIS);
  assert_in(text_of(&run, "analyses.held.message"), "do not move the sensor \"y\"");
  deck_close(&run);
}

/* Small vibrations: k + sigma_0 carry the mass. */
static void resonances_are_looked_for_below_the_stuck_mode(void **state) {
  (void)state;
  deck_run run;
  size_t rows;
  deck_open(&run, DECK("search-range"), NULL);
  const double *frequency = deck_column(&run, "small", "locus", "frequency", &rows);
  assert_true(rows >= 3);
  compare("first resonance (Hz)", frequency[0], sqrt(1.1e5) / (2 * M_PI), 1e-4);
  deck_close(&run);
}

/* A grid that steps over a sharp resonance: the peak is that of an oscillator, F/(2 zeta k sqrt(1 - zeta^2)) at
 * f0 sqrt(1 - 2 zeta^2), whether the curve gets points for a picture or not. */
static void a_peak_between_rows_is_found(void **unused) {
  (void)unused;
  const double k = 1e4, m = 1.0, zeta = 1e-3, f0 = sqrt(k / m) / (2 * M_PI);
  deck_run run;
  deck_open_text(&run,
                 "<fretwork version=\"1\"><bodies><rigid id=\"b\" at=\"0, 0\" m=\"1\" rotation=\"none\"/>"
                 "<spring id=\"k\" at=\"b.centre\" direction=\"1, 0\" k=\"1e4\"/>"
                 "<damper id=\"c\" at=\"b.centre\" direction=\"1, 0\" c=\"%.17g\"/></bodies>"
                 "<supports><support at=\"b.centre\" y=\"fixed\"/></supports>"
                 "<loads><harmonic id=\"d\" at=\"b.centre\" fx=\"1\"/></loads>"
                 "<sensors><sensor id=\"x\" at=\"b.centre\" direction=\"x\"/></sensors><analyses>"
                 "<frf id=\"r\" loads=\"d\" response=\"x\" f-min=\"10\" f-max=\"22\" points=\"5\" harmonics=\"1\"/>"
                 "</analyses></fretwork>",
                 2 * zeta * sqrt(k * m));
  compare("peak (m)", deck_number(&run, "r", "levels[0].peak.amplitude"), 1 / (2 * zeta * k * sqrt(1 - zeta * zeta)),
          1e-8);
  compare("at (Hz)", deck_number(&run, "r", "levels[0].peak.frequency"), f0 * sqrt(1 - 2 * zeta * zeta), 1e-8);
  compare("damping by half power", deck_number(&run, "r", "levels[0].peak.damping"), zeta, 1e-5);
  deck_close(&run);
}

/* The tutorial's lap joint, held along its axis by friction alone, with a law that forgets in place of Iwan's. */
static void a_law_that_forgets_is_named(void **unused) {
  (void)unused;
  static char text[20000];
  fw_context *ctx;
  char *joint;
  deck_run run;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_template(ctx, "lap-joint", &joint), FW_OK);
  size_t used = 0;
  const char *at = joint;
  for (const char *law; (law = strstr(at, "<friction law=\"iwan\"")); at = strstr(law, "/>") + 2)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "%.*s<friction law=\"dahl\" mu-c=\"mu\" sigma-0=\"2e7\"/>", (int)(law - at), at);
  snprintf(text + used, sizeof text - used, "%s", at);
  assert_int_equal(deck_try_text(&run, "%s", text), FW_ERR_ANALYSIS);
  assert_in(fw_context_message(run.ctx), "gives no mean place to what friction alone holds");
  deck_close(&run);
  free(joint);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_failed_analysis_tells_its_own_message_only),
      cmocka_unit_test(contact_alone_carries_a_block),
      cmocka_unit_test(a_sensor_in_antiphase_has_a_resonance),
      cmocka_unit_test(peaks_are_not_those_of_the_grid),
      cmocka_unit_test(peaks_with_corners_are_found),
      cmocka_unit_test(flanks_of_a_sharp_resonance_balance),
      cmocka_unit_test(what_friction_holds_rests),
      cmocka_unit_test(curves_of_a_part_of_the_range_warn),
      cmocka_unit_test(curves_without_points_fail),
      cmocka_unit_test(resonances_are_looked_for_below_the_stuck_mode),
      cmocka_unit_test(a_peak_between_rows_is_found),
      cmocka_unit_test(a_law_that_forgets_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
