/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/sketch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/mesh.h"
#include "output/outline.h"
#include "output/sketch_parts.h"

void fw_sketch_clear(fw_sketch *sketch) {
  for (int i = 0; i < FW_SKETCH_PARTS; i++) fw_strokes_clear(&sketch->parts[i]);
}

void fw_sketch_view(const double place[3], double at[2]) {
  const double oblique = 0.35 * place[2];
  at[0] = place[0] + oblique;
  at[1] = place[1] + oblique;
}

/* ---- bodies ------------------------------------------------------------------------------ */

static void include(fw_sketch *sketch, const double at[2], double around) {
  for (int d = 0; d < 2; d++) {
    sketch->low[d] = fmin(sketch->low[d], at[d] - around);
    sketch->high[d] = fmax(sketch->high[d], at[d] + around);
  }
}

/* Those of bodies without elements count too, those that stand still far away do not. */
static bool moves(const fw_node *node) {
  for (int k = 0; k < fw_node_dofs(node); k++)
    if (node->dof[k] >= 0) return true;
  return false;
}

static void cover_nodes(fw_sketch *sketch) {
  for (int n = 0; n < sketch->model->node_count; n++) {
    double place[3], at[2];
    if (!moves(&sketch->model->nodes[n])) continue;
    fw_node_place(sketch->model, &sketch->model->nodes[n], place);
    fw_sketch_view(place, at);
    include(sketch, at, 0.0);
  }
}

static void cover_bodies(fw_sketch *sketch, const fw_grid *grid) {
  for (int d = 0; d < 2; d++) sketch->low[d] = INFINITY, sketch->high[d] = -INFINITY;
  for (int64_t p = 0; p < grid->points; p++) {
    double at[2];
    fw_sketch_view(grid->x + 3 * p, at);
    include(sketch, at, 0.0);
  }
  cover_nodes(sketch);
  for (int p = 0; p < sketch->model->pair_count; p++) {
    const fw_pair *pair = sketch->model->pairs[p];
    for (int i = 0; pair->target && i < pair->count; i++) {
      double at[2];
      const fw_attachment *follower = &pair->followers[i].at;
      if (follower->node >= 0 && sketch->model->nodes[follower->node].triad) continue; /* in a plane of its own */
      fw_attachment_place(sketch->model, follower, NULL, at);
      include(sketch, at, pair->followers[i].radius);
    }
  }
  const double wide = 1.9; /* over tall: the paper */
  double extent = fmax(sketch->high[0] - sketch->low[0], wide * (sketch->high[1] - sketch->low[1]));
  if (!(extent > 0.0) || !isfinite(extent)) { /* a point: as large as a hand */
    include(sketch, isfinite(extent) ? (const double[2]){sketch->low[0], sketch->low[1]} : (const double[2]){0, 0},
            0.05);
    extent = 0.1 * wide;
  }
  sketch->size = FW_SKETCH_SYMBOL * extent;
}

static fw_status draw_grid(fw_sketch *sketch, const fw_grid *grid, fw_sketch_part part) {
  fw_outline outline = {0};
  FW_TRY(fw_outline_create(sketch->ctx, grid, &outline));
  fw_status status = FW_OK;
  for (size_t i = 0; i < outline.count && status == FW_OK; i++) {
    double at[2] = {NAN, NAN};
    if (outline.points[i] >= 0) fw_sketch_view(grid->x + 3 * outline.points[i], at);
    status = fw_strokes_add(sketch->ctx, &sketch->parts[part], at[0], at[1]);
  }
  fw_outline_clear(&outline);
  return status;
}

/* Masses and rigid bodies are points: a ring each. */
static fw_status draw_points(fw_sketch *sketch, const fw_grid *grid) {
  for (int64_t c = 0; c < grid->cells; c++) {
    double at[2];
    if (grid->types[c] != FW_CELL_VERTEX) continue;
    fw_sketch_view(grid->x + 3 * grid->link[grid->starts[c]], at);
    FW_TRY(fw_strokes_circle(sketch->ctx, &sketch->parts[FW_SKETCH_BODIES], at, 0.5 * sketch->size));
  }
  return FW_OK;
}

static fw_status draw_bodies(fw_sketch *sketch, const fw_state *state) {
  fw_grid *grid = NULL;
  fw_status status;
  FW_TRY_DONE(fw_mesh_structure(sketch->ctx, state, &grid));
  cover_bodies(sketch, grid);
  FW_TRY_DONE(draw_grid(sketch, grid, FW_SKETCH_BODIES));
  FW_TRY_DONE(draw_points(sketch, grid));
  fw_grid_destroy(&grid);
  if (state->model->joint_count == 0) goto done;
  FW_TRY_DONE(fw_mesh_joints(sketch->ctx, state, &grid));
  FW_TRY_DONE(draw_grid(sketch, grid, FW_SKETCH_JOINTS));
done:
  fw_grid_destroy(&grid);
  return status;
}

static fw_status draw_model(fw_sketch *sketch) {
  fw_state *state;
  FW_TRY(fw_state_create(sketch->ctx, sketch->model, &state));
  fw_status status = draw_bodies(sketch, state);
  fw_state_destroy(&state);
  if (status == FW_OK) status = fw_sketch_supports(sketch);
  if (status == FW_OK) status = fw_sketch_contacts(sketch);
  if (status == FW_OK) status = fw_sketch_loads(sketch);
  if (status == FW_OK) status = fw_sketch_sensors(sketch);
  if (status == FW_OK) fw_sketch_place_notes(sketch);
  return status;
}

/* ---- the picture ------------------------------------------------------------------------- */

enum { CLOSER = 9 };

typedef struct picture {
  fw_sketch sketches[1 + CLOSER];
  fw_plot_curve curves[1 + CLOSER][FW_SKETCH_PARTS];
  char titles[1 + CLOSER][FW_SKETCH_TEXT];
  fw_panel panels[1 + CLOSER];
  int count;
} picture;

static void add_panel(picture *p) {
  static const char *const labels[FW_SKETCH_PARTS] = {
      [FW_SKETCH_BODIES] = "bodies",   [FW_SKETCH_SUPPORTS] = "supports", [FW_SKETCH_JOINTS] = "joints, springs",
      [FW_SKETCH_TARGETS] = "targets", [FW_SKETCH_NORMALS] = "normals",   [FW_SKETCH_CONTACTS] = "contact points",
      [FW_SKETCH_GAPS] = "gaps",       [FW_SKETCH_LOADS] = "loads",       [FW_SKETCH_SENSORS] = "sensors"};
  int at = p->count++;
  fw_sketch *sketch = &p->sketches[at];
  for (int i = 0; i < FW_SKETCH_PARTS; i++) {
    const fw_strokes *strokes = &sketch->parts[i];
    p->curves[at][i] = (fw_plot_curve){.label = at == 0 && strokes->count ? labels[i] : NULL,
                                       .count = (size_t)strokes->count,
                                       .x = strokes->x,
                                       .y = strokes->y};
  }
  p->panels[at] = (fw_panel){.title = p->titles[at],
                             .x_label = "x [m]",
                             .y_label = "y [m]",
                             .equal = true,
                             .whole = at == 0,
                             .beside = at > 0 && at % 3 != 1,
                             .curves = p->curves[at],
                             .curve_count = FW_SKETCH_PARTS,
                             .notes = sketch->notes,
                             .note_count = sketch->note_count};
}

static fw_status add_closer(fw_context *ctx, const fw_model *model, const fw_pair *pair, picture *p) {
  p->sketches[p->count] = (fw_sketch){.ctx = ctx, .model = model, .size = p->sketches[0].size};
  FW_TRY(fw_sketch_closer(&p->sketches[p->count], pair));
  fw_sketch_gaps(model, pair, p->titles[p->count]);
  add_panel(p);
  return FW_OK;
}

static int pairs_with_targets(const fw_model *model) {
  int count = 0;
  for (int i = 0; i < model->pair_count; i++) count += model->pairs[i]->target && model->pairs[i]->count > 0;
  return count;
}

fw_status fw_sketch_write(fw_context *ctx, const fw_model *model, const char *path) {
  picture *p;
  fw_status status;
  int pairs = pairs_with_targets(model);
  FW_TRY(fw_alloc(ctx, 1, sizeof *p, &p));
  p->sketches[0] = (fw_sketch){.ctx = ctx, .model = model};
  FW_TRY_DONE(draw_model(&p->sketches[0]));
  if (pairs > CLOSER)
    snprintf(p->titles[0], FW_SKETCH_TEXT, "model, undeformed (close-ups of %d of its %d pairs)", CLOSER, pairs);
  else
    snprintf(p->titles[0], FW_SKETCH_TEXT, "model, undeformed");
  add_panel(p);
  for (int i = 0; i < model->pair_count && p->count <= CLOSER; i++)
    if (model->pairs[i]->target && model->pairs[i]->count > 0) FW_TRY_DONE(add_closer(ctx, model, model->pairs[i], p));
  FW_TRY_DONE(fw_plot_file(ctx, p->panels, p->count, path));
done:
  for (int i = 0; i <= CLOSER; i++) fw_sketch_clear(&p->sketches[i]);
  free(p);
  return status;
}
