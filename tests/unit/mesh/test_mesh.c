/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generators, merging, splitting, middles, quality and refusals of plane meshes. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "input/mesh/edit.h"
#include "input/mesh/generate.h"
#include "input/mesh/quality.h"

static int begin(void **state) {
  fw_context *ctx;
  if (fw_context_create(&ctx) != FW_OK) return -1;
  *state = ctx;
  return 0;
}

static int end(void **state) {
  fw_context *ctx = *state;
  fw_context_destroy(&ctx);
  return 0;
}

/* Sum of the elements' areas by quadrature of their maps. */
static double area(const fw_mesh *mesh) {
  double sum = 0;
  for (int e = 0; e < mesh->element_count; e++) {
    const fw_shape shape = mesh->elements[e].shape;
    const fw_rule *rule = fw_shape_corners(shape) == 3 ? &fw_rule_tri6 : &fw_rule_quad9;
    double X[16], d[8][2], J[2][2];
    fw_mesh_places(mesh, e, X);
    for (int p = 0; p < rule->count; p++) {
      fw_shape_gradients(shape, rule->point[p], d);
      sum += rule->point[p][2] * fw_shape_jacobian(fw_shape_nodes(shape), X, d, J);
    }
  }
  return sum;
}

static fw_mesh *rectangle(fw_context *ctx, double x, double y, double width, double height, int nx, int ny) {
  fw_mesh *mesh = NULL;
  const int divisions[2] = {nx, ny};
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  assert_int_equal(fw_mesh_add_rectangle(ctx, mesh, (double[]){x, y}, (double[]){x + width, y + height}, divisions,
                                         (double[]){1, 4}),
                   FW_OK);
  return mesh;
}

static void check_side(fw_context *ctx, const fw_mesh *mesh, const char *name, int axis, double value, int expected) {
  int *nodes, count;
  assert_int_equal(fw_mesh_nodes(ctx, mesh, name, &nodes, &count), FW_OK);
  assert_int_equal(count, expected);
  for (int i = 0; i < count; i++) assert_near(mesh->x[nodes[i]][axis], value, 1e-15);
  free(nodes);
}

static void rectangle_has_its_sides(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = rectangle(ctx, 1, 2, 3, 0.5, 6, 4);
  assert_int_equal(mesh->node_count, 35);
  assert_int_equal(mesh->element_count, 24);
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_OK);
  assert_near(area(mesh), 1.5, 1e-14);
  check_side(ctx, mesh, "bottom", 1, 2, 7);
  check_side(ctx, mesh, "right", 0, 4, 5);
  check_side(ctx, mesh, "top", 1, 2.5, 7);
  check_side(ctx, mesh, "left", 0, 1, 5);
  const double *first = mesh->x[7], *last = mesh->x[28 - 7 + 7]; /* rows 1 and 4 of five */
  assert_near((mesh->x[28][1] - mesh->x[21][1]) / (first[1] - 2), 4, 1e-12);
  assert_near(last[1], 2.5, 1e-15);
  fw_mesh_destroy(&mesh);
}

static void same_mesh_from_a_clockwise_block(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = NULL;
  const fw_mesh_block block = {.corner = {{0, 0}, {0, 1}, {2, 1}, {2, 0}},
                               .side = {{.set = "left"}, {.set = "top"}, {.set = "right"}, {.set = "bottom"}},
                               .divisions = {2, 3}};
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  assert_int_equal(fw_mesh_add_block(ctx, mesh, &block), FW_OK);
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_OK);
  assert_near(area(mesh), 2, 1e-15);
  check_side(ctx, mesh, "left", 0, 0, 3);
  check_side(ctx, mesh, "right", 0, 2, 3);
  check_side(ctx, mesh, "top", 1, 1, 4);
  check_side(ctx, mesh, "bottom", 1, 0, 4);
  fw_mesh_destroy(&mesh);
}

/* The half cylinder of the rig: two quarters, flat side up, graded to the lowest point. */
static fw_mesh *half_disc(fw_context *ctx, int n) {
  fw_mesh *mesh = NULL;
  fw_mesh_quarter quarter = {.centre = {0.606, -0.00238},
                             .radius = 0.005,
                             .angle = -M_PI / 2,
                             .divisions = {n, n},
                             .grading = 10,
                             .arc = "arc",
                             .flat = "flat",
                             .element = "foot"};
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  assert_int_equal(fw_mesh_add_quarter_disc(ctx, mesh, &quarter), FW_OK);
  quarter.clockwise = true;
  assert_int_equal(fw_mesh_add_quarter_disc(ctx, mesh, &quarter), FW_OK);
  assert_int_equal(fw_mesh_merge(ctx, mesh, 0), FW_OK);
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_OK);
  return mesh;
}

static void half_disc_is_whole_and_graded(void **state) {
  fw_context *ctx = *state;
  const int n = 6;
  fw_mesh *mesh = half_disc(ctx, n);
  assert_int_equal(mesh->element_count, 6 * n * n);
  /* Euler: nodes - edges + elements = 1 for one piece without holes: no node left double. */
  fw_mesh_edge *edges;
  int count, distinct = 0, boundary = 0;
  assert_int_equal(fw_mesh_edges(ctx, mesh, &edges, &count), FW_OK);
  for (int i = 0; i < count; i++) {
    const bool last = i == 0 || edges[i].lo != edges[i - 1].lo || edges[i].hi != edges[i - 1].hi;
    const bool next = i + 1 < count && edges[i].lo == edges[i + 1].lo && edges[i].hi == edges[i + 1].hi;
    distinct += last;
    boundary += last && !next;
  }
  free(edges);
  assert_int_equal(mesh->node_count - distinct + mesh->element_count, 1);
  assert_int_equal(boundary, 8 * n);
  int *nodes, found;
  assert_int_equal(fw_mesh_nodes(ctx, mesh, "arc", &nodes, &found), FW_OK);
  assert_int_equal(found, 4 * n + 1);
  double nearest = 1, second = 1, shortest = 1;
  for (int i = 0; i < found; i++) {
    const double *x = mesh->x[nodes[i]], away = hypot(x[0] - 0.606, x[1] + 0.00738);
    assert_near(hypot(x[0] - 0.606, x[1] + 0.00238), 0.005, 1e-15);
    if (away < nearest)
      second = nearest, nearest = away;
    else if (away < second)
      second = away;
  }
  shortest = second;
  free(nodes);
  assert_near(nearest, 0, 1e-15);
  assert_true(shortest < 0.005 * M_PI / 4 / n / 2); /* finer than a uniform arc */
  fw_mesh_quality quality;
  fw_mesh_quality_of(mesh, &quality);
  assert_true(quality.worst.jacobian > 0.3 && quality.worst.angle_max < 165);
  assert_near(fw_mesh_set_find(mesh, "foot", FW_SET_ELEMENTS)->count, 6 * n * n, 0);
  fw_mesh_destroy(&mesh);
}

/* Middles on the arc: the area error falls with the fourth power of the size, with straight edges
 * with the second. */
static void middles_lie_on_the_arc(void **state) {
  fw_context *ctx = *state;
  const double exact = M_PI * 0.005 * 0.005 / 2;
  double straight[2], curved[2];
  for (int k = 0; k < 2; k++) {
    fw_mesh *mesh = half_disc(ctx, 4 << k);
    straight[k] = fabs(area(mesh) / exact - 1);
    assert_int_equal(fw_mesh_elevate(ctx, mesh), FW_OK);
    assert_int_equal(fw_mesh_check(ctx, mesh), FW_OK);
    curved[k] = fabs(area(mesh) / exact - 1);
    int *nodes, count;
    assert_int_equal(fw_mesh_nodes(ctx, mesh, "arc", &nodes, &count), FW_OK);
    assert_int_equal(count, 2 * (4 * (4 << k)) + 1);
    for (int i = 0; i < count; i++)
      assert_near(hypot(mesh->x[nodes[i]][0] - 0.606, mesh->x[nodes[i]][1] + 0.00238), 0.005, 1e-15);
    free(nodes);
    assert_int_equal(fw_mesh_elevate(ctx, mesh), FW_ERR_ARGUMENT);
    assert_int_equal(fw_mesh_split(ctx, mesh), FW_ERR_ARGUMENT);
    fw_mesh_destroy(&mesh);
  }
  print_message("area of the half disc: straight %.2e %.2e, with middles %.2e %.2e\n", straight[0], straight[1],
                curved[0], curved[1]);
  assert_true(curved[0] < 1e-4 && curved[1] < curved[0] / 10 && straight[1] < straight[0] / 3);
}

static void splitting_keeps_area_and_sets(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = rectangle(ctx, 0, 0, 3, 2, 3, 2);
  fw_mesh_set *part;
  assert_int_equal(fw_mesh_set_open(ctx, mesh, "part", FW_SET_ELEMENTS, &part), FW_OK);
  assert_int_equal(fw_mesh_set_add(ctx, part, 1, 0), FW_OK);
  assert_int_equal(fw_mesh_set_add(ctx, part, 4, 0), FW_OK);
  mesh->x[5][0] += 0.2; /* so that both diagonals occur */
  assert_int_equal(fw_mesh_split(ctx, mesh), FW_OK);
  assert_int_equal(mesh->element_count, 12);
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_OK);
  assert_near(area(mesh), 6, 1e-14);
  assert_int_equal(part->count, 4);
  assert_int_equal(fw_mesh_elevate(ctx, mesh), FW_OK);
  check_side(ctx, mesh, "bottom", 1, 0, 7);
  check_side(ctx, mesh, "right", 0, 3, 5);
  check_side(ctx, mesh, "top", 1, 2, 7);
  check_side(ctx, mesh, "left", 0, 0, 5);
  assert_int_equal(mesh->elements[0].shape, FW_SHAPE_TRI6);
  assert_near(area(mesh), 6, 1e-14);
  fw_mesh_destroy(&mesh);
}

static void merging_joins_rectangles_and_node_sets(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = rectangle(ctx, 0, 0, 1, 1, 3, 2);
  assert_int_equal(
      fw_mesh_add_rectangle(ctx, mesh, (double[]){1, 0}, (double[]){2, 1}, (int[]){3, 2}, (double[]){1, 4}), FW_OK);
  fw_mesh_set *seam;
  assert_int_equal(fw_mesh_set_open(ctx, mesh, "seam", FW_SET_NODES, &seam), FW_OK);
  for (int i = 0; i < mesh->node_count; i++)
    if (mesh->x[i][0] == 1) assert_int_equal(fw_mesh_set_add(ctx, seam, i, 0), FW_OK);
  assert_int_equal(seam->count, 6);
  assert_int_equal(fw_mesh_merge(ctx, mesh, 0), FW_OK);
  assert_int_equal(mesh->node_count, 21);
  assert_int_equal(seam->count, 3);
  assert_int_equal(fw_mesh_elevate(ctx, mesh), FW_OK);
  assert_int_equal(seam->count, 5);
  check_side(ctx, mesh, "bottom", 1, 0, 13);
  fw_mesh_destroy(&mesh);
}

static void clockwise_elements_are_turned_with_their_edges(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = rectangle(ctx, 0, 0, 2, 1, 2, 1);
  assert_int_equal(fw_mesh_elevate(ctx, mesh), FW_OK);
  for (int i = 0; i < mesh->node_count; i++) mesh->x[i][0] = -mesh->x[i][0];
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_ERR_ARGUMENT);
  fw_mesh_orient(mesh);
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_OK);
  check_side(ctx, mesh, "right", 0, -2, 3);
  check_side(ctx, mesh, "top", 1, 1, 5);
  fw_mesh_destroy(&mesh);
}

static void unused_nodes_are_dropped(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = NULL;
  int a;
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  for (int i = 0; i < 5; i++) assert_int_equal(fw_mesh_add_node(ctx, mesh, i % 3, i / 3, &a), FW_OK);
  assert_int_equal(fw_mesh_add_element(ctx, mesh, FW_SHAPE_TRI3, (int[]){1, 2, 4}, NULL), FW_OK);
  assert_int_equal(fw_mesh_compact(ctx, mesh), FW_OK);
  assert_int_equal(mesh->node_count, 3);
  assert_int_equal(mesh->labels[2], 5);
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_OK);
  fw_mesh_destroy(&mesh);
}

static void bad_elements_are_named(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = rectangle(ctx, 0, 0, 3, 1, 3, 1);
  mesh->x[1][0] = 2.5; /* beyond its neighbour: elements 1 and 2 */
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "1 of 3 elements"));
  assert_non_null(strstr(fw_context_message(ctx), ": 2 "));
  fw_context_clear(ctx);
  mesh->elements[2].nodes[1] = mesh->elements[2].nodes[0];
  mesh->x[1][0] = 1;
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "3 (the first: a node is named twice)"));
  int *nodes, count;
  assert_int_equal(fw_mesh_nodes(ctx, mesh, "botom", &nodes, &count), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "'bottom'"));
  fw_mesh_destroy(&mesh);
}

static void impossible_blocks_are_refused(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = NULL;
  fw_mesh_block block = {.corner = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, .divisions = {0, 1}};
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  assert_int_equal(fw_mesh_add_block(ctx, mesh, &block), FW_ERR_ARGUMENT);
  block.divisions[0] = 1;
  block.side[0] = (fw_mesh_side){.arc = true, .centre = {0.2, 0}};
  assert_int_equal(fw_mesh_add_block(ctx, mesh, &block), FW_ERR_ARGUMENT);
  block.side[0] = (fw_mesh_side){.grading = -1};
  assert_int_equal(fw_mesh_add_block(ctx, mesh, &block), FW_ERR_ARGUMENT);
  block.side[0].grading = NAN;
  assert_int_equal(fw_mesh_add_block(ctx, mesh, &block), FW_ERR_ARGUMENT);
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_ERR_ARGUMENT);
  fw_mesh_destroy(&mesh);
}

static void a_square_is_ideal(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = rectangle(ctx, 0, 0, 2, 1, 2, 1);
  const fw_quality q = fw_mesh_element_quality(mesh, 1);
  assert_near(q.jacobian, 1, 1e-15);
  assert_near(q.aspect, 1, 1e-15);
  assert_near(q.angle_min, 90, 1e-13);
  assert_near(q.angle_max, 90, 1e-13);
  mesh->x[1][0] = 1.5;
  fw_mesh_quality all;
  fw_mesh_quality_of(mesh, &all);
  assert_near(all.worst.aspect, sqrt(5), 1e-14);
  assert_int_equal(all.aspect_label, 2);
  assert_near(all.worst.angle_max, 90 + atan(0.5) * 180 / M_PI, 1e-12);
  fw_mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(rectangle_has_its_sides, begin, end),
      cmocka_unit_test_setup_teardown(same_mesh_from_a_clockwise_block, begin, end),
      cmocka_unit_test_setup_teardown(half_disc_is_whole_and_graded, begin, end),
      cmocka_unit_test_setup_teardown(middles_lie_on_the_arc, begin, end),
      cmocka_unit_test_setup_teardown(splitting_keeps_area_and_sets, begin, end),
      cmocka_unit_test_setup_teardown(merging_joins_rectangles_and_node_sets, begin, end),
      cmocka_unit_test_setup_teardown(clockwise_elements_are_turned_with_their_edges, begin, end),
      cmocka_unit_test_setup_teardown(unused_nodes_are_dropped, begin, end),
      cmocka_unit_test_setup_teardown(bad_elements_are_named, begin, end),
      cmocka_unit_test_setup_teardown(impossible_blocks_are_refused, begin, end),
      cmocka_unit_test_setup_teardown(a_square_is_ideal, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
