/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A straight tube under turbulence against the sum over its modes with their joint acceptance: mean squares of
 * displacement and velocity, and the spectrum in bands, over twenty seeds and both directions. */
#include "../deck_run.h"
#include "solver/linalg/fft.h"

#include <complex.h> /* after headers with a moment of area I */

#define HERE FW_SOURCE_DIR "/tests/verification/tubes/"

/* ---- the exact answer ------------------------------------------------------------------------- */

static const double L = 1.2, m = 0.641266205, EI = 296.2007808, zeta = 0.01, G = 0.01;
enum { MODES = 8, FULL = -1, WHITE = -2 }; /* lambda beyond the two limits */

/* J_jk of sin(j pi s/L), sin(k pi s/L) in units of length^2; of no correlation at all with 2 lambda = 0.024 m kept. */
static double joint_acceptance(double lambda, int j, int k) {
  double p = j * M_PI, q = k * M_PI, a = L / lambda;
  if (lambda == FULL) return L * L * (1 - cos(p)) / p * (1 - cos(q)) / q;
  if (lambda == WHITE) return j == k ? 0.024 * L / 2 : 0;
  double ends = 1 + cos(p) * cos(q) - (cos(p) + cos(q)) * exp(-a);
  return L * L * ((j == k ? a / (a * a + p * p) : 0) + p * q * ends / ((a * a + p * p) * (a * a + q * q)));
}

static double complex receptance(int j, double omega) {
  double w = j * j * M_PI * M_PI / (L * L) * sqrt(EI / m);
  return 1 / (m * L / 2 * (w * w - omega * omega + 2 * I * zeta * w * omega));
}

/* One-sided density of the displacement at x. */
static double density(double lambda, double x, double f) {
  double sum = 0;
  for (int j = 1; j <= MODES; j++)
    for (int k = 1; k <= MODES; k++)
      sum += sin(j * M_PI * x / L) * sin(k * M_PI * x / L) * joint_acceptance(lambda, j, k) *
             creal(receptance(j, 2 * M_PI * f) * conj(receptance(k, 2 * M_PI * f)));
  return f >= 1 && f <= 400 ? G * sum : 0;
}

/* Mean square between two frequencies, of the displacement (power 0) or velocity (power 2). */
static double mean_square(double lambda, double x, int power, double from, double to) {
  double sum = 0, df = 0.005;
  int n = (int)ceil((to - from) / df);
  df = (to - from) / n;
  for (int i = 0; i < n; i++) {
    double f = from + (i + 0.5) * df;
    sum += density(lambda, x, f) * pow(2 * M_PI * f, power) * df;
  }
  return sum;
}

/* ---- runs --------------------------------------------------------------------------------------- */

enum { SEEDS = 20, SAMPLES = 2 * SEEDS, RECORD = 16384 };
static const char *const sensors[4][2] = {{"y2", "z2"}, {"vy2", "vz2"}, {"y4", "z4"}, {"vy4", "vz4"}};
static const double bands[][2] = {{5, 15},  {15, 20}, {20, 22.5}, {22.5, 23.3}, {23.3, 23.6}, {23.6, 24.4}, {24.4, 27},
                                  {27, 40}, {40, 80}, {80, 90},   {90, 93.8},   {93.8, 98},   {98, 120}};
enum { BANDS = sizeof bands / sizeof *bands };

typedef struct samples {
  double square[4][SAMPLES];      /* by sensor */
  double band[2][BANDS][SAMPLES]; /* mean square within a band of the displacements */
} samples;

static void take_bands(const double *x, double (*band)[SAMPLES], int sample) {
  static double spectrum[RECORD];
  for (int i = 0; i < RECORD; i++) spectrum[i] = x[i] * (0.5 - 0.5 * cos(2 * M_PI * i / RECORD));
  fw_fft(spectrum, RECORD);
  for (int b = 0; b < BANDS; b++) band[b][sample] = 0;
  for (int k = 1; k < RECORD / 2; k++) {
    double f = k / (RECORD * 1e-3), power = spectrum[k] * spectrum[k] + spectrum[RECORD - k] * spectrum[RECORD - k];
    for (int b = 0; b < BANDS; b++)
      if (f >= bands[b][0] && f < bands[b][1]) band[b][sample] += 2 * power / (0.375 * RECORD) / RECORD;
  }
}

/* `steps` within a millisecond, the distance of the rows. */
static void run_seed(const char *lambda, int steps, const char *duration, int seed, samples *s) {
  char setting[3][40];
  snprintf(setting[0], sizeof setting[0], "seed=%d", seed + 1);
  snprintf(setting[1], sizeof setting[1], "seconds=%s", duration);
  snprintf(setting[2], sizeof setting[2], "steps=%d", steps);
  char path[256];
  const char *settings[5] = {setting[0], setting[1], setting[2], NULL}, *deck = HERE "turbulence.xml";
  if (strcmp(lambda, "full") == 0)
    deck = HERE "turbulence-full.xml";
  else
    settings[3] = (snprintf(path, sizeof path, "lambda=%s", lambda), path);
  deck_run run;
  deck_open(&run, deck, settings);
  for (int k = 0; k < 4; k++)
    for (int direction = 0; direction < 2; direction++) {
      size_t rows;
      const double *x = deck_column(&run, "run", "history", sensors[k][direction], &rows);
      int sample = 2 * seed + direction, from = 4000; /* 4 s to settle */
      double sum = 0;
      for (size_t i = (size_t)from; i < rows; i++) sum += x[i] * x[i];
      s->square[k][sample] = sum / (double)(rows - (size_t)from);
      if (k % 2 == 0 && rows >= (size_t)(from + RECORD)) take_bands(x + from, s->band[k / 2], sample);
    }
  deck_close(&run);
}

/* Within three standard errors of the mean over the samples, which may not be too large to tell anything. */
static void within_errors(const char *what, const double *values, double exact, double largest_error) {
  double mean = 0, square = 0;
  for (int i = 0; i < SAMPLES; i++) mean += values[i] / SAMPLES;
  for (int i = 0; i < SAMPLES; i++) square += (values[i] - mean) * (values[i] - mean) / (SAMPLES - 1);
  double error = sqrt(square / SAMPLES);
  printf("  %-26s rms %-13.6g exact %-13.6g %+6.2f %%, %+5.2f standard errors of %.2f %%\n", what, sqrt(mean),
         sqrt(exact), 100 * (sqrt(mean / exact) - 1), (mean - exact) / error, 50 * error / exact);
  if (!(fabs(mean - exact) <= 3 * error)) fail_msg("%s: %g, not %g +- %g", what, mean, exact, error);
  assert_true(error < largest_error * exact);
}

static void compare_squares(const char *name, double lambda, const samples *s) {
  static const char *const what[4] = {"y(L/2)", "v(L/2)", "y(L/4)", "v(L/4)"};
  for (int k = 0; k < 4; k++) {
    char label[64];
    snprintf(label, sizeof label, "%s, %s", name, what[k]);
    within_errors(label, s->square[k], mean_square(lambda, k < 2 ? L / 2 : L / 4, k % 2 ? 2 : 0, 1, 400), 0.1);
  }
}

static samples s;

static void spectra_follow_the_joint_acceptance(void **unused) {
  (void)unused;
  for (int seed = 0; seed < SEEDS; seed++) run_seed("0.12", 8, "20.4", seed, &s);
  compare_squares("0.12 m", 0.12, &s);
  for (int k = 0; k < 2; k++)
    for (int b = 0; b < BANDS; b++) {
      char what[64];
      snprintf(what, sizeof what, "y(L/%d), %g to %g Hz", 2 * (k + 1), bands[b][0], bands[b][1]);
      within_errors(what, s.band[k][b], mean_square(0.12, L / (2 * (k + 1)), 0, bands[b][0], bands[b][1]), 0.3);
    }
}

static void one_force_everywhere(void **unused) {
  (void)unused;
  for (int seed = 0; seed < SEEDS; seed++) run_seed("full", 4, "12", seed, &s);
  compare_squares("one force", FULL, &s);
}

/* Shorter than an element by four, where forces sampled at nodes would have twice the power. */
static void short_correlation(void **unused) {
  (void)unused;
  for (int seed = 0; seed < SEEDS; seed++) run_seed("0.012", 4, "12", seed, &s);
  compare_squares("0.012 m", 0.012, &s);
  compare_squares("no correlation", WHITE, &s);
}

/* The reference above against numbers of an independent program. */
static void tabulated_answers(void **unused) {
  (void)unused;
  static const struct {
    double lambda, y2, v2, y4, v4;
  } table[] = {{0.12, 1.8776985e-4, .0285829, 1.3445795e-4, .0237556},
               {0.3, 2.6502253e-4, .0396616, 1.8893518e-4, .0314085},
               {FULL, 3.9257787e-4, .0581833, 2.7759331e-4, .0411266}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    double lambda = table[i].lambda;
    compare("displacement at L/2", sqrt(mean_square(lambda, L / 2, 0, 1, 400)), table[i].y2, 1e-5);
    compare("velocity at L/2", sqrt(mean_square(lambda, L / 2, 2, 1, 400)), table[i].v2, 1e-4);
    compare("displacement at L/4", sqrt(mean_square(lambda, L / 4, 0, 1, 400)), table[i].y4, 1e-5);
    compare("velocity at L/4", sqrt(mean_square(lambda, L / 4, 2, 1, 400)), table[i].v4, 1e-4);
  }
  compare("joint acceptance of mode 1", joint_acceptance(0.12, 1, 1) / (L / 2), 0.2223654530, 1e-9);
}

/* 10 N/m in y and -4 N/m in z on four cells, constant in time: the deflection of an even load. In a skew direction, of
 * half the tube, and without its mean. */
static void measured_forces_bend_the_tube(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, HERE "measured.xml", NULL);
  double even = 5 * pow(L, 4) / (384 * EI);
  compare("even load in y", deck_number(&run, "all", "sensors.y.final"), 10 * even, 1e-6);
  compare("even load in z", deck_number(&run, "all", "sensors.z.final"), -4 * even, 1e-6);
  compare("turned by 30 degrees, y", deck_number(&run, "turned", "sensors.y.final"),
          (10 * cos(M_PI / 6) + 4 * sin(M_PI / 6)) * even, 1e-6);
  compare("turned by 30 degrees, z", deck_number(&run, "turned", "sensors.z.final"),
          (10 * sin(M_PI / 6) - 4 * cos(M_PI / 6)) * even, 1e-6);
  compare("half the tube", deck_number(&run, "half", "sensors.y.final"), 5 * even, 1e-6);
  bounded("without the mean", deck_number(&run, "none", "sensors.y.final"), 1e-12);
  deck_close(&run);
}

/* Power that one mode loses: 2 zeta omega times its modal mass times the mean square of its velocity, m L/2 at the middle
 * (Yetisir, McKerrow and Pettigrew's criterion, 8 pi^3 f^3 m L zeta y^2, before the velocity is put as omega y). */
static void one_mode_loses_what_the_criterion_says(void **unused) {
  (void)unused;
  const char *const settings[] = {"f_max=60", "seconds=12", NULL};
  deck_run run;
  deck_open(&run, HERE "turbulence.xml", settings);
  double square = 0, omega = M_PI * M_PI / (L * L) * sqrt(EI / m);
  for (int direction = 0; direction < 2; direction++) {
    size_t rows;
    const double *v = deck_column(&run, "run", "history", sensors[1][direction], &rows);
    for (size_t i = 0; i < rows; i++) square += v[i] * v[i] / (double)rows;
  }
  compare("power lost", deck_number(&run, "run", "energy.structural_damping") / 12,
          2 * zeta * omega * m * L / 2 * square, 0.01);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tabulated_answers),
      cmocka_unit_test(measured_forces_bend_the_tube),
      cmocka_unit_test(one_mode_loses_what_the_criterion_says),
      cmocka_unit_test(spectra_follow_the_joint_acceptance),
      cmocka_unit_test(one_force_everywhere),
      cmocka_unit_test(short_correlation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
