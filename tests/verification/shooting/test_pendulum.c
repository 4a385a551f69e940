/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pendulum, which only its weight holds, by shooting: its period over the amplitude against elliptic integrals; and what
 * is said where it does not move. With k = sin(largest angle/2) and the nome q = exp(-pi K(k')/K(k)) the period is
 * 4 K(k) sqrt(l/g) and the first harmonic of the angle 8 sqrt(q)/(1 + q). */
#include "../deck_run.h"

#define DATA FW_SOURCE_DIR "/tests/verification/shooting/"

/* The complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
static double K(double k) {
  double a = 1, b = sqrt(1 - k * k);
  for (int i = 0; i < 8; i++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return M_PI_2 / a;
}

static double first_harmonic(double k) {
  double q = exp(-M_PI * K(sqrt(1 - k * k)) / K(k));
  return 8 * sqrt(q) / (1 + q);
}

static double exact_frequency(double amplitude) {
  double low = 1e-6, high = 1 - 1e-6;
  for (int i = 0; i < 60; i++) {
    double k = (low + high) / 2;
    *(first_harmonic(k) < amplitude ? &low : &high) = k;
  }
  return sqrt(9.81) / (4 * K((low + high) / 2));
}

static double worst(const char *steps) {
  deck_run run;
  const char *settings[] = {steps, NULL};
  size_t rows;
  double most = 0;
  if (deck_try_only(&run, DATA "pendulum.xml", settings, "swings") != FW_OK)
    fail_msg("%s", fw_context_message(run.ctx));
  const double *amplitude = deck_column(&run, "swings", "nnm", "amplitude", &rows);
  const double *frequency = deck_column(&run, "swings", "nnm", "frequency", &rows);
  compare("amplitude at the end (rad)", amplitude[rows - 1], 1, 1e-12);
  for (size_t i = 0; i < rows; i++) most = fmax(most, fabs(frequency[i] / exact_frequency(amplitude[i]) - 1));
  printf("    %s: %zu motions, off by at most %.1e\n", steps, rows, most);
  deck_close(&run);
  return most;
}

static void it_swings_as_elliptic_integrals_say(void **state) {
  (void)state;
  double coarse = worst("steps=400"), fine = worst("steps=800");
  bounded("frequency, 800 steps", fine, 2e-5);
  compare("order", log2(coarse / fine), 2, 0.1);
}

/* Newton's method of statics meets a structure that nothing holds yet: what it said is not said of a later failure. */
static void only_the_cause_is_told(void **state) {
  (void)state;
  deck_run run;
  assert_int_equal(deck_try_only(&run, DATA "pendulum.xml", NULL, "rests"), FW_ERR_ANALYSIS);
  const char *told = fw_context_message(run.ctx);
  assert_non_null(strstr(told, "no limit cycle is found: the motion dies out"));
  assert_null(strstr(told, "mechanism"));
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_swings_as_elliptic_integrals_say),
                                     cmocka_unit_test(only_the_cause_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
