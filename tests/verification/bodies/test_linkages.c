/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid and flexible linkages against closed forms. */
#include "verification/deck_run.h"

#define BODIES FW_SOURCE_DIR "/tests/verification/bodies/"

/* Times at which a history passes zero upwards: the first and the last, and how many lie between. */
static double mean_period(const double *t, const double *x, size_t rows) {
  double first = 0.0, last = 0.0;
  int count = 0;
  for (size_t i = 1; i < rows; i++) {
    if (!(x[i - 1] < 0.0 && x[i] >= 0.0)) continue;
    last = t[i - 1] + (t[i] - t[i - 1]) * x[i - 1] / (x[i - 1] - x[i]);
    if (count++ == 0) first = last;
  }
  assert_true(count > 1);
  return (last - first) / (count - 1);
}

/* T = 2 pi sqrt(I/(m g d)) / agm(1, cos(amplitude/2)). */
static double pendulum_period(double ratio, double amplitude) {
  double a = 1.0, g = cos(0.5 * amplitude);
  for (int i = 0; i < 20; i++) {
    double mean = 0.5 * (a + g);
    g = sqrt(a * g);
    a = mean;
  }
  return 2 * M_PI * sqrt(ratio) / a;
}

static void pendulum_has_the_elliptic_period(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, BODIES "pendulum.xml", NULL);
  size_t rows;
  const double *t = deck_column(&run, "swing", "history", "time", &rows);
  const double *angle = deck_column(&run, "swing", "history", "angle", &rows);
  printf("pendulum, 120 degrees\n");
  compare("period (s)", mean_period(t, angle, rows), pendulum_period((2.0 / 3.0) / (2.0 * 9.81 * 0.5), 2 * M_PI / 3),
          1e-6);
  /* At the lowest point m g + m omega^2 d with omega^2 = 2 m g d (1 - cos)/I. */
  compare("largest force in the pin (N)", deck_number(&run, "swing", "joints.pin.force_max"), 3.25 * 2 * 9.81, 1e-6);
  bounded("energy drift over the largest kinetic energy", deck_number(&run, "swing", "energy.drift"), 2e-6);
  bounded("joint opens by (m)", deck_number(&run, "swing", "constraints.position_error"), 1e-11);
  bounded("joint opens at (m/s)", deck_number(&run, "swing", "constraints.velocity_error"), 2e-6);
  deck_close(&run);
}

/* The weight acts at the lower end, 1 m from the pin, as a force at a point with an offset. */
static void forces_and_sensors_go_with_offset_points(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, BODIES "pendulum-offset.xml", NULL);
  size_t rows;
  const double *t = deck_column(&run, "swing", "history", "time", &rows);
  const double *angle = deck_column(&run, "swing", "history", "angle", &rows);
  const double *x = deck_column(&run, "swing", "history", "x", &rows),
               *y = deck_column(&run, "swing", "history", "y", &rows);
  double worst = 0.0;
  for (size_t i = 0; i < rows; i++)
    worst = fmax(worst, fmax(fabs(x[i] - sin(angle[i])), fabs(y[i] - 1 + cos(angle[i]))));
  printf("pendulum, 120 degrees, drawn at its end\n");
  compare("period (s)", mean_period(t, angle, rows), pendulum_period((2.0 / 3.0) / (2.0 * 9.81), 2 * M_PI / 3), 2e-6);
  bounded("place of its end off by (m)", worst, 1e-10);
  const double *turn = deck_column(&run, "quiver", "history", "turn", &rows);
  t = deck_column(&run, "quiver", "history", "time", &rows);
  /* I omega^2 = k L^2, the spring at the end. */
  compare("period on a spring at its end (s)", mean_period(t, turn, rows), 2 * M_PI * sqrt((2.0 / 3.0) / 1000), 2e-6);
  deck_close(&run);
}

/* ---- slider-crank ------------------------------------------------------------------------ */

enum { SLIDER_X, SLIDER_V, SLIDER_A };
static const double r = 0.1, l = 0.3, rod_mass = 0.8, slider_mass = 1.5, omega = 62.83185307179586;

/* x = r cos + sqrt(l^2 - r^2 sin^2) and its time derivatives at a constant rate, from l sin(phi) = r sin(theta). */
static void slider(double theta, double out[3]) {
  double s = r * sin(theta) / l, c = sqrt(1 - s * s);    /* sin and cos of the rod's angle */
  double s1 = r * cos(theta) * omega / l, phi1 = s1 / c; /* rates */
  double s2 = -r * sin(theta) * omega * omega / l;
  double phi2 = s2 / c + s * phi1 * phi1 / c;
  out[SLIDER_X] = r * cos(theta) + l * c - (r + l);
  out[SLIDER_V] = -r * sin(theta) * omega - l * s * phi1;
  out[SLIDER_A] = -r * cos(theta) * omega * omega - l * (c * phi1 * phi1 + s * phi2);
}

/* Torque on the crank = rate of the kinetic energy of rod and slider over omega. The rod's centre is half-way between
 * the pin, (r cos, r sin), and the slider; its angle is -phi. */
static double torque(double theta) {
  double x[3], s = r * sin(theta) / l, c = sqrt(1 - s * s);
  slider(theta, x);
  double phi1 = r * cos(theta) * omega / (l * c), phi2 = (-r * sin(theta) * omega * omega / l + s * phi1 * phi1) / c;
  double vx = 0.5 * (-r * sin(theta) * omega + x[SLIDER_V]), vy = 0.5 * r * cos(theta) * omega;
  double ax = 0.5 * (-r * cos(theta) * omega * omega + x[SLIDER_A]), ay = -0.5 * r * sin(theta) * omega * omega;
  double power =
      slider_mass * x[SLIDER_V] * x[SLIDER_A] + rod_mass * (vx * ax + vy * ay) + rod_mass * l * l / 12 * phi1 * phi2;
  return power / omega;
}

static void slider_crank_moves_as_derived_by_hand(void **unused) {
  (void)unused;
  static const char *const names[] = {"x", "v", "a"}, *const said[] = {"displacement", "velocity", "acceleration"};
  deck_run run;
  deck_open(&run, BODIES "slider-crank.xml", NULL);
  size_t rows;
  const double *t = deck_column(&run, "turn", "history", "time", &rows);
  printf("slider-crank, largest difference over the largest value\n");
  for (int k = 0; k < 3; k++) {
    const double *computed = deck_column(&run, "turn", "history", names[k], &rows);
    double worst = 0.0, most = 0.0;
    for (size_t i = 0; i < rows; i++) {
      double exact[3];
      slider(omega * t[i], exact);
      worst = fmax(worst, fabs(computed[i] - exact[k]));
      most = fmax(most, fabs(exact[k]));
    }
    bounded(said[k], worst / most, k == 0 ? 1e-11 : 5e-6);
  }
  const double *moment = deck_column(&run, "turn", "joints", "drive mz", &rows);
  double worst = 0.0, most = 0.0;
  for (size_t i = 100; i < rows; i++) { /* forces of joints need some steps to settle: O(dt), falling as rho^n */
    worst = fmax(worst, fabs(moment[i] - torque(omega * t[i])));
    most = fmax(most, fabs(torque(omega * t[i])));
  }
  bounded("torque of the drive", worst / most, 1e-5);
  deck_close(&run);
}

/* ---- spinning beam ----------------------------------------------------------------------- */

/* EA u'' + rho A Omega^2 (x + u) = 0, u(0) = 0, u'(L) = 0: the tip is at tan(kL)/k, k = Omega sqrt(rho/E). */
static void spinning_beam_stretches_exactly(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, BODIES "spinning-beam.xml", NULL);
  size_t rows;
  const double *x = deck_column(&run, "spin", "history", "x", &rows),
               *y = deck_column(&run, "spin", "history", "y", &rows);
  double sum = 0.0, k = 10.0 * sqrt(7000 / 7e7);
  for (size_t i = 0; i < rows; i++) sum += hypot(1 + x[i], y[i]) / (double)rows;
  printf("spinning beam\n");
  compare("stretch (m)", sum - 1, tan(k) / k - 1, 2e-4);
  compare("length (m)", sum, tan(k) / k, 1e-6);
  /* a point beside the axis: x + u = sin(kx)/(k cos(kL)) along it */
  const double *ax = deck_column(&run, "spin", "history", "arm-x", &rows),
               *ay = deck_column(&run, "spin", "history", "arm-y", &rows);
  double far = 0.0;
  for (size_t i = 0; i < rows; i++) far += hypot(0.33 + ax[i], 0.1 + ay[i]) / (double)rows;
  compare("distance of a point beside the axis (m)", far, hypot(sin(0.33 * k) / (k * cos(k)), 0.1), 1e-5);
  deck_close(&run);
}

/* ---- what is refused --------------------------------------------------------------------- */

static void refuses(const char *deck, const char *message) {
  deck_run run;
  assert_int_equal(deck_try(&run, deck, NULL), FW_ERR_DECK);
  if (!strstr(fw_context_message(run.ctx), message)) fail_msg("%s", fw_context_message(run.ctx));
  deck_close(&run);
}

static void redundant_joints_are_named(void **unused) {
  (void)unused;
  refuses(BODIES "redundant.xml", "joint \"second-guide\" is redundant: 1 of its 2 equations");
}

static void impossible_beginnings_are_refused(void **unused) {
  (void)unused;
  refuses(BODIES "impossible.xml", "initial positions: joint \"pin\" cannot be met with the values given: 0.5 m");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pendulum_has_the_elliptic_period),
                                     cmocka_unit_test(forces_and_sensors_go_with_offset_points),
                                     cmocka_unit_test(slider_crank_moves_as_derived_by_hand),
                                     cmocka_unit_test(spinning_beam_stretches_exactly),
                                     cmocka_unit_test(redundant_joints_are_named),
                                     cmocka_unit_test(impossible_beginnings_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
