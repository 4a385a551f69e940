/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs, for <pair> and <tube-support> alike. */
#ifndef FW_INPUT_BUILD_CONTACT_H
#define FW_INPUT_BUILD_CONTACT_H

#include "input/builder.h"

struct fw_pair;
struct fw_surface;

/* A pair without followers yet, in the model. */
fw_status fw_build_new_pair(fw_builder *builder, const char *id, const struct fw_surface *target,
                            struct fw_pair **pair);
/* Its laws from an item's <normal> and <friction>, when the followers are known. */
fw_status fw_build_pair_laws(fw_builder *builder, const fw_item *item, struct fw_pair *pair);

/* A disc that fills a hole has no normal: FW_ERR_DECK with a hard law. */
fw_status fw_build_check_room(fw_builder *builder, const fw_item *item, const struct fw_pair *pair);

/* One <tube-support>; how many surfaces and pairs it makes. */
fw_status fw_build_tube_support(fw_builder *builder, const fw_item *item);
int fw_build_tube_support_sides(const fw_item *item);
/* The outer radius of the tube where it stands; 0: it could not be built. */
double fw_tube_support_radius(const fw_builder *builder, const fw_item *item);

#endif
