/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monodromy matrix of the period map, carried along the steps and through located events, against central
 * differences of the map: two masses on springs, one of them driven, with stops and with friction of many kinds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "input/deck.h"
#include "solver/shooting/shooting.h"

/* last: it defines I */
#include <lapacke.h>

static const char text[] =
    "<fretwork version=\"1\">\n"
    "  <bodies>\n"
    "    <rigid id=\"block\" at=\"0, 0\" m=\"1\" rotation=\"none\"/>\n"
    "    <rigid id=\"other\" at=\"0.5, 0\" m=\"0.5\" rotation=\"none\"/>\n"
    "    <spring id=\"spring\" at=\"block.centre\" ground=\"-1, 0\" k=\"1\"/>\n"
    "    <spring id=\"between\" at=\"block.centre\" to=\"other.centre\" k=\"0.6\"/>\n"
    "    <damper id=\"damper\" at=\"block.centre\" ground=\"-1, 0\" c=\"0.1\"/>\n"
    "    <damper id=\"damped\" at=\"other.centre\" to=\"block.centre\" c=\"0.05\"/>\n"
    "  </bodies>\n"
    "  <supports><support at=\"other.centre\" y=\"fixed\"/>%s</supports>\n"
    "  <contact>\n    %s\n  </contact>\n"
    "  <loads><force id=\"weight\" at=\"block.centre\" fy=\"-1\"/>\n"
    "    <harmonic id=\"drive\" at=\"block.centre\" fx=\"1\" phase=\"20\"/></loads>\n"
    "  <sensors><sensor id=\"x\" at=\"other.centre\" direction=\"x\" quantity=\"velocity\"/></sensors>\n"
    "</fretwork>\n";

#define FLOOR(normal, friction)                                                                               \
  "<surface id=\"floor\"><line from=\"-100, 0\" to=\"100, 0\"/></surface><pair id=\"sole\" target=\"floor\">" \
  "<point at=\"block.centre\"/>" normal friction "</pair>"
#define STOP(e)                                                                                             \
  "<surface id=\"wall\"><line from=\"0.9, -1\" to=\"0.9, 1\"/></surface><pair id=\"stop\" target=\"wall\">" \
  "<point at=\"other.centre\"/><normal law=\"hard\" enforcement=\"lagrange\" restitution=\"" e "\"/></pair>"
#define HARD "<normal law=\"hard\" enforcement=\"lagrange\"/>"
#define SPRING "<normal law=\"linear\" stiffness=\"30\"/>"

typedef struct test_case {
  const char *name, *y, *contact;
  bool locate;
  double omega;
  int steps, settle;
} test_case;

static const test_case cases[] = {
    {"no contact", "<support at=\"block.centre\" y=\"fixed\"/>", "", true, 0.9, 50, 3},
    {"stop, restitution 0.5", "<support at=\"block.centre\" y=\"fixed\"/>", STOP("0.5"), true, 0.9, 200, 40},
    {"stop, restitution 1", "<support at=\"block.centre\" y=\"fixed\"/>", STOP("1"), true, 0.9, 200, 40},
    {"stop, restitution 0", "<support at=\"block.centre\" y=\"fixed\"/>", STOP("0"), true, 0.9, 200, 40},
    {"stop, restitution 0.5, by impulses", "<support at=\"block.centre\" y=\"fixed\"/>", STOP("0.5"), false, 0.9, 200,
     40},
    {"rigid friction, slides", "", FLOOR(HARD, "<friction law=\"coulomb\" mu=\"0.3\" enforcement=\"lagrange\"/>"), true,
     0.8, 200, 20},
    {"rigid friction, sticks too", "", FLOOR(HARD, "<friction law=\"coulomb\" mu=\"0.6\" enforcement=\"lagrange\"/>"),
     true, 0.3, 200, 20},
    {"the same by impulses", "", FLOOR(HARD, "<friction law=\"coulomb\" mu=\"0.6\" enforcement=\"lagrange\"/>"), false,
     0.3, 200, 20},
    {"viscous friction, by impulses", "",
     FLOOR(HARD, "<friction law=\"coulomb-viscous\" mu=\"0.4\" mu-v=\"0.1\" enforcement=\"lagrange\"/>"), false, 0.6,
     200, 20},
    {"Dahl", "", FLOOR(SPRING, "<friction law=\"dahl\" mu-c=\"0.5\" sigma-0=\"5\"/>"), true, 0.8, 100, 20},
    {"Dahl on a hard floor", "", FLOOR(HARD, "<friction law=\"dahl\" mu-c=\"0.5\" sigma-0=\"5\"/>"), true, 0.8, 100,
     20},
    {"the same by impulses", "", FLOOR(HARD, "<friction law=\"dahl\" mu-c=\"0.5\" sigma-0=\"5\"/>"), false, 0.8, 100,
     20},
    {"elastic stick", "", FLOOR(HARD, "<friction law=\"coulomb\" mu=\"0.5\" enforcement=\"penalty\" u-crit=\"0.1\"/>"),
     true, 0.8, 200, 20},
    {"LuGre", "",
     FLOOR(SPRING,
           "<friction law=\"lugre\" mu-s=\"0.5\" mu-c=\"0.4\" v-s=\"0.5\" sigma-0=\"8\" sigma-1=\"0.4\" "
           "sigma-2=\"0.1\"/>"),
     true, 0.8, 200, 20},
};

static const double drive[] = {0, 1}; /* weight and drive at level 1 */

typedef struct bench {
  fw_context *ctx;
  fw_deck *deck;
  fw_built *built;
  fw_system *system;
  fw_state *state;
  fw_shooting s;
  fw_map_parameter other; /* that changes, */
  double base;            /* about this value */
  double *room;           /* two states */
} bench;

static void must(const bench *b, fw_status status) {
  if (status != FW_OK) fail_msg("status %d: %s", (int)status, fw_context_message(b->ctx));
}

static void bench_open(const test_case *c, fw_map_parameter other, bench *b) {
  char path[] = "/tmp/fw_shooting_XXXXXX";
  *b = (bench){.other = other, .base = other == FW_MAP_LEVEL ? 1 : 0.01};
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  fprintf(file, text, c->y, c->contact);
  fclose(file);
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  fw_status status = fw_deck_load(b->ctx, path, &b->deck);
  if (status == FW_OK) status = fw_deck_build(b->ctx, b->deck, &b->built);
  unlink(path);
  must(b, status);
  must(b, fw_system_create(b->ctx, b->built->model, &b->system));
  must(b, fw_state_create(b->ctx, b->built->model, &b->state));
  b->state->load_factors[0] = 1;
  if (other == FW_MAP_EPMC) b->state->load_factors[1] = 1;
  const fw_shooting_options options = {.map = {.integrator = {.rho = 0.8, .locate = c->locate},
                                               .steps = c->steps,
                                               .periods = 1,
                                               .other = other,
                                               .drive = drive,
                                               .sensor = &b->built->model->sensors[0]}};
  must(b, fw_shooting_init(b->ctx, b->system, b->state, &options, &b->s));
  b->s.map.value = b->base;
  b->room = calloc(2 * (size_t)b->s.map.n, sizeof *b->room);
}

static void bench_close(bench *b) {
  free(b->room);
  fw_shooting_clear(&b->s);
  fw_state_destroy(&b->state);
  fw_system_destroy(&b->system);
  fw_built_destroy(&b->built);
  fw_deck_destroy(&b->deck);
  fw_context_destroy(&b->ctx);
}

/* P(y + step d) - P(y - step d) over 2 step. */
static void difference(bench *b, const double *y, const double *d, double omega_step, double step, double *out) {
  int n = b->s.map.n;
  double *at = b->room, *minus = b->room + n;
  for (int way = -1; way <= 1; way += 2) {
    for (int i = 0; i < n; i++) at[i] = y[i] + (d ? way * step * d[i] : 0);
    must(b, fw_period_map_run(&b->s.map, at, y[n] + way * omega_step, NULL, NULL, way < 0 ? minus : out));
  }
  for (int i = 0; i < n; i++) out[i] = (out[i] - minus[i]) / (2 * (d ? step : omega_step));
}

/* The same where the other parameter changes by step: P, and in *harmonic the first harmonic of the sensor. */
static void other_difference(bench *b, const double *y, double step, double *out, double complex *harmonic) {
  int n = b->s.map.n;
  double *minus = b->room + n;
  double complex first[2];
  for (int way = 0; way < 2; way++) {
    b->s.map.value = b->base + (way ? step : -step);
    must(b, fw_period_map_run(&b->s.map, y, y[n], NULL, NULL, way ? out : minus));
    first[way] = b->s.map.harmonic;
  }
  b->s.map.value = b->base;
  for (int i = 0; i < n; i++) out[i] = (out[i] - minus[i]) / (2 * step);
  *harmonic = (first[1] - first[0]) / (2 * step);
}

/* The changes that a period leaves, A, through another one: by A and by differences. A state that contact holds can
 * change in no other way. */
static void second_round(bench *b, const double *y, const double *A, double *twice, double *differences) {
  int n = b->s.map.n;
  for (int k = 0; k < n; k++) {
    double size = 0;
    const double *d = A + k * n;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(d[i] / b->s.curve.scale[i]));
    for (int i = 0; i < n; i++) twice[k * n + i] = differences[k * n + i] = 0;
    if (size * b->s.curve.scale[k] < 1e-12) continue;
    difference(b, y, d, 0, 2e-6 / size, differences + k * n);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) twice[k * n + i] += A[j * n + i] * d[j];
  }
}

/* Largest difference of two matrices in scaled unknowns, beside the largest entry. */
static double worst(const bench *b, const double *A, const double *B) {
  int n = b->s.map.n;
  const double *scale = b->s.curve.scale;
  double most = 1, off = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double to_scale = scale[j] / scale[i], x = A[j * n + i] * to_scale, y = B[j * n + i] * to_scale;
      most = fmax(most, fabs(x));
      off = fmax(off, fabs(x - y));
    }
  return off / most;
}

static double worst_vector(const bench *b, const double *x, const double *y) {
  double most = 0, off = 0;
  for (int i = 0; i < b->s.map.n; i++) {
    most = fmax(most, fabs(x[i] / b->s.curve.scale[i]));
    off = fmax(off, fabs(x[i] - y[i]) / b->s.curve.scale[i]);
  }
  return off / most;
}

/* |largest eigenvalue|. */
static double largest(const double *A, int n) {
  double *copy = malloc((size_t)(n * n) * sizeof *copy), *parts = malloc(2 * (size_t)n * sizeof *parts), most = 0;
  memcpy(copy, A, (size_t)(n * n) * sizeof *copy);
  assert_int_equal(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, copy, n, parts, parts + n, NULL, 1, NULL, 1), 0);
  for (int i = 0; i < n; i++) most = fmax(most, hypot(parts[i], parts[n + i]));
  free(copy);
  free(parts);
  return most;
}

static void check_case(const test_case *c, fw_map_parameter other) {
  bench b;
  bench_open(c, other, &b);
  int n = b.s.map.n;
  size_t N = (size_t)n;
  double *y = calloc(N + 2, sizeof *y), *A = calloc(N * N, sizeof *A), *AA = calloc(N * N, sizeof *AA);
  double *B = calloc(N * N, sizeof *B), *rows = calloc(5 * N, sizeof *rows), *by_omega = rows + N, *by = by_omega + N;
  double *by_other = by + N, *other_by = by_other + N;
  double complex harmonic;
  memcpy(y, b.s.rest, N * sizeof *y);
  y[n] = c->omega;
  y[n + 1] = b.base;
  must(&b, fw_shooting_integrate(&b.s, c->settle, y));
  fw_shooting_scale(&b.s, y);
  must(&b, fw_period_map_differentiate(&b.s.map, y, c->omega, rows, A));
  fw_period_map_by(&b.s.map, FW_MAP_OMEGA, by_omega);
  fw_period_map_by(&b.s.map, other, by_other);
  double complex carried = b.s.map.harmonic_by[n + 1];
  int switches = b.s.map.switches;
  second_round(&b, y, A, AA, B);
  difference(&b, y, NULL, 1e-7, 0, by);
  other_difference(&b, y, 2e-6, other_by, &harmonic);
  double parameter = fmax(worst_vector(&b, by_other, other_by), cabs(carried - harmonic) / cabs(harmonic));
  double matrix = worst(&b, AA, B), omega = worst_vector(&b, by_omega, by);
  double multiplier = sqrt(largest(AA, n)), checked = sqrt(largest(B, n));
  printf("  %-36s %3d %4d  %9.1e %9.1e %9.1e   %.8f %.8f\n", c->name, n, switches, matrix, omega, parameter, multiplier,
         checked);
  free(y);
  free(A);
  free(AA);
  free(B);
  free(rows);
  bench_close(&b);
  if (!(matrix < 1e-5 && omega < 1e-5 && parameter < 1e-5 && fabs(multiplier - checked) < 1e-5))
    fail_msg("%s: %.1e, %.1e, %.1e", c->name, matrix, omega, parameter);
}

static void check_cases(fw_map_parameter other, const char *name) {
  printf("  %-36s %3s %4s  %9s %9s %9s   largest multiplier, twice\n", "case", "n", "sw", "by x", "by omega", name);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i], other);
}

static void derivatives_of_the_period_map(void **state) {
  (void)state;
  check_cases(FW_MAP_LEVEL, "by level");
}

static void derivatives_with_the_opposite_damping(void **state) {
  (void)state;
  check_cases(FW_MAP_EPMC, "by epmc");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_of_the_period_map),
                                     cmocka_unit_test(derivatives_with_the_opposite_damping)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
