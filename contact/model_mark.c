/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/model_mark.h"

#include "contact/detect/surface.h"
#include "contact/pair.h"
#include "core/field.h"
#include "core/formula.h"
#include "core/hash.h"
#include "core/load.h"
#include "elements/flow.h"
#include "elements/joint.h"

/* Members one by one: the gaps between them hold anything. */

/* ---- bodies ------------------------------------------------------------------------------ */

static uint64_t mark_node(uint64_t h, const fw_node *node) {
  h = fw_hash_integers(fw_hash_numbers(h, node->x, 2), node->dof, FW_NODE_DOFS);
  if (node->space) h = fw_hash_number(fw_hash_integers(h, node->dof + FW_NODE_DOFS, FW_NODE_DOFS), node->z);
  return node->triad ? fw_hash_integer(h, node->triad) : h;
}

static uint64_t mark_triad(uint64_t h, const fw_triad *triad) {
  h = fw_hash_numbers(h, triad->origin, 3);
  for (int k = 0; k < 3; k++) h = fw_hash_numbers(h, triad->axes[k], 3);
  return h;
}

/* What counts in space only. */
static uint64_t mark_space(uint64_t h, const fw_properties *p) {
  const double numbers[] = {p->I_out, p->kappa_out,       p->J, p->across_mass, p->across_damping,
                            p->arc,   p->bend_flexibility};
  return fw_hash_numbers(fw_hash_numbers(h, numbers, sizeof numbers / sizeof *numbers), p->up, 3);
}

static uint64_t mark_body(uint64_t h, const fw_body *body) {
  h = fw_hash_text(fw_hash_text(h, body->id), body->kind);
  return fw_hash_integers(h, (int[]){body->first_node, body->node_count, body->large_rotation}, 3);
}

static uint64_t mark_properties(uint64_t h, const fw_properties *p) {
  const double numbers[] = {p->E,
                            p->nu,
                            p->rho,
                            p->A,
                            p->I,
                            p->kappa,
                            p->height,
                            p->mass_per_length,
                            p->thickness,
                            p->rayleigh_alpha,
                            p->rayleigh_beta,
                            p->loss_factor};
  h = fw_hash_numbers(h, numbers, sizeof numbers / sizeof *numbers);
  h = fw_hash_integers(h, (int[]){p->plane_strain, (int)p->kinematics, p->lumped}, 3);
  return fw_hash_numbers(h, p->constants, (size_t)p->constant_count);
}

static uint64_t mark_block(uint64_t h, const fw_block *block) {
  size_t count = (size_t)block->count;
  h = mark_properties(fw_hash_text(h, block->ops->entry.name), &block->props);
  if (block->ops->space) h = mark_space(h, &block->props);
  for (int k = 0; block->props.flow && k < FW_FLOW_MATRICES; k++)
    if (block->props.flow->entry[k]) h = fw_hash_integer(h, (int)fw_formula_mark(block->props.flow->entry[k]));
  h = fw_hash_integer(h, block->body);
  h = fw_hash_integers(h, block->nodes, count * (size_t)block->ops->nodes);
  return fw_hash_integers(h, block->dofs, count * (size_t)fw_element_dofs(block->ops));
}

/* ---- what holds and moves them ----------------------------------------------------------- */

static uint64_t mark_functional(uint64_t h, const fw_functional *f) {
  return fw_hash_numbers(fw_hash_integers(h, f->dof, (size_t)f->count), f->weight, (size_t)f->count);
}

static uint64_t mark_formula(uint64_t h, const fw_formula *formula) {
  return fw_hash_integer(h, formula ? (long)fw_formula_mark(formula) : 0);
}

static uint64_t mark_attachment(uint64_t h, const fw_attachment *at) {
  return fw_hash_integers(fw_hash_numbers(h, at->arm, 2), (int[]){at->node, at->large_rotation}, 2);
}

static uint64_t mark_joint(uint64_t h, const fw_joint *joint) {
  h = fw_hash_text(fw_hash_text(h, joint->id), joint->ops->entry.name);
  h = mark_attachment(mark_attachment(h, &joint->a), &joint->b);
  h = fw_hash_numbers(h, joint->constants, (size_t)joint->constant_count);
  return fw_hash_integers(mark_formula(h, joint->motion), (int[]){joint->first, joint->hidden}, 2);
}

static uint64_t mark_initial(uint64_t h, const fw_initial *initial) {
  return fw_hash_integers(fw_hash_number(h, initial->value), (int[]){initial->dof, initial->rate, initial->held}, 3);
}

static uint64_t mark_load(uint64_t h, const fw_load *load) {
  h = fw_hash_text(fw_hash_text(h, load->id), load->ops->entry.name);
  h = fw_hash_numbers(h, load->constants, (size_t)load->constant_count);
  h = mark_functional(mark_formula(h, load->formula), &load->shape);
  if (load->field) h = fw_hash_integer(h, (long)load->field->mark);
  for (int s = 0; load->field && s < load->field->signals; s++) h = mark_functional(h, &load->field->shapes[s]);
  return h;
}

static uint64_t mark_sensor(uint64_t h, const fw_sensor *sensor) {
  h = fw_hash_integers(fw_hash_text(h, sensor->id), (int[]){(int)sensor->quantity, sensor->turns}, 2);
  return mark_functional(h, &sensor->shape);
}

/* ---- contact ----------------------------------------------------------------------------- */

static uint64_t mark_anchor(uint64_t h, const fw_anchor *anchor) {
  h = fw_hash_numbers(h, anchor->vector, 2);
  return fw_hash_integers(h, (int[]){anchor->node, anchor->direction, anchor->large_rotation}, 3);
}

static uint64_t mark_segment(uint64_t h, const fw_segment *s) {
  h = fw_hash_integers(h, s->anchor, FW_SEGMENT_POINTS);
  h = fw_hash_integers(h, (int[]){(int)s->kind, s->smooth, s->previous, s->next}, 4);
  h = fw_hash_numbers(h, s->tangent[0], FW_SEGMENT_POINTS);
  h = fw_hash_numbers(h, s->tangent[1], FW_SEGMENT_POINTS);
  return fw_hash_numbers(h, (double[]){s->offset, s->radius, s->sense, s->middle, s->half}, 5);
}

static uint64_t mark_surface(uint64_t h, const fw_surface *surface) {
  h = fw_hash_text(h, surface->id);
  for (int i = 0; i < surface->anchor_count; i++) h = mark_anchor(h, &surface->anchors[i]);
  for (int i = 0; i < surface->segment_count; i++) h = mark_segment(h, &surface->segments[i]);
  return h;
}

static uint64_t mark_normal(uint64_t h, const fw_normal *normal) {
  h = fw_hash_text(h, normal->ops ? normal->ops->entry.name : NULL);
  h = fw_hash_numbers(h, normal->constants, (size_t)normal->constant_count);
  h = fw_hash_integer(h, (long)normal->enforcement);
  return fw_hash_numbers(h, (double[]){normal->penalty, normal->restitution}, 2);
}

static uint64_t mark_args(uint64_t h, const fw_args *args) {
  for (int i = 0; args && i < fw_param_count(args->params); i++)
    h = fw_hash_numbers(h, args->values[i].numbers, (size_t)args->values[i].count);
  return h;
}

/* Among constants that hold addresses of formulas only those are numbers that the deck gave. */
static uint64_t mark_friction(uint64_t h, const fw_friction *friction) {
  h = fw_hash_text(h, friction->ops->entry.name);
  if (friction->formula_count == 0)
    h = fw_hash_numbers(h, friction->constants, (size_t)friction->constant_count);
  else
    h = mark_args(h, friction->args);
  for (int i = 0; i < friction->formula_count; i++) h = mark_formula(h, friction->formulas[i]);
  h = fw_hash_integers(h, (int[]){(int)friction->stick.enforcement, friction->stick.clipped, friction->states}, 3);
  h = fw_hash_numbers(fw_hash_number(h, friction->stick.u_crit), friction->stiffness, 2);
  for (int i = 0; i < friction->part_count; i++) h = mark_friction(h, &friction->parts[i]);
  return h;
}

static uint64_t mark_pair(uint64_t h, const fw_pair *pair) {
  h = fw_hash_text(h, pair->id);
  for (int i = 0; i < pair->count; i++)
    h = fw_hash_number(mark_attachment(h, &pair->followers[i].at), pair->followers[i].radius);
  h = fw_hash_text(h, pair->target ? pair->target->id : NULL);
  h = fw_hash_text(h, pair->joint ? pair->joint->id : NULL);
  h = fw_hash_numbers(h, (double[]){pair->radius, pair->archard, pair->wear_power, pair->edge}, 4);
  h = mark_normal(h, &pair->normal);
  return fw_pair_rubs(pair) ? mark_friction(h, &pair->friction) : h;
}

static uint64_t mark_ring(uint64_t h, const fw_ring *ring) {
  const fw_scar *s = &ring->scar;
  h = fw_hash_numbers(h, (double[]){s->r, s->R, s->wall, s->width, s->land, s->tilt, s->other}, 7);
  return fw_hash_integers(h, (int[]){(int)s->kind, s->count, s->round, ring->node, ring->face}, 5);
}

/* ---- the model --------------------------------------------------------------------------- */

uint64_t fw_model_mark(const fw_model *model) {
  uint64_t h = FW_HASH_START;
  h = fw_hash_integers(h, (int[]){model->dof_count, model->constraint_count, model->contact_count, model->z_count}, 4);
  for (int i = 0; i < model->node_count; i++) h = mark_node(h, &model->nodes[i]);
  for (int i = 0; i < model->triad_count; i++) h = mark_triad(h, &model->triads[i]);
  for (int i = 0; i < model->body_count; i++) h = mark_body(h, &model->bodies[i]);
  for (int i = 0; i < model->block_count; i++) h = mark_block(h, &model->blocks[i]);
  for (int i = 0; i < model->joint_count; i++) h = mark_joint(h, &model->joints[i]);
  for (int i = 0; i < model->tie_count; i++)
    h = fw_hash_integer(mark_functional(h, &model->ties[i].form), model->ties[i].first);
  for (int i = 0; i < model->initial_count; i++) h = mark_initial(h, &model->initials[i]);
  for (int i = 0; i < model->ring_count; i++) h = mark_ring(h, &model->rings[i]);
  for (int i = 0; i < model->load_count; i++) h = mark_load(h, &model->loads[i]);
  for (int i = 0; i < model->sensor_count; i++) h = mark_sensor(h, &model->sensors[i]);
  for (int i = 0; i < model->surface_count; i++) h = mark_surface(h, model->surfaces[i]);
  for (int i = 0; i < model->pair_count; i++) h = mark_pair(h, model->pairs[i]);
  h = fw_hash_numbers(h, model->modal_damping, (size_t)model->modal_damping_count);
  return fw_hash_numbers(h, model->z_start, (size_t)model->z_count);
}
