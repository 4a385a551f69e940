/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction laws against closed forms: loops, loading curves, steady sliding, memory, drift, creep. */
#include "friction_bench.h"

static void spring_slider(void **unused) {
  (void)unused;
  book("coulomb with elastic stick: k = 1e7 N/m, Fc = 41.5 N, u = A cos, A = 3 Fc/k");
  bench b = bench_open("coulomb", "mu=0.5 u-crit=4.15e-6");
  const double k = 1e7, Fc = 41.5, A = 3.0 * Fc / k, theta = acos(1.0 - 2.0 * Fc / (k * A));
  enum { STEPS = 20000 };
  double z[2], c = 0.0, s = 0.0, work = 0.0, before = 0.0;
  fw_friction_reset(&b.law, z);
  bench_slip(&b, A, 83.0, z);
  for (int i = 1; i <= 2 * STEPS; i++) {
    double tau = 2.0 * M_PI * i / STEPS, du = A * (cos(tau) - cos(tau - 2.0 * M_PI / STEPS)),
           T = bench_slip(&b, du, 83.0, z);
    if (i > STEPS) {
      c += T * cos(tau) * 2.0 / STEPS;
      s += T * sin(tau) * 2.0 / STEPS;
      work += 0.5 * (T + before) * du;
    }
    before = T;
  }
  compare("F1c (N)", c, k * A / M_PI * (theta - 0.5 * sin(2.0 * theta)), 1e-5);
  compare("F1s (N), T ~ F1c cos - F1s sin", -s, 4.0 * Fc / M_PI * (1.0 - Fc / (k * A)), 1e-5);
  compare("energy per cycle (J)", work, 4.0 * Fc * (A - Fc / k), 1e-5);
  bench_close(&b);
}

static void dahl_curves(void **unused) {
  (void)unused;
  book("dahl: loading from zero, r = T/Fc at x = 0.7 xc in seven steps");
  static const double exponents[] = {0.0, 0.5, 1.0, 1.5, 2.0};
  const double Fc = 41.5, sigma = 1.003e7, xc = Fc / sigma;
  for (int i = 0; i < 5; i++) {
    char settings[100], what[60];
    snprintf(settings, sizeof settings, "mu-c=0.5 sigma-0=1.003e7 exponent=%g", exponents[i]);
    bench b = bench_open("dahl", settings);
    double z = 0.0, T = 0.0, e = exponents[i];
    for (int n = 0; n < 7; n++) T = bench_slip(&b, 0.1 * xc, 83.0, &z);
    double exact = e == 1.0 ? 1.0 - exp(-0.7) : 1.0 - pow(fmax(1.0 - (1.0 - e) * 0.7, 0.0), 1.0 / (1.0 - e));
    snprintf(what, sizeof what, "i = %g", e);
    compare(what, T / Fc, exact, 1e-13);
    bench_close(&b);
  }
}

/* From a force F0 on: F = Fc - (Fc - F0) exp(-sigma0 x/Fc), either way. */
static void dahl_from_a_force(void **unused) {
  (void)unused;
  book("dahl, i = 1: from F0 = -Fc/2 over x = 1.3 xc");
  bench b = bench_open("dahl", "mu-c=0.5 sigma-0=1.003e7");
  const double Fc = 41.5, xc = Fc / 1.003e7;
  for (int way = 1; way >= -1; way -= 2) {
    double z = -0.5 * way * xc, T = bench_slip(&b, 0.0, 83.0, &z);
    compare("F0 (N)", T, -0.5 * way * Fc, 1e-13);
    for (int n = 0; n < 13; n++) T = bench_slip(&b, way * 0.1 * xc, 83.0, &z);
    compare("F (N)", T, way * (Fc - 1.5 * Fc * exp(-1.3)), 1e-13);
  }
  bench_close(&b);
}

/* Energy per half cycle over 2 Fc xc at a half amplitude of `reach` times xc. */
static double dahl_half_cycle(const char *exponent, double reach, double frequency) {
  char settings[100];
  snprintf(settings, sizeof settings, "mu-c=0.5 sigma-0=1.003e7 exponent=%s", exponent);
  bench b = bench_open("dahl", settings);
  const double Fc = 41.5, xc = Fc / 1.003e7;
  fw_drive drive = fw_drive_default();
  drive.amplitude = reach * xc;
  drive.frequency = frequency;
  drive.cycles = reach < 1.0 ? 60 : 6;
  drive.steps = 8000;
  double work = bench_loop(&b, &drive).work;
  bench_close(&b);
  return 0.5 * work / (2.0 * Fc * xc);
}

static void dahl_energy(void **unused) {
  (void)unused;
  book("dahl: energy per half cycle of the steady loop over 2 Fc xc");
  for (int i = 0; i < 3; i++) {
    const double reaches[] = {0.3, 1.0, 4.0};
    char what[60];
    snprintf(what, sizeof what, "i = 1, amplitude %g xc: u - tanh u", reaches[i]);
    compare(what, dahl_half_cycle("1", reaches[i], 50.0), reaches[i] - tanh(reaches[i]), 1e-5);
  }
  compare("i = 1, the same at 5000 Hz", dahl_half_cycle("1", 1.0, 5000.0), 1.0 - tanh(1.0), 1e-5);
  compare("i = 0, amplitude 0.8 xc: 0", dahl_half_cycle("0", 0.8, 50.0), 0.0, 1e-12);
  compare("i = 0, amplitude 3 xc: u - 1", dahl_half_cycle("0", 3.0, 50.0), 2.0, 1e-5);
  double r = 0.6, u = r / (1.0 - r * r);
  compare("i = 2, r = 0.6: u - ln((1+r)/(1-r))/2", dahl_half_cycle("2", u, 50.0), u - 0.5 * log((1.0 + r) / (1.0 - r)),
          1e-5);
  static const char *const small[] = {"0.5", "1", "1.5", "2"};
  for (int i = 0; i < 4; i++) {
    char what[60];
    snprintf(what, sizeof what, "i = %s, amplitude 0.02 xc: i u^3/3 (leading term)", small[i]);
    compare(what, dahl_half_cycle(small[i], 0.02, 50.0), strtod(small[i], NULL) * 8e-6 / 3.0, 2e-3);
  }
}

static void lugre_facts(void **unused) {
  (void)unused;
  book("lugre: sigma0 1e5, sigma1 sqrt(1e5), sigma2 0.4, Fc 1, Fs 1.5, vs 1e-3, m 1");
  bench b = bench_open("lugre", "mu-c=1 mu-s=1.5 v-s=1e-3 sigma-0=1e5 sigma-1=316.22776601683796 sigma-2=0.4");
  double z = 0.0, zdot, zdot_z, zdot_v, zdot_N, T_z;
  fw_rate_out out = {.zdot = &zdot, .zdot_z = &zdot_z, .zdot_v = &zdot_v, .zdot_N = &zdot_N, .T_z = &T_z};
  fw_friction_rate(&b.law, &(fw_rate_in){0.0, 1.0}, &z, &out);
  double stiffness = (T_z - (out.T_v - 0.4) / zdot_v * zdot_z) * zdot_v; /* d T/d z * d zdot/d v at rest */
  compare("stuck: natural frequency (rad/s)", sqrt(stiffness), sqrt(1e5), 1e-12);
  compare("stuck: damping ratio", out.T_v / (2.0 * sqrt(stiffness)), (sqrt(1e5) + 0.4) / (2.0 * sqrt(1e5)), 1e-12);
  static const double speeds[] = {1e-4, 5e-4, 1e-3, 2e-3, 1e-2, -1e-3};
  double T[6];
  assert_int_equal(fw_tribometer_curve(b.ctx, &b.law, 1.0, speeds, 6, T), FW_OK);
  for (int i = 0; i < 6; i++) {
    char what[60];
    double v = speeds[i], s = 1.0 + 0.5 * exp(-v * v / 1e-6);
    snprintf(what, sizeof what, "steady sliding at %g m/s (N)", v);
    compare(what, T[i], copysign(s, v) + 0.4 * v, 1e-8);
  }
  bench_close(&b);
}

/* Steady sliding both ways: |v| and what is expected at +v and -v. */
static void slides(const char *law, const char *settings, double v, double forward, double backward) {
  bench b = bench_open(law, settings);
  double T[2];
  assert_int_equal(fw_tribometer_curve(b.ctx, &b.law, 10.0, (const double[]){v, -v}, 2, T), FW_OK);
  char what[80];
  snprintf(what, sizeof what, "%s, steady sliding at +%g and -%g m/s (N)", law, v, v);
  compare(what, T[0], forward, 1e-8);
  compare(what, T[1], backward, 1e-8);
  bench_close(&b);
}

/* T over v of relaxed bristles: sigma_1 + sigma_2 of the direction. */
static void damps(const char *law, const char *settings, double forward, double backward) {
  bench b = bench_open(law, settings);
  double z = 0.0, zdot, zdot_z, zdot_v, zdot_N, T_z;
  fw_rate_out out = {.zdot = &zdot, .zdot_z = &zdot_z, .zdot_v = &zdot_v, .zdot_N = &zdot_N, .T_z = &T_z};
  fw_friction_rate(&b.law, &(fw_rate_in){1e-3, 10.0}, &z, &out);
  compare(law, out.T / 1e-3, forward, 1e-12);
  fw_friction_rate(&b.law, &(fw_rate_in){-1e-3, 10.0}, &z, &out);
  compare(law, out.T / -1e-3, backward, 1e-12);
  bench_close(&b);
}

static void numbers_of_a_direction(void **unused) {
  (void)unused;
  book("friction that grows with speed (mu_s 0.2, mu_c 0.5), and numbers of each direction, N = 10 N");
  const double v = 2e-3, s = 10.0 * (0.5 - 0.3 * exp(-4.0));
  slides("lugre", "mu-s=0.2 mu-c=0.5 v-s=1e-3 sigma-2=10 sigma-2-minus=40", v, s + 10 * v, -s - 40 * v);
  slides("lugre-normalised", "mu-s=0.2 mu-c=0.5 v-s=1e-3 sigma-2=1 sigma-2-minus=4", v, s + 10 * v, -s - 40 * v);
  damps("lugre", "sigma-1=300 sigma-2=10 sigma-1-minus=500 sigma-2-minus=40", 310, 540);
  damps("lugre-normalised", "sigma-1=30 sigma-2=1 sigma-1-minus=50 sigma-2-minus=4", 310, 540);
  slides("continuous", "mu=0.2 mu-c=0.5 v-s=1e-3 mu-v=1 v-0=1e-3", v, s + 10 * v, -s - 10 * v);
  slides("continuous", "mu=0.2 mu-c=0.5 v-s=1e-3 mu-v=1 v-0=4e-3", v, 0.5 * s + 10 * v, -0.5 * s - 10 * v);
}

/* Slip per cycle of force in units of the breakaway deflection. */
static double drift_of(const char *name, const char *settings, double mean, double amplitude, double reach) {
  bench b = bench_open(name, settings);
  double drift;
  assert_int_equal(fw_tribometer_drift(b.ctx, &b.law, 1.0, mean, amplitude, 20, 40, &drift), FW_OK);
  bench_close(&b);
  return drift / reach;
}

static void drift(void **unused) {
  (void)unused;
  static const char lugre[] = "mu-c=1 mu-s=1.5 v-s=1e-3 sigma-0=1e5 sigma-1=316.22776601683796 sigma-2=0.4";
  static const char plastic[] =
      "mu-c=1 mu-s=1.5 v-s=1e-3 sigma-0=1e5 sigma-1=316.22776601683796 sigma-2=0.4 breakaway=0.7";
  book("drift per cycle under a bias of 0.4 N and a vibration of 0.2 N, below breakaway (over s(0)/sigma0)");
  double moving = drift_of("lugre", lugre, 0.4, 0.2, 1.5e-5);
  print_message("  %-58s %15.8g %15s\n", "lugre drifts", moving, "> 0");
  assert_true(moving > 1e-3);
  compare("lugre, constant load", drift_of("lugre", lugre, 0.6, 0.0, 1.5e-5), 0.0, 1e-12);
  compare("elasto-plastic, peak |z| < z_ba", drift_of("elasto-plastic", plastic, 0.4, 0.2, 1.5e-5), 0.0, 1e-12);
  compare("maxwell-slip", drift_of("maxwell-slip", "stiffness=1e5,5e4 limit=4e-6,4e-5", 0.4, 0.2, 1.5e-5), 0.0, 1e-9);
}

static void elastic_zone(void **unused) {
  (void)unused;
  book("elasto-plastic: T = sigma0 u exactly while |z| < z_ba = 0.7 mu_c N/sigma0");
  bench b = bench_open("elasto-plastic", "mu-c=1 mu-s=1.5 v-s=1e-3 sigma-0=1e5 sigma-1=316 sigma-2=0.4 breakaway=0.7");
  double z = 0.0, u = 0.0, worst = 0.0;
  for (int k = 1; k <= 4000; k++) {
    double next = 6.9e-6 * sin(0.37 * k) * cos(0.011 * k), T = bench_slip(&b, next - u, 1.0, &z);
    u = next;
    worst = fmax(worst, fabs(T - 1e5 * u));
  }
  compare("largest |T - sigma0 u| (N)", worst, 0.0, 1e-12);
  bench_close(&b);
}

/* T of a first slow loading from zero to x. */
static double virgin(const bench *b, double x) {
  double z[1100];
  fw_friction_reset(&b->law, z);
  double T = 0.0;
  for (int k = 0; k < 100; k++) T = bench_slip(b, x / 100.0, 83.0, z);
  return T;
}

static void masing(const char *name) {
  bench b = bench_open(name, "");
  double z[1100], far = 5e-6, T_far = 0.0, worst = 0.0, T = 0.0, what = 0.0;
  fw_friction_reset(&b.law, z);
  for (int k = 0; k < 100; k++) T_far = bench_slip(&b, far / 100.0, 83.0, z);
  for (int k = 1; k <= 100; k++) { /* the way back is the first loading, twice as large */
    T = bench_slip(&b, -2.0 * far / 100.0, 83.0, z);
    worst = fmax(worst, fabs(T - (T_far - 2.0 * virgin(&b, far * k / 100.0))));
  }
  char line[80];
  snprintf(line, sizeof line, "%s: Masing's rule, largest difference (N)", name);
  compare(line, worst, 0.0, 1e-10);
  /* Wiping out: a small loop inside, then on: as if it had not been. */
  fw_friction_reset(&b.law, z);
  bench_slip(&b, 4e-6, 83.0, z);
  bench_slip(&b, -3e-6, 83.0, z);
  bench_slip(&b, 1e-6, 83.0, z);
  bench_slip(&b, -1e-6, 83.0, z);
  T = bench_slip(&b, 6e-6, 83.0, z);
  what = virgin(&b, 7e-6);
  snprintf(line, sizeof line, "%s: wiping-out, T past the last turn (N)", name);
  compare(line, T, what, 1e-12);
  bench_close(&b);
}

static void memory(void **unused) {
  (void)unused;
  book("memory in slow motion");
  masing("maxwell-slip");
  masing("gms");
  masing("iwan");
}

static void bouc_wen(void **unused) {
  (void)unused;
  book("bouc-wen, n = 1, A = 1.3, beta = gamma = 1e5/m, k = 1e7 N/m");
  bench b = bench_open("bouc-wen", "form=structural a-0=1.3 beta=1e5 gamma=1e5 k=1e7");
  const double limit = 1.3 / 2e5;
  double z[2] = {0.0, 0.0}, T = 0.0;
  for (int k = 0; k < 50; k++) T = bench_slip(&b, 1e-7, 83.0, z);
  compare("loading: T/k at 5e-6 m = A/(beta+gamma) (1 - e^-...) (m)", T / 1e7, limit * (1.0 - exp(-2e5 * 5e-6)), 1e-12);
  for (int k = 0; k < 600; k++) T = bench_slip(&b, 1e-6, 83.0, z);
  compare("T/k far out = A/(beta + gamma) (m)", T / 1e7, limit, 1e-12);
  double back = bench_slip(&b, -2e-6, 83.0, z);
  compare("unloading slope = A", (T - back) / (2e-6 * 1e7), 1.3, 1e-12);
  bench_close(&b);
}

static void iwan(void **unused) {
  (void)unused;
  book("iwan: energy per cycle 4 R u0^(chi+3)/((chi+2)(chi+3)), 50 cells");
  bench b = bench_open("iwan", "f-s=41.5 k-t=1e7 chi=-0.5 beta=0.5");
  const double chi = -0.5, beta = 0.5, share = beta + (chi + 1.0) / (chi + 2.0);
  const double phi_max = 41.5 * (1.0 + beta) / (1e7 * share),
               R = 41.5 * (chi + 1.0) / (pow(phi_max, chi + 2.0) * share);
  static const double parts[] = {0.03, 0.1, 0.3, 0.6, 1.0}, tolerances[] = {2e-2, 5e-3, 2e-3, 1e-3, 1e-3};
  for (int i = 0; i < 5; i++) {
    fw_drive drive = fw_drive_default();
    drive.motion = FW_MOTION_TRIANGLE;
    drive.amplitude = parts[i] * phi_max;
    drive.cycles = 2;
    drive.steps = 20000;
    char what[60];
    snprintf(what, sizeof what, "u0 = %g phi_max (J)", parts[i]);
    compare(what, bench_loop(&b, &drive).work, 4.0 * R * pow(drive.amplitude, chi + 3.0) / ((chi + 2.0) * (chi + 3.0)),
            tolerances[i]);
  }
  double z[60];
  fw_friction_reset(&b.law, z);
  compare("stiffness at zero force (N/m)", bench_slip(&b, 1e-12, 83.0, z) / 1e-12, 1e7, 1e-3);
  compare("force at macro-slip (N)", bench_slip(&b, 1.0, 83.0, z), 41.5, 1e-12);
  bench_close(&b);
}

static void maxwell_modified(void **unused) {
  (void)unused;
  book("maxwell-slip-modified: u = 4e-4 (sin wt + sin 2wt), five asperities");
  for (int i = 0; i < 2; i++) {
    double omega = i ? 2000.0 : 20.0;
    bench b = bench_open("maxwell-slip-modified", "");
    fw_drive drive = fw_drive_default();
    drive.motion = FW_MOTION_TWO_HARMONICS;
    drive.amplitude = drive.amplitude2 = 4e-4;
    drive.frequency = omega / (2.0 * M_PI);
    drive.steps = 20000;
    fw_loop_figures figures = bench_loop(&b, &drive);
    print_message("  w = %g rad/s\n", omega);
    compare("energy per cycle (J), printed to 5 digits", figures.work, 0.29960, 2e-5);
    compare("peak force (N), printed to 4 digits", figures.T_max, 390.0, 1e-4);
    compare("largest slip (m), printed to 4 digits", figures.u_max, 7.041e-4, 1e-4);
    compare("limit of the tallest asperity (m)", b.law.constants[3 + 5 + 4], 7.020e-4, 1e-9);
    bench_close(&b);
  }
}

static void maxwell_inner_loop(void **unused) {
  (void)unused;
  book("maxwell-slip-modified: the inner loop closes");
  bench b = bench_open("maxwell-slip-modified", "");
  double z[5];
  fw_friction_reset(&b.law, z);
  bench_slip(&b, 7.041e-4, 83.0, z);
  double leave = bench_slip(&b, -9e-4, 83.0, z);
  bench_slip(&b, 3e-4, 83.0, z);
  compare("T on return to the inner loop's start (N)", bench_slip(&b, -3e-4, 83.0, z), leave, 1e-12);
  bench_close(&b);
}

static void hybrid(void **unused) {
  (void)unused;
  static const char set[] = "k-e=5.2e7 k-ep=1.9e7 k-ps=8.5e7 c-s=2300 c-p=630 mu-s=1.07 mu-c=0.707 v-s=1e-6";
  book("hybrid, published set (N = 1 N)");
  bench b = bench_open("hybrid", set);
  double z[2] = {0.0, 0.0}, series = 1.0 / (1.0 / 5.2e7 + 1.0 / 1.9e7 + 1.0 / 8.5e7);
  compare("presliding stiffness: three springs in series (N/m)", bench_slip(&b, 1e-15, 1.0, z) / 1e-15, series, 1e-6);
  static const double speeds[] = {1e-7, 1e-6, 1e-5, -1e-6};
  double T[4];
  assert_int_equal(fw_tribometer_curve(b.ctx, &b.law, 1.0, speeds, 4, T), FW_OK);
  for (int i = 0; i < 4; i++) {
    char what[60];
    snprintf(what, sizeof what, "steady sliding at %g m/s: s(v) sgn v (N)", speeds[i]);
    compare(what, T[i], copysign(0.707 + 0.363 * exp(-speeds[i] * speeds[i] / 1e-12), speeds[i]), 1e-9);
  }
  double worst = 0.0;
  for (int k = 0; k < 200;
       k++) { /* action and reaction: what the springs and dampers carry is what the surface gives */
    double state[2] = {3e-8 * sin(k), 4e-8 * cos(3.0 * k)}, v = 2e-6 * sin(7.0 * k), zdot[2], zdot_z[4], zdot_v[2],
           zdot_N[2];
    double T_z[2], s = 0.707 + 0.363 * exp(-v * v / 1e-12), k_1 = 1.0 / (1.0 / 5.2e7 + 1.0 / 1.9e7);
    fw_rate_out out = {.zdot = zdot, .zdot_z = zdot_z, .zdot_v = zdot_v, .zdot_N = zdot_N, .T_z = T_z};
    fw_friction_rate(&b.law, &(fw_rate_in){v, 1.0}, state, &out);
    double parts = k_1 * state[0] + 630.0 * zdot[0] + 2300.0 * zdot[1], surface = s / fabs(v) * (v - zdot[1]);
    worst = fmax(worst, fmax(fabs(parts - out.T), fabs(surface - out.T)));
  }
  compare("k_e z_e + c_p dz_p + c_s dz_s and c_z (v - dz_s) against T (N)", worst, 0.0, 1e-9);
  bench_close(&b);
  book("hybrid with stiff couplings is lugre with sigma0 = k_e, sigma1 = c_p + c_s, in slow sliding");
  bench stiff = bench_open("hybrid", "k-e=1e7 k-ep=1e14 k-ps=1e14 c-s=20 c-p=10"),
        lugre = bench_open("lugre", "sigma-0=1e7 sigma-1=30");
  fw_drive drive = fw_drive_default();
  drive.amplitude = 8e-6;
  drive.steps = 4000;
  fw_loop_figures a = bench_loop(&stiff, &drive), l = bench_loop(&lugre, &drive);
  compare("energy per cycle (J)", a.work, l.work, 5e-3);
  compare("largest force (N)", a.T_max, l.T_max, 5e-3);
  bench_close(&stiff);
  bench_close(&lugre);
}

/* With the numbers that make each law stiff, without viscous part and without fall of the Stribeck curve, a slow loop
 * of 0.1 mm is Coulomb's rectangle. */
static void tends_to_coulomb(void **unused) {
  (void)unused;
  static const struct {
    const char *law, *settings;
  } limits[] = {{"coulomb", "mu=0.5 u-crit=1e-9"},
                {"coulomb-viscous", "mu=0.5 mu-v=0 u-crit=1e-9"},
                {"coulomb-static", "mu-s=0.6 mu-c=0.5 u-crit=1e-9"},
                {"stribeck", "mu-s=0.5 mu-c=0.5 u-crit=1e-9"},
                {"decay", "mu-s=0.5 mu-c=0.5 u-crit=1e-9"},
                {"karnopp", "mu-s=0.5 mu-c=0.5 band=1e-9 u-crit=1e-9"},
                {"continuous", "mu=0.5 v-0=1e-8"},
                {"force-balance", "mu-s=0.5 mu-c=0.5 u-crit=1e-9"},
                {"spring-damper", "mu=0.5 k-a=1e11 c-a=0"},
                {"armstrong", "f-c=41.5 f-a=0 f-inf=0 sigma-0=1e11"},
                {"dahl", "mu-c=0.5 sigma-0=1e11"},
                {"reset-integrator", "mu-c=0.5 sigma-0=1e11"},
                {"lugre", "mu-s=0.5 mu-c=0.5 sigma-0=1e11 sigma-1=0"},
                {"lugre-normalised", "mu-s=0.5 mu-c=0.5 sigma-0=1e9 sigma-1=0"},
                {"elasto-plastic", "mu-s=0.5 mu-c=0.5 sigma-0=1e11 sigma-1=0"},
                {"maxwell-slip", "stiffness=1e11,1e11 limit=2e-10,2.15e-10"},
                {"gms", "mu-s=0.5 mu-c=0.5 stiffness=5e10,5e10 share=0.5,0.5"},
                {"bouc-wen", "mu=0.5 u-y=1e-9"},
                {"iwan", "f-s=41.5 k-t=1e11"},
                {"hybrid", "mu-s=0.5 mu-c=0.5 k-e=1e11 k-ep=1e11 k-ps=1e11 c-p=1 c-s=1"},
                {"tabulated", "speed=0,1 mu=0.5,0.5 u-crit=1e-9"},
                {"tabulated", "formula=0.5 u-crit=1e-9"}};
  book("limits: energy of a cycle over 4 mu N A");
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    bench b = bench_open(limits[i].law, limits[i].settings);
    fw_drive drive = fw_drive_default();
    drive.amplitude = 1e-4;
    drive.frequency = 1.0;
    drive.steps = 8000;
    compare(limits[i].law, bench_loop(&b, &drive).work / (4.0 * 41.5 * 1e-4), 1.0, 1e-4);
    bench_close(&b);
  }
}

static void creep(void **unused) {
  (void)unused;
  book("creep under a constant load of half the friction force (m/s)");
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++) {
    bench b = bench_open((*entry)->name, "");
    fw_law_probe probe;
    assert_int_equal(fw_law_probe_create(b.ctx, &b.law, 83.0, &probe), FW_OK);
    double speed = fw_law_creep(&probe, 0.5);
    if (strcmp((*entry)->name, "continuous") == 0)
      compare("continuous: V0 W/(mu N)", speed, 1e-4 * 0.5, 1e-9);
    else
      compare((*entry)->name, fabs(speed) < 1e-12 ? 0.0 : speed, 0.0, 0.0);
    fw_law_probe_clear(&probe);
    bench_close(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spring_slider),
      cmocka_unit_test(dahl_curves),
      cmocka_unit_test(dahl_from_a_force),
      cmocka_unit_test(dahl_energy),
      cmocka_unit_test(lugre_facts),
      cmocka_unit_test(numbers_of_a_direction),
      cmocka_unit_test(drift),
      cmocka_unit_test(elastic_zone),
      cmocka_unit_test(memory),
      cmocka_unit_test(bouc_wen),
      cmocka_unit_test(iwan),
      cmocka_unit_test(maxwell_modified),
      cmocka_unit_test(maxwell_inner_loop),
      cmocka_unit_test(hybrid),
      cmocka_unit_test(tends_to_coulomb),
      cmocka_unit_test(creep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
