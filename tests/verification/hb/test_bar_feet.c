/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An elastic bar on many feet, pulled to and fro at one end: slip spreads from foot to foot, each of which sticks with a
 * stiffness that makes rigid stick of it. Per cycle 2 F^3/(3 EA tau) is lost, tau the friction per length (Goodman and
 * Klumpp, 1956), as long as slip does not reach the other end. */
#include <stdlib.h>
#include <unistd.h>

#include "verification/deck_run.h"

static const double EA = 1e5, WEIGHT = 200, MU = 0.5, FORCE = 60; /* N, N/m, -, N; the bar is 1 m long */

static void write_bar(FILE *out, int spans, int harmonics, int samples) {
  fprintf(out,
          "<fretwork version='1'><materials><elastic id='soft' E='%g' nu='0.3' rho='1'/></materials>"
          "<sections><rectangle id='square' width='0.01' height='0.01'/></sections>"
          "<bodies><beam id='bar' material='soft' section='square' from='0, 0' to='1, 0' divisions='%d'>",
          EA / 1e-4, spans);
  for (int i = 0; i <= spans; i++) fprintf(out, "<point id='n%d' s='%d/%d'/>", i, i, spans);
  fprintf(out,
          "</beam></bodies><damping><rayleigh beta='2e-5'/></damping>"
          "<contact><surface id='floor'><line from='-1, 0' to='2, 0'/></surface><pair id='sole' target='floor'>");
  for (int i = 0; i <= spans; i++) fprintf(out, "<point at='bar.n%d'/>", i);
  fprintf(out,
          "<normal law='hard' enforcement='lagrange'/>"
          "<friction law='coulomb' mu='%g' enforcement='penalty' u-crit='1e-7'/></pair></contact><loads>",
          MU);
  for (int i = 0; i <= spans; i++)
    fprintf(out, "<force id='w%d' at='bar.n%d' fy='%g'/>", i, i, -WEIGHT / spans / (i % spans ? 1 : 2));
  fprintf(out,
          "<harmonic id='shake' at='bar.n%d' fx='%g' phase='-90'/></loads>"
          "<sensors><sensor id='u' at='bar.n%d' direction='x'/></sensors><analyses><static id='seated' loads='",
          spans, FORCE, spans);
  for (int i = 0; i <= spans; i++) fprintf(out, "w%d ", i);
  fprintf(out,
          "'/><frf id='hb' start='seated' loads='shake' response='u' f-min='1' f-max='1.01' points='2' harmonics='%d' "
          "samples='%d'/></analyses></fretwork>\n",
          harmonics, samples);
}

static double loss_beside_theory(int spans, int harmonics, int samples) {
  char path[] = "/tmp/fretwork-bar-XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *out = fdopen(descriptor, "w");
  assert_non_null(out);
  write_bar(out, spans, harmonics, samples);
  assert_int_equal(fclose(out), 0);
  deck_run run;
  size_t rows;
  deck_open(&run, path, NULL);
  const double *frequency = deck_column(&run, "hb", "frf-1", "frequency", &rows);
  const double *power = deck_column(&run, "hb", "frf-1", "sole.dissipated_power", &rows);
  const double *amplitude = deck_column(&run, "hb", "frf-1", "u.amplitude", &rows);
  assert_true(rows >= 2 && fabs(frequency[rows - 1] - 1.01) < 1e-9);
  double loss = power[0] / frequency[0], theory = 2 * FORCE * FORCE * FORCE / (3 * EA * MU * WEIGHT);
  double tip = FORCE * FORCE / (2 * EA * MU * WEIGHT); /* in phase with the force; the loss is the rest of it */
  double first = hypot(tip, theory / (M_PI * FORCE));
  printf("%d feet, %d harmonics: loss %.6g J, theory %.6g J (%+.2e), amplitude %.6g m, theory %.6g m (%+.2e)\n",
         spans + 1, harmonics, loss, theory, loss / theory - 1, amplitude[0], first, amplitude[0] / first - 1);
  assert_true(fabs(amplitude[0] / first - 1) < 2e-3);
  deck_close(&run);
  unlink(path);
  return fabs(loss / theory - 1);
}

static void loses_what_theory_says(void **unused) {
  (void)unused;
  assert_true(loss_beside_theory(20, 21, 256) < 0.01);
  assert_true(loss_beside_theory(30, 15, 192) < 0.01);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loses_what_theory_says)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
