/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Broad phase: boxes about runs of consecutive segments, halved again and again. Segments of a
 * chain are neighbours in space too, so that this tree needs no sorting. */
#ifndef FW_CONTACT_SEARCH_H
#define FW_CONTACT_SEARCH_H

#include "contact/detect/surface.h"
#include "core/state.h"

typedef struct fw_tree fw_tree;

/* Boxes of the surface at configuration q. fit: the same for another q. Destroy is NULL-safe. */
fw_status fw_tree_create(fw_context *ctx, const fw_model *model, const fw_surface *surface, const double *q,
                         fw_tree **tree);
void fw_tree_fit(const fw_model *model, const fw_surface *surface, const double *q, fw_tree *tree);
void fw_tree_destroy(fw_tree **tree);

/* Segment nearest to c and the place on it, with any tree that fits q. hint: a segment that is
 * probably near, or -1. */
int fw_tree_nearest(const fw_tree *tree, const fw_model *model, const fw_surface *surface, const double *q,
                    const double c[2], int hint, double *xi);

/* Without a tree: looks at the hint and goes on to its neighbours as long as they are nearer; at all
 * segments when there is no hint or few segments. */
int fw_surface_nearest(const fw_model *model, const fw_surface *surface, const double *q, const double c[2], int hint,
                       double *xi);

/* Where open followers of moving surfaces should look first. Within a step a follower is tracked
 * from segment to neighbour; once a step is accepted the whole surface is looked at again, so that
 * one that comes near elsewhere is not missed. Surfaces that stand still need none of this. */

typedef struct fw_hints fw_hints;

fw_status fw_hints_create(fw_context *ctx, const fw_model *model, fw_hints **hints);
void fw_hints_destroy(fw_hints **hints);

/* Sets touch[c].segment and xi of every open follower of a moving surface to the nearest place at q.
 * Costs n log m for n followers and m segments. */
void fw_hints_update(fw_hints *hints, const fw_model *model, const double *q, fw_touch *touch);

#endif
