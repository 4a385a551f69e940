/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/body.h"

#include <string.h>

fw_status fw_surface_body(fw_context *ctx, const fw_model *model, const fw_args *args, int *body) {
  const char *id = fw_args_text(args, "body");
  for (*body = 0; *body < model->body_count; ++*body)
    if (strcmp(model->bodies[*body].id, id) == 0) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, args->place, "there is no body '%s'", id);
}

fw_status fw_surface_node_table(fw_context *ctx, const fw_model *model, int **anchor_of) {
  FW_TRY(fw_alloc(ctx, (size_t)model->node_count, sizeof **anchor_of, anchor_of));
  for (int i = 0; i < model->node_count; i++) (*anchor_of)[i] = -1;
  return FW_OK;
}

fw_status fw_surface_node_anchor(fw_context *ctx, fw_surface *surface, int *anchor_of, int node, int *index) {
  if (anchor_of[node] < 0) {
    const fw_anchor anchor = {.node = node};
    FW_TRY(fw_surface_append_anchor(ctx, surface, &anchor, &anchor_of[node]));
  }
  *index = anchor_of[node];
  return FW_OK;
}
