/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/tube_pieces.h"

#include <math.h>
#include <string.h>

#include "input/load_shapes.h"
#include "input/vectors.h"

static bool is_of(const fw_block *block, int body) {
  return block->body == body && block->ops->space && block->ops->shape == FW_SHAPE_LINE;
}

fw_status fw_tube_pieces_list(fw_builder *builder, const fw_args *args, const char *name, fw_tube_pieces *self) {
  const fw_model *model = builder->model;
  int body = fw_builder_body(builder, fw_args_text(args, name)), count = 0;
  double s = 0, X[FW_ELEMENT_PLACES];
  for (int b = 0; b < model->block_count; b++)
    if (is_of(&model->blocks[b], body)) count += model->blocks[b].count;
  if (count == 0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, name), "attribute '%s': '%s' is no tube", name,
                      fw_args_text(args, name));
  FW_TRY(fw_alloc(builder->ctx, (size_t)count, sizeof *self->list, &self->list));
  for (int b = 0; b < model->block_count; b++)
    for (int e = 0; is_of(&model->blocks[b], body) && e < model->blocks[b].count; e++) {
      fw_tube_piece *p = &self->list[self->count++];
      *p = (fw_tube_piece){.block = b, .element = e, .from = s};
      fw_element_places(model, &model->blocks[b], e, X);
      for (int k = 0; k < 3; k++) p->e[2][k] = X[FW_SPACE_PLACES + k] - X[k];
      fw_vector_scale(p->e[2]);
      p->to = s += fw_shape_length(model, &model->blocks[b], e);
    }
  return FW_OK;
}

/* Turns a vector as the direction a turns into b by the shortest way: v + n v + n (n v)/(1 + a b), n = a times b. */
static void carry(const double a[3], const double b[3], const double v[3], double out[3]) {
  double n[3], once[3], twice[3];
  fw_vector_cross(a, b, n);
  fw_vector_cross(n, v, once);
  fw_vector_cross(n, once, twice);
  for (int k = 0; k < 3; k++) out[k] = v[k] + once[k] + twice[k] / (1 + fw_vector_dot(a, b));
}

static fw_status choose_directions(fw_builder *builder, const fw_args *args, fw_tube_pieces *self) {
  int first = 0;
  while (first < self->count - 1 && self->list[first].to <= self->from) first++;
  FW_TRY(fw_axes_across(builder, args, self->list[first].e));
  for (int i = first + 1; i < self->count; i++)
    for (int k = 0; k < 2; k++)
      carry(self->list[i - 1].e[2], self->list[i].e[2], self->list[i - 1].e[k], self->list[i].e[k]);
  return FW_OK;
}

fw_status fw_tube_pieces_range(fw_builder *builder, const fw_args *args, const char *what, fw_tube_pieces *self) {
  double length = self->list[self->count - 1].to;
  bool to_end = !fw_args_given(args, "to");
  self->from = fw_args_number(args, "from");
  self->to = to_end ? length : fw_args_number(args, "to");
  if (self->to > length * (1 + 1e-9))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "to"),
                      "attribute 'to': %g m is beyond the tube's length of %g m", self->to, length);
  if (!(self->from < self->to * (1 - 1e-9)))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "from"),
                      "attribute 'from': %g m is not before %g m, where the %s ends", self->from, self->to, what);
  return choose_directions(builder, args, self);
}

void fw_tube_piece_weights(const fw_model *model, const fw_tube_piece *piece, double s, const double e[3][3],
                           double w[2][FW_ELEMENT_DOFS]) {
  static const int rows[3] = {FW_X, FW_Y, FW_Z};
  const fw_block *block = &model->blocks[piece->block];
  int n = fw_element_dofs(block->ops);
  const double xi[2] = {(2 * s - piece->from - piece->to) / (piece->to - piece->from), 0.0};
  double X[FW_ELEMENT_PLACES], weights[FW_SPACE_DOFS * FW_ELEMENT_DOFS];
  fw_element_places(model, block, piece->element, X);
  block->ops->interpolate(&block->props, X, xi, weights);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < n; i++) {
      w[k][i] = 0;
      for (int d = 0; d < 3; d++) w[k][i] += e[k][d] * weights[rows[d] * n + i];
    }
}
