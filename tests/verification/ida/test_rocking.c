/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Housner's rocking block (1963): at each impact the corner that carried it leaves the floor and the spin falls to
 * 1 - 3/2 sin^2(alpha) of itself, tan(alpha) = width/height; between impacts it turns about a corner as an upside-down
 * pendulum. At last it stands on both corners, whose friction forces no motion tells apart. */
#include "verification/deck_run.h"

#define DECK FW_SOURCE_DIR "/tests/verification/ida/rocking-block.xml"

static const double alpha_of_block = 0.19739555984988075; /* atan(0.2) */
static const double radius = 0.50990195135927848;         /* from a corner to the centre */
static const double start = 0.1;                          /* rad */

/* Square of the spin gained where it comes down from `from` to `to`: 2 W R/I (cos(alpha - from) - cos(alpha - to))
 * with I = 4/3 m R^2 about a corner. */
static double spin_squared(double from, double to) {
  return 1.5 * 9.81 / radius * (cos(alpha_of_block - from) - cos(alpha_of_block - to));
}

/* Time from rest at an angle down to the floor: with angle (1 - s^2) the integrand is smooth; Simpson's rule. */
static double time_to_fall(double angle) {
  enum { PARTS = 2000 };
  double sum = 0.0;
  for (int i = 0; i <= PARTS; i++) {
    double s = (double)i / PARTS, weight = i == 0 || i == PARTS ? 1.0 : i % 2 ? 4.0 : 2.0;
    double slope = sqrt(1.5 * 9.81 / radius * sin(alpha_of_block - angle) * angle); /* spin over s, at s = 0 */
    double rate = i == 0 ? slope : sqrt(spin_squared(angle, angle * (1.0 - s * s))) / s;
    sum += weight * 2.0 * angle / rate;
  }
  return sum / (3.0 * PARTS);
}

/* The angle it reaches with a spin from the floor. */
static double reached(double spin) {
  return alpha_of_block - acos(cos(alpha_of_block) + spin * spin / (1.5 * 9.81 / radius));
}

static double loss_of_spin(void) { return 1.0 - 1.5 * sin(alpha_of_block) * sin(alpha_of_block); }

/* Every impact closes one corner and opens the other. */
static void check_impacts(const deck_run *run) {
  size_t rows;
  const double *times = deck_column(run, "ida", "events", "time", &rows);
  const double *changes = deck_column(run, "ida", "events", "change", &rows);
  const double *speeds = deck_column(run, "ida", "events", "gap velocity", &rows);
  double time = time_to_fall(start), spin = sqrt(spin_squared(start, 0.0));
  compare("first impact, Housner's quarter period", times[0],
          acosh(1.0 / (1.0 - start / alpha_of_block)) / sqrt(0.75 * 9.81 / radius), 5e-3);
  assert_true(rows > 60);
  for (size_t impact = 0; impact < 30; impact++) {
    size_t opens = changes[2 * impact] == 2.0 ? 2 * impact : 2 * impact + 1;
    spin *= loss_of_spin();
    assert_true(changes[opens] == 2.0 && changes[4 * impact + 1 - opens] == 1.0);
    compare("time of impact", times[opens], time, 1e-7);
    compare("speed of the corner that leaves", speeds[opens], 0.2 * spin, 1e-6);
    time += 2.0 * time_to_fall(reached(spin));
  }
}

static void check_rest(const deck_run *run, const char *analysis) {
  size_t rows;
  const char *const corners[] = {"feet 1", "feet 2"};
  for (int c = 0; c < 2; c++) {
    char name[40];
    snprintf(name, sizeof name, "%s normal", corners[c]);
    const double *N = deck_column(run, analysis, "contact", name, &rows);
    compare("half the weight on each corner", N[rows - 1], 49.05, 1e-6);
    snprintf(name, sizeof name, "%s tangential", corners[c]);
    bounded("and no friction", deck_column(run, analysis, "contact", name, &rows)[rows - 1], 1e-4);
  }
  bounded("it stands", deck_number(run, analysis, "sensors.angle.final"), 1e-9);
}

/* The k-th extreme of the angle in a table of rows. */
static double extreme(const double *angle, size_t rows, int k) {
  for (size_t i = 1; i + 1 < rows; i++)
    if (fabs(angle[i]) > fabs(angle[i - 1]) && fabs(angle[i]) >= fabs(angle[i + 1]) && k-- == 0) return fabs(angle[i]);
  return NAN;
}

/* Steps of 1 ms, rows of 10 ms. */
static void check_swings(const deck_run *run) {
  size_t rows;
  const double *angle = deck_column(run, "alpha", "history", "angle", &rows);
  double spin = sqrt(spin_squared(start, 0.0));
  for (int k = 0; k < 6; k++) {
    spin *= loss_of_spin();
    compare("swing by steps", extreme(angle, rows, k), reached(spin), 1e-3);
  }
}

static void rocks_to_rest(void **unused) {
  (void)unused;
  const char *const frictions[][2] = {{"mu=0.9", NULL}, {"mu=5", NULL}};
  for (int k = 0; k < 2; k++) {
    deck_run run;
    printf("%s\n", frictions[k][0]);
    deck_open(&run, DECK, frictions[k]);
    check_impacts(&run);
    check_swings(&run);
    check_rest(&run, "ida");
    check_rest(&run, "alpha");
    bounded("energy", deck_number(&run, "ida", "energy.residual"), 1e-6);
    deck_close(&run);
  }
}

/* Standing, pushed to and fro near the floor: the corners share friction alike, T = F/2, until one is at its limit,
 * mu N with N = W/2 - F/2; then that one has its limit and the other the rest. */
static void shares_friction(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  const char *const analyses[] = {"ida", "alpha"};
  deck_open(&run, DECK, (const char *const[]){"angle=0", "push=80", "duration=2", NULL});
  for (int a = 0; a < 2; a++) {
    const double *t = deck_column(&run, analyses[a], "contact", "time", &rows);
    const double *left = deck_column(&run, analyses[a], "contact", "feet 1 tangential", &rows);
    const double *right = deck_column(&run, analyses[a], "contact", "feet 2 tangential", &rows);
    double worst = 0.0, sum = 0.0;
    compare("N in the first row", deck_column(&run, analyses[a], "contact", "feet 1 normal", &rows)[0], 49.05, 1e-9);
    compare("closed in the first row", deck_column(&run, analyses[a], "contact", "feet 1 state", &rows)[0], 1.0, 0.0);
    for (size_t i = 0; i < rows; i++) {
      double F = 80.0 * sin(3.0 * t[i]), limit = 0.9 * (49.05 - 0.5 * fabs(F));
      double unloaded = copysign(fmin(0.5 * fabs(F), limit), F);
      worst = fmax(worst, fabs((F > 0.0 ? left[i] : right[i]) - unloaded));
      sum = fmax(sum, fabs(left[i] + right[i] - F));
    }
    bounded("friction of the unloaded corner (N)", worst, 1e-4);
    bounded("sum of both (N)", sum, 1e-4);
    bounded("it stands", deck_number(&run, analyses[a], "sensors.x.final"), 1e-11);
  }
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rocks_to_rest), cmocka_unit_test(shares_friction)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
