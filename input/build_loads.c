/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <loads>: the space part of each load as a functional; its time part is a table entry. */
#include "core/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/plane/plane.h"
#include "input/builder.h"
#include "input/load_shapes.h"
#include "input/mesh/mesh.h"

static bool gives(const fw_args *args, const char *const *names) {
  for (; *names; names++)
    if (fw_args_given(args, *names)) return true;
  return false;
}

static const char *first_given(const fw_args *args, const char *const *names) {
  while (*names && !fw_args_given(args, *names)) names++;
  return *names;
}

static const char *const at_point[] = {"fx", "fy", "mz", "fz", "mx", "my", NULL};
static const char *const at_edges[] = {"fx", "fy", "pressure", NULL};
static const char *const per_length[] = {"qx", "qy", "qz", NULL};
static const char *const per_mass[] = {"gx", "gy", "gz", NULL};

/* ---- spread over bodies ------------------------------------------------------------------ */

static bool has_mass(const fw_model *model, const fw_block *block) {
  double X[FW_ELEMENT_PLACES], M[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
  if (block->count == 0) return false;
  fw_element_places(model, block, 0, X);
  fw_element_mass_matrix(block->ops, &block->props, X, M);
  return M[0] > 0.0;
}

/* A row of the mass times g at the freedoms of one node. */
static double pull(const double *row, double moved[3][FW_ELEMENT_DOFS], int first, int count, const double g[3]) {
  double sum = 0.0;
  for (int j = 0; j < count; j++)
    sum += row[j] * (moved[0][first + j] * g[0] + moved[1][first + j] * g[1] + moved[2][first + j] * g[2]);
  return sum;
}

/* Gravity: M g with g the same at every node. */
static void add_gravity(const fw_model *model, const fw_block *block, const double g[3], double *dense) {
  int n = fw_element_dofs(block->ops), per_node = fw_element_node_dofs(block->ops);
  double X[FW_ELEMENT_PLACES], M[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS], w[FW_ELEMENT_DOFS], moved[3][FW_ELEMENT_DOFS];
  for (int e = 0; block->ops->mass && e < block->count; e++) {
    fw_element_places(model, block, e, X);
    fw_element_mass_matrix(block->ops, &block->props, X, M);
    for (int k = 0; k < 3; k++) fw_element_translation(block->ops, X, k, moved[k]);
    for (int i = 0; i < n; i++) {
      w[i] = 0.0;
      for (int k = 0; k < n; k += per_node) w[i] += pull(M + (ptrdiff_t)i * n + k, moved, k, per_node, g);
    }
    fw_shape_scatter(block, e, w, dense);
  }
}

/* Force per length on beams: integral of the shape functions, exact with three Gauss points. */
static void add_line_load(const fw_model *model, const fw_block *block, const double q[3], double *dense) {
  static const double at[] = {-0.774596669241483377, 0.0, 0.774596669241483377}, gauss[] = {5. / 9, 8. / 9, 5. / 9};
  int n = fw_element_dofs(block->ops);
  double X[FW_ELEMENT_PLACES], weights[FW_NODE_DOFS * FW_ELEMENT_DOFS], w[FW_ELEMENT_DOFS];
  for (int e = 0; e < block->count; e++) {
    fw_element_places(model, block, e, X);
    double half = 0.5 * fw_shape_length(model, block, e);
    memset(w, 0, sizeof w);
    for (int k = 0; k < 3; k++) {
      const double xi[2] = {at[k], 0.0};
      block->ops->interpolate(&block->props, X, xi, weights);
      for (int i = 0; i < n; i++) w[i] += half * gauss[k] * (q[0] * weights[i] + q[1] * weights[n + i]);
      for (int i = 0; i < n && block->ops->space; i++) w[i] += half * gauss[k] * q[2] * weights[FW_Z * n + i];
    }
    fw_shape_scatter(block, e, w, dense);
  }
}

static fw_status add_spread(fw_builder *builder, const fw_item *item, double *dense) {
  const fw_model *model = builder->model;
  const fw_args *args = &item->args;
  const double g[3] = {fw_args_number(args, "gx"), fw_args_number(args, "gy"), fw_args_number(args, "gz")};
  const double q[3] = {fw_args_number(args, "qx"), fw_args_number(args, "qy"), fw_args_number(args, "qz")};
  const char *id = fw_args_text(args, "body");
  int body = id ? fw_builder_body(builder, id) : -1;
  bool lines = false, masses = false;
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    if (id && block->body != body) continue;
    bool line = block->ops->shape == FW_SHAPE_LINE;
    lines = lines || line;
    bool heavy = has_mass(model, block);
    masses = masses || heavy;
    if ((g[2] != 0.0 || q[2] != 0.0) && !block->ops->space && (heavy || line))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place, "attribute '%s': '%s' lies in the plane and knows no z",
                        g[2] != 0.0 ? "gz" : "qz", model->bodies[block->body].id);
    if (g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0) add_gravity(model, block, g, dense);
    if (line && (q[0] != 0.0 || q[1] != 0.0 || q[2] != 0.0)) add_line_load(model, block, q, dense);
  }
  if (gives(args, per_length) && !lines)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place,
                      "attribute '%s': acts on nothing: a force per length is for beams",
                      first_given(args, per_length));
  if (gives(args, per_mass) && !masses)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place, "attribute '%s': acts on nothing: no mass is there",
                      first_given(args, per_mass));
  return FW_OK;
}

/* ---- on a set -------------------------------------------------------------------------- */

/* Nodal forces of a traction and a pressure on one edge. */
static void edge_force(const fw_model *model, const fw_block *block, int element, int edge, const double t[2],
                       double pressure, double f[FW_ELEMENT_DOFS]) {
  double X[FW_ELEMENT_PLACES];
  memset(f, 0, FW_ELEMENT_DOFS * sizeof *f);
  fw_element_places(model, block, element, X);
  fw_plane_edge_force(block->ops->shape, &block->props, X, edge, t, pressure, f);
}

/* The area of an edge is the sum of the forces of a unit traction. */
static double edge_area(const fw_model *model, const fw_block *block, int element, int edge) {
  static const double unit[2] = {1.0, 0.0};
  double f[FW_ELEMENT_DOFS], sum = 0.0;
  edge_force(model, block, element, edge, unit, 0.0, f);
  for (int i = 0; i < 2 * block->ops->nodes; i += 2) sum += f[i];
  return sum;
}

/* A set of nodes shares the force equally. */
static void add_nodes(const fw_model *model, const fw_plane_mesh *self, const fw_mesh_set *set, const double F[2],
                      double *dense) {
  for (int i = 0; i < set->count; i++)
    for (int k = 0; k < 2; k++) {
      int dof = model->nodes[model->bodies[self->body].first_node + set->items[i]].dof[k];
      if (dof >= 0) dense[dof] += F[k] / set->count;
    }
}

/* On edges the total force becomes an even traction. */
static void add_edges(const fw_model *model, const fw_plane_mesh *self, const fw_mesh_set *set, const double F[2],
                      double pressure, double *dense) {
  double area = 0.0;
  for (int i = 0; i < set->count; i++) {
    int e = set->items[2 * i];
    area += edge_area(model, &model->blocks[self->block[e]], self->index[e], set->items[2 * i + 1]);
  }
  const double t[2] = {F[0] / area, F[1] / area};
  for (int i = 0; i < set->count; i++) {
    int e = set->items[2 * i];
    const fw_block *block = &model->blocks[self->block[e]];
    double f[FW_ELEMENT_DOFS];
    edge_force(model, block, self->index[e], set->items[2 * i + 1], t, pressure, f);
    fw_shape_scatter(block, self->index[e], f, dense);
  }
}

static fw_status add_set(fw_builder *builder, const fw_item *item, double *dense) {
  const fw_args *args = &item->args;
  const char *name = fw_args_text(args, "at"), *wanted;
  const fw_plane_mesh *self = fw_builder_mesh(builder, name, &wanted);
  const fw_mesh_set *edges = fw_mesh_set_find(self->mesh, wanted, FW_SET_EDGES);
  const fw_mesh_set *nodes = fw_mesh_set_find(self->mesh, wanted, FW_SET_NODES);
  const double F[2] = {fw_args_number(args, "fx"), fw_args_number(args, "fy")};
  for (int k = FW_RZ; k < FW_SPACE_DOFS; k++)
    if (fw_args_number(args, at_point[k]) != 0.0)
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, at_point[k]),
                        "attribute '%s': a set takes fx, fy and, on edges, pressure", at_point[k]);
  if (edges && edges->count > 0) {
    add_edges(builder->model, self, edges, F, fw_args_number(args, "pressure"), dense);
    return FW_OK;
  }
  if (!nodes || nodes->count == 0 || fw_args_given(args, "pressure"))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "at"),
                      "attribute 'at': the mesh of the body has no edges called '%s'", wanted);
  add_nodes(builder->model, self, nodes, F, dense);
  return FW_OK;
}

/* ---- one load ---------------------------------------------------------------------------- */

static fw_status add_dense(fw_builder *builder, const fw_item *item, fw_functional *shape,
                           fw_status (*add)(fw_builder *builder, const fw_item *item, double *dense)) {
  double *dense;
  FW_TRY(fw_alloc(builder->ctx, (size_t)builder->model->dof_count, sizeof *dense, &dense));
  fw_status status = add(builder, item, dense);
  if (status == FW_OK) status = fw_shape_compress(builder, dense, shape);
  free(dense);
  return status;
}

/* An attribute that the load does not look at is refused. */
static fw_status refuse_given(fw_builder *builder, const fw_args *args, const char *name, const char *why) {
  if (!fw_args_given(args, name)) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, name), "attribute '%s': %s", name, why);
}

static fw_status add_at_point(fw_builder *builder, const fw_args *args, const fw_point *point, fw_functional *shape) {
  const char *name = fw_args_text(args, "against");
  const fw_point *against = name ? fw_builder_point(builder, name) : NULL;
  FW_TRY(refuse_given(builder, args, "pressure", "acts on a set of edges, not at a point"));
  for (int k = 0; k < FW_SPACE_DOFS; k++) {
    double force = fw_args_number(args, at_point[k]);
    if (force == 0.0) continue;
    FW_TRY(fw_builder_needs_space(builder, point, k, args, at_point[k]));
    if (against) FW_TRY(fw_builder_needs_space(builder, against, k, args, "against"));
    if (fw_dof_turns(k)) FW_TRY(fw_builder_needs_rotation(builder, point, args, at_point[k]));
    if (fw_dof_turns(k) && against) FW_TRY(fw_builder_needs_rotation(builder, against, args, "against"));
    FW_TRY(fw_builder_reach(builder, point, k, force, shape));
    if (against) FW_TRY(fw_builder_reach(builder, against, k, -force, shape));
  }
  return FW_OK;
}

static fw_status add_over_bodies(fw_builder *builder, const fw_item *item, fw_functional *shape) {
  static const char *const others[] = {"fx", "fy", "mz", "fz", "mx", "my", "pressure", "against"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    FW_TRY(refuse_given(builder, &item->args, others[i], "needs a place: at"));
  return add_dense(builder, item, shape, add_spread);
}

static fw_status add_shape(fw_builder *builder, const fw_item *item, fw_functional *shape) {
  const fw_args *args = &item->args;
  bool at = fw_args_given(args, "at"), over = gives(args, per_length) || gives(args, per_mass);
  if (at == over)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place,
                      "attribute 'at': a load acts either at a point (at, with fx, fy, mz) or along bodies (qx, qy, "
                      "gx, gy; on tubes z as "
                      "well)");
  if (over) return add_over_bodies(builder, item, shape);
  FW_TRY(refuse_given(builder, args, "body", "the load acts at a point or set already"));
  const char *set;
  const fw_point *point = fw_builder_point(builder, fw_args_text(args, "at"));
  if (!point && !fw_builder_mesh(builder, fw_args_text(args, "at"), &set))
    return FW_ERR_DECK; /* its body could not be built: that has been reported */
  if (!gives(args, point ? at_point : at_edges))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place, "attribute 'fx': no force is given: %s is needed",
                      point ? "fx, fy or mz" : "fx, fy or pressure");
  if (point) return add_at_point(builder, args, point, shape);
  FW_TRY(refuse_given(builder, args, "against", "a load on a set has no counterpart"));
  return add_dense(builder, item, shape, add_set);
}

static fw_status add_load(fw_builder *builder, const fw_item *item, fw_load *load) {
  if (!item->entry) return fw_build_field(builder, item, load);
  load->ops = (const fw_load_ops *)(const void *)item->entry;
  FW_TRY(fw_copy_text(builder->ctx, fw_args_text(&item->args, "id"), &load->id));
  FW_TRY(fw_builder_constants(builder, &item->entry_args, load->ops->pack, &load->constants, &load->constant_count));
  load->formula = fw_args_formula(&item->entry_args);
  const char *wrong = load->ops->check ? load->ops->check(load->constants) : NULL;
  if (wrong) return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "%s", wrong);
  return add_shape(builder, item, &load->shape);
}

fw_status fw_build_loads(fw_builder *builder) {
  const fw_item *loads = fw_item_child(builder->root, "loads");
  fw_model *model = builder->model;
  if (!loads) return FW_OK;
  FW_TRY(fw_alloc(builder->ctx, (size_t)loads->child_count, sizeof *model->loads, &model->loads));
  fw_status worst = FW_OK;
  for (int i = 0; i < loads->child_count; i++) {
    fw_status status = add_load(builder, &loads->children[i], &model->loads[model->load_count++]);
    worst = fw_worse(worst, status);
  }
  return worst;
}
