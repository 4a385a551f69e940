/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every normal law: derivatives against finite differences, never pulls, no force in the open, the
 * elastic part is the gradient of the stored energy, closing is resisted at least as much as opening. */
#include <string.h>

#include "contact_parts.h"

/* Values for parameters without default, by name. A new law with new names adds a line. */
static const char *const sample_values[] = {"stiffness=1e7", "penetrations=1e-6,2e-6,5e-6", "forces=1,3,3.5"};

/* Settings of the sample for one law: its required parameters, and chi where it has one. */
static int settings_for(const fw_entry *entry, const char **settings) {
  int count = 0;
  for (const fw_param *param = entry->params; param && param->name; param++) {
    for (size_t i = 0; i < sizeof sample_values / sizeof *sample_values; i++)
      if (strncmp(sample_values[i], param->name, strlen(param->name)) == 0 &&
          sample_values[i][strlen(param->name)] == '=')
        settings[count++] = sample_values[i];
    if (strcmp(param->name, "chi") == 0) settings[count++] = "chi=20";
  }
  return count;
}

static bool near(double a, double b, double scale, double relative) { return fabs(a - b) <= relative * scale; }

/* NULL if the law behaves at this gap and rate, else what is wrong. */
static const char *complaint_at(const fw_normal *normal, double gap, double rate) {
  fw_normal_out at, plus, minus;
  fw_normal_force(normal, gap, rate, &at);
  if (!(isfinite(at.N) && isfinite(at.N_gap) && isfinite(at.N_rate))) return "not finite";
  if (at.N < 0.0) return "pulls";
  if (gap >= 0.0) return at.N == 0.0 && at.energy == 0.0 ? NULL : "acts in the open";
  if (at.N_gap > 0.0) return "weakens with penetration";
  if (at.N_rate > 0.0) return "damping feeds energy in";
  const double h = 1e-5 * fabs(gap);
  fw_normal_force(normal, gap + h, rate, &plus);
  fw_normal_force(normal, gap - h, rate, &minus);
  const double scale = at.elastic / fabs(gap) * (1.0 + fabs(at.N / at.elastic));
  if (!near(at.N_gap, (plus.N - minus.N) / (2.0 * h), scale, 1e-6)) return "N_gap is not the derivative";
  if (!near(at.elastic, -(plus.energy - minus.energy) / (2.0 * h), at.elastic, 1e-7))
    return "elastic force is not the gradient of the energy";
  const double dv = 1e-6;
  fw_normal_force(normal, gap, rate + dv, &plus);
  fw_normal_force(normal, gap, rate - dv, &minus);
  if (!near(at.N_rate, (plus.N - minus.N) / (2.0 * dv), at.elastic * 100.0, 1e-8))
    return "N_rate is not the derivative";
  return NULL;
}

static const char *complaint(const fw_normal *normal) {
  static const double rates[] = {-3.0, -0.02, 0.0, 0.02, 0.2, 3.0};
  for (double gap = -2e-5; gap <= 1e-6; gap += 3.37e-7)
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
      const char *wrong = complaint_at(normal, gap, rates[r]);
      if (wrong) return wrong;
    }
  return complaint_at(normal, 0.0, 0.0);
}

static void every_law_conforms(void **unused) {
  (void)unused;
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  for (int i = 0; fw_normals.entries[i]; i++) {
    const fw_normal_ops *ops = (const fw_normal_ops *)fw_normals.entries[i];
    const char *settings[8];
    fw_args args = entry_args(ctx, &ops->entry, settings, settings_for(&ops->entry, settings));
    fw_normal normal;
    if (fw_normal_create(ctx, ops, &args, FW_PENALTY, &normal) != FW_OK) fail_msg("%s", fw_context_message(ctx));
    assert_false(fw_normal_is_rigid(&normal));
    const char *wrong = complaint(&normal);
    if (wrong) fail_msg("%s: %s", ops->entry.name, wrong);
    fw_normal_clear(&normal);
    fw_args_clear(&args);
  }
  fw_context_destroy(&ctx);
}

/* A deliberately wrong entry: damping of the wrong sign. */
static void feeding_force(const double *c, double gap, double rate, fw_normal_out *out) {
  const double d = fmax(-gap, 0.0);
  *out = (fw_normal_out){.N = c[0] * d * fmax(1.0 + 5.0 * rate, 0.0), .elastic = c[0] * d};
  out->energy = 0.5 * c[0] * d * d;
  out->N_gap = d > 0.0 && 1.0 + 5.0 * rate > 0.0 ? -c[0] * (1.0 + 5.0 * rate) : 0.0;
  out->N_rate = 1.0 + 5.0 * rate > 0.0 ? 5.0 * c[0] * d : 0.0;
}

/* Another: derivative of the wrong sign. */
static void flipped_force(const double *c, double gap, double rate, fw_normal_out *out) {
  (void)rate;
  const double d = fmax(-gap, 0.0);
  *out = (fw_normal_out){.N = c[0] * d, .N_gap = d > 0.0 ? c[0] : 0.0, .elastic = c[0] * d};
  out->energy = 0.5 * c[0] * d * d;
}

static void a_wrong_sign_is_caught(void **unused) {
  (void)unused;
  double stiffness = 1e7;
  const fw_normal_ops feeding = {.force = feeding_force}, flipped = {.force = flipped_force};
  const fw_normal a = {.ops = &feeding, .constants = &stiffness}, b = {.ops = &flipped, .constants = &stiffness};
  assert_string_equal(complaint(&a), "damping feeds energy in");
  assert_string_equal(complaint(&b), "weakens with penetration");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_law_conforms),
      cmocka_unit_test(a_wrong_sign_is_caught),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
