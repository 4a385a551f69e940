/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <beam>: an axis of straight legs, divided into elements. A point that a support, joint, mass or
 * follower stands on gets a node exactly there; loads and sensors interpolate instead. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/builder.h"
#include "input/stations.h"

typedef struct axis {
  double (*corners)[2]; /* ends and vertices */
  double *reach;        /* arc length of each corner */
  int corner_count;
  fw_stations stations;
} axis;

static void axis_clear(axis *self) {
  free(self->corners);
  free(self->reach);
  free(self->stations.list);
}

/* ---- the axis ---------------------------------------------------------------------------- */

static fw_status axis_read(fw_builder *builder, const fw_item *item, axis *self) {
  FW_TRY(fw_alloc(builder->ctx, (size_t)item->child_count + 2, sizeof *self->corners, &self->corners));
  FW_TRY(fw_alloc(builder->ctx, (size_t)item->child_count + 2, sizeof *self->reach, &self->reach));
  FW_TRY(fw_builder_expect(builder, &item->args, "from", 2));
  FW_TRY(fw_builder_expect(builder, &item->args, "to", 2));
  memcpy(self->corners[self->corner_count++], fw_args_value(&item->args, "from")->numbers, 2 * sizeof(double));
  for (int i = 0; i < item->child_count; i++) {
    const fw_item *child = &item->children[i];
    if (strcmp(child->name, "vertex") != 0) continue;
    FW_TRY(fw_builder_expect(builder, &child->args, "at", 2));
    memcpy(self->corners[self->corner_count++], fw_args_value(&child->args, "at")->numbers, 2 * sizeof(double));
  }
  memcpy(self->corners[self->corner_count++], fw_args_value(&item->args, "to")->numbers, 2 * sizeof(double));
  for (int i = 1; i < self->corner_count; i++) {
    double leg = hypot(self->corners[i][0] - self->corners[i - 1][0], self->corners[i][1] - self->corners[i - 1][1]);
    if (!(leg > 0.0))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "to"),
                        "attribute 'to': the beam has no length between (%g, %g) and (%g, %g)", self->corners[i - 1][0],
                        self->corners[i - 1][1], self->corners[i][0], self->corners[i][1]);
    self->reach[i] = self->reach[i - 1] + leg;
  }
  self->stations.length = self->reach[self->corner_count - 1];
  return FW_OK;
}

static void axis_place(const axis *self, double s, double place[2]) {
  int leg = 1;
  while (leg < self->corner_count - 1 && s > self->reach[leg]) leg++;
  double along = (s - self->reach[leg - 1]) / (self->reach[leg] - self->reach[leg - 1]);
  for (int k = 0; k < 2; k++)
    place[k] = self->corners[leg - 1][k] + along * (self->corners[leg][k] - self->corners[leg - 1][k]);
}

/* ---- stations ---------------------------------------------------------------------------- */

static fw_status axis_divide(fw_builder *builder, const fw_item *item, axis *self) {
  FW_TRY(fw_stations_divide(builder->ctx, &self->stations, fw_args_integer(&item->args, "divisions"),
                            fw_args_number(&item->args, "grading"), item->child_count + self->corner_count));
  for (int i = 1; i < self->corner_count - 1; i++) fw_stations_require(&self->stations, self->reach[i]);
  return FW_OK;
}

/* ---- points ------------------------------------------------------------------------------ */

static void full_name(const fw_item *beam, const fw_item *point, char *name, size_t room) {
  snprintf(name, room, "%s.%s", fw_args_text(&beam->args, "id"), fw_args_text(&point->args, "id"));
}

static fw_status check_point(fw_builder *builder, const fw_item *point, const axis *self) {
  FW_TRY(fw_builder_expect(builder, &point->args, "offset", 2));
  double s = fw_args_number(&point->args, "s"), length = self->stations.length;
  if (s <= length + fw_stations_tolerance(&self->stations)) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&point->args, "s"),
                    "attribute 's': %g m is beyond the beam's length of %g m", s, length);
}

/* What acts at a point with an offset on a beam that turns far needs a node: an interpolated arm would not turn. */
static bool arm_turns(const fw_item *beam, const fw_item *point) {
  const fw_value *offset = fw_args_value(&point->args, "offset");
  bool arm = offset->count == 2 && (offset->numbers[0] != 0.0 || offset->numbers[1] != 0.0);
  return arm && fw_args_integer(&beam->args, "kinematics") == FW_COROTATIONAL;
}

static fw_status require_points(fw_builder *builder, const fw_item *item, axis *self) {
  for (int i = 0; i < item->child_count; i++) {
    const fw_item *point = &item->children[i];
    if (strcmp(point->name, "point") != 0) continue;
    char name[256];
    full_name(item, point, name, sizeof name);
    FW_TRY(check_point(builder, point, self));
    if (fw_builder_needs_node(builder, name) || arm_turns(item, point))
      fw_stations_require(&self->stations, fw_args_number(&point->args, "s"));
  }
  return FW_OK;
}

static fw_status add_points(fw_builder *builder, const fw_item *item, const axis *self, int body, int block) {
  const fw_body *owner = &builder->model->bodies[body];
  for (int i = 0; i < item->child_count; i++) {
    const fw_item *child = &item->children[i];
    if (strcmp(child->name, "point") != 0) continue;
    char name[256];
    full_name(item, child, name, sizeof name);
    double s = fmin(fw_args_number(&child->args, "s"), self->stations.length);
    const double *offset = fw_args_value(&child->args, "offset")->numbers;
    fw_point point = {.name = name,
                      .body = body,
                      .block = block,
                      .arm = {offset[0], offset[1]},
                      .large_rotation = owner->large_rotation};
    axis_place(self, s, point.place);
    point.place[0] += offset[0];
    point.place[1] += offset[1];
    int at = fw_stations_find(&self->stations, s, &point.element, &point.xi[0]);
    point.node = at < 0 ? -1 : owner->first_node + at;
    FW_TRY(fw_builder_add_point(builder, &point));
  }
  return FW_OK;
}

/* ---- the beam ---------------------------------------------------------------------------- */

static fw_status choose_kinematics(fw_builder *builder, const fw_item *item, const fw_element_ops *ops,
                                   fw_properties *props) {
  props->kinematics = (fw_kinematics)fw_args_integer(&item->args, "kinematics");
  if (ops->kinematics & (1u << props->kinematics)) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "kinematics"),
                    "attribute 'kinematics': the element '%s' does not offer '%s'", ops->entry.name,
                    fw_args_text(&item->args, "kinematics"));
}

static fw_status add_elements(fw_builder *builder, const fw_item *item, const axis *self, int body) {
  const fw_element_ops *ops = (const fw_element_ops *)(const void *)item->entry;
  fw_block *block;
  int elements = self->stations.count - 1, first = builder->model->bodies[body].first_node;
  FW_TRY(fw_builder_add_block(builder, ops, body, elements, &block));
  FW_TRY(choose_kinematics(builder, item, ops, &block->props));
  FW_TRY(fw_builder_line_properties(builder, item, &block->props));
  for (int e = 0; e < elements; e++) {
    block->nodes[2 * e] = first + e;
    block->nodes[2 * e + 1] = first + e + 1;
    const fw_node *a = &builder->model->nodes[first + e], *b = a + 1;
    double X[] = {a->x[0], a->x[1], b->x[0], b->x[1]};
    const char *wrong = fw_element_flaw(ops, &block->props, X);
    if (wrong) return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "element %d: %s", e + 1, wrong);
  }
  builder->model->bodies[body].large_rotation = block->props.kinematics == FW_COROTATIONAL;
  return FW_OK;
}

static fw_status add_beam(fw_builder *builder, const fw_item *item, axis *self) {
  FW_TRY(axis_read(builder, item, self));
  FW_TRY(axis_divide(builder, item, self));
  FW_TRY(require_points(builder, item, self));
  int body, node;
  FW_TRY(fw_builder_add_body(builder, fw_args_text(&item->args, "id"), "beam", &body));
  for (int i = 0; i < self->stations.count; i++) {
    double place[2];
    axis_place(self, self->stations.list[i].s, place);
    FW_TRY(fw_builder_add_node(builder, place, true, &node));
  }
  builder->model->bodies[body].node_count = self->stations.count;
  FW_TRY(add_elements(builder, item, self, body));
  return add_points(builder, item, self, body, builder->model->block_count - 1);
}

fw_status fw_build_beams(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = FW_OK;
  for (int i = 0; i < bodies->child_count; i++) {
    if (strcmp(bodies->children[i].name, "beam") != 0) continue;
    axis self = {0};
    fw_status status = add_beam(builder, &bodies->children[i], &self);
    axis_clear(&self);
    worst = fw_worse(worst, status);
  }
  return worst;
}
