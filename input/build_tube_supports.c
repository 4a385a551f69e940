/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Surfaces and pairs of <tube-support>. The centre of the tube is at (x', y') in the plane, r its outer radius, c the
 * radial clearance:
 *
 *   drilled    a hole of radius r + c: the centre stays within a disc of radius c
 *   flat       bars at the distance r + c on the side of x', then opposite, with four all round: x' <= c, -x' <= c
 *   broached   lands on arcs of radius r + c, `land` degrees wide, at 360 k/lands degrees from x'
 *
 * Each side is a pair of its own, since a tube in a corner touches two. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/detect/surface.h"
#include "contact/pair.h"
#include "input/build_contact.h"
#include "input/builder.h"
#include "input/tube_support.h"

enum { DRILLED = FW_TUBE_SUPPORT_DRILLED, FLAT = FW_TUBE_SUPPORT_FLAT, BROACHED = FW_TUBE_SUPPORT_BROACHED };

static const double degree = M_PI / 180.0;

typedef struct support {
  const fw_item *item;
  int kind, sides;
  double r, clearance;
} support;

double fw_tube_support_radius(const fw_builder *builder, const fw_item *item) {
  char name[256];
  snprintf(name, sizeof name, "%s.%s", fw_args_text(&item->args, "id"), fw_tube_support_point(0));
  const fw_point *point = fw_builder_point(builder, name);
  return point ? 0.5 * builder->model->blocks[point->block].props.height : 0.0;
}

static fw_status refuse(fw_builder *builder, const support *self, const char *attribute, const char *why) {
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&self->item->args, attribute), "attribute '%s': %s",
                    attribute, why);
}

/* Between two lands the disc rests on their corners: r > (r + c) sin of half the angle between them. */
static fw_status check_lands(fw_builder *builder, const support *self) {
  double land = fw_args_number(&self->item->args, "land") * degree, gap = 2 * M_PI / self->sides - land;
  if (!(gap > 0)) return refuse(builder, self, "land", "the lands leave no room between them");
  if (self->r <= (self->r + self->clearance) * sin(fmin(0.5 * gap, 0.5 * M_PI)))
    return refuse(builder, self, "land", "the tube would fall out between the lands");
  return FW_OK;
}

static fw_status read_support(fw_builder *builder, const fw_item *item, support *self) {
  const fw_args *args = &item->args;
  *self = (support){.item = item, .kind = fw_args_integer(args, "kind"), .sides = 1};
  self->r = fw_tube_support_radius(builder, item);
  self->clearance = fw_args_number(args, "clearance");
  if (!(self->r > 0)) return FW_ERR_DECK; /* its tube could not be built: that has been reported */
  if (self->kind != FLAT && fw_args_given(args, "sides")) return refuse(builder, self, "sides", "for flat bars");
  if (self->kind != BROACHED && (fw_args_given(args, "lands") || fw_args_given(args, "land")))
    return refuse(builder, self, fw_args_given(args, "lands") ? "lands" : "land", "for broached holes");
  if (self->kind != FLAT && self->clearance < 0)
    return refuse(builder, self, "clearance", "only flat bars can press at rest: not below zero");
  if (self->kind == FLAT) self->sides = fw_args_integer(args, "sides");
  if (self->kind == FLAT && self->sides != 1 && self->sides != 2 && self->sides != 4)
    return refuse(builder, self, "sides", "1, 2 or 4");
  if (self->kind != BROACHED) return FW_OK;
  self->sides = fw_args_integer(args, "lands");
  return check_lands(builder, self);
}

/* A bar at distance r + c, its free side towards the tube. */
static fw_status add_bar(fw_builder *builder, const support *self, double angle, fw_surface *surface) {
  double D = self->r + self->clearance, half = 4 * self->r, c = cos(angle), s = sin(angle);
  const double from[2] = {D * c + half * s, D * s - half * c}, to[2] = {D * c - half * s, D * s + half * c};
  fw_segment segment = {.kind = FW_SEGMENT_LINE, .previous = -1, .next = -1};
  int index;
  FW_TRY(fw_surface_add_anchor(builder->ctx, builder->model, surface, NULL, from, &segment.anchor[0]));
  FW_TRY(fw_surface_add_anchor(builder->ctx, builder->model, surface, NULL, to, &segment.anchor[1]));
  return fw_surface_add_segment(builder->ctx, surface, &segment, &index);
}

static fw_status add_shape(fw_builder *builder, const support *self, int side, fw_surface *surface) {
  static const double origin[2] = {0, 0};
  double turn = self->kind == FLAT && self->sides == 4 ? 0.5 * M_PI : 2 * M_PI / self->sides;
  double angle = side * turn, half = M_PI;
  if (self->kind == FLAT) return add_bar(builder, self, angle, surface);
  if (self->kind == BROACHED) half = 0.5 * fw_args_number(&self->item->args, "land") * degree;
  const fw_rigid_arc arc = {self->r + self->clearance, -1.0, self->kind == DRILLED ? -0.5 * M_PI : angle, half};
  return fw_surface_append_arc(builder->ctx, builder->model, origin, &arc, NULL, surface);
}

static fw_status add_rings(fw_builder *builder, const support *self, fw_pair *pair) {
  static const double none[2] = {0, 0};
  for (int face = 0; face < fw_tube_support_faces(self->item); face++) {
    char name[256];
    snprintf(name, sizeof name, "%s.%s", fw_args_text(&self->item->args, "id"), fw_tube_support_ring(face));
    const fw_point *ring = fw_builder_point(builder, name);
    if (!ring) return FW_ERR_DECK; /* it could not be built: that has been reported */
    fw_follower follower = {.at = fw_builder_attach(ring, none), .radius = self->r};
    FW_TRY(fw_pair_add_follower(builder->ctx, pair, &follower));
  }
  return FW_OK;
}

static fw_status add_side(fw_builder *builder, const support *self, int side) {
  char id[256];
  const char *of = fw_args_text(&self->item->args, "id"), *shape = self->kind == FLAT ? "line" : "arc";
  const fw_surface_ops *ops = (const fw_surface_ops *)(const void *)fw_table_find(&fw_surfaces, shape);
  fw_surface *surface;
  fw_pair *pair;
  snprintf(id, sizeof id, self->sides > 1 ? "%s-%d" : "%s", of, side + 1);
  FW_TRY(fw_surface_create(builder->ctx, id, ops, &surface));
  builder->model->surfaces[builder->model->surface_count++] = surface;
  FW_TRY(add_shape(builder, self, side, surface));
  FW_TRY(fw_surface_finish(builder->ctx, builder->model, surface));
  FW_TRY(fw_build_new_pair(builder, id, surface, &pair));
  FW_TRY(add_rings(builder, self, pair));
  FW_TRY(fw_build_pair_laws(builder, self->item, pair));
  return fw_build_check_room(builder, self->item, pair);
}

fw_status fw_build_tube_support(fw_builder *builder, const fw_item *item) {
  support self;
  FW_TRY(read_support(builder, item, &self));
  for (int side = 0; side < self.sides; side++) FW_TRY(add_side(builder, &self, side));
  return FW_OK;
}

int fw_build_tube_support_sides(const fw_item *item) {
  int kind = fw_args_integer(&item->args, "kind");
  return kind == FLAT       ? fw_args_integer(&item->args, "sides")
         : kind == BROACHED ? fw_args_integer(&item->args, "lands")
                            : 1;
}
