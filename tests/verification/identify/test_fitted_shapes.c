/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inverse harmonic balance with fitted shapes, on virtual signals whose friction is known: how well each approach gives
 * back what the sensors read, with each sensor left out, and what friction it finds. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "identify_case.h"
#include "virtual_rig.h"

enum { APPROACHES = 6, LINEAR = 0, SINGLE, HARMONIC_SPLINE, HARMONIC_SERIES, SUB_SPLINE, SUB_SERIES };
static const char *const approaches[APPROACHES] = {"linear-modes",    "single-form",         "harmonic-spline",
                                                   "harmonic-series", "sub-harmonic-spline", "sub-harmonic-series"};
/* Of the rig's own signals at 6.5 and 8 N: driving point, mean of all sensors (%); NaN: not published. */
static const double published[VIRTUAL_DRIVES][APPROACHES][2] = {
    {{NAN, NAN}, {NAN, NAN}, {2.96, 1.65}, {7.68, 4.72}, {0, 0}, {7.66, 4.31}},
    {{12.38, 4.97}, {13.88, 7.96}, {5.51, 2.30}, {4.58, 2.32}, {0, 0}, {2.94, 1.16}}};

static const char harmonics_data[] = "<harmonics id=\"signals\" file=\"virtual.csv\"/>";

/* A deck with one <identify> for each of a list of attributes: forces-0, forces-1 ... */
static void write_identify(const char *data, const char *const *attributes, int count) {
  char task[6000];
  int at = snprintf(task, sizeof task,
                    "<data>%s</data>\n<analyses><static id=\"seated\" loads=\"preload\"/></analyses>\n"
                    "<identification>",
                    data);
  for (int k = 0; k < count; k++)
    at += snprintf(task + at, sizeof task - (size_t)at,
                   "<identify id=\"forces-%d\" method=\"inverse-harmonic-balance\" data=\"signals\" start=\"seated\" "
                   "drive=\"shaker\" pair=\"foot\" %s/>\n",
                   k, attributes[k]);
  snprintf(task + at, sizeof task - (size_t)at, "</identification>");
  const char *const words[] = {"euler-bernoulli", "linear", "27", "law=\"dahl\"", task};
  char deck[CASE_PATH];
  path_in_folder("deck.xml", deck);
  virtual_deck(deck, words);
}

static void run_identify(const char *data, const char *const *attributes, int count, deck_run *run) {
  write_identify(data, attributes, count);
  run_deck(run, NULL);
}

static void write_harmonics(const signals *s, bool noisy, double shift) {
  char path[CASE_PATH];
  path_in_folder("virtual.csv", path);
  virtual_write(path, s, noisy, shift);
}

static void make(int law, const virtual_drive *drive, signals *s) {
  char path[CASE_PATH];
  path_in_folder("make.xml", path);
  virtual_make(path, virtual_laws[law][1], "von-karman", drive, NULL, s);
}

/* ---- all approaches ---------------------------------------------------------------------- */

static void fill_attributes(const char *more, char attributes[APPROACHES][160], const char *list[APPROACHES]) {
  for (int k = 0; k < APPROACHES; k++) {
    snprintf(attributes[k], sizeof attributes[k], "shapes=\"%s\" %s", approaches[k], more);
    list[k] = attributes[k];
  }
}

/* mean[]: reconstruction error of the sensors; wrong[]: of T(t); both in per cent. */
static void compare_approaches(const char *name, const signals *s, double *mean, double *wrong) {
  char attributes[APPROACHES][160];
  const char *list[APPROACHES];
  deck_run run;
  fill_attributes("harmonics=\"5\"", attributes, list);
  run_identify(harmonics_data, list, APPROACHES, &run);
  const double(*rig)[2] = published[s->drive - virtual_drives];
  printf("%s, %g N, 5 harmonics\n", name, s->drive->level);
  for (int k = 0; k < APPROACHES; k++) {
    char id[24];
    snprintf(id, sizeof id, "forces-%d", k);
    mean[k] = number(&run, "identification.forces-0.approaches[%d].mean_error_percent", k);
    wrong[k] = 100 * virtual_friction_error(&run, id, s);
    printf("  %-20s reconstruction %.3g/%.3g %% (rig, published: %.4g/%.4g), left out %.3g %%; T(t) off by %.3g %%\n",
           approaches[k], number(&run, "identification.forces-0.approaches[%d].driving_point_error_percent", k),
           mean[k], rig[k][0], rig[k][1], number(&run, "identification.%s.left_out_error_percent", id), wrong[k]);
    assert_true(fabs(mean[k] - number(&run, "identification.%s.mean_error_percent", id)) < 1e-9);
    /* What a spline gives back at its own sensors is interpolation; at one left out it is not. */
    assert_true(number(&run, "identification.%s.left_out_error_percent", id) > 1.0);
  }
  deck_close(&run);
}

/* most, most_noisy: of T(t) by the sub-harmonic spline (%); NaN: errors of the signals leave nothing of it. */
static void side_by_side(const virtual_drive *drive, const double *most, const double *most_noisy) {
  double mean[APPROACHES], wrong[APPROACHES];
  for (int i = 0; i < VIRTUAL_LAWS; i++) {
    char noisy[64];
    signals s;
    make(i, drive, &s);
    write_harmonics(&s, false, 0);
    compare_approaches(virtual_laws[i][0], &s, mean, wrong);
    assert_true(mean[SUB_SPLINE] < 1e-10);
    assert_true(mean[SUB_SERIES] < mean[HARMONIC_SPLINE] && mean[HARMONIC_SPLINE] < mean[HARMONIC_SERIES]);
    assert_true(mean[HARMONIC_SERIES] < mean[LINEAR] && mean[LINEAR] < mean[SINGLE]);
    assert_true(wrong[SUB_SPLINE] < most[i]);
    snprintf(noisy, sizeof noisy, "%s, with the tables' errors", virtual_laws[i][0]);
    write_harmonics(&s, true, 0);
    compare_approaches(noisy, &s, mean, wrong);
    assert_true(mean[SUB_SPLINE] < 1e-10 && mean[SUB_SERIES] < mean[LINEAR] && mean[LINEAR] < mean[SINGLE]);
    assert_true(isnan(most_noisy[i]) ? wrong[SUB_SPLINE] > 100 : wrong[SUB_SPLINE] < most_noisy[i]);
  }
}

/* What is reached: fitted shapes suffer from errors of the higher harmonics much more than the model's receptances do,
 * most where friction is small; errors of phase of 2 degrees, as at 8 N, leave nothing of it. */
static void approaches_side_by_side(void **unused) {
  (void)unused;
  static const double most[VIRTUAL_DRIVES][VIRTUAL_LAWS] = {{3, 1, 8, 8}, {5, 1, 13, 13}};
  static const double noisy[VIRTUAL_DRIVES][VIRTUAL_LAWS] = {{10, 3, 30, 35}, {25, 3, NAN, NAN}};
  for (int d = 0; d < VIRTUAL_DRIVES; d++) side_by_side(&virtual_drives[d], most[d], noisy[d]);
}

/* ---- choices ----------------------------------------------------------------------------- */

static void choices_and_their_weight(void **unused) {
  (void)unused;
  static const char *const list[] = {"shapes=\"sub-harmonic-spline\" harmonics=\"10\"",
                                     "shapes=\"sub-harmonic-spline\" harmonics=\"10\" coupling=\"orthogonal\"",
                                     "shapes=\"sub-harmonic-spline\" harmonics=\"5\" test-shape=\"2\"",
                                     "shapes=\"sub-harmonic-spline\" harmonics=\"5\" end-slope=\"no\"",
                                     "shapes=\"sub-harmonic-spline\" harmonics=\"5\""};
  signals s;
  deck_run run, moved;
  make(1, &virtual_drives[0], &s);
  write_harmonics(&s, false, 0);
  run_identify(harmonics_data, list, 5, &run);
  double least = INFINITY, most = 0, wildest = 0;
  for (int n = 0; n < 10; n++) {
    double coupled = number(&run, "identification.forces-0.orders[%d].friction", n);
    double orthogonal = number(&run, "identification.forces-1.orders[%d].friction", n);
    printf("%2d harmonics: friction %.4g N coupled, %.4g N orthogonal\n", n + 1, coupled, orthogonal);
    if (n >= 1 && n < 6) least = fmin(least, coupled), most = fmax(most, coupled);
    wildest = fmax(wildest, orthogonal / coupled);
  }
  assert_true(most < 1.05 * least); /* two to six coupled harmonics agree; orthogonal ones do not */
  assert_true(wildest > 2);
  double first = virtual_friction_error(&run, "forces-4", &s), second = virtual_friction_error(&run, "forces-2", &s);
  printf("T(t) off by %.3g %% with test shape 1, %.3g %% with 2\n", 100 * first, 100 * second);
  assert_true(first < 0.02 && second < 0.02);
  double with = number(&run, "identification.forces-4.normal_force"),
         without = number(&run, "identification.forces-3.normal_force");
  printf("N without its mean %.5g N, without T y'(L) %.5g N\n", with, without);
  assert_true(fabs(with - without) > 1e-6 && fabs(with - without) < 0.02 * with);
  assert_true(
      fabs(number(&run, "identification.forces-3.friction") - number(&run, "identification.forces-4.friction")) < 1e-9);
  write_harmonics(&s, false, 37);
  run_identify(harmonics_data, list, 5, &moved);
  for (int k = 0; k < 5; k++) {
    char id[24];
    snprintf(id, sizeof id, "forces-%d", k);
    assert_true(fabs(number(&run, "identification.%s.friction", id) / number(&moved, "identification.%s.friction", id) -
                     1) < 1e-6);
  }
  deck_close(&run);
  deck_close(&moved);
}

/* ---- signals over time ------------------------------------------------------------------- */

/* Force and accelerations, 40 samples a period for 80.3 periods of 50 Hz, from a clock that begins anywhere. */
static void write_signals(const signals *s, double noise, double begin) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, 5);
  FILE *file = open_file("signals.csv");
  fprintf(file, "time [s],force [N]");
  for (int j = 0; j < SENSORS; j++) fprintf(file, ",%s [m/s^2]", virtual_names[j]);
  for (int i = 0; i < 3212; i++) {
    double t = i / (40 * s->drive->hertz), angle = 2 * M_PI * s->drive->hertz * (t - begin);
    fprintf(file, "\n%.12g,%.12g", t, s->drive->level * cos(angle));
    for (int j = 0; j < SENSORS; j++) {
      double x = noise > 0 ? gsl_ran_gaussian(random, noise) : 0;
      for (int r = 1; r <= ORDERS; r++) x += s->amplitude[j][r - 1] * cos(r * angle + s->phase[j][r - 1] * M_PI / 180);
      fprintf(file, ",%.12g", x);
    }
  }
  fputc('\n', file);
  assert_int_equal(fclose(file), 0);
  gsl_rng_free(random);
}

static void harmonics_of_signals(void **unused) {
  (void)unused;
  static const char *const list[] = {"shapes=\"sub-harmonic-spline\" harmonics=\"10\""};
  static const char data[] = "<signals id=\"signals\" file=\"signals.csv\"/>";
  signals s;
  deck_run table, plain, noisy;
  size_t rows;
  make(1, &virtual_drives[0], &s);
  write_harmonics(&s, false, 0);
  run_identify(harmonics_data, list, 1, &table);
  write_signals(&s, 0, 0.0137);
  run_identify(data, list, 1, &plain);
  write_signals(&s, 0.05, 0.0021);
  run_identify(data, list, 1, &noisy);
  double T = number(&table, "identification.forces-0.friction"),
         T_signals = number(&plain, "identification.forces-0.friction");
  double f = number(&plain, "identification.forces-0.frequency"),
         level = number(&plain, "identification.forces-0.level");
  printf("from signals: %.9g Hz, %.7g N; friction %.7g N, from the harmonics themselves %.7g N\n", f, level, T_signals,
         T);
  assert_true(fabs(f / s.drive->hertz - 1) < 1e-7 && fabs(level / s.drive->level - 1) < 1e-6);
  assert_true(fabs(T_signals / T - 1) < 1e-4);
  /* 0.05 m/s^2 of noise, 800 samples a window: 0.05 sqrt(2/800) in an amplitude, that over the amplitude in a phase. */
  const double *size = deck_column(&noisy, "forces-0", "harmonics", "a268.amplitude-error", &rows);
  const double *turn = deck_column(&noisy, "forces-0", "harmonics", "a268.phase-error", &rows);
  for (int r = 0; r < 3; r += 2) {
    double expected = 0.05 * sqrt(2.0 / 800) / s.amplitude[2][r];
    printf("harmonic %d over windows: amplitude %.3g %%, phase %.3g degrees; noise gives %.3g %%, %.3g degrees\n",
           r + 1, size[r], turn[r], 100 * expected, 180 / M_PI * expected);
    assert_true(size[r] / (100 * expected) > 0.3 && size[r] / (100 * expected) < 2.2);
    assert_true(turn[r] / (180 / M_PI * expected) > 0.3 && turn[r] / (180 / M_PI * expected) < 2.2);
  }
  printf("friction from noisy signals %.5g N\n", number(&noisy, "identification.forces-0.friction"));
  assert_true(fabs(number(&noisy, "identification.forces-0.friction_first") /
                       number(&table, "identification.forces-0.friction_first") -
                   1) < 0.02);
  deck_close(&table);
  deck_close(&plain);
  deck_close(&noisy);
}

/* ---- bad input --------------------------------------------------------------------------- */

/* Force and one sensor over `rows` samples, `each` a period. */
static void write_short(const char *force, int rows, double each) {
  char text[16384];
  int at = snprintf(text, sizeof text, "time [s],%s,a83 [m/s^2],a268 [m/s^2],a499 [m/s^2]\n", force);
  for (int i = 0; i < rows; i++) {
    double angle = 2 * M_PI * i / each;
    at += snprintf(text + at, sizeof text - (size_t)at, "%.9g,%.6g,%.6g,%.6g,%.6g\n", i / (50 * each), cos(angle),
                   sin(angle), cos(angle + 1), cos(angle + 2));
  }
  write_file("signals.csv", "%s", text);
}

static void refuses(const char *data, const char *attributes, const char *told) {
  write_identify(data, &attributes, 1);
  refused(told);
}

static void bad_input_is_refused_by_name(void **unused) {
  (void)unused;
  static const char data[] = "<signals id=\"signals\" file=\"signals.csv\"/>", fitted[] = "shapes=\"harmonic-spline\"";
  write_short("a153 [m/s^2]", 200, 20);
  refuses(data, fitted, "there is no column 'force'");
  write_short("force [N]", 40, 20);
  refuses(data, fitted, "does not swing: 1 whole periods");
  write_short("force [N]", 200, 20);
  refuses(data, "shapes=\"harmonic-spline\" harmonics=\"10\"", "samples a period are too few for 10 harmonics");
  refuses(data, "shapes=\"harmonic-spline\" windows=\"50\"", "are too few for 50 windows");
  refuses(data, "shapes=\"linear-modes\"",
          "3 sensors are too few for these shapes, each left out in turn; 4 are needed");
  refuses(data, "shapes=\"harmonic-spline\" limits=\"1, 2\"", "attribute 'limits': one for all, or one for each of 3");
  write_file("virtual.csv", "# drive 6.5 N at 50 Hz\nharmonic,a83,a153,a268,a408\n1,1,2,3,4\n");
  refuses(harmonics_data, fitted, "fitted shapes need phases, which these data do not have");
  refuses(harmonics_data, "", "attribute 'response': missing, and the data have no phases");
  write_file("virtual.csv", "# drive 6.5 N at 50 Hz\nharmonic,a83,a83.phase,a153\n1,1,2,3\n");
  refuses(harmonics_data, fitted, "column 'a153' has no phase: all or none");
  static const struct {
    const char *columns, *told;
  } cases[] = {{"a83,a83\n1,1,2", "column 'a83' is of a sensor that has one already"},
               {"a83,a153\n1,1,-2", "column 'a153' is -2 in row 1: no amplitude"},
               {"a83,a153\n1,1,0", "column 'a153' is 0 in row 1: no amplitude"},
               {"a83,a83.deviation,a153\n1,1,0.1,2", "column 'a153' has no deviation: all or none"},
               {"a83,a83.deviation\n1,1,0", "column 'a83.deviation' is 0 in row 1: not above 0"},
               {"a83,a83.deviation [mm]\n1,1,1", "column 'a83.deviation' is in mm, not in m/s^2"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_file("virtual.csv", "# drive 6.5 N at 50 Hz\nharmonic,%s\n", cases[i].columns);
    refuses(harmonics_data, "response=\"drive\"", cases[i].told);
  }
}

/* A tube in space that rubs along a line under its end, with one sensor by its end. */
static const char tube[] =
    "<fretwork version=\"1\"><materials><elastic id=\"alloy\" E=\"200e9\" nu=\"0.3\" rho=\"8000\"/></materials>\n"
    "<sections><tube id=\"tube\" diameter=\"0.016\" wall=\"0.001\"/></sections>\n"
    "<bodies><tube id=\"tube\" material=\"alloy\" section=\"tube\" from=\"0, 0, 0\" to=\"1, 0, 0\" divisions=\"4\">\n"
    "<point id=\"clamp\" s=\"0\"/><point id=\"near\" s=\"0.25\"/><point id=\"middle\" s=\"0.5\"/><point id=\"far\" "
    "s=\"0.75\"/>"
    "<point id=\"end\" s=\"1\"/></tube>\n"
    "<support-plane id=\"bars\" at=\"tube.end\" normal=\"0, 0, 1\" first=\"1, 0, 0\" offset=\"1, 0\"/></bodies>\n"
    "<supports><support at=\"tube.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\" z=\"fixed\" rx=\"fixed\" "
    "ry=\"fixed\"/></supports>\n"
    "<contact><surface id=\"lower\"><line from=\"0.9, -0.008\" to=\"1.1, -0.008\"/></surface>\n"
    "<pair id=\"foot\" target=\"lower\"><point at=\"bars.ring\" offset=\"0, -0.008\"/>"
    "<normal law=\"linear\" stiffness=\"1e6\"/><friction law=\"coulomb\" mu=\"0.3\" enforcement=\"penalty\" "
    "u-crit=\"1e-6\"/>"
    "</pair></contact>\n"
    "<loads><force id=\"preload\" at=\"tube.end\" fy=\"-83\"/><harmonic id=\"shaker\" at=\"tube.middle\" "
    "fy=\"1\"/></loads>\n"
    "<sensors><sensor id=\"a83\" at=\"tube.near\" quantity=\"acceleration\" direction=\"y\"/>"
    "<sensor id=\"a153\" at=\"tube.middle\" quantity=\"acceleration\" direction=\"y\"/>"
    "<sensor id=\"a268\" at=\"tube.far\" quantity=\"acceleration\" direction=\"y\"/></sensors>\n"
    "<data><harmonics id=\"signals\" file=\"virtual.csv\"/></data>\n"
    "<analyses><static id=\"seated\" loads=\"preload\"/></analyses>\n"
    "<identification><identify id=\"forces\" method=\"inverse-harmonic-balance\" data=\"signals\" start=\"seated\" "
    "drive=\"shaker\" pair=\"foot\" %s/></identification></fretwork>\n";

/* What shapes cannot be fitted to is known before anything runs. */
static void models_are_refused_before_the_run(void **unused) {
  (void)unused;
  write_file("virtual.csv",
             "# drive 6.5 N at 50 Hz\nharmonic,a83,a83.phase,a153,a153.phase,a268,a268.phase\n1,1,0,2,0,2,0\n");
  write_file("deck.xml", tube, "shapes=\"harmonic-spline\"");
  refused("attribute 'shapes': the contact is not at a node of a <beam> of the plane");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(approaches_side_by_side),
                                     cmocka_unit_test(choices_and_their_weight), cmocka_unit_test(harmonics_of_signals),
                                     cmocka_unit_test(bad_input_is_refused_by_name),
                                     cmocka_unit_test(models_are_refused_before_the_run)};
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
