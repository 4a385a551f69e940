/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <joints>: constraint equations between points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/joint.h"
#include "input/builder.h"

static const double no_offset[2] = {0.0, 0.0};

static bool only_slides(const fw_model *model, const fw_point *point) {
  return strcmp(model->bodies[point->body].kind, "rigid") == 0 && model->nodes[point->node].dof[FW_RZ] == FW_DOF_NONE;
}

/* An attachment of a joint. A rigid body that only slides may slide far: directions between its points and others
 * turn. */
static fw_attachment attach(const fw_builder *builder, const fw_point *point) {
  fw_attachment at = fw_builder_attach(point, no_offset);
  at.large_rotation = at.large_rotation || only_slides(builder->model, point);
  return at;
}

/* The second end: a point, or a place on the ground. */
static fw_status second_end(fw_builder *builder, const fw_item *item, const fw_point *a, fw_attachment *b) {
  const fw_args *args = &item->args;
  if (fw_args_given(args, "b")) {
    FW_TRY(fw_builder_one_end(builder, args, "b"));
    const fw_point *point = fw_builder_point(builder, fw_args_text(args, "b"));
    if (!point) return FW_ERR_DECK; /* its body could not be built: that has been reported */
    *b = attach(builder, point);
    return FW_OK;
  }
  *b = (fw_attachment){-1, {a->place[0], a->place[1]}, false};
  if (!fw_args_given(args, "ground")) return FW_OK;
  FW_TRY(fw_builder_expect(builder, args, "ground", 2));
  memcpy(b->arm, fw_args_value(args, "ground")->numbers, sizeof b->arm);
  return FW_OK;
}

/* True if neither end of a joint has a rotation: an equation between them would be 0 = 0. */
static bool cannot_turn(fw_builder *builder, const fw_args *args) {
  const char *const ends[] = {"a", "b"};
  for (int i = 0; i < 2; i++) {
    const fw_point *point =
        fw_args_given(args, ends[i]) ? fw_builder_point(builder, fw_args_text(args, ends[i])) : NULL;
    if (point && !only_slides(builder->model, point)) return false;
  }
  return true;
}

/* Places that are meant to be one may differ by rounding and by what was rounded in a deck. */
static bool are_apart(const fw_model *model, const double a[2], const double b[2]) {
  double extent = 0.0, gap = hypot(a[0] - b[0], a[1] - b[1]);
  for (int n = 0; n < model->node_count; n++)
    for (int k = 0; k < 2; k++) extent = fmax(extent, fabs(model->nodes[n].x[k] - model->nodes[0].x[k]));
  return gap > 1e-3 * fmax(extent, fmax(fabs(a[0]), fabs(a[1])));
}

/* Whether an equation of the joint changes with the rotation of one of its nodes, at rest or moved apart. */
static bool feels_rotation(const fw_model *model, const fw_joint *joint, int end) {
  static const double apart[2][FW_JOINT_DOFS] = {{0.0}, {0.7, 0.4, 0.0, -0.3, 0.9, 0.0}};
  static const double rounding = 1e-9; /* of an axis that is turned */
  double phi[FW_JOINT_EQUATIONS], G[FW_JOINT_EQUATIONS * FW_JOINT_DOFS];
  for (int i = 0; i < 2; i++) {
    fw_joint_evaluate(model, joint, apart[i], 0.0, NULL, phi, NULL, G, NULL);
    for (int k = 0; k < joint->ops->equations; k++)
      if (fabs(G[k * FW_JOINT_DOFS + 3 * end + FW_RZ]) > rounding) return true;
  }
  return false;
}

/* Points of plane bodies have no rotation to be held or to turn a slot with. */
static fw_status check_rotations(fw_builder *builder, const fw_item *item, const fw_joint *joint) {
  static const char *const ends[] = {"a", "b"};
  for (int k = 0; k < 2; k++) {
    if (!fw_args_given(&item->args, ends[k])) continue;
    const fw_point *point = fw_builder_point(builder, fw_args_text(&item->args, ends[k]));
    if (strcmp(builder->model->bodies[point->body].kind, "plane") != 0) continue;
    if (feels_rotation(builder->model, joint, k))
      FW_TRY(fw_builder_needs_rotation(builder, point, &item->args, ends[k]));
  }
  return FW_OK;
}

static fw_status add_joint(fw_builder *builder, const fw_item *item, fw_joint *joint) {
  fw_model *model = builder->model;
  joint->ops = (const fw_joint_ops *)(const void *)item->entry;
  if (joint->ops->without_turning && cannot_turn(builder, &item->args)) joint->ops = joint->ops->without_turning;
  joint->place = item->args.place;
  joint->first = model->constraint_count;
  model->constraint_count += joint->ops->equations;
  FW_TRY(fw_copy_text(builder->ctx, fw_args_text(&item->args, "id"), &joint->id));
  FW_TRY(fw_builder_constants(builder, &item->entry_args, joint->ops->pack, &joint->constants, &joint->constant_count));
  joint->motion = fw_args_formula(&item->entry_args);
  const fw_point *a = fw_builder_point(builder, fw_args_text(&item->args, "a"));
  if (!a) return FW_ERR_DECK; /* its body could not be built: that has been reported */
  joint->a = attach(builder, a);
  FW_TRY(second_end(builder, item, a, &joint->b));
  const char *wrong = joint->ops->check ? joint->ops->check(joint->constants) : NULL;
  double b[2];
  fw_attachment_place(model, &joint->b, NULL, b);
  if (!wrong && joint->ops->apart && a->place[0] == b[0] && a->place[1] == b[1])
    wrong = "its two points are at one place";
  if (wrong) return fw_fail_at(builder->ctx, FW_ERR_DECK, joint->place, "%s", wrong);
  if (joint->ops->together && are_apart(model, a->place, b))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, joint->place,
                      "its two points are apart, at %g, %g and %g, %g: the motion would begin with a jump", a->place[0],
                      a->place[1], b[0], b[1]);
  return check_rotations(builder, item, joint);
}

/* Holds a carried node to its body: a pin, as the rotation is shared. */
static fw_status hold_carried(fw_builder *builder, const fw_point *point, fw_joint *joint) {
  fw_model *model = builder->model;
  joint->ops = (const fw_joint_ops *)(const void *)fw_table_find(&fw_joints, "revolute");
  joint->hidden = true;
  joint->first = model->constraint_count;
  model->constraint_count += joint->ops->equations;
  joint->a = (fw_attachment){.node = point->carried};
  joint->b = fw_builder_attach(point, no_offset);
  return fw_copy_text(builder->ctx, point->name, &joint->id);
}

static bool needs_holding(const fw_builder *builder, const fw_point *point) {
  return point->carried >= 0 && builder->model->nodes[point->node].dof[FW_RZ] != FW_DOF_NONE;
}

fw_status fw_build_joints(fw_builder *builder) {
  const fw_item *joints = fw_item_child(builder->root, "joints");
  fw_model *model = builder->model;
  int count = joints ? joints->child_count : 0, held = 0;
  for (int i = 0; i < builder->point_count; i++) held += needs_holding(builder, &builder->points[i]);
  if (count + held == 0) return FW_OK;
  FW_TRY(fw_alloc(builder->ctx, (size_t)(count + held), sizeof *model->joints, &model->joints));
  fw_status worst = FW_OK;
  for (int i = 0; i < count; i++) {
    fw_status status = add_joint(builder, &joints->children[i], &model->joints[model->joint_count++]);
    worst = fw_worse(worst, status);
  }
  for (int i = 0; i < builder->point_count; i++)
    if (needs_holding(builder, &builder->points[i]))
      FW_TRY(hold_carried(builder, &builder->points[i], &model->joints[model->joint_count++]));
  return worst;
}
