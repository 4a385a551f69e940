/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals of turbulence: covariance of cells, spectrum, smoothness, streams; splines through measured forces. */
#include <math.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "solver/assembly/turbulence.h"
#include "solver/linalg/fft.h"

static fw_context *ctx;

static int begin(void **unused) {
  (void)unused;
  return fw_context_create(&ctx);
}
static int end(void **unused) {
  (void)unused;
  fw_context_destroy(&ctx);
  return 0;
}

/* ---- covariance --------------------------------------------------------------------------------- */

static double by_integration(double h, double lambda, int apart) {
  enum { N = 2000 };
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) sum += exp(-fabs((i - j + 0.0) * h / N + apart * h) / lambda);
  return sum / ((double)N * N);
}

static void covariance_of_cells_is_exact(void **unused) {
  (void)unused;
  for (double lambda = 0.02; lambda < 3; lambda *= 5)
    for (int apart = 0; apart < 3; apart++) {
      double exact = by_integration(0.05, lambda, apart), found = fw_turbulence_covariance(0.05, lambda, apart);
      assert_true(fabs(found - exact) <= 2e-5 * exact + 1e-9);
    }
  assert_true(fabs(fw_turbulence_covariance(0.05, 50, 0) - fw_turbulence_covariance(0.05, 49.9999, 0)) < 1e-8);
  assert_true(fabs(fw_turbulence_covariance(1, INFINITY, 0) - 1) <= 0);
  assert_true(fabs(fw_turbulence_covariance(1, INFINITY, 7) - 1) <= 0);
}

/* ---- signals ------------------------------------------------------------------------------------ */

enum { CELLS = 3, LINES = 4096 };
static double density[LINES + 1];

static fw_turbulence sample(int directions, double lambda) {
  fw_turbulence how = {.cells = CELLS,
                       .directions = directions,
                       .cell_length = 0.1,
                       .correlation_length = lambda,
                       .duration = 16,
                       .f_min = 2,
                       .f_max = 200,
                       .density = density,
                       .seed = 7};
  fw_turbulence_lines(how.duration, how.f_min, how.f_max, &how.first, &how.last);
  for (long k = how.first; k <= how.last; k++) density[k - how.first] = 3 / (1 + (double)k / 800); /* not white */
  return how;
}

/* Mean over the whole duration of the product of two signals. */
static double product(const fw_field *field, int a, int b) {
  enum { N = 20000 };
  double sum = 0, values[2 * CELLS];
  for (int i = 0; i < N; i++) {
    fw_field_values(field, 16.0 * i / N, values);
    sum += values[a] * values[b] / N;
  }
  return sum;
}

/* The time mean over a whole duration has the spread of the lines alone: 1/sqrt(number of lines). */
static void signals_have_covariance_and_power(void **unused) {
  (void)unused;
  fw_turbulence how = sample(2, 0.15);
  fw_field *field;
  double power = 0, square = 0;
  assert_int_equal(fw_turbulence_make(ctx, &how, &field), FW_OK);
  for (long k = how.first; k <= how.last; k++) {
    power += density[k - how.first] / how.duration;
    square += pow(density[k - how.first] / how.duration, 2);
  }
  for (int a = 0; a < 2 * CELLS; a++)
    for (int b = 0; b <= a; b++) {
      bool same = a / CELLS == b / CELLS;
      double exact = same ? power * fw_turbulence_covariance(0.1, 0.15, abs(a - b)) : 0;
      double found = product(field, a, b);
      assert_true(fabs(found - exact) < 4 * sqrt(square));
    }
  fw_field_destroy(&field);
}

/* Of a fully coherent one every cell is the same. No line beyond the band but the spline's images; its derivatives are
 * continuous at the grid's points. */
static void signals_are_smooth(void **unused) {
  (void)unused;
  enum { N = 1 << 17 };
  fw_turbulence how = sample(1, INFINITY);
  fw_field *field;
  double *x = malloc(N * sizeof *x), within = 0, beyond = 0, values[CELLS];
  assert_non_null(x);
  assert_int_equal(fw_turbulence_make(ctx, &how, &field), FW_OK);
  for (int i = 0; i < N; i++) {
    fw_field_values(field, 16.0 * i / N, values);
    x[i] = values[0];
    assert_true(fabs(values[1] - values[0]) <= 0 && fabs(values[2] - values[0]) <= 0);
  }
  fw_fft(x, N);
  for (int k = 1; k < N / 2; k++)
    *(k >= how.first && k <= how.last ? &within : &beyond) += x[k] * x[k] + x[N - k] * x[N - k];
  assert_true(beyond < 1e-5 * within);
  double second[2], h = field->step / 1e3, t = 1234 * field->step, curvature = 0;
  for (int side = 0; side < 2; side++) {
    double y[3];
    for (int k = 0; k < 3; k++) {
      fw_field_values(field, t + (side ? 1 : -1) * k * h, values);
      y[k] = values[0];
    }
    second[side] = (y[0] - 2 * y[1] + y[2]) / (h * h);
    curvature = fmax(curvature, fabs(second[side]));
  }
  assert_true(fabs(second[0] - second[1]) < 0.02 * curvature);
  fw_field_destroy(&field);
  free(x);
}

/* A second direction changes nothing in the first; another seed changes all. */
static void streams_are_apart(void **unused) {
  (void)unused;
  fw_turbulence how = sample(1, 0.15);
  fw_field *one, *two, *other;
  double a[CELLS], b[2 * CELLS], c[CELLS];
  assert_int_equal(fw_turbulence_make(ctx, &how, &one), FW_OK);
  how.directions = 2;
  assert_int_equal(fw_turbulence_make(ctx, &how, &two), FW_OK);
  how.directions = 1;
  how.seed++;
  assert_int_equal(fw_turbulence_make(ctx, &how, &other), FW_OK);
  fw_field_values(one, 3.3, a);
  fw_field_values(two, 3.3, b);
  fw_field_values(other, 3.3, c);
  for (int k = 0; k < CELLS; k++) {
    assert_true(fabs(a[k] - b[k]) <= 0);
    assert_true(fabs(a[k] - c[k]) > 1e-3);
  }
  assert_true(one->mark != other->mark);
  fw_field_destroy(&one);
  fw_field_destroy(&two);
  fw_field_destroy(&other);
}

/* Straight lines come back as they are, a sine to the fourth power of the step; the samples themselves always. */
static void splines_go_through_samples(void **unused) {
  (void)unused;
  enum { N = 40 };
  fw_field *field;
  double work[N + 1], values[2];
  assert_int_equal(fw_field_create(ctx, 2, N, &field), FW_OK);
  field->begin = -1;
  field->step = 0.1;
  for (int i = 0; i <= N; i++) {
    double t = field->begin + field->step * i;
    field->c[2 * (i + 1)] = 2 - 3 * t;
    field->c[2 * (i + 1) + 1] = sin(t);
  }
  fw_field_interpolate(field, work);
  for (double t = -1; t < 3; t += 0.013) {
    fw_field_values(field, t, values);
    assert_true(fabs(values[0] - (2 - 3 * t)) < 1e-13);
    if (t > 0 && t < 2) assert_true(fabs(values[1] - sin(t)) < 0.1 * 0.1 * 0.1 * 0.1 / 50);
  }
  for (int i = 0; i <= N; i++) {
    fw_field_values(field, field->begin + field->step * i, values);
    assert_true(fabs(values[1] - sin(field->begin + field->step * i)) < 1e-13);
  }
  assert_true(fabs(fw_field_end(field) - 3) < 1e-12);
  fw_field_destroy(&field);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(covariance_of_cells_is_exact), cmocka_unit_test(signals_have_covariance_and_power),
      cmocka_unit_test(signals_are_smooth),           cmocka_unit_test(streams_are_apart),
      cmocka_unit_test(splines_go_through_samples),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
