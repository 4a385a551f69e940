/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <beam>: an axis of straight legs, divided into elements. A point that a support, joint, mass or
 * follower stands on gets a node exactly there: the nearest free node of the even (or graded)
 * division moves to it, so that no sliver arises; loads and sensors interpolate instead. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/builder.h"

/* Places closer than this part of the length are one. */
static const double same = 1e-9;

typedef struct station {
  double s;
  bool taken; /* an end, a corner or a point stands here: it may not move */
} station;

typedef struct axis {
  double (*corners)[2]; /* ends and vertices */
  double *reach;        /* arc length of each corner */
  int corner_count;
  double length;
  station *stations;
  int station_count;
} axis;

static void axis_clear(axis *self) {
  free(self->corners);
  free(self->reach);
  free(self->stations);
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
  self->length = self->reach[self->corner_count - 1];
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

/* Even or geometric division: element lengths grow by a constant ratio from first to last. */
static void divide(axis *self, int divisions, double grading) {
  double ratio = divisions > 1 ? pow(grading, 1.0 / (divisions - 1)) : 1.0, step = 1.0, sum = 0.0;
  self->station_count = divisions + 1;
  for (int i = 0; i <= divisions; i++) {
    self->stations[i] = (station){sum, i == 0 || i == divisions};
    sum += step;
    step *= ratio;
  }
  double scale = self->length / self->stations[divisions].s;
  for (int i = 0; i < divisions; i++) self->stations[i].s *= scale;
  self->stations[divisions].s = self->length;
}

/* Index of the last station at or before s. */
static int station_before(const axis *self, double s) {
  int low = 0, high = self->station_count - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (self->stations[middle].s <= s)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Puts a station at s: there already, or the nearer free neighbour moves, or a new one is put in. */
static void require_station(axis *self, double s) {
  double tolerance = same * self->length;
  int before = station_before(self, s), after = before + 1 < self->station_count ? before + 1 : before;
  station *near = &self->stations[before], *far = &self->stations[after];
  if (fabs(far->s - s) < fabs(near->s - s)) {
    station *swap = near;
    near = far;
    far = swap;
  }
  if (fabs(near->s - s) <= tolerance) {
    near->taken = true;
  } else if (!near->taken || !far->taken) {
    *(near->taken ? far : near) = (station){s, true};
  } else {
    memmove(&self->stations[before + 2], &self->stations[before + 1],
            (size_t)(self->station_count - before - 1) * sizeof *self->stations);
    self->stations[before + 1] = (station){s, true};
    self->station_count++;
  }
}

static fw_status axis_divide(fw_builder *builder, const fw_item *item, axis *self) {
  int divisions = fw_args_integer(&item->args, "divisions");
  FW_TRY(fw_alloc(builder->ctx, (size_t)(divisions + 1 + item->child_count + self->corner_count),
                  sizeof *self->stations, &self->stations));
  divide(self, divisions, fw_args_number(&item->args, "grading"));
  for (int i = 1; i < self->corner_count - 1; i++) require_station(self, self->reach[i]);
  return FW_OK;
}

/* ---- points ------------------------------------------------------------------------------ */

static void full_name(const fw_item *beam, const fw_item *point, char *name, size_t room) {
  snprintf(name, room, "%s.%s", fw_args_text(&beam->args, "id"), fw_args_text(&point->args, "id"));
}

static fw_status check_point(fw_builder *builder, const fw_item *point, const axis *self) {
  FW_TRY(fw_builder_expect(builder, &point->args, "offset", 2));
  double s = fw_args_number(&point->args, "s");
  if (s <= self->length * (1 + same)) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&point->args, "s"),
                    "attribute 's': %g m is beyond the beam's length of %g m", s, self->length);
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
      require_station(self, fw_args_number(&point->args, "s"));
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
    double s = fmin(fw_args_number(&child->args, "s"), self->length), tolerance = same * self->length;
    const double *offset = fw_args_value(&child->args, "offset")->numbers;
    fw_point point = {.name = name,
                      .body = body,
                      .node = -1,
                      .block = block,
                      .arm = {offset[0], offset[1]},
                      .large_rotation = owner->large_rotation};
    axis_place(self, s, point.place);
    point.place[0] += offset[0];
    point.place[1] += offset[1];
    int before = station_before(self, s + tolerance);
    if (before == self->station_count - 1 || fabs(self->stations[before].s - s) <= tolerance) {
      point.node = owner->first_node + before;
    } else {
      double a = self->stations[before].s, b = self->stations[before + 1].s;
      point.element = before;
      point.xi[0] = (2 * s - a - b) / (b - a);
    }
    FW_TRY(fw_builder_add_point(builder, &point));
  }
  return FW_OK;
}

/* ---- properties -------------------------------------------------------------------------- */

static fw_status fill_section(fw_builder *builder, const fw_item *section, fw_properties *props) {
  const fw_section_ops *ops = (const fw_section_ops *)(const void *)section->entry;
  double *constants;
  int count;
  FW_TRY(fw_builder_constants(builder, &section->entry_args, NULL, &constants, &count));
  props->mass_per_length = fw_args_number(&section->args, "added-mass");
  const char *wrong = ops->fill(constants, props->nu, props);
  free(constants);
  return wrong ? fw_fail_at(builder->ctx, FW_ERR_DECK, section->args.place, "%s", wrong) : FW_OK;
}

static fw_status fill_properties(fw_builder *builder, const fw_item *item, fw_properties *props) {
  const fw_args *args = &item->args;
  const fw_element_ops *ops = (const fw_element_ops *)(const void *)item->entry;
  fw_builder_material(builder, args, props);
  props->kinematics = (fw_kinematics)fw_args_integer(args, "kinematics");
  props->lumped = strcmp(fw_args_text(args, "mass"), "lumped") == 0;
  if (!(ops->kinematics & (1u << props->kinematics)))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "kinematics"),
                      "attribute 'kinematics': the element '%s' does not offer '%s'", ops->entry.name,
                      fw_args_text(args, "kinematics"));
  return fill_section(builder, fw_builder_find(builder, "sections", fw_args_text(args, "section")), props);
}

/* ---- the beam ---------------------------------------------------------------------------- */

static fw_status add_elements(fw_builder *builder, const fw_item *item, const axis *self, int body) {
  const fw_element_ops *ops = (const fw_element_ops *)(const void *)item->entry;
  fw_block *block;
  int elements = self->station_count - 1, first = builder->model->bodies[body].first_node;
  FW_TRY(fw_builder_add_block(builder, ops, body, elements, &block));
  FW_TRY(fill_properties(builder, item, &block->props));
  for (int e = 0; e < elements; e++) {
    block->nodes[2 * e] = first + e;
    block->nodes[2 * e + 1] = first + e + 1;
    const fw_node *a = &builder->model->nodes[first + e], *b = a + 1;
    double X[] = {a->x[0], a->x[1], b->x[0], b->x[1]};
    const char *wrong = ops->check ? ops->check(&block->props, X) : NULL;
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
  for (int i = 0; i < self->station_count; i++) {
    double place[2];
    axis_place(self, self->stations[i].s, place);
    FW_TRY(fw_builder_add_node(builder, place, true, &node));
  }
  builder->model->bodies[body].node_count = self->station_count;
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
    if (status != FW_OK) worst = status;
  }
  return worst;
}
