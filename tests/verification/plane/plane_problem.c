/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plane_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "elements/plane/plane.h"
#include "input/mesh/edit.h"
#include "input/mesh/quality.h"
#include "solver/linalg/eigen.h"

const char *const plane_names[PLANE_ELEMENTS] = {"tri3", "tri6", "quad4", "quad4r", "quad4i", "quad8", "quad8r"};

void plane_problem_create(plane_problem *p, fw_context *ctx, fw_mesh *mesh, const char *element, fw_properties props) {
  *p = (plane_problem){.ctx = ctx, .mesh = mesh, .props = props};
  p->ops = (const fw_element_ops *)fw_table_find(&fw_elements, element);
  assert_non_null(p->ops);
  if (fw_shape_corners(p->ops->shape) == 3) assert_int_equal(fw_mesh_split(ctx, mesh), FW_OK);
  if (p->ops->nodes > fw_shape_corners(p->ops->shape)) assert_int_equal(fw_mesh_elevate(ctx, mesh), FW_OK);
  assert_int_equal(fw_mesh_check(ctx, mesh), FW_OK);
  const size_t n = 2 * (size_t)mesh->node_count;
  p->u = calloc(n, sizeof *p->u);
  p->load = calloc(n, sizeof *p->load);
  p->held = calloc(n, sizeof *p->held);
  assert_true(p->u != NULL && p->load != NULL && p->held != NULL);
}

void plane_problem_destroy(plane_problem *p) {
  fw_mesh_destroy(&p->mesh);
  free(p->u);
  free(p->load);
  free(p->held);
}

void plane_problem_hold(plane_problem *p, int node, int direction, double value) {
  p->held[2 * node + direction] = true;
  p->u[2 * node + direction] = value;
}

void plane_problem_hold_set(plane_problem *p, const char *set, int direction, double value) {
  int *nodes, count;
  assert_int_equal(fw_mesh_nodes(p->ctx, p->mesh, set, &nodes, &count), FW_OK);
  for (int i = 0; i < count; i++) plane_problem_hold(p, nodes[i], direction, value);
  free(nodes);
}

void plane_problem_traction(plane_problem *p, const char *set, double tx, double ty, double pressure) {
  const fw_mesh_set *edges = fw_mesh_set_find(p->mesh, set, FW_SET_EDGES);
  assert_non_null(edges);
  for (int i = 0; i < edges->count; i++) {
    const int element = edges->items[2 * i];
    double X[16], q[16], f[16] = {0};
    plane_problem_element(p, element, X, q);
    fw_plane_edge_force(p->ops->shape, &p->props, X, edges->items[2 * i + 1], (double[2]){tx, ty}, pressure, f);
    for (int a = 0; a < 2 * p->ops->nodes; a++) p->load[2 * p->mesh->elements[element].nodes[a / 2] + a % 2] += f[a];
  }
}

int plane_problem_node(const plane_problem *p, double x, double y) {
  for (int i = 0; i < p->mesh->node_count; i++)
    if (hypot(p->mesh->x[i][0] - x, p->mesh->x[i][1] - y) < 1e-9 * (1 + hypot(x, y))) return i;
  fail_msg("no node at (%g, %g)", x, y);
  return -1;
}

void plane_problem_element(const plane_problem *p, int element, double *X, double *q) {
  fw_mesh_places(p->mesh, element, X);
  for (int a = 0; a < 2 * p->ops->nodes; a++) q[a] = p->u[2 * p->mesh->elements[element].nodes[a / 2] + a % 2];
}

/* Number of each free displacement, -1 for held ones; returns how many are free. */
static int number_free(const plane_problem *p, int *number) {
  int count = 0;
  for (int i = 0; i < 2 * p->mesh->node_count; i++) number[i] = p->held[i] ? -1 : count++;
  return count;
}

static void element_numbers(const plane_problem *p, const int *number, int element, int *out) {
  for (int a = 0; a < 2 * p->ops->nodes; a++) out[a] = number[2 * p->mesh->elements[element].nodes[a / 2] + a % 2];
}

typedef struct numbering {
  const plane_problem *problem;
  const int *number;
} numbering;

static void element_entries(const void *user, fw_entries *entries) {
  const numbering *n = user;
  for (int e = 0; e < n->problem->mesh->element_count; e++) {
    int map[16];
    element_numbers(n->problem, n->number, e, map);
    fw_entries_clique(entries, map, 2 * n->problem->ops->nodes);
  }
}

static fw_sparse *make_pattern(const plane_problem *p, const int *number, int free_count) {
  fw_sparse *pattern = NULL;
  assert_int_equal(fw_sparse_create(p->ctx, free_count, element_entries, &(numbering){p, number}, &pattern), FW_OK);
  return pattern;
}

/* r = load - internal force on the free displacements, and the tangent. */
static void assemble(const plane_problem *p, const int *number, double *r, fw_sparse *K) {
  const int n = 2 * p->ops->nodes;
  memset(K->x, 0, (size_t)K->p[K->n] * sizeof *K->x);
  for (int i = 0; i < 2 * p->mesh->node_count; i++)
    if (number[i] >= 0) r[number[i]] = p->load[i];
  for (int e = 0; e < p->mesh->element_count; e++) {
    double X[16], q[16], f[16], k[256];
    int map[16];
    plane_problem_element(p, e, X, q);
    assert_int_equal(p->ops->force(&p->props, X, q, NULL, f, k, NULL), FW_OK);
    element_numbers(p, number, e, map);
    for (int i = 0; i < n; i++) {
      if (map[i] < 0) continue;
      r[map[i]] -= f[i];
      for (int j = 0; j < n; j++)
        if (map[j] >= 0) K->x[fw_sparse_position(K, map[i], map[j])] += k[i * n + j];
    }
  }
}

int plane_problem_solve(plane_problem *p) {
  enum { MOST = 30 };
  const int size = 2 * p->mesh->node_count;
  int *number = malloc((size_t)size * sizeof *number), iterations = 0;
  double *r = malloc((size_t)size * sizeof *r);
  assert_true(number != NULL && r != NULL);
  const int free_count = number_free(p, number);
  fw_sparse *K = make_pattern(p, number, free_count);
  fw_factor *factor = NULL;
  assert_int_equal(fw_factor_create(p->ctx, K, &factor), FW_OK);
  double step = INFINITY, largest = 0;
  while (step > 1e-10 * largest && iterations < MOST) { /* quadratic: the last correction is rounding */
    assemble(p, number, r, K);
    assert_int_equal(fw_factor_compute(p->ctx, factor, K, NULL), FW_OK);
    assert_int_equal(fw_factor_solve(p->ctx, factor, r, 1), FW_OK);
    step = largest = 0;
    for (int i = 0; i < size; i++) {
      if (number[i] >= 0) p->u[i] += r[number[i]], step = fmax(step, fabs(r[number[i]]));
      largest = fmax(largest, fabs(p->u[i]));
    }
    iterations++;
    if (p->props.kinematics == FW_LINEAR && iterations == 2) break; /* one refinement of the solution */
  }
  assert_true(iterations < MOST);
  fw_factor_destroy(&factor);
  fw_sparse_destroy(&K);
  free(number);
  free(r);
  return iterations;
}

void plane_problem_frequencies(plane_problem *p, int count, double *hertz) {
  const int size = 2 * p->mesh->node_count, n = 2 * p->ops->nodes;
  int *number = malloc((size_t)size * sizeof *number), found = 0;
  double *r = malloc((size_t)size * sizeof *r);
  assert_true(number != NULL && r != NULL);
  const int free_count = number_free(p, number);
  double *vectors = malloc((size_t)free_count * (size_t)count * sizeof *vectors);
  assert_non_null(vectors);
  fw_sparse *K = make_pattern(p, number, free_count), *M = NULL;
  assert_int_equal(fw_sparse_like(p->ctx, K, &M), FW_OK);
  assemble(p, number, r, K);
  for (int e = 0; e < p->mesh->element_count; e++) {
    double X[16], q[16], m[256];
    int map[16];
    plane_problem_element(p, e, X, q);
    fw_element_mass_matrix(p->ops, &p->props, X, m);
    element_numbers(p, number, e, map);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (map[i] >= 0 && map[j] >= 0) M->x[fw_sparse_position(M, map[i], map[j])] += m[i * n + j];
  }
  assert_int_equal(fw_eigen_lowest(p->ctx, K, M, free_count, count, hertz, vectors, &found), FW_OK);
  assert_int_equal(found, count);
  for (int i = 0; i < count; i++) hertz[i] = sqrt(hertz[i]) / (2 * M_PI);
  fw_sparse_destroy(&K);
  fw_sparse_destroy(&M);
  free(vectors);
  free(number);
  free(r);
}
