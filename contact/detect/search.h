/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Broad phase: boxes about runs of consecutive segments, halved again and again. Segments of a
 * chain are neighbours in space too, so that this tree needs no sorting. */
#ifndef FW_CONTACT_SEARCH_H
#define FW_CONTACT_SEARCH_H

#include "contact/detect/surface.h"

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

#endif
