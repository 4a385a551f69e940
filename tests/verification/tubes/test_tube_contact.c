/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contact of tubes in the planes of their supports: whirl in a hole against its closed form, edges of a plate, limits in
 * which contact is linear or absent, and planar decks written in space. */
#include "../deck_run.h"

#define HERE FW_SOURCE_DIR "/tests/verification/tubes/"

/* ---- whirl ----------------------------------------------------------------------------------- */

/* Orbit of a section (m .2, k 7900, b 1.6) driven by 3 N that turn at 40 Hz, sliding or rolling round a hole with
 * clearance c: the square of the radial and tangential balance is one equation for the depth d,
 *   [N + (k - m W^2) rho]^2 + [T c/rho + b W rho]^2 = F^2,  rho = c + d, N = k_n d. */
typedef struct orbit {
  double d, N, T, phase; /* of the force ahead of the centre, degrees */
} orbit;

static const double W = 2 * M_PI * 40, c = 2e-4, r = 8e-3, mu = 0.2;

static orbit find_orbit(double rolling_force) {
  const double m = 0.2, k = 7900, b = 1.6, k_n = 1e6, F = 3;
  double low = 0, high = 1e-4;
  orbit o = {0};
  for (int i = 0; i < 200; i++) {
    o.d = 0.5 * (low + high);
    o.N = k_n * o.d;
    o.T = rolling_force > 0 ? rolling_force : mu * o.N;
    double rho = c + o.d, radial = o.N + (k - m * W * W) * rho, tangential = o.T * c / rho + b * W * rho;
    o.phase = atan2(tangential, radial) * 180 / M_PI;
    if (hypot(radial, tangential) > F)
      high = o.d;
    else
      low = o.d;
  }
  return o;
}

static void is_on_the_orbit(const deck_run *run, const orbit *o, double slip) {
  compare("normal force", deck_number(run, "whirl", "contact.wall.normal_mean"), o->N, 1e-3);
  compare("friction force", deck_number(run, "whirl", "contact.wall.tangential_rms"), o->T, 1e-3);
  compare("radius of the orbit", deck_number(run, "whirl", "sensors.x.harmonics[1].amplitude"), c + o->d, 1e-3);
  compare("phase behind the force", -deck_number(run, "whirl", "sensors.x.harmonics[1].phase"), o->phase, 1e-3);
  double W_r = deck_number(run, "whirl", "contact.wall.work_rate");
  if (slip > 0)
    compare("work rate", W_r, o->N * slip, 1e-3);
  else
    bounded("work rate of rolling", W_r, 1e-6);
  bounded("energy left over", deck_number(run, "whirl", "energy.residual"), 1e-4);
}

static void slides_round_a_hole(void **unused) {
  (void)unused;
  deck_run run;
  orbit o = find_orbit(0);
  compare("depth, tabulated", o.d, 3.84580467e-6, 1e-8);
  deck_open(&run, HERE "whirl.xml", NULL);
  is_on_the_orbit(&run, &o, W * c);
  compare("power of friction", deck_number(&run, "whirl", "contact.wall.dissipated_power"), 0.03866225, 1e-3);
  deck_close(&run);
}

/* Ten turns at one force: every side of the tube rubs alike, nothing is an impact, and the power of loads goes where the
 * energy criterion says: b/(2m) is zeta omega of the section, 4 1/s. */
static void supports_tell_of_the_whirl(void **unused) {
  (void)unused;
  deck_run run;
  orbit o = find_orbit(0);
  double rate = o.N * W * c, rho = c + o.d;
  size_t rows;
  deck_open(&run, HERE "whirl.xml", NULL);
  compare("work rate", deck_number(&run, "whirl", "supports.plate.work_rate"), rate, 1e-3);
  bounded("its standard error", deck_number(&run, "whirl", "supports.plate.work_rate_error") / rate, 1e-3);
  compare("contact fraction", deck_number(&run, "whirl", "supports.plate.contact_fraction"), 1, 1e-9);
  compare("sliding share", deck_number(&run, "whirl", "supports.plate.sliding_share"), 1, 1e-12);
  bounded("impacts", deck_number(&run, "whirl", "supports.plate.impact_rate"), 0);
  compare("normal force", deck_number(&run, "whirl", "supports.plate.normal_rms"), o.N, 1e-3);
  compare("largest", deck_number(&run, "whirl", "supports.plate.normal_max"), o.N, 1e-3);
  compare("friction force", deck_number(&run, "whirl", "supports.plate.tangential_rms"), o.T, 1e-3);
  compare("largest", deck_number(&run, "whirl", "supports.plate.tangential_max"), o.T, 1e-3);
  const double *sides = deck_column(&run, "whirl", "angles", "plate.work rate", &rows);
  double sum = 0;
  for (size_t i = 0; i < rows; i++) {
    sum += sides[i];
    if (fabs(sides[i] - rate / 36) > 0.07 * rate / 36)
      fail_msg("side %zu rubs with %g W", i, sides[i]); /* a step in 17 */
  }
  compare("sum over the sides", sum, rate, 1e-3);
  const double *x = deck_column(&run, "whirl", "clearances", "plate.x", &rows);
  const double *y = deck_column(&run, "whirl", "clearances", "plate.y", &rows);
  for (size_t i = 0; i < rows; i++) assert_true(fabs(hypot(x[i], y[i]) - c) < 1e-9);
  x = deck_column(&run, "whirl", "orbits", "plate.x", &rows);
  y = deck_column(&run, "whirl", "orbits", "plate.y", &rows);
  compare("radius of the orbit", hypot(x[rows - 1], y[rows - 1]), rho, 1e-3);
  compare("input power", deck_number(&run, "whirl", "energy_criterion.input_power"),
          mu * rate + 1.6 * W * W * rho * rho, 1e-3);
  compare("power lost at the support", deck_number(&run, "whirl", "energy_criterion.support_power"), mu * rate, 1e-3);
  compare("decay by dampers", deck_number(&run, "whirl", "energy_criterion.damping_decay"), 4, 1e-3);
  compare("decay by the support", deck_number(&run, "whirl", "energy_criterion.support_decay"),
          mu * rate / (2 * 0.2 * W * W * rho * rho), 1e-3);
  deck_close(&run);
}

static void slides_while_it_spins(void **unused) {
  (void)unused;
  deck_run run;
  orbit o = find_orbit(0);
  deck_open(&run, HERE "whirl-spun.xml", NULL);
  is_on_the_orbit(&run, &o, W * c + r * 20);
  deck_close(&run);
}

static void rolls_round_a_hole(void **unused) {
  (void)unused;
  const char *const free_spin[] = {"k_t=0", "b_t=1e-4", NULL};
  deck_run run;
  orbit o = find_orbit(1e-4 * W * c / (r * r));
  deck_open(&run, HERE "whirl.xml", free_spin);
  is_on_the_orbit(&run, &o, 0);
  deck_close(&run);
}

/* Along the tube it swings freely: 4 amplitudes in each of the ten periods observed. */
static void slip_along_the_tube_is_told(void **unused) {
  (void)unused;
  deck_run run;
  double amplitude = 1 / hypot(7900 - 0.2 * W * W, 1.6 * W);
  deck_open(&run, HERE "whirl.xml", NULL);
  bounded("slip along the tube", deck_number(&run, "whirl", "contact.wall.off_plane_slip"), 1e-9);
  deck_close(&run);
  deck_open(&run, HERE "whirl-along.xml", NULL);
  compare("slip along the tube", deck_number(&run, "whirl", "contact.wall.off_plane_slip"), 40 * amplitude, 1e-3);
  deck_close(&run);
}

/* Sliding feeds the normal motion by 2 mu m W, which chi N + b must outweigh. */
static void bounces_without_contact_damping(void **unused) {
  (void)unused;
  const char *const undamped[] = {"chi=0", NULL};
  deck_run run;
  deck_open(&run, HERE "whirl.xml", undamped);
  printf("  largest normal force %.3g N\n", deck_number(&run, "whirl", "contact.wall.normal_max"));
  assert_true(deck_number(&run, "whirl", "contact.wall.open_fraction") > 0.1);
  assert_true(deck_number(&run, "whirl", "contact.wall.normal_max") > 3 * find_orbit(0).N);
  deck_close(&run);
}

/* N = 0 where F balances (k - m W^2) c and b W c; below resonance and
 * almost without friction, where no other orbit lies beside the free one. */
static void touches_only_above_a_force(void **unused) {
  (void)unused;
  double slow = 2 * M_PI * 20, least = hypot((7900 - 0.2 * slow * slow) * c, 1.6 * slow * c);
  for (int above = 0; above < 2; above++) {
    deck_run run;
    char force[32];
    const char *const settings[] = {"f=20", "mu=1e-6", force, NULL};
    snprintf(force, sizeof force, "F=%.17g", least * (above ? 1.01 : 0.99));
    deck_open(&run, HERE "whirl.xml", settings);
    double N = deck_number(&run, "whirl", "contact.wall.normal_mean");
    printf("  force %.4f N: normal force %.3g N\n", least * (above ? 1.01 : 0.99), N);
    assert_true(above ? N > 0 : N == 0);
    deck_close(&run);
  }
}

/* ---- linear limits --------------------------------------------------------------------------- */

static void same_history(const deck_run *a, const deck_run *b, const char *sensor, double tolerance) {
  size_t rows, others;
  const double *x = deck_column(a, "whirl", "history", sensor, &rows), *y;
  y = deck_column(b, "whirl", "history", sensor, &others);
  double most = 0, apart = 0;
  assert_int_equal(rows, others);
  for (size_t i = 0; i < rows; i++) {
    most = fmax(most, fabs(y[i]));
    apart = fmax(apart, fabs(x[i] - y[i]));
  }
  bounded(sensor, apart / most, tolerance);
}

static void out_of_reach_contact_changes_nothing(void **unused) {
  (void)unused;
  const char *const far[] = {"c=1", NULL}, *const farther[] = {"c=2", NULL};
  deck_run a, b;
  deck_open(&a, HERE "whirl.xml", far);
  deck_open(&b, HERE "whirl.xml", farther);
  same_history(&a, &b, "x", 0);
  same_history(&a, &b, "y", 0);
  double k = 7900 - 0.2 * W * W, b_W = 1.6 * W;
  compare("radius of the free orbit", deck_number(&a, "whirl", "sensors.x.harmonics[1].amplitude"), 3 / hypot(k, b_W),
          1e-4);
  deck_close(&a);
  deck_close(&b);
}

/* A hole without clearance and with a linear law is a spring in both directions. */
static void tight_hole_is_a_pair_of_springs(void **unused) {
  (void)unused;
  deck_run hole, springs;
  deck_open(&hole, HERE "tight-hole.xml", (const char *const[]){"k_hole=1e6", "k_spring=0", NULL});
  deck_open(&springs, HERE "tight-hole.xml", (const char *const[]){"k_hole=1e-9", "k_spring=1e6", NULL});
  compare("x", deck_number(&hole, "pushed", "sensors.x"), deck_number(&springs, "pushed", "sensors.x"), 1e-9);
  compare("y", deck_number(&hole, "pushed", "sensors.y"), deck_number(&springs, "pushed", "sensors.y"), 1e-9);
  deck_close(&hole);
  deck_close(&springs);
}

/* A bar without friction that is hit in one direction leaves the other as it is without the bar. */
static void frictionless_bar_leaves_the_other_direction(void **unused) {
  (void)unused;
  deck_run bar, free_tube;
  deck_open(&bar, HERE "bar.xml", NULL);
  deck_open(&free_tube, HERE "bar.xml", (const char *const[]){"distance=1", NULL});
  assert_true(deck_number(&bar, "whirl", "contact.bar.normal_max") > 0);
  same_history(&bar, &free_tube, "along", 1e-11);
  deck_close(&bar);
  deck_close(&free_tube);
}

/* ---- edges of a plate ------------------------------------------------------------------------ */

static void plate_holds_at_its_edges(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, HERE "edges.xml", NULL);
  compare("far edge", deck_number(&run, "pushed", "contact.far-plus.normal"), 360.8103, 1e-6);
  compare("near edge", deck_number(&run, "pushed", "contact.near-minus.normal"), 228.5792, 1e-6);
  bounded("far edge, other side", deck_number(&run, "pushed", "contact.far-minus.normal"), 0);
  double x = deck_number(&run, "pushed", "sensors.x"), y = deck_number(&run, "pushed", "sensors.y");
  compare("tip", (2 * x + 2 * y + deck_number(&run, "pushed", "sensors.z")) / 3, 6.91509744e-3, 1e-7);
  deck_close(&run);
  for (int above = 0; above < 2; above++) { /* the second edge touches from 67.0875 N */
    deck_open(&run, HERE "edges.xml", (const char *const[]){above ? "F=67.088" : "F=67.087", NULL});
    assert_true((deck_number(&run, "pushed", "contact.near-minus.normal") > 0) == above);
    deck_close(&run);
  }
}

/* ---- films of liquid ---------------------------------------------------------------------------- */

/* Momentum and what the film took are what the force gave; the film's share of the balance is the force's work less the
 * kinetic energy. */
static void film_takes_momentum(void **unused) {
  (void)unused;
  static const double eta = 1e-3, L = 10e-3, m = 1e-2;
  static const char *const analyses[] = {"squeezed", "by-ida"};
  double x = L / (2 * r), C_0 = 12 * M_PI * eta * L * pow(r / c, 3) * (1 - tanh(x) / x);
  for (int bar = 0; bar < 2; bar++) {
    deck_run run;
    deck_open(&run, bar ? HERE "film-bar.xml" : HERE "film.xml", NULL);
    for (int k = 0; k < 2; k++) {
      double e = deck_number(&run, analyses[k], "sensors.x.final"),
             v = deck_number(&run, analyses[k], "sensors.v.final");
      double eps = e / c, took = C_0 * c * eps * pow(1 - eps * eps, -1.5), F = bar ? 5e-5 : 5e-4;
      if (bar) took = 6 * sqrt(2) * M_PI * eta * L * pow(r, 1.5) * (1 / sqrt(c - e) - 1 / sqrt(c));
      compare(bar ? "film of a bar, m v + what it took" : "film of a hole, m v + what it took", m * v + took, F,
              k ? 1e-6 : 2e-5);
      compare("work of the film", deck_number(&run, analyses[k], "energy.film"), F * e - 0.5 * m * v * v, 2e-5);
      bounded("energy left over", deck_number(&run, analyses[k], "energy.residual"), 2e-5);
    }
    deck_close(&run);
  }
}

/* ---- supports in one line ---------------------------------------------------------------------- */

static void one_line_is_the_long_form(void **unused) {
  (void)unused;
  deck_run a, b;
  deck_open(&a, HERE "whirl.xml", NULL);
  deck_open(&b, HERE "whirl-short.xml", NULL);
  same_history(&b, &a, "x", 0);
  same_history(&b, &a, "y", 0);
  deck_close(&a);
  deck_close(&b);
  deck_open(&b, HERE "edges-short.xml", NULL);
  compare("far edge", deck_number(&b, "pushed", "contact.plate-1.normal"), 360.8103, 1e-6);
  compare("near edge", deck_number(&b, "pushed", "contact.plate-2.normal"), 228.5792, 1e-6);
  deck_close(&b);
}

/* ---- planar decks written in space ------------------------------------------------------------- */

static void same_columns(const deck_run *planar, const deck_run *space, const char *analysis, const char *table,
                         double tolerance) {
  const fw_data_table *a = deck_table(planar, analysis, table), *b = deck_table(space, analysis, table);
  assert_int_equal(a->columns, b->columns);
  for (int k = 0; k < a->columns; k++) {
    size_t rows, others;
    const double *x = deck_column(planar, analysis, table, a->column_names[k], &rows);
    const double *y = deck_column(space, analysis, table, a->column_names[k], &others);
    double most = 0, apart = 0;
    assert_int_equal(rows, others);
    for (size_t i = 0; i < rows; i++) {
      if (isnan(x[i]) && isnan(y[i])) continue;
      most = fmax(most, fabs(x[i]));
      apart = fmax(apart, fabs(x[i] - y[i]));
    }
    bounded(a->column_names[k], most > 0 ? apart / most : apart, tolerance);
  }
}

/* The example of a tube between two bars; the plane goes through its axis and friction acts along it. */
static void planar_example_in_space(void **unused) {
  (void)unused;
  const char *const brief[] = {"seconds=0.6", NULL};
  deck_run planar, space;
  deck_open(&planar, FW_SOURCE_DIR "/examples/tube-support/tube.xml", brief);
  deck_open(&space, FW_SOURCE_DIR "/examples/tube-support/tube-in-space.xml", brief);
  assert_true(deck_number(&planar, "shaken", "contact.below.normal_max") > 10);
  same_columns(&planar, &space, "shaken", "contact", 1e-9);
  same_columns(&planar, &space, "shaken", "history", 1e-9);
  deck_close(&planar);
  deck_close(&space);
}

/* Pressed on a floor, modes with its contact stuck and response by harmonic balance, in the plane and in space. */
static void harmonic_balance_is_the_planar_one(void **unused) {
  (void)unused;
  deck_run planar, space;
  deck_open(&planar, HERE "foot-planar.xml", NULL);
  deck_open(&space, HERE "foot.xml", NULL);
  double stuck = deck_number(&planar, "stuck", "modes[0].frequency"), found = INFINITY;
  for (int i = 0; i < 6; i++) { /* in space there are those across the plane besides */
    double f = deck_mode(&space, "stuck", i, "frequency");
    if (fabs(f - stuck) < fabs(found - stuck)) found = f;
  }
  compare("stuck mode", found, stuck, 1e-9);
  compare("resonance", deck_number(&space, "frf", "levels[0].resonance.frequency"),
          deck_number(&planar, "frf", "levels[0].resonance.frequency"), 1e-7);
  compare("its amplitude", deck_number(&space, "frf", "levels[0].resonance.amplitude"),
          deck_number(&planar, "frf", "levels[0].resonance.amplitude"), 1e-7);
  compare("work rate", deck_number(&space, "frf", "levels[0].contact.foot.work_rate"),
          deck_number(&planar, "frf", "levels[0].contact.foot.work_rate"), 1e-6);
  deck_close(&planar);
  deck_close(&space);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slides_round_a_hole),
                                     cmocka_unit_test(supports_tell_of_the_whirl),
                                     cmocka_unit_test(slides_while_it_spins),
                                     cmocka_unit_test(rolls_round_a_hole),
                                     cmocka_unit_test(slip_along_the_tube_is_told),
                                     cmocka_unit_test(bounces_without_contact_damping),
                                     cmocka_unit_test(touches_only_above_a_force),
                                     cmocka_unit_test(out_of_reach_contact_changes_nothing),
                                     cmocka_unit_test(tight_hole_is_a_pair_of_springs),
                                     cmocka_unit_test(frictionless_bar_leaves_the_other_direction),
                                     cmocka_unit_test(plate_holds_at_its_edges),
                                     cmocka_unit_test(film_takes_momentum),
                                     cmocka_unit_test(one_line_is_the_long_form),
                                     cmocka_unit_test(planar_example_in_space),
                                     cmocka_unit_test(harmonic_balance_is_the_planar_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
