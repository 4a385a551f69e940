/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Springs, dampers and masses against figures worked out by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "elements/element.h"
#include "elements/spring_law.h"

typedef struct bench_point {
  const fw_element_ops *ops;
  double constants[32];
  fw_properties props;
} bench_point;

/* An element with its constants packed from numbers; count[i] numbers for parameter i. */
static void make(const char *name, const int *counts, const double *const *numbers, bench_point *point) {
  fw_given given[16];
  *point = (bench_point){.ops = (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, name)};
  assert_non_null(point->ops);
  for (int i = 0; i < fw_param_count(point->ops->entry.params); i++)
    given[i] = (fw_given){.count = counts[i], .values = numbers[i]};
  int count = point->ops->pack(given, NULL);
  assert_true(count <= 32);
  assert_int_equal(point->ops->pack(given, point->constants), count);
  point->props = (fw_properties){.constants = point->constants, .constant_count = count};
}

/* spring: direction, kinematics, k, preload, elongations, forces */
static void make_spring(const double *direction, double follows, double k, double preload, int points, const double *e,
                        const double *F, bench_point *point) {
  const int counts[] = {direction ? 2 : 0, 1, 1, 1, points, points};
  const double *const numbers[] = {direction, &follows, &k, &preload, e, F};
  make("spring", counts, numbers, point);
}

static void near(double value, double reference) {
  assert_true(fabs(value - reference) <= 1e-12 * (1 + fabs(reference)));
}

static void a_table_is_interpolated_and_goes_on(void **unused) {
  (void)unused;
  const double c[] = {10, 1, 3, 3, -1, 0, 2, -4, 0, 6}; /* k, preload, counts, elongations, forces */
  fw_spring_law law = fw_spring_law_view(c);
  double slope;
  assert_null(fw_spring_law_check(&law));
  assert_true(fw_spring_law_nonlinear(&law));
  near(fw_spring_law_force(&law, 1, &slope), 1 + 10 + 3);
  near(slope, 13);
  near(fw_spring_law_force(&law, -2, &slope), 1 - 20 - 8);
  near(slope, 14);
  near(fw_spring_law_force(&law, 4, &slope), 1 + 40 + 12);
  near(fw_spring_law_energy(&law, 0), 0);
  near(fw_spring_law_energy(&law, 2), 2 + 20 + 6);
  near(fw_spring_law_energy(&law, -1), -1 + 5 + 2);
}

static void a_bad_table_is_refused(void **unused) {
  (void)unused;
  const double uneven[] = {1, 0, 3, 2, 0, 1, 2, 0, 1}, falling[] = {1, 0, 2, 2, 1, 1, 0, 1},
               single[] = {1, 0, 1, 1, 0, 0};
  fw_spring_law law = fw_spring_law_view(uneven);
  assert_non_null(fw_spring_law_check(&law));
  law = fw_spring_law_view(falling);
  assert_non_null(fw_spring_law_check(&law));
  law = fw_spring_law_view(single);
  assert_non_null(fw_spring_law_check(&law));
}

static void a_spring_pulls_its_ends_together(void **unused) {
  (void)unused;
  const double X[4] = {0, 0, 3, 4}, q[4] = {0, 0, 0.6, 0.8}; /* stretched by 1 along (0.6, 0.8) */
  double f[4];
  bench_point spring;
  make_spring(NULL, 0, 100, 7, 0, NULL, NULL, &spring);
  assert_null(fw_element_flaw(spring.ops, &spring.props, X));
  assert_false(fw_element_nonlinear(spring.ops, &spring.props));
  spring.ops->force(&spring.props, X, q, NULL, f, NULL, NULL);
  /* f is the internal force: minus the pull on each end. */
  near(f[0], -107 * 0.6);
  near(f[1], -107 * 0.8);
  near(f[2], 107 * 0.6);
  near(f[3], 107 * 0.8);
  make_spring(NULL, 0, 100, 0, 0, NULL, NULL, &spring);
  assert_false(fw_element_nonlinear(spring.ops, &spring.props));
}

static void a_directed_spring_resists_its_first_point(void **unused) {
  (void)unused;
  const double X[4] = {1, 1, 1, 1}, q[4] = {0.5, 0.25, 0, 0}, up[2] = {0, 2}, none[2] = {0, 0};
  double f[4];
  bench_point spring;
  make_spring(up, 0, 100, 0, 0, NULL, NULL, &spring);
  assert_null(fw_element_flaw(spring.ops, &spring.props, X));
  spring.ops->force(&spring.props, X, q, NULL, f, NULL, NULL);
  near(f[0], 0);
  near(f[1], 25);
  near(f[3], -25);
  make_spring(NULL, 0, 100, 0, 0, NULL, NULL, &spring);
  assert_non_null(fw_element_flaw(spring.ops, &spring.props, X)); /* no direction */
  make_spring(none, 0, 100, 0, 0, NULL, NULL, &spring);
  assert_non_null(fw_element_flaw(spring.ops, &spring.props, X));
  make_spring(up, 1, 100, 0, 0, NULL, NULL, &spring);
  assert_non_null(fw_element_flaw(spring.ops, &spring.props, X)); /* a given direction cannot follow */
}

/* Turned by a right angle and stretched from 5 to 6: the force turns along. */
static void a_following_spring_turns(void **unused) {
  (void)unused;
  const double X[4] = {0, 0, 3, 4}, q[4] = {0, 0, -4.8 - 3, 3.6 - 4}, met[4] = {0, 0, -3, -4};
  double f[4];
  bench_point spring;
  make_spring(NULL, 1, 100, 0, 0, NULL, NULL, &spring);
  assert_true(fw_element_nonlinear(spring.ops, &spring.props));
  assert_int_equal(spring.ops->force(&spring.props, X, q, NULL, f, NULL, NULL), FW_OK);
  near(f[2], 100 * -0.8);
  near(f[3], 100 * 0.6);
  assert_int_equal(spring.ops->force(&spring.props, X, met, NULL, f, NULL, NULL), FW_RECOVER_ELEMENT);
}

static void a_damper_resists_along_its_line_only(void **unused) {
  (void)unused;
  const double X[4] = {0, 0, 3, 4}, q[4] = {0}, along[4] = {0, 0, 1.2, 1.6}, across[4] = {0, 0, -0.8, 0.6};
  const int counts[] = {0, 1, 1};
  const double follows = 0, c = 5;
  const double *const numbers[] = {NULL, &follows, &c};
  double f[4];
  bench_point damper;
  make("damper", counts, numbers, &damper);
  damper.ops->force(&damper.props, X, q, along, f, NULL, NULL);
  near(f[2], 10 * 0.6);
  near(f[3], 10 * 0.8);
  damper.ops->force(&damper.props, X, q, across, f, NULL, NULL);
  near(f[2], 0);
  near(f[3], 0);
}

static void a_mass_has_its_inertia(void **unused) {
  (void)unused;
  const fw_element_ops *ops = (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, "mass");
  const double constants[2] = {3, 0.4}, nothing[2] = {0, 0}, X[2] = {1, 2};
  const double expected[9] = {3, 0, 0, 0, 3, 0, 0, 0, 0.4};
  fw_properties props = {.constants = constants, .constant_count = 2};
  double M[9];
  fw_element_mass_matrix(ops, &props, X, M);
  assert_memory_equal(M, expected, sizeof M);
  assert_null(fw_element_flaw(ops, &props, X));
  props.constants = nothing;
  assert_non_null(fw_element_flaw(ops, &props, X));
}

/* squeeze-film: viscosity, least-gap, clearance, radius, length, surface, angle, centre, share */
static void make_film(double surface, double angle, double length, bench_point *point) {
  static const double water = 1e-3, least = 0, c = 2e-4, R = 8e-3, centre[2] = {0, 0}, whole = 1;
  const int counts[] = {1, 1, 1, 1, 1, 1, 1, 2, 1};
  const double *const numbers[] = {&water, &least, &c, &R, &length, &surface, &angle, centre, &whole};
  make("squeeze-film", counts, numbers, point);
}

static void row(const char *what, double computed, double reference, double tolerance) {
  printf("  %-44s %-17.10g %-17.10g %10.2e\n", what, computed, reference, computed / reference - 1);
  assert_true(fabs(computed / reference - 1) <= tolerance);
}

static void films_have_their_closed_forms(void **unused) {
  (void)unused;
  static const double rest[2] = {0, 0}, middle[2] = {0, 0}, aside[2] = {0.72e-4, 0.96e-4}, near_bar[2] = {1.5e-4, 0};
  bench_point film;
  double C[4], centred;
  make_film(0, 0, 10e-3, &film);
  film.ops->damping(&film.props, rest, middle, C);
  centred = C[0];
  row("film, centred (N s/m)", C[0], 2.71772, 2e-6);
  row("film, centred, other way", C[3], C[0], 1e-15);
  film.ops->damping(&film.props, rest, aside, C); /* eps = 0.6 along (0.6, 0.8) */
  double along = 0.36 * C[0] + 0.96 * C[1] + 0.64 * C[3], across = 0.64 * C[0] - 0.96 * C[1] + 0.36 * C[3];
  row("film, along the eccentricity 0.6", along / centred, 5.249023, 1e-6);
  row("film, across it", across / centred, 1.953125, 1e-12);
  make_film(1, 0, 1, &film);
  film.ops->damping(&film.props, rest, near_bar, C);
  row("film of a bar, 50 um (N s/m per m)", C[0], 26.9753, 2e-6);
  near(C[3], 0);
}

/* Below the least gap, here 1 um, a film gets no thinner. */
static void a_film_has_a_least_gap(void **unused) {
  (void)unused;
  static const double rest[2] = {0, 0}, there[2] = {1.99e-4, 0}, beyond[2] = {2.5e-4, 0}, turned[2] = {0, 2.5e-4};
  bench_point film;
  double C[4], other[4];
  make_film(0, 0, 10e-3, &film);
  film.ops->damping(&film.props, rest, there, C);
  film.ops->damping(&film.props, rest, beyond, other);
  row("film at its least gap and in contact", other[0], C[0], 1e-12);
  film.ops->damping(&film.props, rest, turned, other);
  row("the same another way", other[3], C[0], 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_table_is_interpolated_and_goes_on),
      cmocka_unit_test(a_bad_table_is_refused),
      cmocka_unit_test(a_spring_pulls_its_ends_together),
      cmocka_unit_test(a_directed_spring_resists_its_first_point),
      cmocka_unit_test(a_following_spring_turns),
      cmocka_unit_test(a_damper_resists_along_its_line_only),
      cmocka_unit_test(a_mass_has_its_inertia),
      cmocka_unit_test(films_have_their_closed_forms),
      cmocka_unit_test(a_film_has_a_least_gap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
