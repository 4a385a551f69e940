/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forces at the rig's foot from its accelerometers: from the measured ones against what independent beam models found,
 * from virtual ones against the forces that made them. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "verification/deck_run.h"

#define VIRTUAL FW_SOURCE_DIR "/tests/verification/identify/virtual-rig.xml"

static double number(const deck_run *run, const char *id, const char *name) {
  char path[128];
  double value = NAN;
  snprintf(path, sizeof path, "identification.%s.%s", id, name);
  if (fw_results_number(run->results, path, &value) != FW_OK) fail_msg("no %s", path);
  return value;
}

static void near(const deck_run *run, const char *id, const char *name, double reference) {
  double value = number(run, id, name), difference = value / reference - 1;
  printf("%-18s %-18s computed %.4g, reference %.4g, difference %+.1f %%\n", id, name, value, reference,
         100 * difference);
  assert_true(fabs(difference) < 0.05);
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
    near(&run, cases[i].id, "friction", cases[i].friction);
    near(&run, cases[i].id, "slip", cases[i].slip);
    near(&run, cases[i].id, "equivalent_damper", cases[i].damper);
    if (cases[i].clamp > 0) near(&run, cases[i].id, "kclamp", cases[i].clamp);
  }
  /* Of the ten harmonics at 8 N only the first and the third stand out of the noise. */
  for (int r = 1; r <= 10; r++) {
    char path[64];
    snprintf(path, sizeof path, "limits[%d].below_20_percent", r - 1);
    printf("harmonic %d: %g sensors below 0.2 of their limit\n", r, number(&run, "at-8N", path));
  }
  assert_true(number(&run, "at-8N", "limits[0].below_20_percent") == 0);
  assert_true(number(&run, "at-8N", "limits[9].below_20_percent") == 6);
  /* Absolute residuals move the slip. */
  double moved = number(&run, "at-8N-absolute", "slip") / number(&run, "at-8N", "slip") - 1;
  printf("absolute residuals at 8 N: slip %+.1f %%\n", 100 * moved);
  assert_true(moved > 0.03 && moved < 0.12);
  deck_close(&run);
}

/* ---- virtual signals --------------------------------------------------------------------- */

enum { ORDERS = 10, SENSORS = 6, MOST_SAMPLES = 2048 };
static const char *const names[SENSORS] = {"a83", "a153", "a268", "a408", "a499", "a555"};
static const double hertz = 50.0;

typedef struct signals {
  double amplitude[SENSORS][ORDERS], phase[SENSORS][ORDERS]; /* m/s^2, deg */
  double friction[MOST_SAMPLES];                             /* T over the period that made them, once */
  int samples;
} signals;

/* The deck with each word in @ replaced by the next of `words`. */
static void write_deck(const char *path, const char *const *words) {
  FILE *from = fopen(VIRTUAL, "r"), *to = fopen(path, "w");
  assert_true(from && to);
  bool skipping = false, body = false;
  for (int c; (c = fgetc(from)) != EOF;) {
    body |= c == '>' && ftell(from) > 500; /* behind the comment, which speaks of @ */
    if (c == '@' && body) {
      if (!skipping) fputs(*words++, to);
      skipping = !skipping;
    } else if (!skipping) {
      fputc(c, to);
    }
  }
  fclose(from);
  assert_int_equal(fclose(to), 0);
}

static const char make_task[] =
    "<analyses><static id=\"seated\" loads=\"preload\"/>\n"
    "<frf id=\"frf\" start=\"seated\" loads=\"shaker\" levels=\"6.5\" response=\"drive\" f-min=\"49\" f-max=\"51\" "
    "points=\"3\""
    " harmonics=\"15\" samples=\"512\" loops=\"all\"/></analyses>\n";
static const char identify_task[] =
    "<data><harmonics id=\"signals\" file=\"virtual.csv\"/></data>\n"
    "<analyses><static id=\"seated\" loads=\"preload\"/></analyses>\n"
    "<identification><identify id=\"forces\" method=\"inverse-harmonic-balance\" data=\"signals\" start=\"seated\""
    " drive=\"shaker\" response=\"drive\" pair=\"foot\" harmonics=\"10\"/></identification>\n";

/* Row of a table where the frequency is that of the test. */
static size_t row_at(const double *frequency, size_t rows) {
  for (size_t r = 0; r < rows; r++)
    if (fabs(frequency[r] - hertz) < 1e-9) return r;
  fail_msg("no row at %g Hz", hertz);
  return 0;
}

/* Signals and friction at 6.5 N and 50 Hz, by harmonic balance. */
static void make_signals(const char *path, const char *law, signals *s) {
  const char *const words[] = {"euler-bernoulli", "von-karman", "40", law, make_task};
  deck_run run;
  size_t rows;
  write_deck(path, words);
  deck_open(&run, path, NULL);
  const double *frequency = deck_column(&run, "frf", "frf-6.5", "frequency", &rows);
  size_t row = row_at(frequency, rows);
  for (int j = 0; j < SENSORS; j++)
    for (int r = 1; r <= ORDERS; r++) {
      char column[64];
      snprintf(column, sizeof column, r > 1 ? "%s.amplitude-%d" : "%s.amplitude", names[j], r);
      s->amplitude[j][r - 1] = deck_column(&run, "frf", "frf-6.5", column, &rows)[row];
      snprintf(column, sizeof column, r > 1 ? "%s.phase-%d" : "%s.phase", names[j], r);
      s->phase[j][r - 1] = deck_column(&run, "frf", "frf-6.5", column, &rows)[row];
    }
  const double *at = deck_column(&run, "frf", "loops", "at", &rows);
  const double *T = deck_column(&run, "frf", "loops", "foot tangential", &rows);
  s->samples = 0;
  for (size_t r = 0; r < rows && s->samples < MOST_SAMPLES; r++)
    if (fabs(at[r] - hertz) < 1e-9) s->friction[s->samples++] = T[r];
  s->samples--; /* the last is the first again */
  assert_int_equal(s->samples, 512);
  deck_close(&run);
}

/* Errors of the published tables: parts of the amplitude by harmonic; of phases 0.1 degree at 6.5 N. */
static double error_of(int r) { return r == 1 ? 0.001 : r == 3 || r == 4 ? 0.03 : 0.08; }

static void write_signals(const char *path, const signals *s, bool noisy, double shift) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, 3);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "# drive 6.5 N at %g Hz\nharmonic,force.phase", hertz);
  for (int j = 0; j < SENSORS; j++) fprintf(file, ",%s,%s.phase", names[j], names[j]);
  for (int r = 1; r <= ORDERS; r++) {
    fprintf(file, "\n%d,%.12g", r, shift);
    for (int j = 0; j < SENSORS; j++)
      fprintf(file, ",%.12g,%.12g", s->amplitude[j][r - 1] * (1 + (noisy ? gsl_ran_gaussian(random, error_of(r)) : 0)),
              s->phase[j][r - 1] + r * shift + (noisy ? gsl_ran_gaussian(random, 0.1) : 0));
  }
  fputc('\n', file);
  assert_int_equal(fclose(file), 0);
  gsl_rng_free(random);
}

/* RMS of the difference of T(t) over that of T(t); without the mean, which no sensor sees. */
static double friction_error(const deck_run *run, const signals *s) {
  size_t rows;
  const double *T = deck_column(run, "forces", "period", "tangential", &rows);
  double mean = 0, off = 0, size = 0;
  assert_int_equal(rows, 257);
  for (int i = 0; i < s->samples; i++) mean += s->friction[i] / s->samples;
  for (int i = 0; i < 256; i++) {
    double is = s->friction[2 * i] - mean;
    off += (T[i] - is) * (T[i] - is);
    size += is * is;
  }
  return sqrt(off / size);
}

static double identify(const char *folder, const signals *s, bool noisy, double shift, double *friction) {
  static const char *const words[] = {"timoshenko", "linear", "27", "law=\"dahl\"", identify_task};
  char deck[96], data[96];
  deck_run run;
  snprintf(deck, sizeof deck, "%s/deck.xml", folder);
  snprintf(data, sizeof data, "%s/virtual.csv", folder);
  write_signals(data, s, noisy, shift);
  write_deck(deck, words);
  deck_open(&run, deck, NULL);
  double error = friction_error(&run, s);
  *friction = number(&run, "forces", "friction");
  deck_close(&run);
  unlink(deck);
  unlink(data);
  return error;
}

static void friction_from_virtual_signals(void **unused) {
  (void)unused;
  static const char *const laws[][2] = {
      {"Dahl", "law=\"dahl\" mu-c=\"0.5\" sigma-0=\"1.003e7\""},
      {"LuGre, row 6.5",
       "law=\"lugre-normalised\" mu-s=\"0.492\" mu-c=\"0.16\" v-s=\"7.152e-4\" sigma-0=\"1.14e4\" sigma-1=\"347.03\""},
      {"LuGre, row 8",
       "law=\"lugre-normalised\" mu-s=\"0.463\" mu-c=\"0.197\" v-s=\"4.728e-4\" sigma-0=\"1.22e5\" sigma-1=\"27.75\""},
      {"hybrid",
       "law=\"hybrid\" mu-s=\"0.479\" mu-c=\"0.155\" v-s=\"6.797e-4\" k-e=\"5.2e7\" k-ep=\"1.9e7\" k-ps=\"8.5e7\""
       " c-p=\"630\" c-s=\"2300\""}};
  char folder[] = "/tmp/fw-forces-XXXXXX", path[96];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/make.xml", folder);
  for (int i = 0; i < 4; i++) {
    signals s;
    double plain, noisy, moved;
    make_signals(path, laws[i][1], &s);
    double exact = identify(folder, &s, false, 0, &plain), rough = identify(folder, &s, true, 0, &noisy);
    double shifted = identify(folder, &s, false, 37, &moved);
    printf("%-15s T_1 %.2f N: T(t) off by %.2f %% (at most 5), with the tables' errors %.2f %% (at most 15)\n",
           laws[i][0], plain, 100 * exact, 100 * rough);
    assert_true(exact < 0.05);
    assert_true(rough < 0.15);
    assert_true(fabs(shifted - exact) < 1e-6 && fabs(moved - plain) < 1e-6 * plain); /* a shift of the clock: nothing */
  }
  unlink(path);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_at_the_foot_of_the_rig),
                                     cmocka_unit_test(friction_from_virtual_signals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
