/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/span.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void fw_span_clear(fw_span *span) {
  free(span->x);
  free(span->node);
  free(span->station);
  free(span->gain);
  *span = (fw_span){0};
}

/* Node that has a freedom, or -1. */
static int node_of(const fw_model *model, int dof) {
  for (int n = 0; n < model->node_count; n++)
    for (int d = 0; d < FW_NODE_DOFS; d++)
      if (model->nodes[n].dof[d] == dof) return n;
  return -1;
}

static int body_of(const fw_model *model, int node) {
  for (int b = 0; b < model->body_count; b++) {
    const fw_body *body = &model->bodies[b];
    if (strcmp(body->kind, "beam") == 0 && node >= body->first_node && node < body->first_node + body->node_count)
      return b;
  }
  return -1;
}

/* The beam's node that a contact point hangs on alone, or -1. */
static int node_read(const fw_model *model, const int *dof, int count) {
  int node = count > 0 ? node_of(model, dof[0]) : -1;
  for (int i = 1; i < count; i++)
    if (node_of(model, dof[i]) != node) return -1;
  return node >= 0 && body_of(model, node) >= 0 ? node : -1;
}

static double along_axis(const fw_span *span, const fw_node *from, const fw_node *node) {
  return span->axis[0] * (node->x[0] - from->x[0]) + span->axis[1] * (node->x[1] - from->x[1]);
}

static fw_status place_nodes(fw_context *ctx, const fw_model *model, const fw_body *body, int tip, fw_span *span) {
  int first = body->first_node, last = first + body->node_count - 1;
  if (tip != first && tip != last)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "the contact is not at an end of beam '%s'", body->id);
  int far = tip == last ? first : last, step = tip == last ? 1 : -1;
  const fw_node *a = &model->nodes[far], *b = &model->nodes[tip];
  double length = hypot(b->x[0] - a->x[0], b->x[1] - a->x[1]);
  span->count = body->node_count;
  span->places = span->count + span->sensors;
  span->axis[0] = (b->x[0] - a->x[0]) / length;
  span->axis[1] = (b->x[1] - a->x[1]) / length;
  span->across[0] = -span->axis[1];
  span->across[1] = span->axis[0];
  span->clamped = a->dof[FW_RZ] == FW_DOF_FIXED;
  FW_TRY(fw_alloc(ctx, (size_t)span->places, sizeof *span->x, &span->x));
  FW_TRY(fw_alloc(ctx, (size_t)span->count, sizeof *span->node, &span->node));
  for (int i = 0; i < span->count; i++) {
    const fw_node *node = &model->nodes[span->node[i] = far + i * step];
    double x = node->x[0] - a->x[0], y = node->x[1] - a->x[1];
    span->x[i] = along_axis(span, a, node);
    if (node->space || fabs(span->across[0] * x + span->across[1] * y) > 1e-9 * length)
      return fw_fail(ctx, FW_ERR_ANALYSIS, "beam '%s' is not straight in the plane", body->id);
  }
  return FW_OK;
}

/* Place along the span of the node that has a freedom, or -1. */
static int place_of(const fw_span *span, int dof) {
  int node = node_of(span->model, dof);
  for (int i = 0; i < span->count; i++)
    if (span->node[i] == node) return i;
  return -1;
}

/* Whether a sensor reads this beam alone; a point between the far end and the next node does not show where it is. */
static bool is_on(const fw_span *span, const fw_sensor *sensor) {
  const fw_functional *shape = &sensor->shape;
  for (int i = 0; i < shape->count; i++) {
    int place = place_of(span, shape->dof[i]);
    if (place < 0 || (place == 1 && shape->count > 1)) return false;
  }
  return shape->count > 0 && !sensor->turns;
}

/* What a sensor reads of a beam that moves as a whole across its axis, and of one that turns about its far end. */
static void read_rigid(const fw_span *span, const fw_sensor *sensor, double *moved, double *turned) {
  *moved = *turned = 0.0;
  for (int i = 0; i < sensor->shape.count; i++) {
    int place = place_of(span, sensor->shape.dof[i]);
    const fw_node *node = &span->model->nodes[span->node[place]];
    double weight = sensor->shape.weight[i];
    if (sensor->shape.dof[i] == node->dof[FW_RZ]) *turned += weight;
    for (int d = FW_X; d <= FW_Y; d++) {
      if (sensor->shape.dof[i] != node->dof[d]) continue;
      *moved += weight * span->across[d];
      *turned += weight * span->across[d] * span->x[place];
    }
  }
}

static fw_status place_sensor(fw_context *ctx, const fw_sensor *sensor, int at, fw_span *span) {
  double turned, length = span->x[span->count - 1];
  if (!is_on(span, sensor))
    return fw_fail(ctx, FW_ERR_ANALYSIS, "sensor '%s' is not on the beam that rubs, away from its ends", sensor->id);
  read_rigid(span, sensor, &span->gain[at], &turned);
  if (fabs(span->gain[at]) < 0.1)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "sensor '%s' does not look across the beam", sensor->id);
  double x = span->x[span->station[at] = span->count + at] = turned / span->gain[at];
  if (x > length * (1 - 1e-6))
    return fw_fail(ctx, FW_ERR_ANALYSIS, "sensor '%s' sits at the contact, where nothing moves across", sensor->id);
  for (int j = 0; j < at; j++)
    if (fabs(span->x[span->station[j]] - x) < 1e-6 * length)
      return fw_fail(ctx, FW_ERR_ANALYSIS, "sensor '%s' sits where another does", sensor->id);
  return FW_OK;
}

fw_status fw_span_find(fw_context *ctx, const fw_model *model, const fw_harmonics *data, const fw_kinematic *contact,
                       fw_span *span) {
  fw_status status;
  *span = (fw_span){.sensors = data->sensors, .model = model};
  int tip = node_read(model, contact->dof, contact->count), body = tip < 0 ? -1 : body_of(model, tip);
  if (body < 0) return fw_fail(ctx, FW_ERR_ANALYSIS, "the contact is not at a node of a <beam> of the plane");
  FW_TRY_DONE(place_nodes(ctx, model, &model->bodies[body], tip, span));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)span->sensors, sizeof *span->station, &span->station));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)span->sensors, sizeof *span->gain, &span->gain));
  for (int j = 0; j < span->sensors; j++) FW_TRY_DONE(place_sensor(ctx, &model->sensors[data->sensor[j]], j, span));
done:
  if (status != FW_OK) fw_span_clear(span);
  return status;
}

void fw_span_freedoms(const fw_span *span, const double *shape, const double *along, double *q) {
  memset(q, 0, (size_t)span->model->dof_count * sizeof *q);
  for (int i = 0; i < span->count; i++) {
    const int *dof = span->model->nodes[span->node[i]].dof;
    for (int d = FW_X; d <= FW_Y; d++)
      if (dof[d] >= 0) q[dof[d]] = span->across[d] * shape[i] + (along ? span->axis[d] * along[i] : 0.0);
    if (dof[FW_RZ] >= 0) q[dof[FW_RZ]] = shape[span->places + i];
  }
}

double fw_span_slopes(const fw_span *span, const double *a, const double *b) {
  const double *at = a + span->places, *bt = b + span->places;
  double sum = 0.0;
  for (int i = 1; i < span->count; i++)
    sum += 0.5 * (span->x[i] - span->x[i - 1]) * (at[i] * bt[i] + at[i - 1] * bt[i - 1]);
  return sum;
}
