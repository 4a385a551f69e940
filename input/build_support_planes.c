/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <support-plane>: a plane at a point of a tube in which contact lives as it does in a planar deck. The freedoms of the
 * tube's node there are laid along the plane's axes e1, e2, e3 = e1 times e2. What the plane sees of them,
 *
 *   x' = e1 . u,  y' = e2 . u,  rz' = e3 . theta,
 *
 * are then three of the node's own freedoms, and a planar node that shares them, the ring, carries discs and points. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input/builder.h"
#include "input/tube_support.h"
#include "input/vectors.h"

/* Turns the first two axes about the third. */
static void turn_axes(double angle, double e[3][3]) {
  double c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) {
    double first = e[0][k], second = e[1][k];
    e[0][k] = c * first + s * second;
    e[1][k] = c * second - s * first;
  }
}

static fw_status make_triad(fw_builder *builder, const fw_args *args, const fw_point *point, fw_triad *triad) {
  memcpy(triad->axes[2], point->tangent, sizeof point->tangent);
  if (fw_args_given(args, "normal")) {
    FW_TRY(fw_builder_expect(builder, args, "normal", 3));
    memcpy(triad->axes[2], fw_args_value(args, "normal")->numbers, sizeof triad->axes[2]);
    if (!fw_vector_scale(triad->axes[2]))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "normal"),
                        "attribute 'normal': it has no direction");
  }
  FW_TRY(fw_axes_across(builder, args, triad->axes));
  turn_axes(fw_args_number(args, "angle") * (M_PI / 180), triad->axes);
  const double *offset = fw_args_value(args, "offset")->numbers;
  for (int k = 0; k < 3; k++)
    triad->origin[k] = point->place[k] - offset[0] * triad->axes[0][k] - offset[1] * triad->axes[1][k];
  return FW_OK;
}

/* A face of a support, and how the tube wears there. */
typedef struct face {
  int number, count;
  fw_scar scar;
} face;

static fw_status list_ring(fw_builder *builder, const fw_args *args, int node, const face *of) {
  fw_model *model = builder->model;
  FW_TRY(fw_grow(builder->ctx, model->ring_count, &builder->ring_room, sizeof *model->rings, &model->rings));
  fw_ring *ring = &model->rings[model->ring_count++];
  *ring = (fw_ring){.face = of->number, .faces = of->count, .node = node, .scar = of->scar};
  return fw_copy_text(builder->ctx, fw_args_text(args, "id"), &ring->support);
}

static fw_status add_ring(fw_builder *builder, const fw_args *args, const fw_point *point, const face *of) {
  const double *offset = fw_args_value(args, "offset")->numbers;
  fw_model *model = builder->model;
  char name[256];
  fw_point ring = {.name = name, .body = point->body, .place = {offset[0], offset[1]}};
  snprintf(name, sizeof name, "%s.%s", fw_args_text(args, "id"), fw_tube_support_ring(of->number));
  FW_TRY(fw_builder_add_node(builder, offset, true, &ring.node));
  model->nodes[ring.node].triad = model->nodes[point->node].triad = model->triad_count;
  FW_TRY(list_ring(builder, args, ring.node, of));
  return fw_builder_add_point(builder, &ring);
}

static fw_status add_plane(fw_builder *builder, const fw_args *args, const char *at, const face *of) {
  fw_model *model = builder->model;
  const fw_point *found = fw_builder_point(builder, at);
  if (!found) return FW_ERR_DECK; /* its body could not be built: that has been reported */
  fw_point point = *found;
  if (!point.space)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "at"),
                      "attribute 'at': '%s' is no point of a tube; in the plane contact needs no support plane",
                      point.name);
  if (model->nodes[point.node].triad)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "at"),
                      "attribute 'at': a support plane stands at '%s' already", point.name);
  FW_TRY(fw_builder_expect(builder, args, "offset", 2));
  FW_TRY(fw_grow(builder->ctx, model->triad_count, &builder->triad_room, sizeof *model->triads, &model->triads));
  FW_TRY(make_triad(builder, args, &point, &model->triads[model->triad_count]));
  model->triad_count++;
  return add_ring(builder, args, &point, of);
}

static fw_status check_tube(fw_builder *builder, const fw_args *args) {
  int body = fw_builder_body(builder, fw_args_text(args, "tube"));
  if (body < 0) return FW_ERR_DECK; /* it could not be built: that has been reported */
  const fw_body *tube = &builder->model->bodies[body];
  if (strcmp(tube->kind, "tube") != 0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "tube"), "attribute 'tube': '%s' is a %s",
                      tube->id, tube->kind);
  for (int b = 0; b < builder->model->block_count; b++)
    if (builder->model->blocks[b].body == body && builder->model->blocks[b].ops->space &&
        !builder->model->blocks[b].props.round)
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "tube"),
                        "attribute 'tube': the section of '%s' is not round: write its <support-plane> and pairs",
                        tube->id);
  return FW_OK;
}

/* The scar that a face wears: the faces of a plate share its width. */
static fw_scar scar_of(const fw_builder *builder, const fw_item *item, const fw_point *point) {
  static const fw_scar_kind kinds[] = {[FW_TUBE_SUPPORT_DRILLED] = FW_SCAR_HOLE,
                                       [FW_TUBE_SUPPORT_FLAT] = FW_SCAR_FLAT,
                                       [FW_TUBE_SUPPORT_BROACHED] = FW_SCAR_LAND};
  const fw_args *args = &item->args;
  const fw_properties *props = &builder->model->blocks[point->block].props;
  double r = 0.5 * props->height, R = r + fw_args_number(args, "clearance");
  double wears = fw_args_number(args, "archard");
  double width = fw_args_number(args, fw_args_given(args, "wear-width") ? "wear-width" : "thickness");
  return (fw_scar){.kind = kinds[fw_args_integer(args, "kind")],
                   .r = r,
                   .R = R,
                   .wall = r - sqrt(fmax(0, r * r - props->A / M_PI)),
                   .width = width / fw_tube_support_faces(item),
                   .land = fw_args_number(args, "land") * (M_PI / 180) * R,
                   .tilt = fw_args_number(args, "wear-tilt") * (M_PI / 180),
                   .count = fw_args_integer(args, "scars"),
                   .round = fw_args_integer(args, "scar") == 1,
                   .other = wears > 0 ? fw_args_number(args, "support-archard") / wears : 0};
}

/* Words of wear mean nothing where nothing wears, nor those of one side where it is worn all round. */
static fw_status check_wear(const fw_builder *builder, const fw_args *args) {
  static const char *const words[] = {"support-archard", "wear-width", "wear-tilt", "scar", "scars"};
  static const char *const of_a_side[] = {"wear-tilt", "scars"};
  for (size_t k = 0; k < sizeof words / sizeof *words && !fw_args_given(args, "archard"); k++)
    if (fw_args_given(args, words[k]))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, words[k]),
                        "attribute '%s': give 'archard' of the tube too", words[k]);
  for (size_t k = 0; k < sizeof of_a_side / sizeof *of_a_side && fw_args_integer(args, "scar") == 1; k++)
    if (fw_args_given(args, of_a_side[k]))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, of_a_side[k]),
                        "attribute '%s': scar=\"round\" wears evenly all round", of_a_side[k]);
  return FW_OK;
}

static fw_status add_faces(fw_builder *builder, const fw_item *item) {
  FW_TRY(check_wear(builder, &item->args));
  FW_TRY(check_tube(builder, &item->args));
  face of = {.count = fw_tube_support_faces(item)};
  for (; of.number < of.count; of.number++) {
    char name[256];
    snprintf(name, sizeof name, "%s.%s", fw_args_text(&item->args, "id"), fw_tube_support_point(of.number));
    const fw_point *point = fw_builder_point(builder, name);
    if (point) of.scar = scar_of(builder, item, point);
    FW_TRY(add_plane(builder, &item->args, name, &of));
  }
  return FW_OK;
}

fw_status fw_build_support_planes(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies"), *contact = fw_item_child(builder->root, "contact");
  fw_status worst = FW_OK, status;
  for (int i = 0; i < bodies->child_count; i++) {
    const fw_args *args = &bodies->children[i].args;
    if (strcmp(bodies->children[i].name, "support-plane") != 0) continue;
    status = add_plane(builder, args, fw_args_text(args, "at"), &(face){.count = 1});
    if (status != FW_OK) worst = status;
  }
  for (int i = 0; contact && i < contact->child_count; i++) {
    if (strcmp(contact->children[i].name, "tube-support") != 0) continue;
    status = add_faces(builder, &contact->children[i]);
    if (status != FW_OK) worst = status;
  }
  return worst;
}
