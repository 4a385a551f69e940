/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dispatch, elastic stick and the step derived from a rate face. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"

typedef struct bench {
  fw_context *ctx;
  fw_friction law;
} bench;

static bench bench_open(const char *name, const char *const *settings, int count) {
  bench b;
  assert_int_equal(fw_context_create(&b.ctx), FW_OK);
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, name);
  assert_non_null(ops);
  if (fw_law_create(b.ctx, ops, settings, count, &b.law) != FW_OK) fail_msg("%s", fw_context_message(b.ctx));
  return b;
}

static void bench_close(bench *b) {
  fw_friction_clear(&b->law);
  fw_context_destroy(&b->ctx);
}

static double slip_by(const bench *b, double du, double N, double *z) {
  double trial[64];
  fw_step_out out = {.z = trial};
  fw_friction_step(&b->law, &(fw_step_in){.x = {du, 0, 0, N, N}}, z, &out);
  memcpy(z, trial, (size_t)b->law.states * sizeof *z);
  return out.T;
}

static void elastic_stick_is_a_spring_up_to_the_limit(void **unused) {
  (void)unused;
  const char *settings[] = {"mu=0.5", "u-crit=1e-6"};
  bench b = bench_open("coulomb", settings, 2);
  double z[2];
  fw_friction_reset(&b.law, z);
  assert_near(slip_by(&b, 5e-7, 10, z), 2.5, 1e-12);
  assert_near(slip_by(&b, 5e-6, 10, z), 5.0, 1e-12);
  assert_near(slip_by(&b, -1e-6, 10, z), 0.0, 1e-12);
  assert_near(slip_by(&b, -9e-6, 10, z), -5.0, 1e-12);
  assert_near(slip_by(&b, 0, 4, z), -2.0, 1e-12); /* N falls: stiffness follows N */
  bench_close(&b);
}

static void opening_resets_and_nan_is_told(void **unused) {
  (void)unused;
  bench b = bench_open("lugre", NULL, 0);
  double z = 0.0;
  assert_true(slip_by(&b, 1e-6, 83, &z) > 0.0);
  double before = z;
  assert_true(isnan(slip_by(&b, NAN, 83, &z)));
  assert_true(z == before);
  assert_true(slip_by(&b, 1e-6, 0, &z) == 0.0);
  assert_true(z == 0.0);
  bench_close(&b);
}

/* dahl's rate face through the derived step against its own exact step: second order. */
static double derived_error(int steps) {
  bench b = bench_open("dahl", NULL, 0);
  fw_friction_ops rate_only = *b.law.ops;
  rate_only.step = NULL;
  double exact = 0.0, derived = 0.0, dt = 1e-3 / steps, worst = 0.0;
  for (int k = 0; k < steps; k++) {
    double w = 2.0 * M_PI * 1e3, t0 = k * dt, t1 = t0 + dt, A = 8e-6;
    fw_step_in in = {.x = {A * (sin(w * t1) - sin(w * t0)), A * w * cos(w * t0), A * w * cos(w * t1), 83, 83},
                     .dt = dt};
    fw_step_out out = {.z = &(double){0}};
    fw_friction_step(&b.law, &in, &exact, &out);
    exact = *out.z;
    double T = out.T;
    fw_friction other = b.law;
    other.ops = &rate_only;
    fw_friction_step(&other, &in, &derived, &out);
    derived = *out.z;
    worst = fmax(worst, fabs(T - out.T));
  }
  bench_close(&b);
  return worst;
}

static void derived_step_converges_with_second_order(void **unused) {
  (void)unused;
  double coarse = derived_error(200), fine = derived_error(400);
  print_message("dahl, derived against exact step: %.3e N, half the step %.3e N\n", coarse, fine);
  assert_true(fine < 0.35 * coarse);
  assert_true(fine < 1e-2);
}

static void wrong_settings_are_refused(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_friction law;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, "lugre");
  const char *const wrong[] = {"mu-s=-1", "mu-q=1", "v-s=0", "sigma-0=x", "u-crit=0", "stick-limit=none"};
  for (int i = 0; i < 6; i++) assert_int_not_equal(fw_law_create(ctx, ops, &wrong[i], 1, &law), FW_OK);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elastic_stick_is_a_spring_up_to_the_limit),
      cmocka_unit_test(opening_resets_and_nan_is_told),
      cmocka_unit_test(derived_step_converges_with_second_order),
      cmocka_unit_test(wrong_settings_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
