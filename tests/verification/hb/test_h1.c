/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency response from measured signals: a linear oscillator under a chirp and under random forces against its exact
 * response; the rig, stuck, against harmonic balance, and at a level where it slips. */
#include "verification/deck_run.h"

#include <complex.h>
#include <math.h>

static const double m = 2, k = 32000, c = 25.3, F = 3;

static double complex exact(double f, int rate) {
  double w = 2 * M_PI * f;
  return F * cpow(I * w, rate) / (k - w * w * m + I * w * c);
}

/* Largest difference of a sensor's response to the exact one relative to its peak, and the least coherence. */
static double worst(const deck_run *run, const char *id, const char *table, const char *sensor, int rate,
                    double *coherence) {
  const fw_data_table *t = deck_table(run, id, table);
  const char *const kinds[] = {"gain", "phase", "coherence"};
  int at[3], f = fw_data_table_column(t, "frequency");
  for (int i = 0; i < 3; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s.%s", sensor, kinds[i]);
    assert_true((at[i] = fw_data_table_column(t, name)) >= 0);
  }
  double off = 0, most = 0;
  *coherence = 1;
  for (size_t r = 0; r < t->rows; r++) {
    double complex H = exact(t->values[f][r], rate);
    double complex found = t->values[at[0]][r] * cexp(I * t->values[at[1]][r] * M_PI / 180);
    off = fmax(off, cabs(found - H));
    most = fmax(most, cabs(H));
    *coherence = fmin(*coherence, t->values[at[2]][r]);
  }
  printf("%-8s %-8s %-2s %4zu frequencies: largest error %.2e of the peak, least coherence %.6f\n", id, table, sensor,
         t->rows, off / most, *coherence);
  return off / most;
}

static void oscillator(void **unused) {
  (void)unused;
  const char *deck = FW_SOURCE_DIR "/tests/verification/hb/h1.xml";
  static const char *const finer[] = {"steps=400", "records=1", NULL};
  deck_run run, fine;
  double coherence, first = 0;
  deck_open(&run, deck, NULL);
  deck_open(&fine, deck, finer);
  for (int level = 1; level <= 2; level++) {
    char table[16];
    snprintf(table, sizeof table, "frf-%d", level);
    first = worst(&run, "swept", table, "x", 0, &coherence);
    assert_true(first < 1e-3 && coherence > 1 - 1e-9);
    assert_true(worst(&run, "swept", table, "a", 2, &coherence) < 1e-3);
  }
  double second = worst(&fine, "swept", "frf-2", "x", 0, &coherence);
  printf("half the step: error %.2f times less\n", first / second);
  assert_true(first / second > 3.5); /* the integrator is of second order, and that is all there is */
  assert_true(worst(&run, "shaken", "frf-1", "a", 2, &coherence) < 0.03);
  assert_true(coherence > 0.99);
  double f = sqrt(k / m) / (2 * M_PI), zeta = c / (2 * sqrt(k * m));
  double resonance = deck_number(&run, "shaken", "levels[0].resonance.frequency");
  double damping = deck_number(&run, "shaken", "levels[0].peak.damping");
  printf("random: resonance %.5f Hz, exact %.5f Hz; damping %.5f, exact %.5f\n", resonance, f, damping, zeta);
  assert_true(fabs(resonance / f - 1) < 1e-3 && fabs(damping / zeta - 1) < 0.05);
  deck_close(&run);
  deck_close(&fine);
}

/* The rig: where it sticks, both methods have the same response; where it slips, resonance falls and coherence with it.
 */
static void rig(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/rig-h1.xml", NULL);
  const fw_data_table *t = deck_table(&run, "swept", "frf-0.001"), *b = deck_table(&run, "balance", "frf-0.001");
  int gain = fw_data_table_column(t, "drive.gain"), amplitude = fw_data_table_column(b, "drive.amplitude");
  double off = 0, most = 0;
  int compared = 0;
  for (size_t r = 0; r < t->rows; r++)
    for (size_t q = 0; q < b->rows; q++) {
      if (fabs(t->values[0][r] - b->values[0][q]) > 1e-9) continue;
      double H = b->values[amplitude][q] / 0.001;
      off = fmax(off, fabs(t->values[gain][r] - H));
      most = fmax(most, H);
      compared++;
    }
  printf("rig, stuck: %d frequencies, largest difference to harmonic balance %.2e of the peak\n", compared, off / most);
  assert_true(compared >= 60 && off / most < 0.01);
  double stuck = deck_number(&run, "balance", "levels[0].resonance.frequency"), last = stuck;
  for (int level = 0; level < 2; level++) {
    char path[64];
    snprintf(path, sizeof path, "levels[%d].peak.frequency", level);
    double f = deck_number(&run, "shaken", path);
    snprintf(path, sizeof path, "levels[%d].peak.coherence", level);
    double coherence = deck_number(&run, "shaken", path);
    snprintf(path, sizeof path, "levels[%d].contact.foot.work_rate", level);
    printf("rig, random, level %d: peak %.3f Hz, coherence there %.3f, work rate %.4f W\n", level, f, coherence,
           deck_number(&run, "shaken", path));
    assert_true(f < last && f > 44 && coherence > 0.3 && coherence < 1);
    last = f;
  }
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(oscillator), cmocka_unit_test(rig)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
