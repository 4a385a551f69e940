/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies tied together: a patch test across edges that do not match, and a cantilever half plane, half beam. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "elements/plane/plane.h"
#include "elements/tie.h"
#include "input/mesh/edit.h"
#include "input/mesh/generate.h"
#include "solver/assembly/system.h"

enum { MOST_NODES = 4000, MOST_EDGES = 64 };

/* A model of up to two blocks, put together by hand. */
typedef struct assembly {
  fw_context *ctx;
  fw_model model;
  fw_node nodes[MOST_NODES];
  fw_block blocks[2];
  fw_body body;
  fw_tie_edge edges[2][MOST_EDGES]; /* one list a block, for the tie */
  int edge_count[2];
  double load[3 * MOST_NODES];
} assembly;

static void begin_assembly(assembly *a, fw_context *ctx) {
  static char id[] = "body", title[] = "tied";
  memset(a, 0, sizeof *a);
  a->ctx = ctx;
  a->body = (fw_body){.id = id, .kind = "plane"};
  a->model = (fw_model){.title = title, .nodes = a->nodes, .blocks = a->blocks, .bodies = &a->body, .body_count = 1};
}

static int add_node(assembly *a, const double x[2], bool rotation) {
  const int n = a->model.node_count++;
  assert_true(n < MOST_NODES);
  a->nodes[n] = (fw_node){.x = {x[0], x[1]}, .dof = {0, 0, rotation ? 0 : FW_DOF_NONE}};
  return n;
}

static fw_block *add_block(assembly *a, const char *element, fw_properties props, int count) {
  fw_block *block = a->blocks + a->model.block_count++;
  block->ops = (const fw_element_ops *)fw_table_find(&fw_elements, element);
  assert_non_null(block->ops);
  block->props = props;
  block->count = count;
  block->nodes = calloc((size_t)(count * block->ops->nodes), sizeof *block->nodes);
  block->dofs = calloc((size_t)(count * fw_element_dofs(block->ops)), sizeof *block->dofs);
  assert_true(block->nodes != NULL && block->dofs != NULL);
  return block;
}

/* Adds a mesh of quad4 made fit for the element (and destroys it); the edges of `side` are kept for the tie. */
static int add_mesh(assembly *a, fw_mesh *mesh, const char *element, fw_properties props, const char *side) {
  const int first = a->model.node_count, which = a->model.block_count;
  const fw_element_ops *ops = (const fw_element_ops *)fw_table_find(&fw_elements, element);
  assert_non_null(ops);
  if (fw_shape_corners(ops->shape) == 3) assert_int_equal(fw_mesh_split(a->ctx, mesh), FW_OK);
  if (ops->nodes > fw_shape_corners(ops->shape)) assert_int_equal(fw_mesh_elevate(a->ctx, mesh), FW_OK);
  for (int i = 0; i < mesh->node_count; i++) add_node(a, mesh->x[i], false);
  fw_block *block = add_block(a, element, props, mesh->element_count);
  for (int e = 0; e < mesh->element_count; e++)
    for (int k = 0; k < ops->nodes; k++) block->nodes[e * ops->nodes + k] = first + mesh->elements[e].nodes[k];
  const fw_mesh_set *set = fw_mesh_set_find(mesh, side, FW_SET_EDGES);
  assert_true(set != NULL && set->count <= MOST_EDGES);
  for (int i = 0; i < set->count; i++) {
    int ends[3];
    fw_shape_edge(ops->shape, set->items[2 * i + 1], ends);
    for (int k = 0; k < 3; k++)
      a->edges[which][i].nodes[k] = ends[k] < 0 ? -1 : first + mesh->elements[set->items[2 * i]].nodes[ends[k]];
  }
  a->edge_count[which] = set->count;
  fw_mesh_destroy(&mesh);
  return first;
}

static fw_mesh *rectangle(fw_context *ctx, double x0, double y0, double x1, double y1, int nx, int ny) {
  fw_mesh *mesh = NULL;
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  assert_int_equal(
      fw_mesh_add_rectangle(ctx, mesh, (double[]){x0, y0}, (double[]){x1, y1}, (int[]){nx, ny}, (double[]){1, 1}),
      FW_OK);
  return mesh;
}

/* Numbers the freedoms (those marked held stay held) and fills the blocks' lists. */
static void number(assembly *a) {
  for (int n = 0; n < a->model.node_count; n++)
    for (int d = 0; d < FW_NODE_DOFS; d++)
      if (a->nodes[n].dof[d] >= 0) a->nodes[n].dof[d] = a->model.dof_count++;
  for (int b = 0; b < a->model.block_count; b++) {
    const fw_block *block = a->blocks + b;
    const int per = block->ops->rotations ? 3 : 2;
    for (int i = 0; i < block->count * block->ops->nodes; i++)
      for (int d = 0; d < per; d++) block->dofs[i * per + d] = a->nodes[block->nodes[i]].dof[d];
  }
}

/* Solves [K G^T; G 0] [q; lambda] = load; q is to be freed. */
static double *solve(assembly *a) {
  fw_system *system = NULL;
  fw_factor *factor = NULL;
  assert_int_equal(fw_system_create(a->ctx, &a->model, &system), FW_OK);
  double *q = calloc((size_t)system->size, sizeof *q);
  assert_non_null(q);
  memcpy(q, a->load, (size_t)a->model.dof_count * sizeof *q);
  assert_int_equal(fw_factor_create(a->ctx, system->K, &factor), FW_OK);
  assert_int_equal(fw_factor_compute(a->ctx, factor, system->K, NULL), FW_OK);
  assert_int_equal(fw_factor_solve(a->ctx, factor, q, 1), FW_OK);
  fw_factor_destroy(&factor);
  fw_system_destroy(&system);
  return q;
}

static void end_assembly(assembly *a) {
  for (int b = 0; b < a->model.block_count; b++) free(a->blocks[b].nodes), free(a->blocks[b].dofs);
  for (int t = 0; t < a->model.tie_count; t++) fw_functional_clear(&a->model.ties[t].form);
  free(a->model.ties);
}

/* Rigid motions satisfy every tie. */
static void check_rigid_motions(const assembly *a) {
  double *q = calloc((size_t)a->model.dof_count, sizeof *q), worst = 0;
  assert_non_null(q);
  for (int motion = 0; motion < 3; motion++) {
    for (int n = 0; n < a->model.node_count; n++) {
      const fw_node *node = a->nodes + n;
      const double value[3] = {motion == 0   ? 1
                               : motion == 2 ? -node->x[1]
                                             : 0,
                               motion == 1   ? 1
                               : motion == 2 ? node->x[0]
                                             : 0,
                               motion == 2};
      for (int d = 0; d < FW_NODE_DOFS; d++)
        if (node->dof[d] >= 0) q[node->dof[d]] = value[d];
    }
    for (int t = 0; t < a->model.tie_count; t++)
      worst = fmax(worst, fabs(fw_functional_value(&a->model.ties[t].form, q)));
  }
  assert_near(worst, 0, 1e-13);
  free(q);
}

static void places(const assembly *a, const fw_block *block, int e, double X[16]) {
  for (int k = 0; k < block->ops->nodes && k < 8; k++)
    for (int d = 0; d < 2; d++) X[2 * k + d] = a->nodes[block->nodes[e * block->ops->nodes + k]].x[d];
}

/* Traction along y on the edges at y = 2. */
static void pull_top(assembly *a, const fw_block *block, double traction) {
  const fw_shape shape = block->ops->shape;
  const int n = block->ops->nodes;
  for (int e = 0; e < block->count; e++) {
    double X[16] = {0}, f[16] = {0};
    places(a, block, e, X);
    for (int k = 0; k < fw_shape_corners(shape); k++) {
      int ends[3];
      fw_shape_edge(shape, k, ends);
      if (X[2 * ends[0] + 1] == 2 && X[2 * ends[1] + 1] == 2)
        fw_plane_edge_force(shape, &block->props, X, k, (double[2]){0, traction}, 0, f);
    }
    for (int i = 0; i < 2 * n && i < 16; i++)
      if (block->dofs[e * 2 * n + i] >= 0) a->load[block->dofs[e * 2 * n + i]] += f[i];
  }
}

/* Largest difference from s_y = stress at the middles of the elements, over that stress. */
static double stress_difference(const assembly *a, const fw_block *block, const double *q, double stress) {
  const int n = block->ops->nodes;
  double worst = 0;
  for (int e = 0; e < block->count; e++) {
    double X[16] = {0}, u[16] = {0}, out[6], xi[2];
    places(a, block, e, X);
    for (int i = 0; i < 2 * n && i < 16; i++) {
      const int dof = block->dofs[e * 2 * n + i];
      if (dof >= 0) u[i] = q[dof];
    }
    fw_shape_centre(block->ops->shape, xi);
    block->ops->field(&block->props, X, u, xi, out);
    worst = fmax(worst, fmax(fabs(out[0]), fmax(fabs(out[1] - stress), fabs(out[2]))) / stress);
  }
  return worst;
}

/* Two blocks on each other under vertical tension: s_y is the traction everywhere. */
static double patch(fw_context *ctx, const char *lower, const char *upper, bool upper_follows) {
  static assembly a;
  const fw_properties props = {.E = 1e6, .nu = 0.3, .thickness = 0.5};
  begin_assembly(&a, ctx);
  add_mesh(&a, rectangle(ctx, 0, 0, 2, 1, 3, 2), lower, props, "top");
  const int second = add_mesh(&a, rectangle(ctx, 0, 1, 2, 2, 5, 2), upper, props, "bottom");
  for (int n = 0; n < second; n++)
    if (a.nodes[n].x[1] == 0) {
      a.nodes[n].dof[FW_Y] = FW_DOF_FIXED;
      if (a.nodes[n].x[0] == 0) a.nodes[n].dof[FW_X] = FW_DOF_FIXED;
    }
  number(&a);
  check_rigid_motions(&a);
  const fw_tie_edge *top = a.edges[0], *bottom = a.edges[1];
  if (upper_follows)
    assert_int_equal(fw_tie_edges(ctx, &a.model, bottom, a.edge_count[1], top, a.edge_count[0]), FW_OK);
  else
    assert_int_equal(fw_tie_edges(ctx, &a.model, top, a.edge_count[0], bottom, a.edge_count[1]), FW_OK);
  check_rigid_motions(&a);
  pull_top(&a, a.blocks + 1, 700);
  double *q = solve(&a);
  const double worst = fmax(stress_difference(&a, a.blocks, q, 700), stress_difference(&a, a.blocks + 1, q, 700));
  free(q);
  end_assembly(&a);
  return worst;
}

static void constant_stress_passes_the_tie(void **state) {
  static const char *const pairs[][2] = {{"quad4", "quad4"}, {"quad4i", "quad4i"}, {"quad4r", "tri3"},
                                         {"quad8", "quad8"}, {"quad8r", "quad4i"}, {"tri6", "quad8"}};
  print_message("tension across 3 on 5 edges: largest difference of stress, finer and coarser side following\n");
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    const double finer = patch(*state, pairs[k][0], pairs[k][1], true),
                 coarser = patch(*state, pairs[k][0], pairs[k][1], false);
    print_message("%-7s under %-7s %.1e %.1e\n", pairs[k][0], pairs[k][1], finer, coarser);
    assert_true(finer < 1e-11 && coarser < 1e-11);
  }
}

/* Cantilever 10 x 0.5, tip load: the left half plane stress, the right half a beam tied to its end face. */
static double cantilever(fw_context *ctx, bool rigid) {
  static assembly a;
  const double L = 10, h = 0.5, b = 0.2;
  const fw_properties plane = {.E = 2e11, .nu = 0.3, .thickness = b};
  const fw_properties beam = {.E = 2e11, .nu = 0.3, .A = b * h, .I = b * h * h * h / 12, .kappa = 5.0 / 6, .height = h};
  enum { BEAMS = 5 };
  begin_assembly(&a, ctx);
  const int count = add_mesh(&a, rectangle(ctx, 0, -h / 2, L / 2, h / 2, 40, 4), "quad8", plane, "right");
  assert_int_equal(count, 0);
  for (int n = 0; n < a.model.node_count; n++)
    if (a.nodes[n].x[0] == 0) {
      a.nodes[n].dof[FW_X] = FW_DOF_FIXED;
      if (fabs(a.nodes[n].x[1]) < 1e-12) a.nodes[n].dof[FW_Y] = FW_DOF_FIXED;
    }
  const int root = a.model.node_count;
  for (int i = 0; i <= BEAMS; i++) add_node(&a, (double[]){L / 2 + i * L / 2 / BEAMS, 0}, true);
  fw_block *block = add_block(&a, "euler-bernoulli", beam, BEAMS);
  for (int e = 0; e < BEAMS; e++) block->nodes[2 * e] = root + e, block->nodes[2 * e + 1] = root + e + 1;
  number(&a);
  if (rigid)
    assert_int_equal(fw_tie_rigid(ctx, &a.model, root, a.edges[0], a.edge_count[0]), FW_OK);
  else
    assert_int_equal(fw_tie_transition(ctx, &a.model, root, a.edges[0], a.edge_count[0]), FW_OK);
  check_rigid_motions(&a);
  assert_int_equal(a.model.constraint_count, rigid ? 2 * 9 : 3);
  const int tip = a.nodes[root + BEAMS].dof[FW_Y];
  a.load[tip] = 1000;
  double *q = solve(&a);
  const double v = q[tip];
  free(q);
  end_assembly(&a);
  /* bending of the whole, shear of the plane half */
  const double G = plane.E / 2.6;
  return v / (1000 * (L * L * L / (3 * plane.E * beam.I) + L / 2 / (beam.kappa * G * beam.A)));
}

static void beam_carries_on_a_plane_body(void **state) {
  const double rigid = cantilever(*state, true), transition = cantilever(*state, false);
  print_message("cantilever half plane, half beam: deflection over theory: rigid %.6f, transition %.6f\n", rigid,
                transition);
  assert_near(rigid, 1, 1e-3);
  assert_near(transition, 1, 1e-3);
  assert_true(transition > rigid);
}

static void edges_far_apart_are_refused(void **state) {
  static assembly a;
  fw_context *ctx = *state;
  const fw_properties props = {.E = 1e6, .nu = 0.3, .thickness = 0.5};
  begin_assembly(&a, ctx);
  add_mesh(&a, rectangle(ctx, 0, 0, 2, 1, 3, 2), "quad4", props, "top");
  add_mesh(&a, rectangle(ctx, 3, 1, 4, 2, 5, 2), "quad4", props, "bottom");
  number(&a);
  assert_int_equal(fw_tie_edges(ctx, &a.model, a.edges[0], a.edge_count[0], a.edges[1], a.edge_count[1]),
                   FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "faces nothing"));
  end_assembly(&a);
}

/* The same from a deck: two plane bodies that do not match and a beam, 1 m by 50 mm by 20 mm. */
static void a_deck_of_tied_bodies(void **state) {
  fw_context *ctx = *state;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  double v = 0, f = 0;
  assert_int_equal(fw_deck_load(ctx, FW_SOURCE_DIR "/tests/decks/good/tied.xml", &deck), FW_OK);
  assert_int_equal(fw_run(ctx, deck, NULL, &results), FW_OK);
  assert_int_equal(fw_results_number(results, "analyses.bent.sensors.tip", &v), FW_OK);
  assert_int_equal(fw_results_number(results, "analyses.modes.modes[0].frequency", &f), FW_OK);
  const double E = 200e9, A = 0.02 * 0.05, I = 0.02 * 0.05 * 0.05 * 0.05 / 12, G = E / 2.6;
  const double deflection = 100 / (3 * E * I) + 100 * 0.6 / (5.0 / 6 * G * A);
  const double frequency = 1.875104068711961 * 1.875104068711961 / (2 * M_PI) * sqrt(E * I / (7800 * A));
  print_message("deck of tied bodies: deflection %.6e, theory %.6e, %+.3f %%\n", v, deflection,
                100 * (v / deflection - 1));
  print_message("deck of tied bodies: frequency %.4f Hz, theory %.4f, %+.3f %%\n", f, frequency,
                100 * (f / frequency - 1));
  assert_near(v / deflection, 1, 2e-3); /* the clamp keeps the face from contracting */
  assert_near(f / frequency, 1, 2e-3);  /* rotary inertia and shear are not in the theory */
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

static int begin(void **state) { return fw_context_create((fw_context **)state); }
static int end(void **state) {
  fw_context_destroy((fw_context **)state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constant_stress_passes_the_tie), cmocka_unit_test(beam_carries_on_a_plane_body),
      cmocka_unit_test(a_deck_of_tied_bodies), cmocka_unit_test(edges_far_apart_are_refused)};
  return cmocka_run_group_tests(tests, begin, end);
}
