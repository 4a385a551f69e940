/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forces at the rig's foot from its accelerometers: from the measured ones against what independent beam models found,
 * from virtual ones against the forces that made them. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "identify_case.h"
#include "virtual_rig.h"

static void of_case(const deck_run *run, const char *id, const char *name, double reference) {
  char path[CASE_PATH];
  snprintf(path, sizeof path, "identification.%s.%s", id, name);
  near(run, path, reference, 0.05);
}

static void forces_at_the_foot_of_the_rig(void **unused) {
  (void)unused;
  static const struct {
    const char *id;
    double friction, slip, damper, clamp;
  } cases[] = {{"at-8N", 55, 6.4e-6, 2.8e4, 0},
               {"at-8N-clamp", 64, 4.6e-6, 4.4e4, 1.9e3},
               {"at-6N5", 46, 6.0e-6, 2.4e4, 0},
               {"at-6N5-clamp", 53, 4.3e-6, 3.8e4, 2.5e3}};
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/examples/rig/identify-forces.xml", NULL);
  for (int i = 0; i < 4; i++) {
    of_case(&run, cases[i].id, "friction", cases[i].friction);
    of_case(&run, cases[i].id, "slip", cases[i].slip);
    of_case(&run, cases[i].id, "equivalent_damper", cases[i].damper);
    if (cases[i].clamp > 0) of_case(&run, cases[i].id, "kclamp", cases[i].clamp);
  }
  /* Of the ten harmonics at 8 N only the first and the third stand out of the noise. */
  for (int r = 1; r <= 10; r++) {
    printf("harmonic %d: %g sensors below 0.2 of their limit\n", r,
           number(&run, "identification.at-8N.limits[%d].below_20_percent", r - 1));
  }
  assert_true(number(&run, "identification.at-8N.limits[0].below_20_percent") == 0);
  assert_true(number(&run, "identification.at-8N.limits[9].below_20_percent") == 6);
  /* Absolute residuals move the slip. */
  double moved = number(&run, "identification.at-8N-absolute.slip") / number(&run, "identification.at-8N.slip") - 1;
  printf("absolute residuals at 8 N: slip %+.1f %%\n", 100 * moved);
  assert_true(moved > 0.03 && moved < 0.12);
  deck_close(&run);
}

/* ---- virtual signals --------------------------------------------------------------------- */

static const char identify_task[] =
    "<data><harmonics id=\"signals\" file=\"virtual.csv\"/></data>\n"
    "<analyses><static id=\"seated\" loads=\"preload\"/></analyses>\n"
    "<identification><identify id=\"forces\" method=\"inverse-harmonic-balance\" data=\"signals\" start=\"seated\""
    " drive=\"shaker\" response=\"drive\" pair=\"foot\" harmonics=\"10\"/></identification>\n";

static double identify(const signals *s, bool noisy, double shift, double *friction) {
  static const char *const words[] = {"timoshenko", "linear", "27", "law=\"dahl\"", identify_task};
  char deck[CASE_PATH], data[CASE_PATH];
  deck_run run;
  path_in_folder("deck.xml", deck);
  path_in_folder("virtual.csv", data);
  virtual_write(data, s, noisy, shift);
  virtual_deck(deck, words);
  run_deck(&run, NULL);
  double error = virtual_friction_error(&run, "forces", s);
  *friction = number(&run, "identification.forces.friction");
  deck_close(&run);
  return error;
}

typedef struct errors {
  double exact, rough,
      beyond; /* of T(t): from exact signals, with the errors of the tables, beyond the last harmonic */
} errors;

static errors errors_of(int law, const char *kinematics, const virtual_drive *drive) {
  char path[CASE_PATH];
  signals s;
  double plain, noisy, moved;
  path_in_folder("make.xml", path);
  virtual_make(path, virtual_laws[law][1], kinematics, drive, &s);
  errors e = {identify(&s, false, 0, &plain), identify(&s, true, 0, &noisy), virtual_friction_beyond(&s, ORDERS)};
  double shifted = identify(&s, false, 37, &moved);
  printf(
      "%-14s %-10s %3g N, T_1 %.2f N: T(t) off by %.2f %%, with the tables' errors %.2f %%; beyond harmonic %d %.2f "
      "%%\n",
      virtual_laws[law][0], kinematics, drive->level, plain, 100 * e.exact, 100 * e.rough, ORDERS, 100 * e.beyond);
  assert_true(fabs(shifted - e.exact) < 1e-6 && fabs(moved - plain) < 1e-6 * plain); /* a shift of the clock: nothing */
  return e;
}

/* At 8 N more is missing than 5 %, because receptances know nothing of the beam's axial force over the period: signals of
 * a linear beam are explained but for the harmonics that they do not have. */
static void friction_from_virtual_signals(void **unused) {
  (void)unused;
  for (int i = 0; i < VIRTUAL_LAWS; i++) {
    errors low = errors_of(i, "von-karman", &virtual_drives[0]), high = errors_of(i, "von-karman", &virtual_drives[1]);
    errors linear = errors_of(i, "linear", &virtual_drives[1]);
    assert_true(low.exact < 0.05 && low.rough < 0.15);
    assert_true(high.rough < 0.15);
    assert_true(linear.exact < high.exact);
    assert_true(pow(linear.exact, 2) - pow(linear.beyond, 2) < 0.05 * 0.05);
  }
}

/* ---- deviations -------------------------------------------------------------------------- */

enum { SEEDS = 24, FIGURES = 6 };
static const char *const with_deviation[FIGURES] = {"friction",          "slip", "normal_force", "equivalent_stiffness",
                                                    "equivalent_damper", "thick"};
static const double sensor_noise = 0.05; /* m/s^2 */

/* First harmonics of the sensors as data d0, d1, ... : those given, each with noise of its own but the first. */
static void write_noisy(const double *amplitude) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, 11);
  for (int k = 0; k <= SEEDS; k++) {
    char name[24];
    snprintf(name, sizeof name, "d%d.csv", k);
    FILE *file = open_file(name);
    fputs("# drive 8 N at 49.25 Hz\nharmonic", file);
    for (int j = 0; j < SENSORS; j++) fprintf(file, ",%s,%s.deviation", virtual_names[j], virtual_names[j]);
    fputs("\n1", file);
    for (int j = 0; j < SENSORS; j++)
      fprintf(file, ",%.12g,%g", amplitude[j] + (k ? gsl_ran_gaussian(random, sensor_noise) : 0), sensor_noise);
    fputc('\n', file);
    assert_int_equal(fclose(file), 0);
  }
  gsl_rng_free(random);
}

static void identify_noisy(deck_run *run, int count) {
  static char task[(SEEDS + 2) * 400];
  int at = snprintf(task, sizeof task, "<data>");
  for (int k = 0; k < count; k++)
    at += snprintf(task + at, sizeof task - (size_t)at, "<harmonics id=\"d%d\" file=\"d%d.csv\"/>\n", k, k);
  at += snprintf(task + at, sizeof task - (size_t)at,
                 "</data><analyses><static id=\"seated\" loads=\"preload\"/></analyses>\n<identification>\n");
  for (int k = 0; k < count; k++)
    at += snprintf(
        task + at, sizeof task - (size_t)at,
        "<identify id=\"f%d\" method=\"inverse-harmonic-balance\" data=\"d%d\" start=\"seated\" drive=\"shaker\" "
        "response=\"drive\" pair=\"foot\" parameters=\"thick\" profiles=\"no\"/>\n",
        k, k);
  snprintf(task + at, sizeof task - (size_t)at, "</identification>\n");
  const char *const words[] = {"euler-bernoulli", "linear", "10", "law=\"dahl\"", task};
  char deck[CASE_PATH];
  path_in_folder("deck.xml", deck);
  virtual_deck(deck, words);
  run_deck(run, NULL);
}

/* What is told as one standard deviation is how far the figures of noisy sensors scatter. */
static void deviations_are_those_of_noisy_sensors(void **unused) {
  (void)unused;
  static const double rig[SENSORS] = {3.534, 8.532, 14.03, 14.19, 7.641, 3.187};
  double exact[SENSORS];
  size_t rows;
  deck_run run;
  write_noisy(rig);
  identify_noisy(&run, 1); /* what the model itself would have measured */
  const double *computed = deck_column(&run, "f0", "sensors", "computed", &rows);
  assert_int_equal(rows, SENSORS);
  for (int j = 0; j < SENSORS; j++) exact[j] = computed[j];
  deck_close(&run);
  write_noisy(exact);
  identify_noisy(&run, SEEDS + 1);
  for (int i = 0; i < FIGURES; i++) {
    double told = number(&run, "identification.f0.deviation.%s", with_deviation[i]), squares = 0;
    double is = number(&run, "identification.f0.%s", with_deviation[i]);
    for (int k = 1; k <= SEEDS; k++)
      squares += pow(number(&run, "identification.f%d.%s", k, with_deviation[i]) - is, 2) / SEEDS;
    printf("%-22s %.5g, deviation told %.3g, of %d seeds %.3g, ratio %.2f\n", with_deviation[i], is, told, SEEDS,
           sqrt(squares), sqrt(squares) / told);
    assert_true(sqrt(squares) / told > 0.6 && sqrt(squares) / told < 1.5);
  }
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_at_the_foot_of_the_rig),
                                     cmocka_unit_test(friction_from_virtual_signals),
                                     cmocka_unit_test(deviations_are_those_of_noisy_sensors)};
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
