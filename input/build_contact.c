/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <contact>: surfaces and pairs. */
#include <stdlib.h>
#include <string.h>

#include "contact/detect/surface.h"
#include "contact/enforce/penalty.h"
#include "contact/pair.h"
#include "input/build_contact.h"

/* ---- surfaces ---------------------------------------------------------------------------- */

/* The nodes of the set that a piece names, marked among all of the model. */
static fw_status mark_set(fw_builder *builder, const fw_args *args, bool **among) {
  int *nodes, count;
  FW_TRY(fw_builder_set_nodes(builder, args, "set", &nodes, &count));
  fw_status status = fw_alloc(builder->ctx, (size_t)builder->model->node_count, sizeof **among, among);
  for (int i = 0; status == FW_OK && i < count; i++) (*among)[nodes[i]] = true;
  free(nodes);
  return status;
}

static fw_status build_piece(fw_builder *builder, const fw_item *piece, const fw_attachment *carrier,
                             fw_surface *surface) {
  const fw_surface_ops *ops = (const fw_surface_ops *)(const void *)piece->entry;
  const fw_args *args = &piece->entry_args;
  bool *among = NULL;
  if (ops->of_sets && fw_args_given(args, "set")) FW_TRY(mark_set(builder, args, &among));
  surface->among = among;
  fw_status status = ops->build(builder->ctx, builder->model, args, carrier, surface);
  surface->among = NULL;
  free(among);
  return status;
}

/* Surfaces of bodies move with them. */
static fw_status check_carrier(fw_builder *builder, const fw_item *item) {
  for (int i = 0; i < item->child_count; i++)
    if (!((const fw_surface_ops *)(const void *)item->children[i].entry)->of_elements) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "on"),
                    "attribute 'on': the surface of a body is carried by that body");
}

static fw_status fill_surface(fw_builder *builder, const fw_item *item, fw_surface *surface) {
  static const double none[2] = {0.0, 0.0};
  fw_attachment carrier;
  bool carried = fw_args_given(&item->args, "on");
  if (carried) {
    FW_TRY(check_carrier(builder, item));
    const fw_point *point = fw_builder_point(builder, fw_args_text(&item->args, "on"));
    if (!point) return FW_ERR_DECK; /* its body could not be built: that has been reported */
    carrier = fw_builder_attach(point, none);
  }
  for (int i = 0; i < item->child_count; i++)
    FW_TRY(build_piece(builder, &item->children[i], carried ? &carrier : NULL, surface));
  return fw_builder_retell(builder, fw_surface_finish(builder->aside, builder->model, surface), &item->args, NULL);
}

static fw_status add_surface(fw_builder *builder, const fw_item *item) {
  fw_model *model = builder->model;
  if (item->child_count == 0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "has no shape: give it a line, polyline, ...");
  const fw_surface_ops *ops = (const fw_surface_ops *)(const void *)item->children[0].entry;
  fw_surface *surface;
  FW_TRY(fw_surface_create(builder->ctx, fw_args_text(&item->args, "id"), ops, &surface));
  model->surfaces[model->surface_count++] = surface;
  return fill_surface(builder, item, surface);
}

static const fw_surface *find_surface(const fw_model *model, const char *id) {
  for (int i = 0; i < model->surface_count; i++)
    if (strcmp(model->surfaces[i]->id, id) == 0) return model->surfaces[i];
  return NULL;
}

/* ---- pairs ------------------------------------------------------------------------------- */

static int count_children(const fw_item *item, const char *name) {
  int count = 0;
  for (int i = 0; i < item->child_count; i++) count += strcmp(item->children[i].name, name) == 0;
  return count;
}

static fw_status add_follower(fw_builder *builder, const fw_item *item, fw_pair *pair) {
  const fw_point *point = fw_builder_point(builder, fw_args_text(&item->args, "at"));
  if (!point) return FW_ERR_DECK; /* its body could not be built: that has been reported */
  FW_TRY(fw_builder_expect(builder, &item->args, "offset", 2));
  fw_follower follower = {.at = fw_builder_attach(point, fw_args_value(&item->args, "offset")->numbers)};
  if (strcmp(item->name, "disc") == 0) follower.radius = fw_args_number(&item->args, "radius");
  return fw_pair_add_follower(builder->ctx, pair, &follower);
}

static fw_status follow_surface(fw_builder *builder, fw_place place, const fw_surface *surface, fw_pair *pair) {
  if (!surface) return FW_ERR_DECK; /* it could not be built: that has been reported */
  int before = pair->count;
  FW_TRY(fw_pair_follow_surface(builder->ctx, builder->model, pair, surface));
  if (pair->count == before)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, place, "surface '%s' has no nodes that move", surface->id);
  if (surface->ops->of_elements) pair->edge = surface->mean_length;
  return FW_OK;
}

static fw_status fill_normal(fw_builder *builder, const fw_item *item, fw_normal *normal) {
  const fw_normal_ops *ops = (const fw_normal_ops *)(const void *)item->entry;
  fw_enforcement enforcement = (fw_enforcement)fw_args_integer(&item->args, "enforcement");
  return fw_normal_create(builder->ctx, ops, &item->entry_args, enforcement, normal);
}

/* Elastic slip: given directly, or as a part of the mean edge length where follower or target has edges. */
static fw_status elastic_slip(fw_builder *builder, const fw_item *item, const fw_pair *pair, double *u_crit) {
  const fw_args *args = &item->args;
  *u_crit = fw_args_number(args, "u-crit");
  double tolerance = FW_SLIP_TOLERANCE;
  if (fw_args_given(args, "slip-tolerance")) {
    fw_place place = fw_builder_place(args, "slip-tolerance");
    if (fw_args_given(args, "u-crit"))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, place,
                        "attribute 'slip-tolerance': u-crit is given too; one is enough");
    if (!(pair->edge > 0.0))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, place,
                        "attribute 'slip-tolerance': the target '%s' has no element edges to measure; use u-crit",
                        pair->target->id);
    tolerance = fw_args_number(args, "slip-tolerance");
  }
  if (!fw_args_given(args, "u-crit")) *u_crit = fw_penalty_slip(tolerance, pair->edge);
  return FW_OK;
}

fw_status fw_builder_friction(fw_builder *builder, const fw_item *item, double u_crit, fw_friction *friction) {
  const fw_friction_ops *ops = (const fw_friction_ops *)(const void *)item->entry;
  fw_stick stick = {.enforcement = (fw_enforcement)fw_args_integer(&item->args, "enforcement"),
                    .u_crit = u_crit,
                    .clipped = fw_args_integer(&item->args, "stick-limit") == 1};
  bool set_valued = ops->limit && !ops->step && !ops->rate, elastic = set_valued && stick.enforcement == FW_PENALTY;
  if (elastic && !(u_crit > 0.0))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "enforcement"),
                      "attribute 'u-crit': missing; stick by penalty needs an elastic slip");
  if (!elastic && fw_args_given(&item->args, "stick-limit"))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "stick-limit"),
                      "attribute 'stick-limit': %s; it is for elastic stick, enforcement=\"penalty\"",
                      set_valued ? "stick is rigid here" : "the law has a stiffness of its own");
  FW_TRY(fw_friction_create(builder->ctx, ops, &item->entry_args, stick, friction));
  friction->args = &item->entry_args;
  return FW_OK;
}

static fw_status fill_friction(fw_builder *builder, const fw_item *item, const fw_pair *pair, fw_friction *friction) {
  double u_crit;
  FW_TRY(elastic_slip(builder, item, pair, &u_crit));
  return fw_builder_friction(builder, item, u_crit, friction);
}

/* A constraint leaves nothing for a law beside it to do: T is what holds the point. */
static fw_status check_beside(fw_builder *builder, const fw_item *item, const fw_friction *law) {
  if (!fw_friction_is_rigid(law)) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place,
                    "\"%s\" sticks rigidly beside another law; laws in parallel share the slip by their stiffness: use "
                    "enforcement=\"penalty\" with u-crit",
                    law->ops->entry.name);
}

/* Laws in parallel become one. A law that is refused is not there for those who look at the pair. */
static fw_status fill_frictions(fw_builder *builder, const fw_item *item, fw_pair *pair) {
  int count = count_children(item, "friction"), law = 0;
  fw_friction *laws = NULL;
  fw_status worst = FW_OK;
  FW_TRY(fw_alloc(builder->ctx, (size_t)count, sizeof *laws, &laws));
  for (int i = 0; i < item->child_count; i++) {
    const fw_item *child = &item->children[i];
    if (strcmp(child->name, "friction") != 0) continue;
    fw_status status = fill_friction(builder, child, pair, &laws[law]);
    if (status == FW_OK && count > 1) status = check_beside(builder, child, &laws[law]);
    if (status == FW_OK)
      law++;
    else
      fw_friction_clear(&laws[law]);
    worst = fw_worse(worst, status);
  }
  worst = fw_worse(worst, fw_friction_join(builder->ctx, laws, law, &pair->friction));
  for (int i = 0; i < law; i++) fw_friction_clear(&laws[i]);
  free(laws);
  return worst;
}

/* The laws of a pair whose followers are known. */
fw_status fw_build_pair_laws(fw_builder *builder, const fw_item *item, fw_pair *pair) {
  fw_status worst = fill_frictions(builder, item, pair);
  if (fw_args_given(&item->args, "wear-power") && !fw_args_given(&item->args, "archard"))
    worst = fw_worse(worst, fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "wear-power"),
                                       "attribute 'wear-power': give 'archard' too"));
  FW_TRY(fill_normal(builder, fw_item_child(item, "normal"), &pair->normal));
  pair->archard = fw_args_number(&item->args, "archard");
  pair->wear_power = fw_args_number(&item->args, "wear-power");
  pair->place = item->args.place;
  return worst;
}

static fw_status fill_followers(fw_builder *builder, const fw_item *item, fw_pair *pair) {
  fw_status worst = FW_OK;
  if (pair->target->ops->of_elements) pair->edge = pair->target->mean_length;
  for (int i = 0; i < item->child_count; i++) {
    const fw_item *child = &item->children[i];
    fw_status status = FW_OK;
    if (strcmp(child->name, "follow") == 0)
      status = follow_surface(builder, child->args.place,
                              find_surface(builder->model, fw_args_text(&child->args, "surface")), pair);
    else if (strcmp(child->name, "disc") == 0 || strcmp(child->name, "point") == 0)
      status = add_follower(builder, child, pair);
    worst = fw_worse(worst, status);
  }
  return worst;
}

fw_status fw_build_new_pair(fw_builder *builder, const char *id, const fw_surface *target, fw_pair **pair) {
  fw_model *model = builder->model;
  FW_TRY(fw_pair_create(builder->ctx, id, target, 0, pair));
  model->pairs[model->pair_count++] = *pair;
  return FW_OK;
}

/* The second pass: roles exchanged. Constraints from both sides would hold the same nodes twice. */
static fw_status add_second_pass(fw_builder *builder, const fw_item *item, const fw_pair *first) {
  const fw_item *follow = fw_item_child(item, "follow");
  fw_place place = fw_builder_place(&item->args, "two-pass");
  if (!follow || count_children(item, "follow") != 1)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, place,
                      "attribute 'two-pass': needs one <follow> whose surface the target can touch");
  if (fw_normal_is_rigid(&first->normal))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, place,
                      "attribute 'two-pass': needs enforcement=\"penalty\" or a compliant normal law");
  char *id = NULL;
  size_t length = strlen(first->id);
  FW_TRY(fw_alloc(builder->ctx, length + sizeof "-back", 1, &id));
  memcpy(id, first->id, length);
  memcpy(id + length, "-back", sizeof "-back");
  fw_pair *pair;
  const fw_surface *target = find_surface(builder->model, fw_args_text(&follow->args, "surface"));
  fw_status status = fw_build_new_pair(builder, id, target, &pair);
  free(id);
  FW_TRY(status);
  FW_TRY(follow_surface(builder, place, first->target, pair));
  return fw_build_pair_laws(builder, item, pair);
}

/* A compliant law then is a spring, a hard one would be a pin. */
fw_status fw_build_check_room(fw_builder *builder, const fw_item *item, const fw_pair *pair) {
  if (!fw_normal_is_rigid(&pair->normal)) return FW_OK;
  for (int i = 0; i < pair->count; i++)
    for (int k = 0; k < pair->target->segment_count; k++) {
      const fw_segment *segment = &pair->target->segments[k];
      double room = segment->radius - pair->followers[i].radius;
      if (segment->kind != FW_SEGMENT_ARC || segment->sense > 0.0 || room > 1e-9 * segment->radius) continue;
      return fw_fail_at(
          builder->ctx, FW_ERR_DECK, item->args.place,
          "a disc without clearance in a hole has no normal: make it a pin (support or joint in x and y), "
          "or give the contact a stiffness");
    }
  return FW_OK;
}

static fw_status add_pair(fw_builder *builder, const fw_item *item) {
  const fw_surface *target = find_surface(builder->model, fw_args_text(&item->args, "target"));
  if (!target) return FW_ERR_DECK; /* it could not be built: that has been reported */
  int laws = count_children(item, "friction");
  if (item->child_count == laws + count_children(item, "normal"))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place,
                      "has nothing that touches: give it a disc, a point or a surface that follows");
  fw_pair *pair;
  FW_TRY(fw_build_new_pair(builder, fw_args_text(&item->args, "id"), target, &pair));
  fw_status followers = fill_followers(builder, item, pair);
  FW_TRY(fw_build_pair_laws(builder, item, pair));
  FW_TRY(followers);
  FW_TRY(fw_build_check_room(builder, item, pair));
  return fw_args_flag(&item->args, "two-pass") ? add_second_pass(builder, item, pair) : FW_OK;
}

static fw_status add_all(fw_builder *builder, const fw_item *contact, const char *name,
                         fw_status (*add)(fw_builder *builder, const fw_item *item)) {
  fw_status worst = FW_OK;
  for (int i = 0; i < contact->child_count; i++) {
    if (strcmp(contact->children[i].name, name) != 0) continue;
    fw_status status = add(builder, &contact->children[i]);
    worst = fw_worse(worst, status);
  }
  return worst;
}

/* The most surfaces or pairs that the deck's elements make, second passes apart. */
static size_t count_pairs(const fw_item *contact) {
  size_t count = 0;
  for (int i = 0; contact && i < contact->child_count; i++) {
    const fw_item *item = &contact->children[i];
    count += strcmp(item->name, "tube-support") == 0 ? (size_t)fw_build_tube_support_sides(item) : 1;
  }
  return count;
}

fw_status fw_build_contact(fw_builder *builder) {
  const fw_item *contact = fw_item_child(builder->root, "contact");
  fw_model *model = builder->model;
  size_t most = count_pairs(contact), joints = (size_t)model->joint_count;
  if (most + joints == 0) return FW_OK;
  FW_TRY(fw_alloc(builder->ctx, most, sizeof(struct fw_surface *), &model->surfaces));
  /* a second pass each, and friction in joints */
  FW_TRY(fw_alloc(builder->ctx, 2 * most + joints, sizeof(struct fw_pair *), &model->pairs));
  fw_status surfaces = contact ? add_all(builder, contact, "surface", add_surface) : FW_OK;
  fw_status pairs = contact ? add_all(builder, contact, "pair", add_pair) : FW_OK;
  fw_status tubes = contact ? add_all(builder, contact, "tube-support", fw_build_tube_support) : FW_OK;
  FW_TRY(surfaces);
  FW_TRY(pairs);
  FW_TRY(tubes);
  FW_TRY(fw_build_joint_friction(builder));
  FW_TRY(fw_penalty_choose(builder->ctx, model));
  return fw_model_number_contacts(builder->ctx, model);
}
