/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

fw_status fw_functional_add(fw_context *ctx, fw_functional *functional, int dof, double weight) {
  if (dof < 0 || weight == 0.0) return FW_OK;
  for (int i = 0; i < functional->count; i++)
    if (functional->dof[i] == dof) {
      functional->weight[i] += weight;
      return FW_OK;
    }
  int room = functional->room; /* of the weights too */
  FW_TRY(fw_grow(ctx, functional->count, &room, sizeof *functional->dof, &functional->dof));
  FW_TRY(fw_grow(ctx, functional->count, &functional->room, sizeof *functional->weight, &functional->weight));
  functional->dof[functional->count] = dof;
  functional->weight[functional->count++] = weight;
  return FW_OK;
}

double fw_functional_value(const fw_functional *functional, const double *q) {
  double sum = 0.0;
  for (int i = 0; i < functional->count; i++) sum += functional->weight[i] * q[functional->dof[i]];
  return sum;
}

void fw_functional_scatter(const fw_functional *functional, double factor, double *out) {
  for (int i = 0; i < functional->count; i++) out[functional->dof[i]] += factor * functional->weight[i];
}

bool fw_functional_acts(const fw_functional *functional) {
  for (int i = 0; i < functional->count; i++)
    if (functional->weight[i] != 0.0) return true;
  return false;
}

void fw_functional_clear(fw_functional *functional) {
  free(functional->dof);
  free(functional->weight);
  memset(functional, 0, sizeof *functional);
}

const char *fw_sensor_unit_of(const fw_sensor *sensor, fw_quantity quantity) {
  static const char *const units[2][3] = {{"m", "m/s", "m/s^2"}, {"rad", "rad/s", "rad/s^2"}};
  return units[sensor->turns][quantity];
}

const char *fw_sensor_unit(const fw_sensor *sensor) { return fw_sensor_unit_of(sensor, sensor->quantity); }

int fw_model_load(const fw_model *model, const char *id) {
  for (int i = 0; i < model->load_count; i++)
    if (strcmp(model->loads[i].id, id) == 0) return i;
  return -1;
}

int fw_model_sensor(const fw_model *model, const char *id) {
  for (int i = 0; i < model->sensor_count; i++)
    if (strcmp(model->sensors[i].id, id) == 0) return i;
  return -1;
}

const char *const fw_dof_names[FW_SPACE_DOFS] = {"x", "y", "rz", "z", "rx", "ry"};
const int fw_dof_moves[3] = {FW_X, FW_Y, FW_Z}, fw_dof_turnings[3] = {FW_RX, FW_RY, FW_RZ};

void fw_node_axes(const fw_model *model, const fw_node *node, double axes[3][3]) {
  static const fw_triad deck = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const fw_triad *triad = node->triad ? &model->triads[node->triad - 1] : &deck;
  memcpy(axes, triad->axes, sizeof triad->axes);
}

void fw_node_place_in_space(const fw_model *model, const fw_node *node, const double x[2], double place[3]) {
  const double flat[3] = {x[0], x[1], 0.0};
  memcpy(place, flat, sizeof flat);
  if (node->space || !node->triad) return;
  const fw_triad *triad = &model->triads[node->triad - 1];
  for (int k = 0; k < 3; k++) place[k] = triad->origin[k] + x[0] * triad->axes[0][k] + x[1] * triad->axes[1][k];
}

void fw_node_place(const fw_model *model, const fw_node *node, double place[3]) {
  fw_node_place_in_space(model, node, node->x, place);
  if (node->space) place[2] = node->z;
}

double fw_node_distance(const fw_model *model, const fw_node *a, const fw_node *b) {
  double from[3], to[3];
  fw_node_place(model, a, from);
  fw_node_place(model, b, to);
  return hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
}

double fw_node_value(const fw_node *node, int direction, const double *q) {
  int dof = node->dof[direction];
  return q && dof >= 0 ? q[dof] : 0.0;
}

void fw_node_displacement(const fw_model *model, const fw_node *node, const double *q, double u[3]) {
  double axes[3][3], own[3] = {fw_node_value(node, FW_X, q), fw_node_value(node, FW_Y, q), 0.0};
  if (node->space) own[2] = fw_node_value(node, FW_Z, q);
  memcpy(u, own, sizeof own);
  if (!node->triad) return;
  fw_node_axes(model, node, axes);
  for (int k = 0; k < 3; k++) u[k] = own[0] * axes[0][k] + own[1] * axes[1][k] + own[2] * axes[2][k];
}

void fw_attachment_place(const fw_model *model, const fw_attachment *at, const double *q, double place[2]) {
  if (at->node < 0) {
    place[0] = at->arm[0];
    place[1] = at->arm[1];
    return;
  }
  const fw_node *node = &model->nodes[at->node];
  double rz = fw_node_value(node, FW_RZ, q);
  double arm_x = at->arm[0] - rz * at->arm[1], arm_y = at->arm[1] + rz * at->arm[0];
  if (at->large_rotation) {
    arm_x = cos(rz) * at->arm[0] - sin(rz) * at->arm[1];
    arm_y = sin(rz) * at->arm[0] + cos(rz) * at->arm[1];
  }
  place[0] = node->x[0] + fw_node_value(node, FW_X, q) + arm_x;
  place[1] = node->x[1] + fw_node_value(node, FW_Y, q) + arm_y;
}
