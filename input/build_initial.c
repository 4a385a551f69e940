/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <initial>: where bodies begin and how they move there. */
#include <math.h>
#include <string.h>

#include "input/builder.h"

/* A rigid motion; `has`: which parts the deck gives. */
typedef struct motion {
  bool turns_about, has_angle, has_displacement, has_spin, has_velocity;
  double about[2], angle, displacement[2], spin, velocity[2];
} motion;

static fw_status read_pair(fw_builder *builder, const fw_args *args, const char *name, bool *has, double pair[2]) {
  *has = fw_args_given(args, name);
  if (!*has) return FW_OK;
  FW_TRY(fw_builder_expect(builder, args, name, 2));
  memcpy(pair, fw_args_value(args, name)->numbers, 2 * sizeof *pair);
  return FW_OK;
}

static fw_status read_motion(fw_builder *builder, const fw_args *args, motion *m) {
  m->has_angle = fw_args_given(args, "angle");
  m->has_spin = fw_args_given(args, "spin");
  m->angle = fw_args_number(args, "angle");
  m->spin = fw_args_number(args, "spin");
  FW_TRY(read_pair(builder, args, "about", &m->turns_about, m->about));
  FW_TRY(read_pair(builder, args, "displacement", &m->has_displacement, m->displacement));
  return read_pair(builder, args, "velocity", &m->has_velocity, m->velocity);
}

static fw_status set(fw_builder *builder, int dof, bool rate, bool held, double value) {
  fw_model *model = builder->model;
  if (dof < 0) return FW_OK;
  FW_TRY(fw_grow(builder->ctx, model->initial_count, &model->initial_room, sizeof *model->initials, &model->initials));
  model->initials[model->initial_count++] = (fw_initial){dof, rate, held, value};
  return FW_OK;
}

/* u = (R - 1) r + displacement, v = spin x R r + velocity with r from the place it turns about. */
static fw_status move_node(fw_builder *builder, const motion *m, const fw_body *body, const fw_node *node, bool held) {
  bool turned = m->turns_about && (m->has_angle || m->has_spin);
  double r[2] = {turned ? node->x[0] - m->about[0] : 0.0, turned ? node->x[1] - m->about[1] : 0.0};
  double c = body->large_rotation ? cos(m->angle) : 1.0, s = body->large_rotation ? sin(m->angle) : m->angle;
  double now[2] = {c * r[0] - s * r[1], s * r[0] + c * r[1]};
  if (m->has_displacement || (turned && m->has_angle))
    for (int k = 0; k < 2; k++) FW_TRY(set(builder, node->dof[k], false, held, now[k] - r[k] + m->displacement[k]));
  if (m->has_velocity || (turned && m->has_spin)) {
    FW_TRY(set(builder, node->dof[FW_X], true, held, m->velocity[0] - m->spin * now[1]));
    FW_TRY(set(builder, node->dof[FW_Y], true, held, m->velocity[1] + m->spin * now[0]));
  }
  if (m->has_angle) FW_TRY(set(builder, node->dof[FW_RZ], false, held, m->angle));
  return m->has_spin ? set(builder, node->dof[FW_RZ], true, held, m->spin) : FW_OK;
}

static fw_status move_body(fw_builder *builder, const fw_item *item) {
  const fw_args *args = &item->args;
  motion m = {0};
  FW_TRY(read_motion(builder, args, &m));
  if (!m.has_angle && !m.has_displacement && !m.has_spin && !m.has_velocity)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place,
                      "moves nothing: give angle, displacement, spin or velocity");
  if (m.turns_about && !m.has_angle && !m.has_spin)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "about"),
                      "attribute 'about': nothing turns: give angle or spin");
  int index = fw_builder_body(builder, fw_args_text(args, "body"));
  if (index < 0) return FW_ERR_DECK; /* it could not be built: that has been reported */
  const fw_body *body = &builder->model->bodies[index];
  bool rigid = strcmp(body->kind, "rigid") == 0;
  if (strcmp(body->kind, "tube") == 0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "body"),
                      "attribute 'body': '%s' is a tube in space; it begins at rest or from an analysis (start)",
                      body->id);
  if (!rigid && !m.turns_about && (m.has_angle || m.has_spin))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place,
                      "attribute 'about': missing; only a rigid body has a centre to turn about");
  if (rigid && (m.has_angle || m.has_spin) && builder->model->nodes[body->first_node].dof[FW_RZ] == FW_DOF_NONE)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, m.has_angle ? "angle" : "spin"),
                      "attribute '%s': '%s' only slides", m.has_angle ? "angle" : "spin", body->id);
  for (int n = body->first_node; n < body->first_node + body->node_count; n++)
    FW_TRY(move_node(builder, &m, body, &builder->model->nodes[n], rigid));
  return FW_OK;
}

/* Which freedoms a <motion> sets: places and rates along x and y, and of the rotation. */
static unsigned freedoms_of(const fw_args *args) {
  bool about = fw_args_given(args, "about"), angle = fw_args_given(args, "angle"), spin = fw_args_given(args, "spin");
  bool place = fw_args_given(args, "displacement") || (about && angle);
  bool rate = fw_args_given(args, "velocity") || (about && spin);
  return (unsigned)angle | (unsigned)spin << 1 | (unsigned)place << 2 | (unsigned)rate << 3;
}

static fw_status check_once(fw_builder *builder, const fw_item *initial, int i) {
  const fw_args *args = &initial->children[i].args;
  for (int k = 0; k < i; k++) {
    const fw_args *other = &initial->children[k].args;
    if (strcmp(fw_args_text(args, "body"), fw_args_text(other, "body")) != 0) continue;
    if (!(freedoms_of(args) & freedoms_of(other))) continue;
    return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place,
                      "'%s' has a motion of the same freedoms already, in line %d: give one",
                      fw_args_text(args, "body"), other->place.line);
  }
  return FW_OK;
}

fw_status fw_build_initial(fw_builder *builder) {
  const fw_item *initial = fw_item_child(builder->root, "initial");
  fw_status worst = FW_OK;
  for (int i = 0; initial && i < initial->child_count; i++) {
    fw_status status = check_once(builder, initial, i);
    if (status == FW_OK) status = move_body(builder, &initial->children[i]);
    worst = fw_worse(worst, status);
  }
  return worst;
}
