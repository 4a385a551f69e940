/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "contact_parts.h"

static fw_status make(fw_context *ctx, const char *law, const char *const *settings, int count,
                      fw_enforcement enforcement, fw_normal *normal) {
  const fw_normal_ops *ops = (const fw_normal_ops *)fw_table_find(&fw_normals, law);
  assert_non_null(ops);
  fw_args args = entry_args(ctx, &ops->entry, settings, count);
  const fw_status status = fw_normal_create(ctx, ops, &args, enforcement, normal);
  fw_args_clear(&args);
  return status;
}

static void hard_is_rigid_unless_by_penalty(void **state) {
  fw_context *ctx = *state;
  const char *const settings[] = {"restitution=0.5", "stiffness=2e6"};
  fw_normal normal;
  assert_int_equal(make(ctx, "hard", settings, 2, FW_LAGRANGE, &normal), FW_OK);
  assert_true(fw_normal_is_rigid(&normal));
  assert_near(normal.restitution, 0.5, 0.0);
  fw_normal_clear(&normal);
  assert_int_equal(make(ctx, "hard", settings, 2, FW_PENALTY, &normal), FW_OK);
  assert_false(fw_normal_is_rigid(&normal));
  fw_normal_out out;
  fw_normal_force(&normal, -1e-6, 0.3, &out);
  assert_near(out.N, 2.0, 1e-15);
  fw_normal_clear(&normal);
}

static void table_goes_through_its_points(void **state) {
  fw_context *ctx = *state;
  const char *const settings[] = {"penetrations=1e-6,2e-6,5e-6", "forces=1,3,3"};
  fw_normal normal;
  assert_int_equal(make(ctx, "tabulated", settings, 2, FW_PENALTY, &normal), FW_OK);
  fw_normal_out out;
  fw_normal_force(&normal, -1e-6, 0.0, &out);
  assert_near(out.N, 1.0, 1e-14);
  fw_normal_force(&normal, -2e-6, 0.0, &out);
  assert_near(out.N, 3.0, 1e-14);
  fw_normal_force(&normal, -4e-6, 0.0, &out);
  assert_near(out.N, 3.0, 1e-14); /* flat between equal forces: no overshoot */
  fw_normal_force(&normal, -9e-6, 0.0, &out);
  assert_near(out.N, 3.0, 1e-14);
  fw_normal_clear(&normal);
}

static void bad_tables_are_refused(void **state) {
  fw_context *ctx = *state;
  const char *const unequal[] = {"penetrations=1e-6,2e-6", "forces=1"};
  const char *const falling[] = {"penetrations=1e-6,2e-6", "forces=2,1"};
  const char *const backward[] = {"penetrations=2e-6,1e-6", "forces=1,2"};
  fw_normal normal;
  assert_int_equal(make(ctx, "tabulated", unequal, 2, FW_PENALTY, &normal), FW_ERR_DECK);
  assert_int_equal(make(ctx, "tabulated", falling, 2, FW_PENALTY, &normal), FW_ERR_DECK);
  assert_int_equal(make(ctx, "tabulated", backward, 2, FW_PENALTY, &normal), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "forces must not fall"));
}

static int set_up(void **state) { return fw_context_create((fw_context **)state); }
static int tear_down(void **state) {
  fw_context_destroy((fw_context **)state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hard_is_rigid_unless_by_penalty),
      cmocka_unit_test(table_goes_through_its_points),
      cmocka_unit_test(bad_tables_are_refused),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
