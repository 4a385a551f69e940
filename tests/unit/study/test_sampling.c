/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Designs: what each promises of its points, and that the same options give the same points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "one_context.h"
#include "study/sampling.h"

enum { D = 3 };

static const double nominal[D] = {0.5, 0.25, 0.9};

/* Values for a sampling's attributes: its fallbacks, or `value` for the attribute of that name. */
typedef struct own_args {
  fw_args args;
  fw_value values[8];
  double numbers[8];
} own_args;

static void set_args(own_args *own, const fw_sampling_ops *ops, const char *name, double value) {
  *own = (own_args){.args = {.params = ops->entry.params, .values = own->values}};
  for (int i = 0; ops->entry.params[i].name; i++) {
    own->numbers[i] =
        name && strcmp(name, ops->entry.params[i].name) == 0 ? value : strtod(ops->entry.params[i].fallback, NULL);
    own->values[i] = (fw_value){.given = true, .numbers = &own->numbers[i], .count = 1};
  }
}

static long design(const char *name, const char *attribute, double value, unsigned long seed, double **u) {
  const fw_sampling_ops *ops = (const fw_sampling_ops *)(const void *)fw_table_find(&fw_samplings, name);
  assert_non_null(ops);
  own_args own;
  set_args(&own, ops, attribute, value);
  fw_sampling_options options = {D, seed, nominal, &own.args, NULL};
  long samples;
  assert_int_equal(ops->size(ctx, &options, &samples), FW_OK);
  *u = calloc((size_t)samples * D, sizeof **u);
  assert_non_null(*u);
  assert_int_equal(ops->fill(ctx, &options, samples, *u), FW_OK);
  return samples;
}

static void every_sampling_repeats_itself_within_the_cube(void **state) {
  (void)state;
  for (const fw_entry *const *entry = fw_samplings.entries; *entry; entry++) {
    double *a, *b;
    long n = design((*entry)->name, NULL, 0, 7, &a);
    assert_true(n > 1);
    assert_int_equal(design((*entry)->name, NULL, 0, 7, &b), n);
    assert_memory_equal(a, b, (size_t)n * D * sizeof *a);
    bool corners = ((const fw_sampling_ops *)(const void *)*entry)->corners;
    for (long i = 0; i < n * D; i++) assert_true(corners ? a[i] >= 0 && a[i] <= 1 : a[i] > 0 && a[i] < 1);
    free(a);
    free(b);
  }
}

static void seeds_make_a_difference(void **state) {
  (void)state;
  const char *const random[] = {"random", "latin-hypercube", "sobol", "morris", "sobol-indices", NULL};
  for (int i = 0; random[i]; i++) {
    double *a, *b;
    long n = design(random[i], NULL, 0, 1, &a);
    design(random[i], NULL, 0, 2, &b);
    assert_true(memcmp(a, b, (size_t)n * D * sizeof *a) != 0);
    free(a);
    free(b);
  }
}

/* How many samples lie in each of n equal slices of every axis. */
static void assert_one_in_each_slice(const double *u, long first, long n) {
  char *seen = calloc((size_t)n, 1);
  for (int k = 0; k < D; k++) {
    memset(seen, 0, (size_t)n);
    for (long i = first; i < first + n; i++) seen[(long)(u[i * D + k] * (double)n)]++;
    for (long i = 0; i < n; i++) assert_int_equal(seen[i], 1);
  }
  free(seen);
}

static void latin_hypercube_fills_every_slice(void **state) {
  (void)state;
  double *u;
  assert_int_equal(design("latin-hypercube", "samples", 97, 3, &u), 97);
  assert_one_in_each_slice(u, 0, 97);
  free(u);
}

/* Blocks of 2^k points are balanced, and a longer sequence begins with the shorter one. */
static void sobol_is_balanced_and_continues(void **state) {
  (void)state;
  double *u, *longer;
  assert_int_equal(design("sobol", "samples", 128, 5, &u), 128);
  assert_int_equal(design("sobol", "samples", 300, 5, &longer), 300);
  assert_memory_equal(u, longer, 128 * D * sizeof *u);
  assert_one_in_each_slice(u, 0, 128);
  assert_one_in_each_slice(longer, 128, 128);
  free(u);
  free(longer);
}

static void one_at_a_time_moves_one(void **state) {
  (void)state;
  double *u;
  assert_int_equal(design("one-at-a-time", "steps", 3, 1, &u), 1 + 3 * D);
  for (long i = 0; i < 1 + 3 * D; i++) {
    int moved = 0;
    for (int k = 0; k < D; k++) moved += u[i * D + k] != nominal[k];
    assert_true(moved <= (i > 0));
  }
  assert_true(u[1 * D] == 0.0 && u[2 * D] == 0.5 && u[3 * D] == 1.0);
  free(u);
}

/* Two samples for each parameter whose derivative does not come with the deck; steps end where the range does. */
static void local_moves_what_is_not_known(void **state) {
  (void)state;
  const fw_sampling_ops *ops = (const fw_sampling_ops *)(const void *)fw_table_find(&fw_samplings, "local");
  const double at[D] = {0.5, 0.25, 0.95};
  const bool known[D] = {false, true, false};
  const double expected[5][D] = {
      {0.5, 0.25, 0.95}, {0.4, 0.25, 0.95}, {0.6, 0.25, 0.95}, {0.5, 0.25, 0.85}, {0.5, 0.25, 1.0}};
  own_args own;
  double u[5 * D];
  long samples;
  set_args(&own, ops, "step", 0.1);
  fw_sampling_options options = {D, 0, at, &own.args, known};
  assert_int_equal(ops->size(ctx, &options, &samples), FW_OK);
  assert_int_equal(samples, 5);
  assert_int_equal(ops->fill(ctx, &options, samples, u), FW_OK);
  for (int i = 0; i < 5 * D; i++) assert_near(u[i], expected[i / D][i % D], 1e-15);
}

static void grid_has_every_combination(void **state) {
  (void)state;
  double *u;
  assert_int_equal(design("grid", "steps", 3, 1, &u), 27);
  int seen[27] = {0};
  for (int i = 0; i < 27; i++) seen[(int)(2 * u[i * D]) + 3 * (int)(2 * u[i * D + 1]) + 9 * (int)(2 * u[i * D + 2])]++;
  for (int i = 0; i < 27; i++) assert_int_equal(seen[i], 1);
  free(u);
}

static void morris_moves_each_parameter_once_by_delta(void **state) {
  (void)state;
  double *u;
  long n = design("morris", "trajectories", 20, 1, &u);
  assert_int_equal(n, 20 * (D + 1));
  for (long t = 0; t < n; t += D + 1) {
    int moves[D] = {0};
    for (long i = t; i < t + D; i++)
      for (int k = 0; k < D; k++) {
        double step = fabs(u[(i + 1) * D + k] - u[i * D + k]);
        if (step > 0) assert_near(step, 2.0 / 3.0, 1e-12);
        moves[k] += step > 0;
      }
    for (int k = 0; k < D; k++) assert_int_equal(moves[k], 1);
  }
  free(u);
}

static void sobol_indices_mix_two_samples(void **state) {
  (void)state;
  double *u;
  long n = design("sobol-indices", "samples", 64, 1, &u);
  assert_int_equal(n, 64 * (D + 2));
  for (long row = 0; row < 64; row++) {
    const double *a = u + row * (D + 2) * D, *b = a + D;
    for (int k = 0; k < D; k++)
      for (int j = 0; j < D; j++) assert_true(a[(k + 2) * D + j] == (j == k ? b[j] : a[j]));
  }
  free(u);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_sampling_repeats_itself_within_the_cube),
      cmocka_unit_test(seeds_make_a_difference),
      cmocka_unit_test(latin_hypercube_fills_every_slice),
      cmocka_unit_test(sobol_is_balanced_and_continues),
      cmocka_unit_test(one_at_a_time_moves_one),
      cmocka_unit_test(local_moves_what_is_not_known),
      cmocka_unit_test(grid_has_every_combination),
      cmocka_unit_test(morris_moves_each_parameter_once_by_delta),
      cmocka_unit_test(sobol_indices_mix_two_samples),
  };
  return cmocka_run_group_tests(tests, open_context, close_context);
}
