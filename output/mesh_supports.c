/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Supports of tubes: their surfaces in the planes of their faces, and between two faces of a plate. */
#include <math.h>

#include "contact/detect/segment.h"
#include "contact/pair.h"
#include "output/mesh.h"

enum { PIECES = 32 };             /* of an arc, per turn */
static const double BESIDE = 2.0; /* a bar is drawn so many radii of the tube to both sides */
enum { SUPPORT_NUMBER, SUPPORT_FIELDS };
static const fw_grid_field fields[SUPPORT_FIELDS] = {[SUPPORT_NUMBER] = {"support", 1, NULL}};

/* The part of a segment that is drawn, in equal pieces of xi. */
typedef struct stretch {
  fw_curve curve;
  double from, to;
  int pieces;
} stretch;

static stretch stretch_of(const fw_model *model, const fw_pair *pair, int follower, int segment) {
  const fw_surface *surface = pair->target;
  double centre[2], nearest, reach = BESIDE * pair->followers[follower].radius;
  stretch s = {.from = -1.0, .to = 1.0, .pieces = PIECES};
  fw_curve_at(model, surface, segment, NULL, &s.curve);
  if (s.curve.segment->kind == FW_SEGMENT_ARC) {
    s.pieces = (int)ceil(PIECES * s.curve.segment->half / M_PI);
  } else if (s.curve.segment->kind == FW_SEGMENT_LINE) {
    fw_curve_point at;
    fw_attachment_place(model, &pair->followers[follower].at, NULL, centre);
    fw_curve_nearest(&s.curve, centre, &nearest);
    fw_curve_eval(&s.curve, nearest, &at);
    s.from = fmax(-1.0, nearest - reach / at.J);
    s.to = fmin(1.0, nearest + reach / at.J);
    s.pieces = 1;
  }
  return s;
}

static fw_status add_point(fw_context *ctx, const fw_model *model, const stretch *s, int piece, int ring, int number,
                           fw_grid *grid, int64_t *point) {
  double xi = s->from + (s->to - s->from) * piece / s->pieces, place[3];
  fw_curve_point at;
  fw_curve_eval(&s->curve, xi, &at);
  fw_node_place_in_space(model, &model->nodes[model->rings[ring].node], at.s[0], place);
  FW_TRY(fw_grid_place(ctx, grid, place, point));
  *fw_grid_at(grid, SUPPORT_NUMBER, *point) = number;
  return FW_OK;
}

/* Along one face, and back to the face before it. */
static fw_status add_stretch(fw_context *ctx, const fw_model *model, const stretch *s, int ring, int number,
                             fw_grid *grid) {
  int64_t here[PIECES + 1], behind[PIECES + 1];
  bool plate = model->rings[ring].face > 0;
  for (int i = 0; i <= s->pieces; i++) {
    FW_TRY(add_point(ctx, model, s, i, ring, number, grid, &here[i]));
    if (plate) FW_TRY(add_point(ctx, model, s, i, ring - 1, number, grid, &behind[i]));
  }
  for (int i = 0; i < s->pieces; i++) {
    const int64_t strip[] = {here[i], here[i + 1], behind[i + 1], behind[i]};
    FW_TRY(fw_grid_cell(ctx, grid, FW_CELL_LINE, strip, 2, number));
    if (plate) FW_TRY(fw_grid_cell(ctx, grid, FW_CELL_QUAD4, strip, 4, number));
  }
  return FW_OK;
}

static fw_status add_ring(fw_context *ctx, const fw_model *model, int ring, int number, fw_grid *grid) {
  for (int p = 0; p < model->pair_count; p++) {
    const fw_pair *pair = model->pairs[p];
    for (int i = 0; pair->target && i < pair->count; i++) {
      if (pair->followers[i].at.node != model->rings[ring].node) continue;
      for (int k = 0; k < pair->target->segment_count; k++) {
        stretch s = stretch_of(model, pair, i, k);
        FW_TRY(add_stretch(ctx, model, &s, ring, number, grid));
      }
    }
  }
  return FW_OK;
}

fw_status fw_mesh_supports(fw_context *ctx, const fw_model *model, fw_grid **grid) {
  FW_TRY(fw_grid_create(ctx, fields, SUPPORT_FIELDS, grid));
  fw_status status = FW_OK;
  for (int r = 0, number = 0; r < model->ring_count && status == FW_OK; r++) {
    if (model->rings[r].face == 0) number++;
    status = add_ring(ctx, model, r, number, *grid);
  }
  if (status != FW_OK) fw_grid_destroy(grid);
  return status;
}
