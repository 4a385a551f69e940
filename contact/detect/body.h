/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Surfaces of deformable bodies: what their kinds share. */
#ifndef FW_CONTACT_BODY_H
#define FW_CONTACT_BODY_H

#include "contact/detect/surface.h"

/* The body the attribute "body" names, with a message if there is none. */
fw_status fw_surface_body(fw_context *ctx, const fw_model *model, const fw_args *args, int *body);

/* Index of the anchor that is node `node`, one for each node: anchor_of has an entry for each node of
 * the model, -1 where there is none yet. */
fw_status fw_surface_node_anchor(fw_context *ctx, fw_surface *surface, int *anchor_of, int node, int *index);

/* A table of that kind with -1 everywhere; to be freed. */
fw_status fw_surface_node_table(fw_context *ctx, const fw_model *model, int **anchor_of);

#endif
