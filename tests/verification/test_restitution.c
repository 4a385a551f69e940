/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hunt-Crossley damping: a mass thrown at a compliant law leaves with e v0, where for any elastic
 * part ln[(1 + d)/(1 - e d)] = d (1 + e), d = chi v0, since N never pulls. */
#include <stdio.h>
#include <string.h>

#include "contact_parts.h"

static double exact_restitution(double d) {
  double low = 1e-9, high = 1.0 - 1e-12; /* e = 1 only without damping */
  for (int i = 0; i < 200; i++) {
    const double e = 0.5 * (low + high);
    const double f = log((1.0 + d) / (1.0 - e * d)) - d * (1.0 + e);
    if (f < 0.0)
      low = e;
    else
      high = e;
  }
  return 0.5 * (low + high);
}

static void acceleration(const fw_normal *law, const double y[2], double out[2]) {
  fw_normal_out n;
  fw_normal_force(law, y[0], y[1], &n);
  out[0] = y[1];
  out[1] = n.N; /* unit mass */
}

/* Classical Runge-Kutta from touch until the mass leaves. */
static double computed_restitution(const fw_normal *law, double v0, double dt) {
  double y[2] = {0.0, -v0};
  for (int step = 0; step < 10000000 && !(y[0] >= 0.0 && y[1] > 0.0); step++) {
    double k[4][2], z[2];
    acceleration(law, y, k[0]);
    for (int s = 1; s < 4; s++) {
      for (int i = 0; i < 2; i++) z[i] = y[i] + (s == 3 ? dt : 0.5 * dt) * k[s - 1][i];
      acceleration(law, z, k[s]);
    }
    for (int i = 0; i < 2; i++) y[i] += dt / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
  }
  return y[1] / v0;
}

static void restitution_of_every_damped_law(void **unused) {
  (void)unused;
  static const struct {
    const char *law, *elastic[2];
    int count;
  } cases[] = {{"linear", {"stiffness=1e6"}, 1},
               {"power", {"stiffness=1e9", "exponent=1.5"}, 2},
               {"tabulated", {"penetrations=1e-4,1e-3", "forces=50,2000"}, 2}};
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (double d = 0.1; d < 1.0; d += 0.4) {
      char chi[32];
      snprintf(chi, sizeof chi, "chi=%.17g", d / 0.2);
      const char *settings[3] = {cases[c].elastic[0], cases[c].elastic[1], NULL};
      settings[cases[c].count] = chi;
      const fw_normal_ops *ops = (const fw_normal_ops *)fw_table_find(&fw_normals, cases[c].law);
      fw_args args = entry_args(ctx, &ops->entry, settings, cases[c].count + 1);
      fw_normal law;
      assert_int_equal(fw_normal_create(ctx, ops, &args, FW_PENALTY, &law), FW_OK);
      const double computed = computed_restitution(&law, 0.2, 1e-7), reference = exact_restitution(d);
      printf("restitution %-10s chi v0 = %.1f: computed %.8f reference %.8f difference %.1e\n", cases[c].law, d,
             computed, reference, computed / reference - 1.0);
      assert_near(computed / reference, 1.0, 1e-8);
      fw_normal_clear(&law);
      fw_args_clear(&args);
    }
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(restitution_of_every_damped_law)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
