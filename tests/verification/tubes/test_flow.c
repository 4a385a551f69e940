/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tubes in a flow: where they lose their stability, how they grow, what the fluid gives. */
#include "verification/deck_run.h"

#include <complex.h>

#define HERE FW_SOURCE_DIR "/tests/verification/tubes/"

/* Tube A of 1.2 m: mass per length, stiffness per length of mode 1 of the plane with E I, damping per length. */
static const double m = 0.641266205, EI = 296.2007808, L = 1.2, alpha = 2.94605718;
static double stiffness(double times) { return times * EI * pow(M_PI / L, 4); }

static double critical(deck_run *run, const char *deck, const char *const *settings, double *frequency) {
  deck_open(run, deck, settings);
  *frequency = deck_number(run, "modes", "critical[0].frequency");
  return deck_number(run, "modes", "critical[0].flow");
}

static void flow_takes_the_damping(void **unused) {
  static const struct {
    const char *what, *settings[5];
    double flow, frequency;
    int growing;
  } cases[] = {
      {"negative damping", {"b=1.5"}, 1.259471272, 23.443978, 2},
      {"on half the span", {"b=3", "end=0.6"}, 2.518933 / 2, 23.44398, 2},
      {"circulatory stiffness", {"b=0", "kappa=0.8"}, 0.589794009, 23.443978, 1},
      {"on half the span", {"b=0", "kappa=0.8", "end=0.6"}, 0.834097, 23.44415, 1},
      {"half the span ends within an element", {"b=0", "kappa=0.8", "end=0.6", "parts=25"}, 0.834097, 23.44415, 1},
      {"half the span, the rest of the tube reduced",
       {"b=0", "kappa=0.8", "end=0.6", "reduced=20"},
       0.834097,
       23.44415,
       1}};
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    deck_run run;
    double frequency, flow = critical(&run, HERE "flow.xml", cases[i].settings, &frequency);
    compare(cases[i].what, flow, cases[i].flow, 1e-6);
    compare("  frequency (Hz)", frequency, cases[i].frequency, 1e-5);
    compare("  modes that grow beyond", deck_number(&run, "modes", "critical[0].growing"), cases[i].growing, 0);
    deck_close(&run);
  }
}

/* m (1 + ...) l^2 + c l + k_1, k_2 with k_12 = -k_21 = kappa: the root that grows fastest. */
static double complex flutter(double mass, double c, double k1, double k2, double kappa) {
  double complex half = csqrt((k1 - k2) * (k1 - k2) / 4 - kappa * kappa), best = -INFINITY;
  for (int sign = -1; sign <= 1; sign += 2) {
    double complex square = ((k1 + k2) / 2 + sign * half) / mass;
    double complex l = -c / (2 * mass) + csqrt(c * c / (4 * mass * mass) - square);
    if (creal(l) > creal(best)) best = l;
  }
  return creal(best) + I * fabs(cimag(best));
}

static double complex fastest(const deck_run *run) {
  double complex best = -INFINITY;
  for (int i = 0; i < 2; i++) {
    double growth = deck_mode(run, "modes", i, "growth");
    if (growth > creal(best)) best = growth + I * 2 * M_PI * deck_mode(run, "modes", i, "frequency");
  }
  return best;
}

static double range_within(const double *t, const double *x, size_t rows, double from, double to) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < rows; i++) {
    if (t[i] < from || t[i] > to) continue;
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  return high - low;
}

/* Detuning stabilises: (kappa rho V^2)^2 = ((k_1 - k_2)/2)^2 + omega^2 c^2. */
static void detuned_planes_flutter_later(void **unused) {
  (void)unused;
  deck_run run;
  double frequency, flow = critical(&run, HERE "flow-detuned.xml", NULL, &frequency);
  compare("critical flow of two unequal planes", flow, 0.969462628, 1e-6);
  compare("  frequency (Hz)", frequency, 24.022929, 1e-6);
  double complex exact = flutter(m, alpha * m, stiffness(1), stiffness(1.1), 800 * 1.2 * 1.2), found = fastest(&run);
  compare("growth beyond (1/s)", creal(found), creal(exact), 1e-5);
  compare("frequency beyond (rad/s)", cimag(found), cimag(exact), 1e-6);
  /* in time: from where the push has become that mode */
  size_t rows;
  const double *t = deck_column(&run, "alpha", "history", "time", &rows),
               *y = deck_column(&run, "alpha", "history", "y", &rows);
  double period = 2 * M_PI / cimag(exact), at = 1.7 - 20 * period;
  double first = range_within(t, y, rows, at, at + period),
         last = range_within(t, y, rows, at + 20 * period, at + 21 * period);
  compare("growth in time (1/s)", log(last / first) / (20 * period), creal(exact), 5e-3);
  bounded("energy left over, alpha", deck_number(&run, "alpha", "energy.residual"), 1e-10);
  bounded("energy left over, ida", deck_number(&run, "ida", "energy.residual"), 2e-4);
  assert_true(deck_number(&run, "alpha", "energy.fluid_elastic") > 0);
  deck_close(&run);
}

/* The fluid moves with the tube; structural damping is that of the structure alone. */
static void fluid_has_mass(void **unused) {
  static const char *const settings[] = {"added=0.3", NULL};
  (void)unused;
  deck_run run;
  deck_open(&run, HERE "flow-detuned.xml", settings);
  double complex exact = flutter(m + 0.3, alpha * m, stiffness(1), stiffness(1.1), 800 * 1.2 * 1.2),
                 found = fastest(&run);
  compare("growth with added mass (1/s)", creal(found), creal(exact), 1e-5);
  compare("frequency with added mass (rad/s)", cimag(found), cimag(exact), 1e-6);
  deck_close(&run);
}

/* Damping by the flow and by the structure, both as the mass is spread: their energies are as their coefficients. */
static void fluid_has_a_line_of_its_own(void **unused) {
  static const char *const settings[] = {"V=0.1", "b=50", NULL};
  (void)unused;
  deck_run run;
  deck_open(&run, HERE "flow-detuned.xml", settings);
  double fluid = deck_number(&run, "alpha", "energy.fluid_elastic"),
         structure = deck_number(&run, "alpha", "energy.structural_damping");
  /* the circulatory part of V = 0.1, 8 N/m^2, does next to nothing in planes that are not in tune */
  compare("work of the fluid over that of damping", fluid / structure, 5 / (alpha * m), 2e-2);
  bounded("energy left over", deck_number(&run, "alpha", "energy.residual"), 1e-10);
  deck_close(&run);
}

/* ---- a delay ----------------------------------------------------------------------------------- */

typedef struct delayed {
  double mu, drag, lift, mode; /* lift: d C_L/dy (1/m); mode: stiffness over that of mode 1 */
} delayed;

/* Mode 1 with the matrices of the quasi-steady flow at its own frequency, m l^2 + (c + C_f) l + k + K_f = 0 with
 * omega = Im l. */
static double complex root_at(const delayed *d, double V) {
  const double rho = 1000, D = 15.875e-3, tau = d->mu * D / V, q = rho * V * V * D / 2;
  double omega = sqrt(d->mode * stiffness(1) / m);
  double complex l = 0;
  for (int i = 0; i < 200; i++) {
    double c = alpha * m + rho * V * D / 2 * d->drag + q * d->lift * sin(omega * tau) / omega;
    double k = d->mode * stiffness(1) - q * d->lift * cos(omega * tau);
    l = -c / (2 * m) + csqrt(c * c / (4 * m * m) - k / m);
    omega = fabs(cimag(l));
  }
  return creal(l) + I * omega;
}

/* The flow at which its growth passes zero between two. */
static double critical_of(const delayed *d, double low, double high) {
  double before = creal(root_at(d, low));
  for (int i = 0; i < 100; i++) {
    double half = (low + high) / 2;
    if (creal(root_at(d, half)) * before > 0)
      low = half;
    else
      high = half;
  }
  return low;
}

/* Matrices that belong to the frequency of the motion: each mode has those of its own, wherever the deck begins. */
static void delayed_forces_belong_to_a_frequency(void **unused) {
  static const struct {
    const char *what, *settings[5];
    delayed flow;
  } cases[] = {{"short delay", {"mu=0.1", "CD=0", "CLy=-60"}, {0.1, 0, -60, 1}},
               {"begun elsewhere", {"mu=0.1", "CD=0", "CLy=-60", "at=90"}, {0.1, 0, -60, 1}},
               {"long delay", {"mu=1"}, {1, 0.1, -60, 1}},
               {"reduced tube", {"mu=1", "reduced=20"}, {1, 0.1, -60, 1}}};
  const double rho = 1000, D = 15.875e-3;
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    deck_run run;
    const delayed *d = &cases[i].flow;
    assert_int_equal(deck_try_only(&run, HERE "flow-delay.xml", cases[i].settings, "modes"), FW_OK);
    double flow = deck_number(&run, "modes", "critical[0].flow"),
           frequency = deck_number(&run, "modes", "critical[0].frequency");
    double exact = critical_of(d, 0.6 * flow, 1.4 * flow), omega = cimag(root_at(d, exact));
    double quick = 2 * alpha * m / (rho * D * (-d->drag - d->mu * D * d->lift)), turn = omega * d->mu * D / exact;
    compare(cases[i].what, flow, exact, 2e-6);
    compare("  frequency (Hz)", frequency, omega / (2 * M_PI), 2e-6);
    if (d->drag == 0) /* V_c/(f D) = 4 (m delta/rho D^2)/(-C_D - mu D C_L,y) (1 + (omega tau)^2/6 ...) */
      compare("  formula of small omega tau, its first correction", flow / quick - 1, turn * turn / 6, 1e-2);
    deck_close(&run);
  }
}

/* In time they are frozen: at the frequency of the mode the growth is the mode's, and the run tells both frequencies. */
static void frozen_at_the_frequency_of_the_mode(void **unused) {
  const delayed d = {1, 0.1, -60, 1};
  const double V = 1.1;
  double complex exact = root_at(&d, V);
  char flow[40], at[60];
  const char *settings[] = {flow, at, NULL};
  deck_run run;
  size_t rows;
  (void)unused;
  snprintf(flow, sizeof flow, "V=%.15g", V);
  snprintf(at, sizeof at, "at=%.15g", cimag(exact) / (2 * M_PI));
  deck_open(&run, HERE "flow-delay.xml", settings);
  const double *t = deck_column(&run, "time", "history", "time", &rows),
               *y = deck_column(&run, "time", "history", "y", &rows);
  double complex found = fastest(&run);
  double period = 2 * M_PI / cimag(exact), first = range_within(t, y, rows, 1, 1 + period),
         last = range_within(t, y, rows, 1 + 20 * period, 1 + 21 * period);
  compare("growth of the mode (1/s)", creal(found), creal(exact), 1e-5);
  compare("frequency of the mode (rad/s)", cimag(found), cimag(exact), 1e-6);
  compare("growth in time (1/s)", log(last / first) / (20 * period), creal(exact), 5e-3);
  compare("frequency of the matrices (Hz)", deck_number(&run, "time", "fluid_elastic.cross-flow.frequency"),
          cimag(exact) / (2 * M_PI), 1e-12);
  /* of 1.5 s at most a quarter of a period is too much or too little, in displacement and velocity */
  compare("frequency seen (Hz)", deck_number(&run, "time", "fluid_elastic.cross-flow.frequency_seen"),
          cimag(exact) / (2 * M_PI), period / (4 * M_PI * 1.5));
  deck_close(&run);
}

/* Two tubes that push each other are as one in two directions; a common fluid mass acts both ways. */
static void two_tubes_flutter_together(void **unused) {
  static const char *const still[] = {"V=0", "fluid=0.1", NULL};
  double k1 = stiffness(1), k2 = stiffness(1.1), omega2 = (k1 + k2) / (2 * m), c = alpha * m, frequency;
  (void)unused;
  deck_run run;
  double flow = critical(&run, HERE "flow-two.xml", NULL, &frequency);
  compare("critical flow of two tubes", flow, sqrt(sqrt((k1 - k2) * (k1 - k2) / 4 + omega2 * c * c) / 800), 1e-5);
  compare("  frequency (Hz)", frequency, sqrt(omega2) / (2 * M_PI), 1e-5);
  deck_close(&run);
  /* (k_1 - m x)(k_2 - m x) = (0.1 x)^2 without damping; alpha m of it is small beside */
  deck_open(&run, HERE "flow-two.xml", still);
  double a = m * m - 0.01, b = m * (k1 + k2), low = (b - sqrt(b * b - 4 * a * k1 * k2)) / (2 * a);
  compare("lower frequency with a common mass (Hz)", deck_number(&run, "modes", "modes[0].frequency"),
          sqrt(low) / (2 * M_PI), 2e-4);
  deck_close(&run);
}

/* Half swings: |x'| = E (|x| - x_f) - x_f, E = exp(pi |zeta|/sqrt(1 - zeta^2)), x_f = mu N/k. */
static double swung(double x, int halves) {
  const double k = 7900, mass = 0.2, zeta = 1.6 / (2 * sqrt(k * mass)), E = exp(M_PI * zeta / sqrt(1 - zeta * zeta));
  for (int i = 0; i < halves; i++) x = fmax(E * (x - 2 / k) - 2 / k, 0);
  return x;
}

static void friction_holds_small_swings_only(void **unused) {
  static const char *const analyses[] = {"ida", "alpha"};
  const double zeta = 1.6 / (2 * sqrt(7900 * 0.2)),
               threshold = 2.0 / 7900 / tanh(M_PI * zeta / (2 * sqrt(1 - zeta * zeta)));
  (void)unused;
  compare("threshold amplitude (m)", threshold, 8.00900045e-3, 1e-8);
  compare("40 half swings from 1 % above (m)", swung(1.01 * threshold, 40), 9.01405e-3, 1e-6);
  for (int side = -1; side <= 1; side += 2) {
    char start[40];
    const char *settings[] = {start, NULL};
    double begin = (1 + 0.01 * side) * threshold, half = M_PI / sqrt(7900 / 0.2 * (1 - zeta * zeta));
    deck_run run;
    snprintf(start, sizeof start, "a=%.15g", begin);
    deck_open(&run, HERE "negative-damping.xml", settings);
    for (int k = 0; k < 2; k++) {
      size_t rows;
      const double *t = deck_column(&run, analyses[k], "history", "time", &rows),
                   *x = deck_column(&run, analyses[k], "history", "x", &rows);
      double most = 0;
      for (size_t i = 0; i < rows; i++)
        if (fabs(t[i] - 40 * half) < 0.4 * half) most = fmax(most, fabs(x[i]));
      compare(side > 0 ? "amplitude after 40 half swings, above (m)" : "amplitude after 40 half swings, below (m)",
              most, swung(begin, 40), 2e-4);
      assert_true(side > 0 ? most > begin : most < begin);
    }
    deck_close(&run);
  }
}

/* First harmonic and frequency of the last 20 periods of a motion about zero. */
static void last_periods(const double *t, const double *x, size_t rows, double *amplitude, double *frequency) {
  enum { PERIODS = 20 };
  double zero[PERIODS + 1] = {0}, c = 0, s = 0;
  int found = 0;
  size_t samples = 0;
  for (size_t i = rows - 1; i > 0 && found <= PERIODS; i--)
    if (x[i - 1] < 0 && x[i] >= 0) zero[found++] = t[i] - (t[i] - t[i - 1]) * x[i] / (x[i] - x[i - 1]);
  assert_int_equal(found, PERIODS + 1);
  *frequency = PERIODS / (zero[0] - zero[PERIODS]);
  for (size_t i = 0; i < rows; i++) {
    if (t[i] < zero[PERIODS] || t[i] >= zero[0]) continue;
    double angle = 2 * M_PI * *frequency * (t[i] - zero[0]);
    c += x[i] * cos(angle);
    s += x[i] * sin(angle);
    samples++;
  }
  *amplitude = 2 * hypot(c, s) / (double)samples;
}

/* Loose bars end the growth: the limit cycle in time, and where the damping of the free motion passes zero. */
static void loose_supports_allow_a_limit_cycle(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  double amplitude, frequency;
  deck_open(&run, HERE "flow-loose.xml", NULL);
  const double *t = deck_column(&run, "cycle", "history", "time", &rows),
               *y = deck_column(&run, "cycle", "history", "y", &rows);
  last_periods(t, y, rows, &amplitude, &frequency);
  assert_true(deck_number(&run, "modes", "unstable_modes") == 1);
  compare("limit cycle, harmonics against time (m)", deck_number(&run, "mode", "limit_cycles[0].amplitude"), amplitude,
          3e-4);
  compare("  frequency (Hz)", deck_number(&run, "mode", "limit_cycles[0].frequency"), frequency, 2e-4);
  assert_true(deck_number(&run, "mode", "limit_cycles[0].stable") == 1);
  /* what the fluid gives is what damping and contact take */
  bounded("energy left over", deck_number(&run, "cycle", "energy.residual"), 1e-9);
  double fluid = deck_number(&run, "cycle", "energy_criterion.fluid_power"),
         input = deck_number(&run, "cycle", "energy_criterion.input_power"),
         stored = deck_number(&run, "cycle", "energy.stored") / t[rows - 1];
  assert_true(fluid > 0);
  compare("power of damping and supports against that of loads and fluid (W)",
          deck_number(&run, "cycle", "energy_criterion.damping_power") +
              deck_number(&run, "cycle", "energy_criterion.support_power"),
          input + fluid - stored, 1e-4);
  deck_close(&run);
}

/* The same where the flow turns motion from one plane into the other: K is not symmetric, the motion an ellipse. */
static void flutter_ends_between_loose_supports(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  double amplitude, frequency;
  deck_open(&run, HERE "flow-flutter.xml", NULL);
  const double *t = deck_column(&run, "cycle", "history", "time", &rows),
               *y = deck_column(&run, "cycle", "history", "y", &rows);
  last_periods(t, y, rows, &amplitude, &frequency);
  assert_true(deck_number(&run, "modes", "unstable_modes") == 1);
  /* small free motions: the damping ratio of the complex mode; damping is counted by EPMC, -growth/omega_0 */
  const double *damping = deck_column(&run, "mode", "nnm", "damping", &rows);
  compare(
      "damping of small motions, against the complex mode", damping[0],
      -deck_number(&run, "modes", "modes[0].growth") / (2 * M_PI * deck_number(&run, "modes", "modes[0].frequency")),
      1e-3);
  compare("limit cycle of flutter, harmonics against time (m)", deck_number(&run, "mode", "limit_cycles[0].amplitude"),
          amplitude, 3e-4);
  compare("  frequency (Hz)", deck_number(&run, "mode", "limit_cycles[0].frequency"), frequency, 1e-4);
  assert_true(deck_number(&run, "mode", "limit_cycles[0].stable") == 1);
  bounded("power left over in the free motion", deck_number(&run, "mode", "energy.residual"), 1e-6);
  bounded("energy left over in time", deck_number(&run, "cycle", "energy.residual"), 1e-9);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(flow_takes_the_damping),
                                     cmocka_unit_test(detuned_planes_flutter_later),
                                     cmocka_unit_test(fluid_has_mass),
                                     cmocka_unit_test(fluid_has_a_line_of_its_own),
                                     cmocka_unit_test(delayed_forces_belong_to_a_frequency),
                                     cmocka_unit_test(frozen_at_the_frequency_of_the_mode),
                                     cmocka_unit_test(two_tubes_flutter_together),
                                     cmocka_unit_test(friction_holds_small_swings_only),
                                     cmocka_unit_test(loose_supports_allow_a_limit_cycle),
                                     cmocka_unit_test(flutter_ends_between_loose_supports)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
