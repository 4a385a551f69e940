/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forces with exact switching times: they do not depend on the samples, their derivatives are those of differences, and
 * a contact that slides or opens between two samples is not overlooked. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"
#include "solver/hb/aft/aft.h"

enum { H = 3, SIZE = 2 * H + 1 };

typedef struct bench {
  fw_context *ctx;
  fw_friction law;
  fw_fourier fourier;
  fw_aft aft;
  fw_aft_point point;
  double z0[8], u[SIZE], w[SIZE], t[SIZE], n[SIZE];
} bench;

/* A rigid contact that sticks, slides both ways and, with FW_AFT_OPENING, opens. */
static void bench_open(bench *b, int samples, const char *law, fw_aft_normal kind) {
  static const double u[SIZE] = {0, 1e-6, 2e-6, 3e-7, -4e-7, 1e-7, 2e-7}, w[SIZE] = {1e-7, 2e-6, -1e-6, 3e-7},
                      t[SIZE] = {0.3, -0.4, 0.9, 0.2, -0.1, 0.1, 0.3}, n[SIZE] = {1, 4, -3, 1, 0.3, -0.7, 0.2};
  memset(b, 0, sizeof *b);
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  assert_int_equal(fw_law_create(b->ctx, (const fw_friction_ops *)fw_table_find(&fw_laws, law), NULL, 0, &b->law),
                   FW_OK);
  b->law.stick.enforcement = FW_LAGRANGE;
  assert_int_equal(fw_fourier_init(b->ctx, H, samples, &b->fourier), FW_OK);
  assert_int_equal(fw_aft_init(b->ctx, &b->fourier, b->law.states, &b->aft), FW_OK);
  b->point = (fw_aft_point){
      .friction = &b->law, .kind = kind, .N0 = 3, .z0 = b->z0, .stick_penalty = 1e6, .gap_penalty = 1e6, .exact = true};
  memcpy(b->u, u, sizeof u);
  memcpy(b->w, kind == FW_AFT_CLOSED ? n : w, sizeof w);
  memcpy(b->t, t, sizeof t);
  memcpy(b->n, n, sizeof n);
}

static void bench_close(bench *b) {
  fw_aft_clear(&b->aft);
  fw_fourier_clear(&b->fourier);
  fw_friction_clear(&b->law);
  fw_context_destroy(&b->ctx);
}

static void run(bench *b, bool derivatives) {
  const fw_aft_in in = {.omega = 300, .u = b->u, .w = b->w, .t = b->t, .n = b->n};
  assert_int_equal(fw_aft_run(&b->aft, &b->point, &in, derivatives), FW_OK);
}

static double farthest(const double *a, const double *b, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* Derivatives of a force's coefficients with respect to x: largest difference over the largest entry. */
static double derivative_error(bench *b, double *x, double h, const double *force, const double *analytic) {
  double exact[SIZE * SIZE], plus[SIZE], worst = 0, largest = 0;
  memcpy(exact, analytic, sizeof exact);
  for (int c = 0; c < SIZE; c++) {
    double kept = x[c];
    x[c] = kept + h;
    run(b, false);
    memcpy(plus, force, sizeof plus);
    x[c] = kept - h;
    run(b, false);
    x[c] = kept;
    for (int r = 0; r < SIZE; r++) {
      worst = fmax(worst, fabs((plus[r] - force[r]) / (2 * h) - exact[r * SIZE + c]));
      largest = fmax(largest, fabs(exact[r * SIZE + c]));
    }
  }
  return worst / largest;
}

static const struct {
  const char *law;
  fw_aft_normal kind;
} cases[] = {{"coulomb", FW_AFT_CONSTANT}, {"coulomb", FW_AFT_CLOSED}, {"coulomb", FW_AFT_OPENING}};

static void samples_do_not_matter(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bench few, many;
    bench_open(&few, 48, cases[i].law, cases[i].kind);
    bench_open(&many, 8192, cases[i].law, cases[i].kind);
    run(&few, false);
    run(&many, false);
    double T = farthest(few.aft.T_c, many.aft.T_c, SIZE), N = farthest(few.aft.N_c, many.aft.N_c, SIZE);
    many.point.exact = false;
    run(&many, false);
    double sampled = farthest(few.aft.T_c, many.aft.T_c, SIZE);
    printf("normal force of kind %d: T differs by %.1e, N by %.1e; from 8192 samples alone by %.1e\n", cases[i].kind, T,
           N, sampled);
    assert_true(T < 1e-12 && N < 1e-12 && sampled < 1e-6 && sampled > 1e-10);
    bench_close(&few);
    bench_close(&many);
  }
}

static void derivatives_are_exact(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bench b;
    bench_open(&b, 64, cases[i].law, cases[i].kind);
    run(&b, true);
    double T_u[SIZE * SIZE], T_t[SIZE * SIZE], T_w[SIZE * SIZE], N_w[SIZE * SIZE];
    memcpy(T_u, b.aft.T_u, sizeof T_u);
    memcpy(T_t, b.aft.T_t, sizeof T_t);
    memcpy(T_w, b.aft.T_w, sizeof T_w);
    memcpy(N_w, b.aft.N_w, sizeof N_w);
    double by_u = derivative_error(&b, b.u, 1e-12, b.aft.T_c, T_u);
    double by_t = derivative_error(&b, b.t, 1e-6, b.aft.T_c, T_t), by_w = 0, normal = 0;
    bool opening = cases[i].kind == FW_AFT_OPENING;
    if (cases[i].kind != FW_AFT_CONSTANT) by_w = derivative_error(&b, opening ? b.n : b.w, 1e-6, b.aft.T_c, T_w);
    if (opening) normal = derivative_error(&b, b.n, 1e-6, b.aft.N_c, N_w);
    printf("normal force of kind %d: dT/du %.1e, dT/dt %.1e, dT/dN %.1e, dN/dn %.1e\n", cases[i].kind, by_u, by_t, by_w,
           normal);
    assert_true(by_u < 1e-6 && by_t < 1e-6 && by_w < 1e-6 && normal < 1e-6);
    bench_close(&b);
  }
}

/* The force tried just passes the limit between two samples, by less and less: T changes without a jump. */
static void short_slides_are_seen(void **unused) {
  (void)unused;
  bench b;
  double last = 0, step = 0, most = 0;
  bench_open(&b, 32, "coulomb", FW_AFT_CONSTANT);
  fw_limit_out limit;
  b.law.ops->limit(b.law.constants, 0, 3, NULL, &limit);
  memset(b.u, 0, sizeof b.u);
  memset(b.t, 0, sizeof b.t);
  for (int k = 0; k <= 2000; k++) {
    double peak = limit.slip * (1 + 4e-3 * k / 2000); /* cos(pi/32) is 0.9952: no sample slides */
    b.t[1] = peak * cos(M_PI / 32);
    b.t[2] = peak * sin(M_PI / 32);
    run(&b, false);
    double clipped = peak - hypot(b.aft.T_c[1], b.aft.T_c[2]);
    if (k) step = fmax(step, fabs(clipped - last));
    most = fmax(most, clipped);
    last = clipped;
    for (int j = 0; j < 32; j++) assert_false(b.aft.slides[j]);
  }
  printf("the first harmonic loses up to %.2e of %.2e N, in steps of at most %.1e\n", most, limit.slip, step);
  assert_true(most > 1e-4 * limit.slip && step < 3e-3 * most);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(samples_do_not_matter), cmocka_unit_test(derivatives_are_exact),
                                     cmocka_unit_test(short_slides_are_seen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
