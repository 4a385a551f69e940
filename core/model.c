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

double fw_node_value(const fw_node *node, int direction, const double *q) {
  int dof = node->dof[direction];
  return q && dof >= 0 ? q[dof] : 0.0;
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
