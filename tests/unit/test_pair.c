/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact_parts.h"

enum { X, Y, RZ };

/* A disc hanging under the end of a beam that lies on a floor, as on the rig. */
typedef struct foot {
  fw_context *ctx;
  fw_model model;
  fw_node node;
  fw_surface *floor;
  fw_pair *pair;
} foot;

static const double radius = 5e-3, arm = 2.38e-3;

static void make_foot(foot *f, bool large_rotation) {
  *f = (foot){0};
  assert_int_equal(fw_context_create(&f->ctx), FW_OK);
  f->node = loose_node(&f->model, 0.606, 0.0);
  f->model.nodes = &f->node;
  f->model.node_count = 1;
  const char *const settings[] = {"from=0.5,-0.00738", "to=0.7,-0.00738"};
  f->floor = rigid_surface(f->ctx, &f->model, "line", settings, 2, NULL);
  assert_int_equal(fw_pair_create(f->ctx, "foot", f->floor, 1, &f->pair), FW_OK);
  f->pair->followers[0] = (fw_follower){.at = {0, {0.0, -arm}, large_rotation}, .radius = radius};
}

static void free_foot(foot *f) {
  fw_pair_destroy(&f->pair);
  fw_surface_destroy(&f->floor);
  fw_context_destroy(&f->ctx);
}

static double at_dof(const fw_kinematic *k, const double *values, int dof) {
  for (int i = 0; i < k->count; i++)
    if (k->dof[i] == dof) return values[i];
  fail();
  return 0.0;
}

static void rig_foot_slips_with_the_whole_lever(void **unused) {
  (void)unused;
  foot f;
  make_foot(&f, false);
  const double q[3] = {1e-5, 2e-6, 3e-4}, zero[3] = {0};
  fw_kinematic k;
  assert_int_equal(fw_pair_kinematics(&f.model, f.pair, 0, zero, NULL, q, &k), FW_OK);
  assert_false(k.curved);
  assert_near(k.gap, q[Y], 1e-17);
  assert_near(k.slip, q[X] + (radius + arm) * q[RZ], 1e-17);
  assert_near(at_dof(&k, k.gap_q, Y), 1.0, 1e-14);
  assert_near(at_dof(&k, k.gap_q, RZ), 0.0, 1e-14);
  assert_near(at_dof(&k, k.slip_q, X), 1.0, 1e-14);
  assert_near(at_dof(&k, k.slip_q, Y), 0.0, 1e-14);
  assert_near(at_dof(&k, k.slip_q, RZ), radius + arm, 1e-14);
  assert_near(k.normal[1], 1.0, 1e-15);
  free_foot(&f);
}

static void rolling_disc_does_not_slip(void **unused) {
  (void)unused;
  foot f;
  make_foot(&f, true);
  f.pair->followers[0].at.arm[1] = 0.0;
  const double from[3] = {0.0, 0.0, 0.0}, q[3] = {0.02, 0.0, -0.02 / radius};
  fw_kinematic k;
  assert_int_equal(fw_pair_kinematics(&f.model, f.pair, 0, from, NULL, q, &k), FW_OK);
  assert_near(k.slip, 0.0, 1e-15);
  free_foot(&f);
}

static void follower_that_left_is_open(void **unused) {
  (void)unused;
  foot f;
  make_foot(&f, false);
  const double q[3] = {0.2, -0.05, 0.0};
  fw_kinematic k;
  assert_int_equal(fw_pair_kinematics(&f.model, f.pair, 0, NULL, NULL, q, &k), FW_OK);
  assert_true(k.gap > 0.1);
  const double lost[3] = {NAN, 0.0, 0.0};
  assert_int_equal(fw_pair_kinematics(&f.model, f.pair, 0, NULL, NULL, lost, &k), FW_RECOVER_NAN);
  free_foot(&f);
}

static void wear_is_a_power_of_the_work_rate(void **unused) {
  (void)unused;
  fw_pair pair = {.archard = 2e-15, .wear_power = 1};
  assert_near(fw_pair_wear_rate(&pair, 3.0) / 6e-15, 1.0, 1e-12); /* Archard */
  pair.wear_power = 2;
  assert_near(fw_pair_wear_rate(&pair, 3.0) / 18e-15, 1.0, 1e-12);
  assert_true(fw_pair_wear_rate(&pair, 0.0) == 0.0);
  pair.archard = 0;
  assert_true(fw_pair_wear_rate(&pair, 3.0) == 0.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wear_is_a_power_of_the_work_rate),
      cmocka_unit_test(rig_foot_slips_with_the_whole_lever),
      cmocka_unit_test(rolling_disc_does_not_slip),
      cmocka_unit_test(follower_that_left_is_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
