/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <loads>: the space part of each load as a functional; its time part is a table entry. */
#include "core/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/builder.h"

/* ---- spread over bodies ------------------------------------------------------------------ */

/* Adds factor * w(i) to the entry of each free freedom of an element. */
static void scatter(const fw_block *block, int element, const double *w, double *dense) {
  int n = fw_element_dofs(block->ops);
  for (int i = 0; i < n; i++) {
    int dof = block->dofs[element * n + i];
    if (dof >= 0) dense[dof] += w[i];
  }
}

static void element_places(const fw_model *model, const fw_block *block, int element, double *X) {
  int nodes = block->ops->nodes;
  for (int k = 0; k < nodes; k++) memcpy(X + 2 * k, model->nodes[block->nodes[element * nodes + k]].x, 2 * sizeof *X);
}

/* Gravity: M g with g the same at every node. */
static void add_gravity(const fw_model *model, const fw_block *block, const double g[2], double *dense) {
  int n = fw_element_dofs(block->ops), per_node = block->ops->rotations ? 3 : 2;
  double X[2 * FW_ELEMENT_NODES], M[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS], w[FW_ELEMENT_DOFS];
  for (int e = 0; block->ops->mass && e < block->count; e++) {
    element_places(model, block, e, X);
    block->ops->mass(&block->props, X, M);
    for (int i = 0; i < n; i++) {
      w[i] = 0.0;
      for (int k = 0; k < block->ops->nodes; k++)
        w[i] += M[i * n + k * per_node] * g[0] + M[i * n + k * per_node + 1] * g[1];
    }
    scatter(block, e, w, dense);
  }
}

/* Force per length on beams: integral of the shape functions, exact with three Gauss points. */
static void add_line_load(const fw_model *model, const fw_block *block, const double q[2], double *dense) {
  static const double at[] = {-0.774596669241483377, 0.0, 0.774596669241483377}, gauss[] = {5. / 9, 8. / 9, 5. / 9};
  int n = fw_element_dofs(block->ops);
  double X[2 * FW_ELEMENT_NODES], weights[FW_NODE_DOFS * FW_ELEMENT_DOFS], w[FW_ELEMENT_DOFS];
  for (int e = 0; e < block->count; e++) {
    element_places(model, block, e, X);
    double half = 0.5 * hypot(X[2] - X[0], X[3] - X[1]);
    memset(w, 0, sizeof w);
    for (int k = 0; k < 3; k++) {
      const double xi[2] = {at[k], 0.0};
      block->ops->interpolate(&block->props, X, xi, weights);
      for (int i = 0; i < n; i++) w[i] += half * gauss[k] * (q[0] * weights[i] + q[1] * weights[n + i]);
    }
    scatter(block, e, w, dense);
  }
}

static fw_status add_spread(fw_builder *builder, const fw_item *item, fw_functional *shape) {
  const fw_model *model = builder->model;
  const fw_args *args = &item->args;
  const double g[2] = {fw_args_number(args, "gx"), fw_args_number(args, "gy")};
  const double q[2] = {fw_args_number(args, "qx"), fw_args_number(args, "qy")};
  const char *id = fw_args_text(args, "body");
  int body = id ? fw_builder_body(builder, id) : -1;
  double *dense;
  FW_TRY(fw_alloc(builder->ctx, (size_t)model->dof_count, sizeof *dense, &dense));
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    if (id && block->body != body) continue;
    if (g[0] != 0.0 || g[1] != 0.0) add_gravity(model, block, g, dense);
    if ((q[0] != 0.0 || q[1] != 0.0) && block->ops->shape == FW_SHAPE_LINE) add_line_load(model, block, q, dense);
  }
  fw_status status = FW_OK;
  int used = 0;
  for (int i = 0; i < model->dof_count; i++) used += dense[i] != 0.0;
  fw_functional_clear(shape);
  if (status == FW_OK) status = fw_alloc(builder->ctx, (size_t)used, sizeof *shape->dof, &shape->dof);
  if (status == FW_OK) status = fw_alloc(builder->ctx, (size_t)used, sizeof *shape->weight, &shape->weight);
  shape->room = used;
  for (int i = 0; status == FW_OK && i < model->dof_count; i++)
    if (dense[i] != 0.0) {
      shape->dof[shape->count] = i;
      shape->weight[shape->count++] = dense[i];
    }
  free(dense);
  return status;
}

/* ---- one load ---------------------------------------------------------------------------- */

static bool gives(const fw_args *args, const char *const *names) {
  for (; *names; names++)
    if (fw_args_given(args, *names)) return true;
  return false;
}

static fw_status add_shape(fw_builder *builder, const fw_item *item, fw_functional *shape) {
  static const char *const point_forces[] = {"fx", "fy", "mz", NULL}, *const spread[] = {"qx", "qy", "gx", "gy", NULL};
  const fw_args *args = &item->args;
  bool at = fw_args_given(args, "at"), over = gives(args, spread);
  if (at == over)
    return fw_fail_at(
        builder->ctx, FW_ERR_DECK, args->place,
        "attribute 'at': a load acts either at a point (at, with fx, fy, mz) or along bodies (qx, qy, gx, gy)");
  if (!gives(args, at ? point_forces : spread))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place,
                      "attribute 'fx': no force is given: fx, fy or mz is needed");
  if (over) return add_spread(builder, item, shape);
  const fw_point *point = fw_builder_point(builder, fw_args_text(args, "at"));
  if (!point) return FW_ERR_DECK; /* its body could not be built: that has been reported */
  for (int k = 0; k < FW_NODE_DOFS; k++)
    FW_TRY(fw_builder_reach(builder, point, k, fw_args_number(args, point_forces[k]), shape));
  return FW_OK;
}

static fw_status add_load(fw_builder *builder, const fw_item *item, fw_load *load) {
  load->ops = (const fw_load_ops *)(const void *)item->entry;
  FW_TRY(fw_copy_text(builder->ctx, fw_args_text(&item->args, "id"), &load->id));
  FW_TRY(fw_builder_constants(builder, &item->entry_args, &load->constants, &load->constant_count));
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
    if (status != FW_OK) worst = status;
  }
  return worst;
}

/* ---- sensors ----------------------------------------------------------------------------- */

static fw_status add_sensor(fw_builder *builder, const fw_item *item, fw_sensor *sensor) {
  const fw_args *args = &item->args;
  sensor->quantity = (fw_quantity)fw_args_integer(args, "quantity");
  FW_TRY(fw_copy_text(builder->ctx, fw_args_text(args, "id"), &sensor->id));
  int direction = fw_args_integer(args, "direction");
  const fw_point *point = fw_builder_point(builder, fw_args_text(args, "at"));
  if (!point) return FW_ERR_DECK; /* its body could not be built: that has been reported */
  FW_TRY(fw_builder_reach(builder, point, direction, 1.0, &sensor->shape));
  if (!fw_args_given(args, "relative-to")) return FW_OK;
  const fw_point *other = fw_builder_point(builder, fw_args_text(args, "relative-to"));
  return other ? fw_builder_reach(builder, other, direction, -1.0, &sensor->shape) : FW_ERR_DECK;
}

fw_status fw_build_sensors(fw_builder *builder) {
  const fw_item *sensors = fw_item_child(builder->root, "sensors");
  fw_model *model = builder->model;
  if (!sensors) return FW_OK;
  FW_TRY(fw_alloc(builder->ctx, (size_t)sensors->child_count, sizeof *model->sensors, &model->sensors));
  fw_status worst = FW_OK;
  for (int i = 0; i < sensors->child_count; i++) {
    fw_status status = add_sensor(builder, &sensors->children[i], &model->sensors[model->sensor_count++]);
    if (status != FW_OK) worst = status;
  }
  return worst;
}
