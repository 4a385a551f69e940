/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small models for the tests of contact: loose nodes, surfaces from settings. */
#ifndef FW_TESTS_CONTACT_PARTS_H
#define FW_TESTS_CONTACT_PARTS_H

#include <math.h>

#include "cmocka_all.h"
#include "contact/detect/surface.h"
#include "contact/friction/setting.h"
#include "contact/pair.h"

/* A node with three free freedoms, numbered on. */
static inline fw_node loose_node(fw_model *model, double x, double y) {
  fw_node node = {.x = {x, y}};
  for (int d = 0; d < FW_NODE_DOFS; d++) node.dof[d] = model->dof_count++;
  return node;
}

/* Values for any table entry from "name=value" settings. */
static inline fw_args entry_args(fw_context *ctx, const fw_entry *entry, const char *const *settings, int count) {
  const fw_friction_ops named = {.entry = *entry};
  fw_args args;
  assert_int_equal(fw_law_args(ctx, &named, settings, count, &args), FW_OK);
  return args;
}

/* A rigid surface of one deck element; carrier may be NULL. */
static inline fw_surface *rigid_surface(fw_context *ctx, const fw_model *model, const char *kind,
                                        const char *const *settings, int count, const fw_attachment *carrier) {
  const fw_surface_ops *ops = (const fw_surface_ops *)fw_table_find(&fw_surfaces, kind);
  assert_non_null(ops);
  fw_args args = entry_args(ctx, &ops->entry, settings, count);
  fw_surface *surface = NULL;
  assert_int_equal(fw_surface_create(ctx, kind, ops, &surface), FW_OK);
  assert_int_equal(ops->build(ctx, model, &args, carrier, surface), FW_OK);
  assert_int_equal(fw_surface_finish(ctx, model, surface), FW_OK);
  fw_args_clear(&args);
  return surface;
}

#endif
