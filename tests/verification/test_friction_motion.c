/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction laws that carry a mass: free decay, stick-slip. */
#include "friction_bench.h"

/* Turning points of a free slider: extremes of x where v changes sign, found by a parabola through v = 0. */
static int turning_points(const bench *b, double mass, double stiffness, double start, double dt, double duration,
                          double N, double *points, int most, double *rest) {
  fw_sled slider;
  int count = 0;
  assert_int_equal(fw_sled_create(b->ctx, &b->law, mass, stiffness, &slider), FW_OK);
  slider.x = start;
  for (int k = 0; k * dt < duration; k++) {
    double x = slider.x, v = slider.v;
    assert_int_equal(fw_sled_step(b->ctx, &slider, dt, 0.0, N, N), FW_OK);
    if (k > 0 && v * slider.v < 0.0 && count < most && fabs(v - slider.v) > 1e-3 * dt)
      points[count++] = x + 0.5 * v * v / (v - slider.v) * dt;
  }
  *rest = slider.x;
  fw_sled_clear(&slider);
  return count;
}

static void coulomb_free(void **unused) {
  (void)unused;
  book("coulomb: m 1 kg, k 1e4 N/m, mu m g = 1 N, released at 0.85 mm");
  bench b = bench_open("coulomb", "mu=0.1 u-crit=1e-10");
  double points[16], rest;
  static const double exact[] = {-6.5e-4, 4.5e-4, -2.5e-4, 0.5e-4};
  int count = turning_points(&b, 1.0, 1e4, 0.85e-3, 2e-6, 0.2, 10.0, points, 16, &rest);
  assert_true(count >= 4);
  for (int i = 0; i < 4; i++) {
    char what[60];
    snprintf(what, sizeof what, "turning point %d (m)", i + 1);
    compare(what, points[i], exact[i], 1e-4);
  }
  compare("then sticks at (m)", rest, 0.5e-4, 1e-4);
  bench_close(&b);
}

static void coulomb_viscous_free(void **unused) {
  (void)unused;
  book("coulomb-viscous: m 1, k 10, c 0.2, f_k 0.2, released at 1 m");
  bench b = bench_open("coulomb-viscous", "mu=0.2 mu-v=0.2 u-crit=1e-8");
  double points[20], rest, zeta = 0.2 / (2.0 * sqrt(10.0)), e = exp(-M_PI * zeta / sqrt(1.0 - zeta * zeta)), X = 1.0;
  int count = turning_points(&b, 1.0, 10.0, 1.0, 5e-5, 30.0, 1.0, points, 20, &rest);
  assert_true(count >= 13);
  for (int i = 1; i <= 13; i++) {
    X = -e * X + (i % 2 ? 1.0 : -1.0) * (e + 1.0) * 0.02;
    char what[60];
    snprintf(what, sizeof what, "extreme X%d (m)", i);
    if (i == 1 || i == 6 || i == 12) compare(what, points[i - 1], X, 2e-4);
  }
  compare("X12, published (m)", points[11], 0.022816, 2e-4);
  compare("sticks at X13, published (m)", fabs(rest), 0.017450, 1e-3);
  bench_close(&b);
}

static void stick_slip(void **unused) {
  (void)unused;
  book("coulomb-static: stick-slip, m 1, k 2, V 0.1, Fs 1.5, Fc 1");
  bench b = bench_open("coulomb-static", "mu-s=1.5 mu-c=1 u-crit=1e-8");
  const double dt = 1e-4, V = 0.1, k = 2.0, omega = sqrt(2.0), Delta = 0.5;
  fw_sled slider;
  double slips[4] = {0}, sticks[4] = {0}, v_max = 0.0, since = 0.0;
  int slip_count = 0, stick_count = 0;
  bool sliding = false;
  assert_int_equal(fw_sled_create(b.ctx, &b.law, 1.0, k, &slider), FW_OK);
  for (int n = 1; n * dt < 32.0; n++) {
    double t = n * dt;
    assert_int_equal(fw_sled_step(b.ctx, &slider, dt, V * t, 1.0, 1.0), FW_OK);
    bool now = slider.v > 2e-4; /* above the ringing of the elastic stick */
    v_max = fmax(v_max, slider.v);
    if (now != sliding) {
      if (sliding && slip_count < 4) slips[slip_count++] = t - since;
      if (!sliding && stick_count < 4) sticks[stick_count++] = t - since;
      since = t;
      sliding = now;
    }
  }
  assert_true(slip_count >= 3 && stick_count >= 3);
  compare("time of slip (s)", slips[2], 2.0 / omega * (M_PI - atan(Delta * omega / (k * V))), 1e-3);
  compare("time of stick (s)", sticks[2], 2.0 * Delta / (k * V), 1e-3);
  compare("largest velocity (m/s)", v_max, 0.467423, 1e-4);
  fw_sled_clear(&slider);
  bench_close(&b);
}

/* Half the slip of a decaying motion after n cycles by dx/dn = -2 dE/(T + k x), dE per half cycle (dahl, i = 1). */
static double dahl_envelope(double x, double cycles, double Fc, double xc, double k) {
  const int steps = 20000;
  for (int i = 0; i < steps; i++) {
    double slope[2], at = x;
    for (int stage = 0; stage < 2; stage++) {
      double u = at / xc, tip = Fc * tanh(u), half = 2.0 * Fc * xc * (u - tanh(u));
      slope[stage] = -2.0 * half / (tip + k * at);
      at = x + slope[0] * cycles / steps;
    }
    x += 0.5 * (slope[0] + slope[1]) * cycles / steps;
  }
  return x;
}

static void dahl_on_a_spring(void **unused) {
  (void)unused;
  book("dahl (i = 1) on a spring: half the swing after 20 cycles against dx/dn = -2 dE/(T + k x)");
  bench b = bench_open("dahl", "mu-c=0.01 sigma-0=1e3");
  const double Fc = 0.01, xc = 1e-5, k = 1e5, period = 2.0 * M_PI / sqrt(k);
  static const double starts[] = {50.0, 1.5, 0.3};
  static const char *const regimes[] = {"large (linear decay): 50 xc (m)", "near xc (exponential): 1.5 xc (m)",
                                        "small (hyperbolic): 0.3 xc (m)"};
  for (int i = 0; i < 3; i++) {
    double points[60], rest;
    int count = turning_points(&b, 1.0, k, starts[i] * xc, period / 2000.0, 22.0 * period, 1.0, points, 60, &rest);
    assert_true(count >= 42);
    double begin = 0.5 * (points[1] - points[0]), swing = 0.5 * (points[41] - points[40]);
    compare(regimes[i], swing, dahl_envelope(begin, 20.0, Fc, xc, k), 2e-3);
    double before = 0.5 * (points[21] - points[20]), after = 0.5 * (points[23] - points[22]),
           mean = sqrt(before * after);
    double u = mean / xc, half = 2.0 * Fc * xc * (u - tanh(u));
    compare("equivalent damping there: dE/(pi x (k x + T))", log(before / after) / (2.0 * M_PI),
            half / (M_PI * mean * (k * mean + Fc * tanh(u))), 2e-2);
  }
  bench_close(&b);
}

static void lugre_stuck_vibration(void **unused) {
  (void)unused;
  book("lugre: free vibration of the stuck mass, m 1, sigma0 1e5, sigma1 31.6, sigma2 0.4");
  bench b = bench_open("lugre", "mu-c=1 mu-s=1.5 v-s=1e-3 sigma-0=1e5 sigma-1=31.622776601683796 sigma-2=0.4");
  fw_sled slider;
  double omega = sqrt(1e5), zeta = (0.1 * omega + 0.4) / (2.0 * omega), wd = omega * sqrt(1.0 - zeta * zeta);
  double crossings[5], dt = 1e-6;
  int count = 0;
  assert_int_equal(fw_sled_create(b.ctx, &b.law, 1.0, 1e-9, &slider), FW_OK);
  slider.v = 1e-6; /* small: z far below breakaway */
  for (int n = 0; n < 60000 && count < 5; n++) {
    double x = slider.x;
    assert_int_equal(fw_sled_step(b.ctx, &slider, dt, 0.0, 1.0, 1.0), FW_OK);
    if (n > 0 && x * slider.x < 0.0) crossings[count++] = (n + x / (x - slider.x)) * dt;
  }
  assert_int_equal(count, 5);
  compare("damped frequency (rad/s)", 2.0 * M_PI / (crossings[4] - crossings[2]), wd, 1e-3);
  fw_sled_clear(&slider);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coulomb_free),     cmocka_unit_test(coulomb_viscous_free),  cmocka_unit_test(stick_slip),
      cmocka_unit_test(dahl_on_a_spring), cmocka_unit_test(lugre_stuck_vibration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
