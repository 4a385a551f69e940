/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sliding over corners and round circles, search, and the places a surface follows with. */
#include <stdlib.h>
#include <string.h>

#include "contact/detect/search.h"
#include "contact_parts.h"
#include "elements/element.h"

/* One loose follower and a surface. */
typedef struct scene {
  fw_context *ctx;
  fw_model model;
  fw_node node;
  fw_surface *surface;
  fw_pair *pair;
} scene;

static void make_scene(scene *s, const char *kind, const char *const *settings, int count, double radius) {
  *s = (scene){0};
  assert_int_equal(fw_context_create(&s->ctx), FW_OK);
  s->node = loose_node(&s->model, 0.0, 0.0);
  s->model.nodes = &s->node;
  s->model.node_count = 1;
  s->surface = rigid_surface(s->ctx, &s->model, kind, settings, count, NULL);
  assert_int_equal(fw_pair_create(s->ctx, "pair", s->surface, 1, &s->pair), FW_OK);
  s->pair->followers[0] = (fw_follower){.at = {.node = 0}, .radius = radius};
}

static void free_scene(scene *s) {
  fw_pair_destroy(&s->pair);
  fw_surface_destroy(&s->surface);
  fw_context_destroy(&s->ctx);
}

/* Moves the follower along straight stretches between the given places in small steps; sums the slip and
 * watches that the gap never jumps by more than the step. */
static double slide(scene *s, const double (*path)[2], int count, double expected_gap, double gap_tolerance) {
  enum { STEPS = 97 };
  double from[3] = {path[0][0], path[0][1], 0.0}, slip = 0.0;
  fw_touch touch = {.status = FW_SLIP, .segment = -1};
  for (int leg = 1; leg < count; leg++)
    for (int i = 1; i <= STEPS; i++) {
      const double t = (double)i / STEPS;
      const double q[3] = {path[leg - 1][0] + t * (path[leg][0] - path[leg - 1][0]),
                           path[leg - 1][1] + t * (path[leg][1] - path[leg - 1][1]), 0.0};
      fw_kinematic k;
      assert_int_equal(fw_pair_kinematics(&s->model, s->pair, 0, from, &touch, q, &k), FW_OK);
      assert_near(k.gap, expected_gap, gap_tolerance);
      slip += k.slip;
      touch.segment = k.segment;
      memcpy(from, q, sizeof from);
    }
  return slip;
}

static void a_point_walks_round_a_polygon(void **unused) {
  (void)unused;
  scene s;
  const char *const square[] = {"points=0,0,0,1,1,1,1,0", "closed=yes"}; /* clockwise: touched from outside */
  make_scene(&s, "polyline", square, 2, 0.0);
  const double path[][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}};
  assert_near(slide(&s, path, 5, 0.0, 1e-15), 4.0, 1e-12);
  free_scene(&s);
}

/* The centre of a disc rounds convex corners on arcs. */
static void a_disc_rounds_convex_corners(void **unused) {
  (void)unused;
  enum { ARC = 200 };
  scene s;
  const char *const square[] = {"points=0,0,0,1,1,1,1,0", "closed=yes"};
  make_scene(&s, "polyline", square, 2, 0.25);
  static const double corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  double path[4 * (ARC + 1) + 1][2];
  int count = 0;
  for (int c = 0; c < 4; c++)
    for (int i = 0; i <= ARC; i++) {
      const double angle = M_PI - 0.5 * M_PI * (c + (double)i / ARC);
      path[count][0] = corners[c][0] + 0.25 * cos(angle);
      path[count++][1] = corners[c][1] + 0.25 * sin(angle);
    }
  memcpy(path[count], path[0], sizeof path[0]);
  /* chords of the arcs dip by 0.25 (1 - cos(pi/4/ARC)) = 2e-6 */
  assert_near(slide(&s, (const double(*)[2])path, count + 1, 0.0, 2.5e-6), 4.0 + 2.0 * M_PI * 0.25, 1e-4);
  free_scene(&s);
}

static void a_disc_bridges_concave_corners(void **unused) {
  (void)unused;
  scene s;
  const char *const box[] = {"points=0,0,1,0,1,1,0,1", "closed=yes"}; /* anticlockwise: touched from inside */
  make_scene(&s, "polyline", box, 2, 0.2);
  const double path[][2] = {{0.2, 0.2}, {0.8, 0.2}, {0.8, 0.8}, {0.2, 0.8}, {0.2, 0.2}};
  assert_near(slide(&s, path, 5, 0.0, 1e-15), 4.0 * 0.6, 1e-12);
  free_scene(&s);
}

static void a_disc_goes_round_a_hole(void **unused) {
  (void)unused;
  enum { ARC = 64 };
  scene s;
  const char *const hole[] = {"centre=0.1,0.2", "radius=1", "side=inside", "clearance=0.01"};
  make_scene(&s, "circle", hole, 4, 1.0);
  double path[2 * ARC + 1][2];
  for (int i = 0; i <= 2 * ARC; i++) { /* twice round, anticlockwise as the surface runs */
    path[i][0] = 0.1 + 0.01 * cos(2.0 * M_PI * i / ARC);
    path[i][1] = 0.2 + 0.01 * sin(2.0 * M_PI * i / ARC);
  }
  /* The touching point of a disc that does not turn slips by the way of its centre (up to the chords). */
  assert_near(slide(&s, (const double(*)[2])path, 2 * ARC + 1, 0.0, 2e-5), 2.0 * 2.0 * M_PI * 0.01, 1e-9);
  const double middle[3] = {0.1, 0.2, 0.0};
  fw_kinematic k;
  assert_int_equal(fw_pair_kinematics(&s.model, s.pair, 0, middle, NULL, middle, &k), FW_OK);
  assert_near(k.gap, 0.01, 1e-15);
  for (int i = 0; i < k.count * k.count; i++) assert_true(isfinite(k.gap_qq[i]) && isfinite(k.slip_qq[i]));
  free_scene(&s);
}

static void a_zero_length_is_refused(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_model model = {0};
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  const fw_surface_ops *ops = (const fw_surface_ops *)fw_table_find(&fw_surfaces, "polyline");
  const char *const settings[] = {"points=0,0,1,0,1,0"};
  fw_args args = entry_args(ctx, &ops->entry, settings, 1);
  fw_surface *surface = NULL;
  assert_int_equal(fw_surface_create(ctx, "floor", ops, &surface), FW_OK);
  assert_int_equal(ops->build(ctx, &model, &args, NULL, surface), FW_OK);
  assert_int_equal(fw_surface_finish(ctx, &model, surface), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "its segment 2 has no length"));
  fw_surface_destroy(&surface);
  fw_args_clear(&args);
  fw_context_destroy(&ctx);
}

/* ---- a moving strip of quadrilaterals ---------------------------------------------------- */

enum { SIDES = 40, STRIP_NODES = 2 * (SIDES + 1), FOLLOWER = STRIP_NODES };

typedef struct strip {
  fw_context *ctx;
  fw_model model;
  fw_node nodes[STRIP_NODES + 1];
  fw_body body;
  fw_block block;
  int element_nodes[4 * SIDES];
  fw_surface *surface;
} strip;

static char strip_id[] = "strip";

static void make_strip(strip *s, const char *const *settings, int count) {
  memset(s, 0, sizeof *s);
  assert_int_equal(fw_context_create(&s->ctx), FW_OK);
  for (int i = 0; i < STRIP_NODES; i++) s->nodes[i] = loose_node(&s->model, i % (SIDES + 1), i / (SIDES + 1));
  s->nodes[FOLLOWER] = loose_node(&s->model, 0.0, 2.0);
  for (int e = 0; e < SIDES; e++) {
    const int corners[4] = {e, e + 1, e + SIDES + 2, e + SIDES + 1};
    memcpy(&s->element_nodes[4 * e], corners, sizeof corners);
  }
  s->model.nodes = s->nodes;
  s->model.node_count = STRIP_NODES + 1;
  s->body = (fw_body){.id = strip_id, .kind = "plane", .node_count = STRIP_NODES};
  s->block = (fw_block){
      .ops = (const fw_element_ops *)fw_table_find(&fw_elements, "quad4"), .count = SIDES, .nodes = s->element_nodes};
  s->model.bodies = &s->body;
  s->model.body_count = 1;
  s->model.blocks = &s->block;
  s->model.block_count = 1;
  s->surface = rigid_surface(s->ctx, &s->model, "edges", settings, count, NULL);
}

static void free_strip(strip *s) {
  fw_surface_destroy(&s->surface);
  fw_context_destroy(&s->ctx);
}

static void the_boundary_of_a_body_faces_out(void **unused) {
  (void)unused;
  strip s;
  const char *const whole[] = {"body=strip"}, *const top[] = {"body=strip", "within=-1,0.9,100,2"};
  make_strip(&s, whole, 1);
  assert_int_equal(s.surface->segment_count, 2 * SIDES + 2);
  assert_near(s.surface->mean_length, 1.0, 1e-14);
  for (int i = 0; i < s.surface->segment_count; i++) assert_true(s.surface->segments[i].next >= 0);
  double q[3 * (STRIP_NODES + 1)] = {0};
  fw_pair *pair = NULL;
  assert_int_equal(fw_pair_create(s.ctx, "pair", s.surface, 1, &pair), FW_OK);
  pair->followers[0] = (fw_follower){.at = {.node = FOLLOWER}};
  static const double at[4][2] = {{5.3, 1.2}, {5.3, -0.2}, {-0.2, 0.4}, {SIDES + 0.2, 0.4}};
  for (int i = 0; i < 4; i++) {
    q[3 * FOLLOWER] = at[i][0];
    q[3 * FOLLOWER + 1] = at[i][1] - 2.0;
    fw_kinematic k;
    assert_int_equal(fw_pair_kinematics(&s.model, pair, 0, q, NULL, q, &k), FW_OK);
    assert_near(k.gap, 0.2, 1e-14);
    assert_true(k.curved);
  }
  fw_pair_destroy(&pair);
  free_strip(&s);
  make_strip(&s, top, 2);
  assert_int_equal(s.surface->segment_count, SIDES);
  fw_attachment *places = NULL;
  int count = 0;
  assert_int_equal(fw_surface_places(s.ctx, &s.model, s.surface, &places, &count), FW_OK);
  assert_int_equal(count, SIDES + 1);
  free(places);
  free_strip(&s);
}

static void a_point_flush_with_a_corner_stays_on_its_face(void **unused) {
  (void)unused;
  const char *const whole[] = {"body=strip"}, *const top[] = {"body=strip", "within=-1,0.9,100,2"};
  for (int open = 0; open < 2; open++) {
    strip s;
    make_strip(&s, open ? top : whole, 1 + open);
    fw_pair *pair = NULL;
    assert_int_equal(fw_pair_create(s.ctx, "pair", s.surface, 1, &pair), FW_OK);
    pair->followers[0] = (fw_follower){.at = {.node = FOLLOWER}};
    double above[3 * (STRIP_NODES + 1)] = {0}, pressed[3 * (STRIP_NODES + 1)] = {0};
    above[3 * FOLLOWER + 1] = 1e-3 - 1.0;
    pressed[3 * FOLLOWER + 1] = -1e-5 - 1.0;
    for (int side = -1; side <= 1; side++) {
      pressed[3 * FOLLOWER] = side * 1e-12;
      fw_kinematic k;
      assert_int_equal(fw_pair_kinematics(&s.model, pair, 0, above, NULL, pressed, &k), FW_OK);
      assert_near(k.gap, -1e-5, 1e-15);
      assert_near(k.normal[1], 1.0, 1e-12);
      assert_near(k.slip, side * 1e-12, 1e-14);
    }
    fw_pair_destroy(&pair);
    free_strip(&s);
  }
}

static void hints_find_what_tracking_misses(void **unused) {
  (void)unused;
  strip s;
  const char *const whole[] = {"body=strip"};
  make_strip(&s, whole, 1);
  fw_pair *pair = NULL;
  assert_int_equal(fw_pair_create(s.ctx, "pair", s.surface, 1, &pair), FW_OK);
  pair->followers[0] = (fw_follower){.at = {.node = FOLLOWER}};
  s.model.pairs = &pair;
  s.model.pair_count = 1;
  fw_hints *hints = NULL;
  assert_int_equal(fw_hints_create(s.ctx, &s.model, &hints), FW_OK);
  double q[3 * (STRIP_NODES + 1)];
  unsigned seed = 3;
  for (int trial = 0; trial < 200; trial++) {
    for (int i = 0; i < 3 * (STRIP_NODES + 1); i++) {
      seed = seed * 1664525u + 1013904223u;
      q[i] = 0.3 * ((double)(seed >> 8) / (1u << 24) - 0.5);
    }
    q[3 * FOLLOWER] = 1.1 * SIDES * (trial / 199.0 - 0.05);
    q[3 * FOLLOWER + 1] = trial % 7 - 5.0;
    fw_touch touch = {.segment = (trial * 13) % s.surface->segment_count};
    fw_hints_update(hints, &s.model, q, &touch);
    fw_kinematic near, everywhere;
    assert_int_equal(fw_pair_kinematics(&s.model, pair, 0, q, &touch, q, &near), FW_OK);
    assert_int_equal(fw_pair_kinematics(&s.model, pair, 0, q, NULL, q, &everywhere), FW_OK);
    assert_near(near.gap, everywhere.gap, 1e-15);
  }
  fw_hints_destroy(&hints);
  fw_pair_destroy(&pair);
  free_strip(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_point_walks_round_a_polygon),
      cmocka_unit_test(a_disc_rounds_convex_corners),
      cmocka_unit_test(a_disc_bridges_concave_corners),
      cmocka_unit_test(a_disc_goes_round_a_hole),
      cmocka_unit_test(a_zero_length_is_refused),
      cmocka_unit_test(the_boundary_of_a_body_faces_out),
      cmocka_unit_test(hints_find_what_tracking_misses),
      cmocka_unit_test(a_point_flush_with_a_corner_stays_on_its_face),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
