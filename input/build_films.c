/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The films of liquid of <tube-support>s with a film-viscosity: a squeeze-film at each of their rings, of a hole one, of
 * flat bars one for each. The faces of a plate share its film. */
#include <stdio.h>
#include <string.h>

#include "elements/element.h"
#include "input/build_contact.h"
#include "input/builder.h"
#include "input/tube_support.h"

static fw_status refuse(fw_builder *builder, const fw_item *item, const char *attribute, const char *why) {
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, attribute), "attribute '%s': %s",
                    attribute, why);
}

static fw_status check_film(fw_builder *builder, const fw_item *item) {
  const fw_args *args = &item->args;
  if (fw_args_integer(args, "kind") == FW_TUBE_SUPPORT_BROACHED)
    return refuse(builder, item, "film-viscosity", "for drilled holes and flat bars; lands have no formula here");
  if (!fw_args_given(args, "film-length") && !(fw_args_number(args, "thickness") > 0))
    return refuse(builder, item, "film-viscosity", "without a thickness the film needs a 'film-length'");
  if (!(fw_args_number(args, "clearance") > 0))
    return refuse(builder, item, "clearance", "a film needs a clearance above zero");
  return FW_OK;
}

static fw_given number(const double *value) { return (fw_given){.count = 1, .values = value}; }

/* In the order of its parameters (elements/squeeze_film.c). */
static fw_status add_film(fw_builder *builder, const fw_item *item, const fw_point *ring, double radius, int side) {
  const fw_element_ops *ops = (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, "squeeze-film");
  const fw_args *args = &item->args;
  bool flat = fw_args_integer(args, "kind") == FW_TUBE_SUPPORT_FLAT;
  const char *length = fw_args_given(args, "film-length") ? "film-length" : "thickness";
  const double viscosity = fw_args_number(args, "film-viscosity"), clearance = fw_args_number(args, "clearance"),
               along = fw_args_number(args, length), surface = flat, share = 1.0 / fw_tube_support_faces(item),
               angle = side * (fw_args_integer(args, "sides") == 4 ? 90.0 : 180.0), centre[2] = {0, 0}, least = 0;
  const fw_given given[] = {number(&viscosity), number(&least),   number(&clearance), number(&radius),
                            number(&along),     number(&surface), number(&angle),     {.count = 2, .values = centre},
                            number(&share)};
  char id[256];
  int body;
  fw_block *block;
  double *constants;
  snprintf(id, sizeof id, "%s.film-%d", ring->name, side + 1);
  FW_TRY(fw_builder_add_body(builder, id, ops->entry.name, &body));
  FW_TRY(fw_builder_add_block(builder, ops, body, 1, &block));
  block->nodes[0] = ring->node;
  block->props.constant_count = ops->pack(given, NULL);
  FW_TRY(fw_alloc(builder->ctx, (size_t)block->props.constant_count, sizeof *constants, &constants));
  ops->pack(given, constants);
  block->props.constants = constants;
  const char *wrong = fw_element_flaw(ops, &block->props, builder->model->nodes[ring->node].x);
  return wrong ? refuse(builder, item, "clearance", wrong) : FW_OK;
}

static fw_status add_films(fw_builder *builder, const fw_item *item) {
  double radius = fw_tube_support_radius(builder, item);
  FW_TRY(check_film(builder, item));
  for (int face = 0; face < fw_tube_support_faces(item); face++) {
    char name[256];
    snprintf(name, sizeof name, "%s.%s", fw_args_text(&item->args, "id"), fw_tube_support_ring(face));
    const fw_point *ring = fw_builder_point(builder, name);
    if (!ring || !(radius > 0)) return FW_ERR_DECK; /* it could not be built: that has been reported */
    for (int side = 0; side < fw_build_tube_support_sides(item); side++)
      FW_TRY(add_film(builder, item, ring, radius, side));
  }
  return FW_OK;
}

fw_status fw_build_films(fw_builder *builder) {
  const fw_item *contact = fw_item_child(builder->root, "contact");
  fw_status worst = FW_OK;
  for (int i = 0; contact && i < contact->child_count; i++) {
    const fw_item *item = &contact->children[i];
    if (strcmp(item->name, "tube-support") != 0) continue;
    fw_status status = FW_OK;
    if (fw_args_given(&item->args, "film-viscosity"))
      status = add_films(builder, item);
    else if (fw_args_given(&item->args, "film-length"))
      status = refuse(builder, item, "film-length", "there is no 'film-viscosity'");
    worst = fw_worse(worst, status);
  }
  return worst;
}
