/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A contact point over one period: derivatives against finite differences for every law, and memory of stick. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"
#include "solver/hb/aft/aft.h"

enum { H = 3, SIZE = 2 * H + 1, SAMPLES = 64, STATES = 512 };

typedef struct bench {
  fw_context *ctx;
  fw_friction law;
  fw_fourier fourier;
  fw_aft aft;
  fw_aft_point point;
  double z0[STATES];
} bench;

static void bench_open(bench *b, const fw_friction_ops *ops, fw_aft_normal kind) {
  memset(b, 0, sizeof *b);
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  assert_int_equal(fw_law_create(b->ctx, ops, NULL, 0, &b->law), FW_OK);
  assert_true(b->law.states <= STATES);
  assert_int_equal(fw_fourier_init(b->ctx, H, SAMPLES, &b->fourier), FW_OK);
  assert_int_equal(fw_aft_init(b->ctx, &b->fourier, b->law.states, &b->aft), FW_OK);
  fw_friction_reset(&b->law, b->z0);
  b->point = (fw_aft_point){.friction = &b->law, .kind = kind, .N0 = 83, .z0 = b->z0};
}

static void bench_close(bench *b) {
  fw_aft_clear(&b->aft);
  fw_fourier_clear(&b->fourier);
  fw_friction_clear(&b->law);
  fw_context_destroy(&b->ctx);
}

/* d T_c / d x_c by central differences, x either u or w; the largest difference from the analytic matrix, over the
 * largest entry of the matrix. */
static double derivative_error(bench *b, const fw_aft_in *in, double *x, double h, const double *analytic) {
  double exact[SIZE * SIZE], plus[SIZE], worst = 0, largest = 0;
  memcpy(exact, analytic, sizeof exact);
  for (int c = 0; c < SIZE; c++) {
    double keep = x[c];
    x[c] = keep + h;
    assert_int_equal(fw_aft_run(&b->aft, &b->point, in, false), FW_OK);
    memcpy(plus, b->aft.T_c, sizeof plus);
    x[c] = keep - h;
    assert_int_equal(fw_aft_run(&b->aft, &b->point, in, false), FW_OK);
    x[c] = keep;
    for (int r = 0; r < SIZE; r++) {
      double slope = (plus[r] - b->aft.T_c[r]) / (2 * h);
      worst = fmax(worst, fabs(slope - exact[r * SIZE + c]));
      largest = fmax(largest, fabs(exact[r * SIZE + c]));
    }
  }
  return largest > 0 ? worst / largest : worst;
}

static bool is_periodic_law(const char *name) {
  /* random or delayed laws do not return to their state */
  return strcmp(name, "bristle") != 0 && strcmp(name, "armstrong") != 0;
}

/* Normal force given (closed) or projected from force and gap, both w here, with weight 1/2 (opening): it opens where
 * N0 + w / 2 < 0. */
static void derivatives_are_exact_for(const fw_friction_ops *ops, double A, fw_aft_normal kind) {
  bench b;
  bench_open(&b, ops, kind);
  bool opening = kind == FW_AFT_OPENING;
  b.point.gap_penalty = 0.5;
  if (opening) b.point.N0 = 2;
  double omega = 2 * M_PI * 50;
  double u[SIZE] = {0.1 * A, 0.9 * A, 0.3 * A, 0.05 * A, -0.11 * A, 0.13 * A, 0.02 * A};
  double w[SIZE] = {2, 7, -3, 1.5, 0.3, -0.7, 0.2};
  const fw_aft_in in = {.omega = omega, .u = u, .w = w, .n = w};
  assert_int_equal(fw_aft_run(&b.aft, &b.point, &in, true), FW_OK);
  double T_u[SIZE * SIZE], T_w[SIZE * SIZE];
  memcpy(T_u, b.aft.T_u, sizeof T_u);
  for (int i = 0; i < SIZE * SIZE; i++) T_w[i] = (opening ? 1 - b.point.gap_penalty : 1) * b.aft.T_w[i];
  bool periodic = b.aft.periodic;
  int open = 0;
  for (int j = 0; j < SAMPLES; j++) open += b.aft.N[j] == 0;
  assert_true(opening ? open > 0 && open < SAMPLES : open == 0);
  double error_u = derivative_error(&b, &in, u, 1e-6 * A, T_u), error_w = derivative_error(&b, &in, w, 1e-5, T_w);
  printf("%-20s A %.0e%s: dT/du %.1e, dT/dN %.1e%s\n", ops->entry.name, A, opening ? " opening" : "", error_u, error_w,
         periodic ? "" : " (not periodic)");
  if (periodic) assert_true(error_u < 2e-5 && error_w < 2e-5);
  bench_close(&b);
}

static void derivatives_are_exact(void **unused) {
  (void)unused;
  const double amplitudes[] = {2e-7, 3e-6, 4e-5};
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++)
    for (int a = 0; is_periodic_law((*entry)->name) && a < 3; a++)
      derivatives_are_exact_for((const fw_friction_ops *)*entry, amplitudes[a], FW_AFT_CLOSED);
  derivatives_are_exact_for((const fw_friction_ops *)fw_table_find(&fw_laws, "coulomb"), 3e-6, FW_AFT_OPENING);
  derivatives_are_exact_for((const fw_friction_ops *)fw_table_find(&fw_laws, "dahl"), 3e-6, FW_AFT_OPENING);
}

/* A contact with a history that only just opens, by less and less: N0 - (1 + depth) N0 cos(t) has its least value at a
 * sample. Friction goes from that of a closed contact to that of a fresh one without a jump, and its derivatives are
 * right in between. */
static void opening_begins_without_a_jump(void **unused) {
  (void)unused;
  static const char *const laws[] = {"coulomb", "dahl", "lugre", "lugre-normalised", "iwan"};
  for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
    bench b;
    bench_open(&b, (const fw_friction_ops *)fw_table_find(&fw_laws, laws[l]), FW_AFT_CLOSED);
    double u[SIZE] = {1e-7, 1e-7, -4e-7, 3e-8}, w[SIZE] = {0}, last[SIZE], largest = 0, worst = 0, first = 0, end = 0;
    const fw_aft_in in = {.omega = 300, .u = u, .w = w};
    const double deepest = 4e-3; /* open for more than a step: (1 - cos(2 pi/64))/2 is 2.4e-3 */
    enum { STEPS = 4000 };
    for (int k = 0; k <= STEPS; k++) {
      w[1] = -b.point.N0 * (1 + deepest * (2.0 * k / STEPS - 1));
      assert_int_equal(fw_aft_run(&b.aft, &b.point, &in, false), FW_OK);
      for (int c = 0; k > 0 && c < SIZE; c++) worst = fmax(worst, fabs(b.aft.T_c[c] - last[c]));
      memcpy(last, b.aft.T_c, sizeof last);
      for (int c = 0; c < SIZE; c++) largest = fmax(largest, fabs(last[c]));
      *(k == 0 ? &first : &end) = last[0];
    }
    double range = fabs(end - first);
    w[1] = -b.point.N0 * (1 + 0.3 * deepest);
    assert_int_equal(fw_aft_run(&b.aft, &b.point, &in, true), FW_OK);
    double T_u[SIZE * SIZE], T_w[SIZE * SIZE];
    memcpy(T_u, b.aft.T_u, sizeof T_u);
    memcpy(T_w, b.aft.T_w, sizeof T_w);
    double error_u = derivative_error(&b, &in, u, 1e-12, T_u), error_w = derivative_error(&b, &in, w, 1e-5, T_w);
    printf("%-18s mean friction changes by %.3g of %.3g N, largest step %.2g; dT/du %.1e, dT/dN %.1e\n", laws[l], range,
           largest, worst, error_u, error_w);
    assert_true(worst < 5e-3 * largest);
    assert_true(error_u < 2e-5 && error_w < 2e-5);
    bench_close(&b);
  }
}

/* Stick that breaks away from its static limit does so at another moment when the amplitude is another: the drop moves
 * through the samples, and the force follows without a jump. */
static void breakaway_moves_without_a_jump(void **unused) {
  (void)unused;
  static const char *const laws[] = {"coulomb-static", "stribeck", "decay", "karnopp", "force-balance", "tabulated"};
  enum { STEPS = 2000 };
  for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
    bench b;
    bench_open(&b, (const fw_friction_ops *)fw_table_find(&fw_laws, laws[l]), FW_AFT_CLOSED);
    double u[SIZE] = {0}, w[SIZE] = {0}, last[SIZE], largest = 0, worst = 0;
    const fw_aft_in in = {.omega = 300, .u = u, .w = w};
    for (int k = 0; k <= STEPS; k++) {
      u[1] = 2e-5 * (1 + (double)k / STEPS);
      u[3] = 0.1 * u[1];
      assert_int_equal(fw_aft_run(&b.aft, &b.point, &in, false), FW_OK);
      for (int c = 0; k > 0 && c < SIZE; c++) worst = fmax(worst, fabs(b.aft.T_c[c] - last[c]));
      memcpy(last, b.aft.T_c, sizeof last);
      for (int c = 0; c < SIZE; c++) largest = fmax(largest, fabs(last[c]));
    }
    fw_limit_out rest;
    b.law.ops->limit(b.law.constants, 0, b.point.N0, NULL, &rest);
    printf("%-18s largest step %.2g of %.3g N, breaks away from %.4g N\n", laws[l], worst, largest, b.aft.T_break);
    assert_true(worst < 1e-3 * largest);
    assert_near(b.aft.T_break, rest.stick_plus, 1e-9);
    bench_close(&b);
  }
}

static void sticking_contact_keeps_its_history(void **unused) {
  (void)unused;
  bench b;
  bench_open(&b, (const fw_friction_ops *)fw_table_find(&fw_laws, "coulomb"), FW_AFT_CONSTANT);
  b.z0[0] = 0.5 * b.law.stick.u_crit; /* the preload left half of the force a stick can bear */
  double A = 0.2 * b.law.stick.u_crit, u[SIZE] = {0, A}, T0 = 0, limit = 0;
  fw_step_out out = {.z = (double[2]){0}};
  fw_friction_step(&b.law, &(fw_step_in){.x = {0, 0, 0, 83, 83}}, b.z0, &out);
  T0 = out.T;
  limit = 2 * T0;
  assert_int_equal(fw_aft_run(&b.aft, &b.point, &(fw_aft_in){.omega = 300, .u = u}, true), FW_OK);
  assert_true(b.aft.periodic);
  assert_near(b.aft.T_c[0], T0, 1e-9);
  assert_near(b.aft.T_c[1], 0.2 * limit, 1e-9);
  assert_near(b.aft.T_u[0], limit / b.law.stick.u_crit, 1e-3); /* the mean slip is held by the stick's spring */
  bench_close(&b);
}

/* A slider of GMS just reaches its limit where the slip turns: one period begins as it slips and leaves it stuck, the
 * next begins stuck and leaves it slipping, and Newton's method goes to and fro between the two. The motion itself stays
 * stuck after two periods. A preload has moved all elements by 0.17 um; N goes with the slip. */
static void slider_that_grazes_its_limit_finds_its_period(void **unused) {
  (void)unused;
  bench b;
  bench_open(&b, (const fw_friction_ops *)fw_table_find(&fw_laws, "gms"), FW_AFT_CLOSED);
  b.point.N0 = 49.7;
  for (int i = 0; i < 4; i++) b.z0[i] = (4 - i) * 1e6 * -1.737e-7;
  int lost = 0, slipped = 0;
  for (int k = 0; k <= 400; k++) {
    const double A = 0.98 + 0.04 * k / 400, u[SIZE] = {-2.5e-9 * A, -3.42e-7 * A, -6e-9 * A},
                 w[SIZE] = {0, -2.35, -0.05};
    const fw_aft_in in = {.omega = 2 * M_PI * 322.6, .u = u, .w = w};
    assert_int_equal(fw_aft_run(&b.aft, &b.point, &in, false), FW_OK);
    lost += !b.aft.periodic;
    slipped += fabs(b.aft.z[0] - 4 * b.aft.z[3]) > 1e-3; /* the first element is not where the last one is */
  }
  printf("gms: not periodic at %d of 401 amplitudes, has slipped at %d\n", lost, slipped);
  assert_true(slipped > 0 && slipped < 401);
  assert_int_equal(lost, 0);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_exact),
      cmocka_unit_test(breakaway_moves_without_a_jump),
      cmocka_unit_test(opening_begins_without_a_jump),
      cmocka_unit_test(sticking_contact_keeps_its_history),
      cmocka_unit_test(slider_that_grazes_its_limit_finds_its_period),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
