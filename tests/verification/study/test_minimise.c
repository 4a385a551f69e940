/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampling="minimise": least values that are known. The friction damper (Griffin 1980): with one harmonic the element of
 * stiffness k_d and limit T = mu N dissipates 4 T (A - T/k_d) a cycle, the drive gives pi F A at resonance, so that
 * A = T^2/(k_d (T - pi F/4)), least at T = pi F/2 with A = pi F/k_d. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "one_context.h"
#include "remove_folder.h"

static fw_results *run(fw_deck *deck, const char *out, bool resume, fw_status expected) {
  fw_results *results = NULL;
  fw_run_options options = {.struct_size = sizeof options, .out = out, .resume = resume};
  fw_status status = fw_run(ctx, deck, &options, &results);
  if (status != expected) fail_msg("status %d: %s", status, fw_context_message(ctx));
  return results;
}

static fw_deck *parse(const char *text) {
  fw_deck *deck = NULL;
  if (fw_deck_parse(ctx, text, strlen(text), NULL, &deck) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  return deck;
}

static double number(const fw_results *results, const char *path) {
  double value = NAN;
  if (fw_results_number(results, path, &value) != FW_OK) fail_msg("no %s", path);
  return value;
}

static void told_near(const char *what, double found, double exact, double tolerance) {
  printf("%-28s %.10g, exact %.10g, difference %.2g\n", what, found, exact, found - exact);
  if (!(fabs(found - exact) <= tolerance)) fail_msg("%s", what);
}

static void normal_force_of_least_peak(void **state) {
  (void)state;
  const double F = 10, mu = 0.5, kd = 2e4;
  fw_deck *deck = NULL;
  assert_int_equal(fw_deck_load(ctx, FW_SOURCE_DIR "/examples/study/friction-damper.xml", &deck), FW_OK);
  fw_results *results = run(deck, NULL, false, FW_OK);
  told_near("normal force [N]", number(results, "studies.optimum.least.N"), M_PI * F / (2 * mu), 1.5e-2);
  told_near("peak [m]", number(results, "studies.optimum.least.peak"), M_PI * F / kd, 1e-7);
  for (int i = 0; i < 3; i++) {
    char path[64];
    snprintf(path, sizeof path, "studies.optimum.searches[%d].peak", i);
    told_near("peak of one search [m]", number(results, path), M_PI * F / kd, 1e-7);
  }
  /* and where it lies among the samples of a grid: the one beside it */
  assert_true(fabs(log(number(results, "studies.grid.results.peak.at_min.N") / (M_PI * F / (2 * mu)))) <
              log(300.0 / 18) / 20);
  told_near("greatest on the grid at [N]", number(results, "studies.grid.results.peak.at_max.N"), 300, 1e-9);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

#define DECK(parameters, study)                                         \
  "<fretwork version='1'><parameters>" parameters                       \
  "</parameters><bodies><rigid id='m' at='0,0' m='1' rotation='none'/>" \
  "</bodies><studies>" study "</studies></fretwork>"

static const char rosenbrock[] = DECK(
    "<parameter name='x' value='-1.2'/><parameter name='y' value='1'/>",
    "<study id='s' sampling='minimise' starts='2' samples='200' tolerance='1e-6'><vary parameter='x' min='-2' max='2'/>"
    "<vary parameter='y' min='-1' max='3'/><result name='f' quantity='expression: (1-x)^2+100*(y-x^2)^2'/></study>");

static void rosenbrock_has_its_valley(void **state) {
  (void)state;
  fw_deck *deck = parse(rosenbrock);
  fw_results *results = run(deck, NULL, false, FW_OK);
  told_near("Rosenbrock f", number(results, "studies.s.least.f"), 0, 1e-8);
  told_near("Rosenbrock x", number(results, "studies.s.least.x"), 1, 1e-4);
  told_near("Rosenbrock y", number(results, "studies.s.least.y"), 1, 2e-4);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

/* Least at a corner of the ranges, with a slope there; the second result is the one that counts. */
static void bounds_hold(void **state) {
  (void)state;
  fw_deck *deck = parse(
      DECK("<parameter name='x' value='1'/><parameter name='y' value='0' unit='mm'/>",
           "<study id='s' sampling='minimise' result='f' starts='2' samples='80' tolerance='1e-5'>"
           "<vary parameter='x' min='0' max='2'/><vary parameter='y' min='-1' max='1'/>"
           "<result name='other' quantity='expression: -x'/><result name='f' quantity='expression: (x-3)^2+1000*y'/>"
           "</study>"));
  fw_results *results = run(deck, NULL, false, FW_OK);
  const double *x, *y;
  size_t rows;
  told_near("at the bound x", number(results, "studies.s.least.x"), 2, 1e-6);
  told_near("at the bound y [mm]", number(results, "studies.s.least.y"), -1, 1e-6);
  assert_int_equal(fw_results_column(results, "s", "samples", "x", &rows, &x), FW_OK);
  assert_int_equal(fw_results_column(results, "s", "samples", "y", &rows, &y), FW_OK);
  for (size_t i = 0; i < rows; i++) assert_true(x[i] >= 0 && x[i] <= 2 && y[i] >= -1 && y[i] <= 1);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

/* Two valleys: the one the deck's value lies in is not the deeper. 4 x^3 - 4 x + 0.3 = 0 */
static void several_starts_find_the_deeper_valley(void **state) {
  (void)state;
  fw_deck *deck =
      parse(DECK("<parameter name='x' value='1.2'/>",
                 "<study id='s' sampling='minimise' starts='4' samples='60' tolerance='1e-5'>"
                 "<vary parameter='x' min='-2' max='2'/><result name='f' quantity='expression: (x^2-1)^2+0.3*x'/>"
                 "</study>"));
  fw_results *results = run(deck, NULL, false, FW_OK);
  double deep = -1, shallow = 1;
  for (int i = 0; i < 50; i++) {
    deep -= (4 * pow(deep, 3) - 4 * deep + 0.3) / (12 * deep * deep - 4);
    shallow -= (4 * pow(shallow, 3) - 4 * shallow + 0.3) / (12 * shallow * shallow - 4);
  }
  told_near("of all searches x", number(results, "studies.s.least.x"), deep, 1e-4);
  told_near("from the deck's value x", number(results, "studies.s.searches[0].x"), shallow, 1e-4);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

static void stop_half_way(void *user, const char *what, double fraction) {
  (void)what;
  if (fraction > 0.1) fw_context_interrupt(user, true);
}

/* What the first screen says of a search, and what it says of samples that failed: divisions are whole numbers. */
static void first_screen_tells_the_least(void **state) {
  (void)state;
  static const char beam[] =
      "<fretwork version='1'><parameters><parameter name='n' value='6'/></parameters>"
      "<materials><elastic id='steel' E='210e9' nu='0.3' rho='7850'/></materials>"
      "<sections><rectangle id='s' width='0.01' height='0.01'/></sections>"
      "<bodies><beam id='b' material='steel' section='s' from='0,0' to='1,0' divisions='%s'><point id='p' "
      "s='0'/></beam>"
      "</bodies><supports><support at='b.p' x='fixed' y='fixed' rz='fixed'/></supports>"
      "<analyses><modal id='m' modes='1'/></analyses>"
      "<studies><study id='s' run='m' sampling='minimise' starts='1' samples='8'><vary parameter='n' min='2' max='12'/>"
      "<result name='f' of='m' quantity='modes[0].frequency'/></study></studies></fretwork>";
  static const char *const divisions[] = {"n", "rint(n)"};
  static const char *const shown[] = {"7 of 8 samples failed, least f 8.355 Hz, at n 6\n", "  least f 8.355 Hz, at n "};
  for (int i = 0; i < 2; i++) {
    char folder[] = "/tmp/fretwork-minimise-XXXXXX", path[64], text[2000], screen[4000] = "";
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out", folder);
    snprintf(text, sizeof text, beam, divisions[i]);
    fw_deck *deck = parse(text);
    fw_results *results = run(deck, path, false, FW_OK);
    snprintf(path, sizeof path, "%s/out/summary.txt", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(screen, 1, sizeof screen - 1, file) > 0);
    fclose(file);
    if (!strstr(screen, shown[i])) fail_msg("%s", screen);
    fw_results_destroy(&results);
    fw_deck_destroy(&deck);
    remove_folder(folder);
  }
}

/* Stopped and resumed: the table of a search that was not stopped, to the last digit. */
static void note_lines_passed_over(void *user, const char *line) {
  if (strstr(line, "passed over")) *(bool *)user = true;
}

static void goes_on_where_it_was(void **state) {
  (void)state;
  char folder[] = "/tmp/fretwork-minimise-XXXXXX", path[64];
  const double *a, *b;
  size_t n, m;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/out", folder);
  fw_deck *deck = parse(rosenbrock);
  fw_results *whole = run(deck, NULL, false, FW_OK);
  fw_context_on_progress(ctx, stop_half_way, ctx);
  fw_results *results = run(deck, path, false, FW_ERR_INTERRUPTED);
  assert_true(number(results, "studies.s.done") < number(whole, "studies.s.done"));
  fw_results_destroy(&results);
  fw_context_on_progress(ctx, NULL, NULL);
  fw_context_interrupt(ctx, false);
  bool passed_over = false;
  fw_context_on_log(ctx, note_lines_passed_over, &passed_over);
  results = run(deck, path, true, FW_OK);
  fw_context_on_log(ctx, NULL, NULL);
  assert_false(passed_over); /* the lines of later samples are of this study */
  assert_int_equal(fw_results_column(whole, "s", "samples", "f", &n, &a), FW_OK);
  assert_int_equal(fw_results_column(results, "s", "samples", "f", &m, &b), FW_OK);
  assert_int_equal(n, m);
  assert_memory_equal(a, b, n * sizeof *a);
  fw_results_destroy(&results);
  fw_results_destroy(&whole);
  fw_deck_destroy(&deck);
  remove_folder(folder);
}

static void refuses_what_it_cannot_find(void **state) {
  (void)state;
  fw_deck *deck = NULL;
  const char text[] = DECK("<parameter name='x' value='1.2'/>",
                           "<study id='s' sampling='minimise' result='g'><vary parameter='x' min='-2' max='2'/>"
                           "<result name='f' quantity='expression: x'/></study>");
  assert_int_equal(fw_deck_parse(ctx, text, strlen(text), NULL, &deck), FW_OK);
  assert_int_equal(fw_deck_check(ctx, deck), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "no result 'g'"));
  fw_deck_destroy(&deck);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_CONTEXT(normal_force_of_least_peak),
      IN_CONTEXT(rosenbrock_has_its_valley),
      IN_CONTEXT(bounds_hold),
      IN_CONTEXT(several_starts_find_the_deeper_valley),
      IN_CONTEXT(first_screen_tells_the_least),
      IN_CONTEXT(goes_on_where_it_was),
      IN_CONTEXT(refuses_what_it_cannot_find),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
