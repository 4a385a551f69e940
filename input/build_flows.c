/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <fluid-elastic>: an element of elements/flow.h for each part of a tube's element that the forces cover. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements/flow.h"
#include "input/tube_pieces.h"

typedef struct source {
  fw_builder *builder;
  const fw_item *item;
  struct fw_flow *flow;
  fw_tube_pieces tube, other; /* other: of the tube that moves; no list: the tube itself */
  int body;
} source;

static fw_status refuse(const source *s, const fw_args *args, const char *attribute, const char *why) {
  return fw_fail_at(s->builder->ctx, FW_ERR_DECK, fw_builder_place(args, attribute), "attribute '%s': %s", attribute,
                    why);
}

/* ---- matrices --------------------------------------------------------------------------------- */

static const char *const names[4] = {"xx", "xy", "yx", "yy"};

static void read_matrix(source *s, const char *name, int first) {
  const fw_item *item = fw_item_child(s->item, name);
  for (int k = 0; item && k < 4; k++) s->flow->entry[first + k] = fw_args_value(&item->args, names[k])->formula;
}

static fw_status read_frequency(const source *s) {
  const fw_args *args = &s->item->args;
  bool given = fw_args_given(args, "frequency");
  s->flow->frequency = given ? fw_args_number(args, "frequency") : 0;
  if (given == fw_flow_has_frequency(s->flow)) return FW_OK;
  if (given) return refuse(s, args, "frequency", "no matrix is a formula of the frequency f");
  return fw_fail_at(s->builder->ctx, FW_ERR_DECK, args->place,
                    "its matrices depend on the frequency f: give the 'frequency' they belong to");
}

static fw_status read_matrices(source *s) {
  if (s->item->child_count == 0)
    return fw_fail_at(s->builder->ctx, FW_ERR_DECK, s->item->args.place, "has neither mass, damping nor stiffness");
  read_matrix(s, "mass", FW_FLOW_MASS);
  read_matrix(s, "damping", FW_FLOW_DAMPING);
  read_matrix(s, "stiffness", FW_FLOW_STIFFNESS);
  s->flow->speed = fw_args_number(&s->item->args, "flow");
  s->flow->place = s->item->args.place;
  return read_frequency(s);
}

/* A mass of its own does no work and takes none: symmetric and not below zero. */
static fw_status check_mass(const source *s, const double *constants) {
  for (int g = 0; g < FW_FLOW_POINTS; g++) {
    const double *m = constants + (ptrdiff_t)g * FW_FLOW_POINT + FW_FLOW_ENTRIES + FW_FLOW_MASS;
    double size = fabs(m[0]) + fabs(m[1]) + fabs(m[2]) + fabs(m[3]);
    const fw_item *mass = fw_item_child(s->item, "mass");
    if (s->other.list || size == 0) continue;
    if (fabs(m[1] - m[2]) > 1e-12 * size) return refuse(s, &mass->args, "xy", "a mass matrix is symmetric");
    if (m[0] < 0 || m[3] < 0 || m[0] * m[3] - m[1] * m[2] < -1e-12 * size * size)
      return refuse(s, &mass->args, "xx", "a mass matrix is not below zero in any direction");
  }
  return FW_OK;
}

/* ---- elements --------------------------------------------------------------------------------- */

static const fw_tube_piece *piece_at(const fw_tube_pieces *pieces, double s) {
  int i = 0;
  while (i < pieces->count - 1 && pieces->list[i].to <= s) i++;
  return &pieces->list[i];
}

static void set_point(const source *s, const fw_tube_piece *own, const fw_tube_piece *mover, double at, double length,
                      double *point) {
  double w[2][FW_ELEMENT_DOFS];
  const fw_model *model = s->builder->model;
  point[FW_FLOW_S] = at;
  point[FW_FLOW_LENGTH] = length;
  for (int which = 0; which < 2; which++) {
    fw_tube_piece_weights(model, which ? mover : own, at, own->e, w);
    for (int k = 0; k < 2; k++)
      memcpy(point + (which ? FW_FLOW_MOVES : FW_FLOW_ACTS) + (ptrdiff_t)k * FW_FLOW_DOFS, w[k],
             FW_FLOW_DOFS * sizeof(double));
  }
}

/* The part from a to b, within one element of each tube. */
static fw_status add_part(source *s, const fw_tube_piece *own, double a, double b) {
  static const double at[] = {-0.861136311594052575, -0.339981043584856265, 0.339981043584856265, 0.861136311594052575},
                      gauss[] = {0.347854845137453857, 0.652145154862546143, 0.652145154862546143,
                                 0.347854845137453857};
  fw_builder *builder = s->builder;
  const fw_tube_piece *mover = s->other.list ? piece_at(&s->other, 0.5 * (a + b)) : own;
  fw_block *block;
  double *constants;
  FW_TRY(
      fw_builder_add_block(builder, s->other.list ? &fw_element_flow_between : &fw_element_flow, s->body, 1, &block));
  FW_TRY(fw_alloc(builder->ctx, FW_FLOW_CONSTANTS, sizeof *constants, &constants));
  block->props.constants = constants;
  block->props.constant_count = FW_FLOW_CONSTANTS;
  block->props.flow = s->flow;
  memcpy(block->nodes, builder->model->blocks[own->block].nodes + (ptrdiff_t)2 * own->element, 2 * sizeof(int));
  if (s->other.list)
    memcpy(block->nodes + 2, builder->model->blocks[mover->block].nodes + (ptrdiff_t)2 * mover->element,
           2 * sizeof(int));
  for (int g = 0; g < FW_FLOW_POINTS; g++)
    set_point(s, own, mover, 0.5 * (a + b + at[g] * (b - a)), 0.5 * gauss[g] * (b - a),
              constants + (ptrdiff_t)g * FW_FLOW_POINT);
  if (!fw_flow_set(s->flow, fw_flow_of_deck, constants))
    return refuse(s, &s->item->args, "flow", "one of the matrices is not a finite number there");
  return check_mass(s, constants);
}

/* Where the piece of the other tube that holds s ends. */
static double next_end(const source *s, double at) { return s->other.list ? piece_at(&s->other, at)->to : INFINITY; }

static fw_status add_parts(source *s) {
  double least = 1e-9 * s->tube.to;
  for (int i = 0; i < s->tube.count; i++) {
    const fw_tube_piece *p = &s->tube.list[i];
    double end = fmin(p->to, s->tube.to);
    for (double a = fmax(p->from, s->tube.from), b; end - a > least; a = b) {
      b = fmin(end, next_end(s, a + least));
      FW_TRY(add_part(s, p, a, b));
    }
  }
  return FW_OK;
}

static fw_status find_other(source *s) {
  const fw_args *args = &s->item->args;
  if (!fw_args_given(args, "moved-by")) return FW_OK;
  if (strcmp(fw_args_text(args, "moved-by"), fw_args_text(args, "tube")) == 0)
    return refuse(s, args, "moved-by", "it is the tube itself: leave it out");
  FW_TRY(fw_tube_pieces_list(s->builder, args, "moved-by", &s->other));
  if (s->tube.to > s->other.list[s->other.count - 1].to * (1 + 1e-9))
    return refuse(s, args, "moved-by", "that tube ends before the forces do");
  return FW_OK;
}

static fw_status add_forces(source *s) {
  const fw_args *args = &s->item->args;
  FW_TRY(read_matrices(s));
  FW_TRY(fw_tube_pieces_list(s->builder, args, "tube", &s->tube));
  FW_TRY(fw_tube_pieces_range(s->builder, args, "flow", &s->tube));
  FW_TRY(find_other(s));
  FW_TRY(fw_builder_add_body(s->builder, fw_args_text(args, "id"), "fluid-elastic", &s->body));
  return add_parts(s);
}

fw_status fw_build_flows(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = FW_OK;
  int count = 0;
  for (int i = 0; i < bodies->child_count; i++) count += strcmp(bodies->children[i].name, "fluid-elastic") == 0;
  if (count == 0 || builder->incomplete) return FW_OK;
  FW_TRY(fw_alloc(builder->ctx, (size_t)count, sizeof *builder->model->flows, &builder->model->flows));
  count = 0;
  for (int i = 0; i < bodies->child_count; i++) {
    if (strcmp(bodies->children[i].name, "fluid-elastic") != 0) continue;
    source s = {.builder = builder, .item = &bodies->children[i], .flow = &builder->model->flows[count++]};
    fw_status status = add_forces(&s);
    free(s.tube.list);
    free(s.other.list);
    worst = fw_worse(worst, status);
  }
  return worst;
}
