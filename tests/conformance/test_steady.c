/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steady sliding of every law: its states rest, and its derivatives are those of the steady force, by differences over
 * velocity and normal force. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"
#include "contact/friction/steady.h"

enum { BY_V, BY_N, WAYS };
static const double LOAD = 83.0;

static fw_steady at(fw_context *ctx, const fw_friction *law, double v, double N) {
  fw_steady steady;
  assert_int_equal(fw_friction_steady(ctx, law, v, N, &steady), FW_OK);
  return steady;
}

/* dT = T_x dx + T_z . dz and 0 = zdot_x dx + zdot_z dz along the differences of two steady states; what is left of both,
 * as parts of T/x. */
static double left_over(const fw_steady *low, const fw_steady *mid, const fw_steady *high, int way, double x,
                        double h) {
  double slope = (high->T - low->T) / (2 * h), told = way == BY_V ? mid->T_v : mid->T_N, worst = 0;
  for (int i = 0; i < mid->rates; i++) {
    double rest = (way == BY_V ? mid->zdot_v : mid->zdot_N)[i], size = fabs(rest);
    told += mid->T_z[i] * (high->z[i] - low->z[i]) / (2 * h);
    for (int k = 0; k < mid->rates; k++) {
      double term = mid->zdot_z[i * mid->rates + k] * (high->z[k] - low->z[k]) / (2 * h);
      rest += term;
      size = fmax(size, fmax(fabs(term), fabs(mid->zdot_z[i * mid->rates + k] * mid->z[k] / x)));
    }
    if (size > 0) worst = fmax(worst, fabs(rest) / size);
  }
  return fmax(worst, fabs(told - slope) * fabs(x) / fmax(fabs(mid->T), 1e-300));
}

static int check(const fw_friction *law, const char *name, double v) {
  fw_context *ctx;
  int failures = 0;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  for (int way = 0; way < WAYS; way++) {
    double x = way == BY_V ? v : LOAD, h = 1e-5 * fabs(x);
    fw_steady steady[3];
    for (int k = 0; k < 3; k++)
      steady[k] = at(ctx, law, way == BY_V ? v + (k - 1) * h : v, way == BY_N ? LOAD + (k - 1) * h : LOAD);
    double left = left_over(&steady[0], &steady[1], &steady[2], way, x, h);
    printf("  %-24s v = %-6g %s  T %-14.8g left over %.1e\n", name, v, way == BY_V ? "by v" : "by N", steady[1].T,
           left);
    failures += !(left < 1e-6) || !(steady[1].T * v > 0);
    for (int k = 0; k < 3; k++) fw_steady_clear(&steady[k]);
  }
  fw_context_destroy(&ctx);
  return failures;
}

/* Random bristles never rest. */
static void refuse(fw_context *ctx, const fw_friction *law) {
  fw_steady steady;
  assert_int_equal(fw_friction_steady(ctx, law, 7e-4, LOAD, &steady), FW_ERR_ANALYSIS);
  assert_non_null(strstr(fw_context_message(ctx), "goes on changing"));
  fw_steady_clear(&steady);
}

/* On the falling branch; armstrong's force depends on the dwell before it slid, which is shorter the faster it is
 * pulled, unless that is next to none. */
static double speed_of(const char *name) { return strcmp(name, "armstrong") == 0 ? 0.03 : 7e-4; }

static void every_law_slides_steadily(void **unused) {
  (void)unused;
  int failures = 0;
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++) {
    fw_context *ctx;
    fw_friction law;
    assert_int_equal(fw_context_create(&ctx), FW_OK);
    const fw_friction_ops *ops = (const fw_friction_ops *)(const void *)*entry;
    assert_int_equal(fw_law_create(ctx, ops, NULL, 0, &law), FW_OK);
    if (strcmp((*entry)->name, "bristle") == 0)
      refuse(ctx, &law);
    else
      failures += check(&law, (*entry)->name, speed_of((*entry)->name)) + check(&law, (*entry)->name, -0.05);
    fw_friction_clear(&law);
    fw_context_destroy(&ctx);
  }
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_law_slides_steadily)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
