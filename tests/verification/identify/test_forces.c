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

/* What absolute residuals change. */
static double moved(const deck_run *run, const char *id, const char *name) {
  return number(run, "identification.%s-absolute.%s", id, name) / number(run, "identification.%s.%s", id, name) - 1;
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
  /* Absolute residuals move the slip, the friction hardly. */
  static const double least[4] = {0.03, 0.03, -0.06, 0.02}, most[4] = {0.12, 0.12, 0.0, 0.06};
  for (int i = 0; i < 4; i++) {
    double slip = moved(&run, cases[i].id, "slip"), friction = moved(&run, cases[i].id, "friction");
    printf("absolute residuals, %s: slip %+.1f %%, friction %+.1f %%\n", cases[i].id, 100 * slip, 100 * friction);
    assert_true(slip > least[i] && slip < most[i] && fabs(friction) < 0.02);
  }
  deck_close(&run);
}

/* ---- virtual signals --------------------------------------------------------------------- */

static const char identify_task[] =
    "<data><harmonics id=\"signals\" file=\"virtual.csv\"/></data>\n"
    "<analyses><static id=\"seated\" loads=\"preload\"/></analyses>\n"
    "<identification><identify id=\"forces\" method=\"inverse-harmonic-balance\" data=\"signals\" start=\"seated\""
    " drive=\"shaker\" response=\"drive\" pair=\"foot\" harmonics=\"15\"/></identification>\n";

/* Beams that explain the signals, which come from 40 von Kármán ones of Euler and Bernoulli's. */
typedef struct explaining {
  const char *kinematics, *divisions;
} explaining;
static const explaining linear_beam = {"linear", "27"}, turning_beam = {"co-rotational", "60"};

/* Of a run that is left open. */
static double explain(deck_run *run, const signals *s, const explaining *with, const char *const *settings) {
  const char *const words[] = {"timoshenko", with->kinematics, with->divisions, "law=\"dahl\"", identify_task};
  char deck[CASE_PATH];
  path_in_folder("deck.xml", deck);
  virtual_deck(deck, words);
  run_deck(run, settings);
  return virtual_friction_error(run, "forces", s);
}

static double identify(const signals *s, const explaining *with, bool noisy, double shift, double *friction) {
  char data[CASE_PATH];
  deck_run run;
  path_in_folder("virtual.csv", data);
  virtual_write(data, s, noisy, shift);
  double error = explain(&run, s, with, NULL);
  *friction = number(&run, "identification.forces.friction");
  deck_close(&run);
  return error;
}

typedef struct errors {
  double exact, rough; /* of T(t): from exact signals, with the errors of the tables */
} errors;

static errors errors_of(const signals *s, const char *what, const explaining *with) {
  double plain, noisy, moved;
  errors e = {identify(s, with, false, 0, &plain), identify(s, with, true, 0, &noisy)};
  double shifted = identify(s, with, false, 37, &moved);
  printf("%s, %g N, by a %s beam: T_1 %.2f N, T(t) off by %.2f %%, with the tables' errors %.2f %%\n", what,
         s->drive->level, with->kinematics, plain, 100 * e.exact, 100 * e.rough);
  assert_true(fabs(shifted - e.exact) < 1e-6 && fabs(moved - plain) < 1e-6 * plain); /* a shift of the clock: nothing */
  return e;
}

/* Receptances alone know nothing of the beam's axial force over the period; the co-rotational beam, whose forces are added
 * until they settle, does. */
static void friction_from_virtual_signals(void **unused) {
  (void)unused;
  char path[CASE_PATH];
  signals s;
  path_in_folder("make.xml", path);
  for (int i = 0; i < VIRTUAL_LAWS; i++) {
    const char *name = virtual_laws[i][0], *law = virtual_laws[i][1];
    for (int d = 0; d < VIRTUAL_DRIVES; d++) {
      virtual_make(path, law, "von-karman", &virtual_drives[d], NULL, &s);
      errors linear = errors_of(&s, name, &linear_beam), turning = errors_of(&s, name, &turning_beam);
      printf("  beyond harmonic 10 %.2f %%, 15 %.2f %%\n", 100 * virtual_friction_beyond(&s, 10),
             100 * virtual_friction_beyond(&s, 15));
      assert_true(turning.exact < 0.05 && turning.rough < 0.05 && turning.exact < linear.exact);
      assert_true(linear.rough < 0.15);
    }
    virtual_make(path, law, "linear", &virtual_drives[1], NULL, &s);
    assert_true(errors_of(&s, "signals of a linear beam", &linear_beam).exact < 0.05);
  }
}

/* Fifty times the rig's forces on a beam whose strains are damped: how fast the axial strain grows counts. With little
 * damping friction is near the load that buckles the beam, and nothing settles. */
static void large_motions(void **unused) {
  (void)unused;
  static const virtual_drive drive = {400, 49.25, 0};
  static const char *const damped[] = {"press=4150", "beta=3e-3", NULL}, *const light[] = {"press=4150", "beta=1e-3",
                                                                                           NULL};
  char path[CASE_PATH], data[CASE_PATH];
  signals s;
  deck_run run;
  path_in_folder("make.xml", path);
  path_in_folder("virtual.csv", data);
  virtual_make(path, virtual_laws[1][1], "von-karman", &drive, damped, &s);
  virtual_write(data, &s, false, 0);
  double linear = explain(&run, &s, &linear_beam, damped);
  deck_close(&run);
  double turning = explain(&run, &s, &turning_beam, damped);
  printf("400 N, damped: T(t) off by %.2f %% (linear), %.2f %% in %g steps\n", 100 * linear, 100 * turning,
         number(&run, "identification.forces.second_order.steps"));
  assert_true(linear > 0.06 && turning < 0.03);
  deck_close(&run);
  virtual_make(path, virtual_laws[1][1], "von-karman", &drive, light, &s);
  virtual_write(data, &s, false, 0);
  explain(&run, &s, &turning_beam, light);
  assert_true(is_warned(&run, "forces", "did not settle"));
  deck_close(&run);
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
                                     cmocka_unit_test(friction_from_virtual_signals), cmocka_unit_test(large_motions),
                                     cmocka_unit_test(deviations_are_those_of_noisy_sensors)};
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
