/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contact patch test: two blocks, one on the other, under uniform pressure. The exact stress is uniform.
 * Node-to-surface contact passes with matching meshes and is known to fail with others: the errors are
 * printed, for one pass either way and for two. */
#include <stdio.h>

#include "plane_bodies.h"

static const double E = 1e6, nu = 0.3, PRESSURE = 100.0, SOFT = 1e-4;

/* Upper block: body 0, y in 0 .. 0.5; lower: body 1, y in -0.5 .. 0. One node in the middle of the top is the
 * "platen" that a soft spring holds. */
static motion block_motion(const double x[2], int body, int direction) {
  const bool middle = fabs(x[0]) < 1e-9;
  if (body == 0 && middle && x[1] > 0.49) return PLATEN;
  if (body == 0 && middle && direction == FW_X) return HELD; /* keeps it from tilting */
  if (body == 1 && x[1] < -0.49) return direction == FW_Y || middle ? HELD : FREE;
  return FREE;
}

static fw_mesh *make_block(fw_context *ctx, double bottom, int divisions) {
  fw_mesh *mesh = NULL;
  const double low[2] = {-0.5, bottom}, high[2] = {0.5, bottom + 0.5}, grading[2] = {1.0, 1.0};
  const int n[2] = {divisions, 2};
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  assert_int_equal(fw_mesh_add_rectangle(ctx, mesh, low, high, n, grading), FW_OK);
  return mesh;
}

/* Uniform pressure on the top edge, spread to its nodes. */
static void press(plane_bodies *b, int divisions) {
  for (int n = 0; n < b->body[0].node_count; n++) {
    const fw_node *node = &b->model.nodes[n];
    if (node->x[1] < 0.5 - 1e-9) continue;
    const bool end = fabs(node->x[0]) > 0.5 - 1e-9;
    b->load[node->dof[FW_Y]] -= PRESSURE / divisions * (end ? 0.5 : 1.0);
  }
}

/* Largest error of the vertical stress in the elements' middles, over the pressure. */
static double stress_error(const plane_bodies *b) {
  double worst = 0.0;
  for (int k = 0; k < 2; k++) {
    const fw_block *block = &b->block[k];
    for (int e = 0; e < block->count; e++) {
      double X[2 * FW_ELEMENT_NODES], q[FW_ELEMENT_DOFS], stress[6];
      const double centre[2] = {0.0, 0.0};
      for (int a = 0; a < 4; a++)
        for (int d = 0; d < 2; d++) {
          const fw_node *node = &b->model.nodes[block->nodes[4 * e + a]];
          X[2 * a + d] = node->x[d];
          q[2 * a + d] = fw_node_value(node, d, b->state->q);
        }
      block->ops->field(&block->props, X, q, centre, stress);
      worst = fmax(worst, fabs(stress[1] / -PRESSURE - 1.0));
    }
  }
  return worst;
}

static fw_surface *interface_of(plane_bodies *b, const char *body) {
  const char *const settings[] = {body, "within=-1,-0.001,1,0.001"};
  return rigid_surface(b->ctx, &b->model, "edges", settings, 2, NULL);
}

static fw_pair *make_pair(plane_bodies *b, const fw_surface *target, const fw_surface *follower, bool penalty) {
  fw_pair *pair = NULL;
  assert_int_equal(fw_pair_create(b->ctx, "interface", target, 0, &pair), FW_OK);
  assert_int_equal(fw_pair_follow_surface(b->ctx, &b->model, pair, follower), FW_OK);
  const fw_normal_ops *hard = (const fw_normal_ops *)fw_table_find(&fw_normals, "hard");
  fw_args args = entry_args(b->ctx, &hard->entry, NULL, 0);
  assert_int_equal(fw_normal_create(b->ctx, hard, &args, penalty ? FW_PENALTY : FW_LAGRANGE, &pair->normal), FW_OK);
  pair->normal.penalty = 100.0 * E;
  fw_args_clear(&args);
  return pair;
}

typedef enum passes { UPPER_FOLLOWS, LOWER_FOLLOWS, TWO_PASSES } passes;

static double patch_error(int upper_divisions, int lower_divisions, passes how) {
  static char upper_id[] = "upper", lower_id[] = "lower";
  plane_bodies b;
  bodies_begin(&b);
  fw_mesh *upper = make_block(b.ctx, 0.0, upper_divisions), *lower = make_block(b.ctx, -0.5, lower_divisions);
  bodies_add(&b, upper_id, upper, "quad4", E, nu);
  bodies_add(&b, lower_id, lower, "quad4", E, nu);
  bodies_freedoms(&b, block_motion);
  bodies_hold_platen(&b, SOFT * E);
  fw_surface *under = interface_of(&b, "body=lower"), *over = interface_of(&b, "body=upper");
  fw_pair *pairs[2] = {NULL, NULL};
  int count = 0;
  if (how != LOWER_FOLLOWS) pairs[count++] = make_pair(&b, under, over, how == TWO_PASSES);
  if (how != UPPER_FOLLOWS) pairs[count++] = make_pair(&b, over, under, how == TWO_PASSES);
  b.model.pairs = pairs;
  b.model.pair_count = count;
  bodies_assemble(&b);
  press(&b, upper_divisions);
  bodies_solve(&b);
  const double error = stress_error(&b);
  for (int p = 0; p < count; p++) fw_pair_destroy(&pairs[p]);
  fw_surface_destroy(&under);
  fw_surface_destroy(&over);
  fw_mesh_destroy(&upper);
  fw_mesh_destroy(&lower);
  bodies_end(&b);
  return error;
}

static void patch_test_is_reported(void **unused) {
  (void)unused;
  static const char *const names[] = {"one pass, upper follows", "one pass, lower follows", "two passes"};
  static const int meshes[][2] = {{4, 4}, {4, 6}, {6, 4}, {10, 4}, {20, 14}};
  printf("contact patch test: largest error of the vertical stress\n");
  for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++)
    for (int how = 0; how < 3; how++) {
      const double error = patch_error(meshes[m][0], meshes[m][1], (passes)how);
      printf("%2d edges on %2d, %-24s %8.4f %%\n", meshes[m][0], meshes[m][1], names[how], 100.0 * error);
      /* matching: exact but for the soft spring; others: a bound that notices if they get worse */
      assert_true(error < (meshes[m][0] == meshes[m][1] ? 10.0 * SOFT : 0.25));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(patch_test_is_reported)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
