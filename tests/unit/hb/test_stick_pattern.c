/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which samples of a period stick, against the closed form of a spring-slider driven by u = A cos tau: after each
 * reversal it sticks until the slip has gone back by twice the elastic slip. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"
#include "solver/hb/aft/aft.h"

enum { SAMPLES = 200 };
static const double A = 1e-5;

/* pattern of the samples at this elastic slip. */
static void find(double u_crit, char *pattern) {
  fw_context *ctx;
  fw_friction friction;
  fw_fourier fourier;
  fw_aft aft;
  char slip[32];
  const char *settings[] = {"mu=0.5", slip};
  snprintf(slip, sizeof slip, "u-crit=%.17g", u_crit);
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, "coulomb");
  assert_int_equal(fw_law_create(ctx, ops, settings, 2, &friction), FW_OK);
  assert_int_equal(fw_fourier_init(ctx, 1, SAMPLES, &fourier), FW_OK);
  assert_int_equal(fw_aft_init(ctx, &fourier, friction.states, &aft), FW_OK);
  double z0[2] = {0}, u[3] = {0, A, 0};
  fw_aft_point point = {.friction = &friction, .kind = FW_AFT_CONSTANT, .N0 = 83, .z0 = z0};
  assert_int_equal(fw_aft_run(&aft, &point, &(fw_aft_in){.omega = 300, .u = u}, false), FW_OK);
  assert_int_equal(fw_stick_pattern(ctx, &aft, &point, pattern), FW_OK);
  fw_aft_clear(&aft);
  fw_fourier_clear(&fourier);
  fw_friction_clear(&friction);
  fw_context_destroy(&ctx);
}

static bool sticks(double u_crit, int j) {
  double tau = fmod(2 * M_PI * j / SAMPLES, M_PI); /* since the last reversal */
  return A * (1 - cos(tau)) <= 2 * u_crit;
}

static void sticks_after_reversals(void **state) {
  (void)state;
  char pattern[SAMPLES];
  double u_crit = 2e-6;
  find(u_crit, pattern);
  char stick = pattern[5], slip = pattern[60]; /* tau = 0.16, 1.9; the limit is acos(0.6) = 0.93 */
  assert_true(stick != 0 && slip != 0 && stick != slip);
  for (int j = 1; j < SAMPLES; j++)
    if (j != SAMPLES / 2) assert_int_equal(pattern[j], sticks(u_crit, j) ? stick : slip);
}

/* Between two elastic slips exactly those samples change that the closed form names. */
static void changes_are_found(void **state) {
  (void)state;
  char before[SAMPLES], after[SAMPLES];
  int found = 0, expected = 0;
  find(2e-6, before);
  find(2.4e-6, after);
  for (int j = 0; j < SAMPLES; j++) {
    found += before[j] != after[j];
    expected += sticks(2e-6, j) != sticks(2.4e-6, j);
  }
  assert_true(expected > 0);
  assert_int_equal(found, expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sticks_after_reversals), cmocka_unit_test(changes_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
