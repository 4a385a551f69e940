/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Supports, loads and sensors in sketches: where the freedoms of a model are held, pushed and read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/bushing.h"
#include "elements/element.h"
#include "output/sketch_parts.h"

static void node_on_paper(const fw_model *model, const fw_node *node, double at[2]) {
  double place[3];
  fw_node_place(model, node, place);
  fw_sketch_view(place, at);
}

/* A direction of a node's freedom on the paper, of length one. */
static void axis_on_paper(const fw_model *model, const fw_node *node, int axis, double along[2]) {
  double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (node->triad) fw_node_axes(model, node, axes);
  fw_sketch_view(axes[axis], along);
  double length = hypot(along[0], along[1]);
  for (int d = 0; d < 2 && length > 0.0; d++) along[d] /= length;
}

/* ---- supports ---------------------------------------------------------------------------- */

/* Whether all translations are held, and all rotations that there are. */
static bool holds_all(const fw_node *node, const int freedoms[3]) {
  int count = 0;
  for (int k = 0; k < 3; k++) {
    if (freedoms[k] >= FW_NODE_DOFS && !node->space) continue;
    if (node->dof[freedoms[k]] == FW_DOF_NONE) continue;
    if (node->dof[freedoms[k]] != FW_DOF_FIXED) return false;
    count++;
  }
  return count > 0;
}

static bool is_held(const fw_node *node) {
  for (int k = 0; k < fw_node_dofs(node); k++)
    if (node->dof[k] == FW_DOF_FIXED) return true;
  return false;
}

static fw_status draw_held(fw_sketch *sketch, const fw_node *node, const double at[2]) {
  fw_strokes *strokes = &sketch->parts[FW_SKETCH_SUPPORTS];
  if (holds_all(node, fw_dof_moves)) {
    if (holds_all(node, fw_dof_turnings)) return fw_strokes_clamp(sketch->ctx, strokes, at, sketch->size);
    return fw_strokes_bearing(sketch->ctx, strokes, at, (const double[2]){0.0, 1.0}, sketch->size);
  }
  for (int k = 0; k < (node->space ? 3 : 2); k++) {
    double along[2];
    if (node->dof[fw_dof_moves[k]] != FW_DOF_FIXED) continue;
    axis_on_paper(sketch->model, node, k, along);
    FW_TRY(fw_strokes_bearing(sketch->ctx, strokes, at, along, sketch->size));
  }
  if (!holds_all(node, fw_dof_turnings)) return FW_OK;
  return fw_strokes_circle(sketch->ctx, strokes, at, 0.5 * sketch->size);
}

/* Springs to the ground: stiffness along each axis. */
static fw_status draw_springs(fw_sketch *sketch, const fw_block *block) {
  const double *k = block->props.constants;
  for (int e = 0; e < block->count; e++) {
    const fw_node *node = &sketch->model->nodes[block->nodes[e]];
    double at[2], along[2];
    node_on_paper(sketch->model, node, at);
    for (int d = 0; d < 3; d++) {
      double stiffness = d < 2 ? k[FW_BUSHING_K + d] : node->space ? k[FW_BUSHING_SPACE_K] : 0.0;
      if (!(stiffness > 0.0)) continue;
      axis_on_paper(sketch->model, node, d, along);
      FW_TRY(fw_strokes_spring(sketch->ctx, &sketch->parts[FW_SKETCH_SUPPORTS], at, along, sketch->size));
    }
    if (k[FW_BUSHING_K + FW_RZ] > 0.0)
      FW_TRY(fw_strokes_turn(sketch->ctx, &sketch->parts[FW_SKETCH_SUPPORTS], at, 0.8 * sketch->size));
  }
  return FW_OK;
}

/* Springs and dampers between two points; of long ones, whose other end may be far off the paper, the beginnings. */
static fw_status draw_links(fw_sketch *sketch, const fw_block *block) {
  const double longest = 12.0 * sketch->size;
  fw_strokes *strokes = &sketch->parts[FW_SKETCH_JOINTS];
  for (int e = 0; e < block->count; e++) {
    const fw_node *ends[2];
    double at[2][2];
    for (int i = 0; i < 2; i++) {
      ends[i] = &sketch->model->nodes[block->nodes[2 * e + i]];
      node_on_paper(sketch->model, ends[i], at[i]);
    }
    double length = hypot(at[1][0] - at[0][0], at[1][1] - at[0][1]);
    if (!(length > 0.0)) continue;
    if (length < longest) FW_TRY(fw_strokes_line(sketch->ctx, strokes, (const double(*)[2])at, 2));
    for (int i = 0; i < 2 && length >= longest; i++) {
      const double from[2] = {(at[i][0] - at[1 - i][0]) / length, (at[i][1] - at[1 - i][1]) / length};
      if (!is_held(ends[i])) FW_TRY(fw_strokes_spring(sketch->ctx, strokes, at[i], from, sketch->size));
    }
  }
  return FW_OK;
}

/* Held nodes that nothing but long springs joins to the bodies are off the paper. */
static bool on_paper(const fw_sketch *sketch, const double at[2]) {
  const double room = 12.0 * sketch->size;
  for (int d = 0; d < 2; d++)
    if (at[d] < sketch->low[d] - room || at[d] > sketch->high[d] + room) return false;
  return true;
}

/* Of nodes that are held side by side one symbol per its size. */
fw_status fw_sketch_supports(fw_sketch *sketch) {
  const fw_model *model = sketch->model;
  double last[2] = {INFINITY, INFINITY}, at[2];
  for (int n = 0; n < model->node_count; n++) {
    if (!is_held(&model->nodes[n])) continue;
    node_on_paper(model, &model->nodes[n], at);
    if (!on_paper(sketch, at) || hypot(at[0] - last[0], at[1] - last[1]) < 1.2 * sketch->size) continue;
    FW_TRY(draw_held(sketch, &model->nodes[n], at));
    memcpy(last, at, sizeof last);
  }
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    if (strcmp(block->ops->entry.name, "elastic-support") == 0) FW_TRY(draw_springs(sketch, block));
    if (block->ops->shape == FW_SHAPE_POINT && block->ops->nodes == 2) FW_TRY(draw_links(sketch, block));
  }
  return FW_OK;
}

/* ---- functionals ------------------------------------------------------------------------- */

/* What a functional does at a node: along the paper, and whether it turns. */
typedef struct pull {
  double along[2];
  bool turns;
} pull;

/* Only ratios are drawn: the largest becomes one, so that sums of huge ones stay finite. */
static void scale_to_one(double *weights, int count) {
  double most = 0.0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(weights[i]));
  for (int i = 0; i < count && most > 0.0; i++) weights[i] /= most;
}

/* Per node what a functional does there; to be freed. */
static fw_status spread(const fw_sketch *sketch, const fw_functional *shape, pull **pulls) {
  const fw_model *model = sketch->model;
  double *weights;
  FW_TRY(fw_alloc(sketch->ctx, (size_t)model->node_count, sizeof **pulls, pulls));
  fw_status status = fw_alloc(sketch->ctx, (size_t)model->dof_count, sizeof *weights, &weights);
  if (status != FW_OK) {
    free(*pulls);
    return status;
  }
  fw_functional_scatter(shape, 1.0, weights);
  scale_to_one(weights, model->dof_count);
  for (int n = 0; n < model->node_count; n++) {
    const fw_node *node = &model->nodes[n];
    for (int k = 0; k < fw_node_dofs(node); k++) {
      double along[2], weight = node->dof[k] >= 0 ? weights[node->dof[k]] : 0.0;
      if (weight == 0.0) continue;
      if (fw_dof_turns(k)) {
        (*pulls)[n].turns = true;
        continue;
      }
      axis_on_paper(model, node, k == FW_Z ? 2 : k, along);
      for (int d = 0; d < 2; d++) (*pulls)[n].along[d] += weight * along[d];
    }
  }
  free(weights);
  return FW_OK;
}

static double strength(const pull *p) { return hypot(p->along[0], p->along[1]); }

static const pull *strongest(const fw_model *model, const pull *pulls) {
  const pull *most = &pulls[0];
  for (int n = 0; n < model->node_count; n++)
    if (strength(&pulls[n]) > strength(most)) most = &pulls[n];
  return most;
}

/* Where a functional acts, and the arrow to be drawn there: (0, 0) where it only turns. */
typedef struct place {
  double at[2], along[2];
} place;

/* Whether it acts at a node, the way its strongest part does (+1), against it (-1) or not at all. */
static int sense(const pull *p, const pull *most) {
  if (strength(most) == 0.0) return p->turns;
  if (strength(p) <= 0.02 * strength(most)) return 0;
  return p->along[0] * most->along[0] + p->along[1] * most->along[1] < 0.0 ? -1 : 1;
}

/* Points within elements share what they carry between a few nodes: one arrow stands for those. */
static bool middle_of(const fw_model *model, const pull *pulls, int wanted, place *found) {
  const pull *most = strongest(model, pulls);
  double sum = 0.0, at[2];
  *found = (place){0};
  for (int n = 0; n < model->node_count; n++) {
    if (sense(&pulls[n], most) != wanted) continue;
    double weight = strength(most) > 0.0 ? strength(&pulls[n]) : 1.0;
    node_on_paper(model, &model->nodes[n], at);
    for (int d = 0; d < 2; d++) {
      found->at[d] += weight * at[d];
      found->along[d] += pulls[n].along[d];
    }
    sum += weight;
  }
  for (int d = 0; d < 2 && sum > 0.0; d++) found->at[d] /= sum;
  return sum > 0.0;
}

/* Whether an arrow that begins at its place would lie on the bodies: it points to their middle. */
static bool points_inward(const fw_sketch *sketch, const place *p) {
  double toward = 0.0;
  for (int d = 0; d < 2; d++) toward += p->along[d] * (0.5 * (sketch->low[d] + sketch->high[d]) - p->at[d]);
  return toward > 0.1 * hypot(p->along[0], p->along[1]) * sketch->size;
}

/* An arrow begins where it acts, or ends there: inward. */
static fw_status draw_place(fw_sketch *sketch, fw_sketch_part part, place *p, bool inward, double length,
                            const char *name) {
  double size = hypot(p->along[0], p->along[1]);
  fw_strokes *strokes = &sketch->parts[part];
  for (int d = 0; d < 2 && size > 0.0; d++) p->along[d] *= length / size;
  for (int d = 0; d < 2 && inward; d++) p->at[d] -= p->along[d]; /* its head is where it acts */
  FW_TRY(size > 0.0 ? fw_strokes_arrow(sketch->ctx, strokes, p->at, p->along)
                    : fw_strokes_turn(sketch->ctx, strokes, p->at, 0.3 * length));
  const double tip[2] = {p->at[0] + p->along[0], p->at[1] + p->along[1]};
  if (name) fw_sketch_note(sketch, inward ? p->at : tip, name);
  return FW_OK;
}

/* ---- loads, sensors ---------------------------------------------------------------------- */

/* Whether all of a load goes one way; then its arrows are drawn alike, as the one in their middle. */
static bool goes_one_way(const fw_model *model, const pull *pulls, const pull *most, place *middle) {
  double sum = 0.0;
  for (int n = 0; n < model->node_count; n++)
    if (sense(&pulls[n], most) != 0) sum += strength(&pulls[n]);
  return middle_of(model, pulls, 1, middle) && hypot(middle->along[0], middle->along[1]) > 0.99 * sum;
}

/* A load spread over many nodes has some of its arrows. */
static fw_status draw_spread(fw_sketch *sketch, const pull *pulls, int count, double length, const char *name) {
  enum { MOST = 10 };
  const fw_model *model = sketch->model;
  const pull *most = strongest(model, pulls);
  place middle;
  bool alike = goes_one_way(model, pulls, most, &middle), inward = alike && points_inward(sketch, &middle);
  for (int n = 0, seen = 0; n < model->node_count; n++) {
    if (sense(&pulls[n], most) == 0 || seen++ % ((count + MOST - 1) / MOST) != 0) continue;
    place p = {.along = {pulls[n].along[0], pulls[n].along[1]}};
    node_on_paper(model, &model->nodes[n], p.at);
    if (!alike) inward = points_inward(sketch, &p);
    FW_TRY(draw_place(sketch, FW_SKETCH_LOADS, &p, inward, length, seen == 1 ? name : NULL));
  }
  return FW_OK;
}

static fw_status draw_load(fw_sketch *sketch, const fw_load *load, const pull *pulls) {
  enum { FEW = 6 };
  const double length = 4.5 * sketch->size;
  const pull *most = strongest(sketch->model, pulls);
  int count = 0;
  place p;
  for (int n = 0; n < sketch->model->node_count; n++) count += sense(&pulls[n], most) != 0;
  if (count > FEW) return draw_spread(sketch, pulls, count, length, load->id);
  for (int way = 1; way >= -1; way -= 2)
    if (middle_of(sketch->model, pulls, way, &p))
      FW_TRY(draw_place(sketch, FW_SKETCH_LOADS, &p, points_inward(sketch, &p), length, way == 1 ? load->id : NULL));
  return FW_OK;
}

fw_status fw_sketch_loads(fw_sketch *sketch) {
  const fw_model *model = sketch->model;
  fw_status status = FW_OK;
  for (int i = 0; i < model->load_count && status == FW_OK; i++) {
    pull *pulls;
    FW_TRY(spread(sketch, &model->loads[i].shape, &pulls));
    status = draw_load(sketch, &model->loads[i], pulls);
    free(pulls);
  }
  return status;
}

/* A ring where it reads, and along what; one more where it reads relative to. */
static fw_status draw_sensor(fw_sketch *sketch, const fw_sensor *sensor, const pull *pulls) {
  for (int way = 1; way >= -1; way -= 2) {
    place p;
    if (!middle_of(sketch->model, pulls, way, &p)) continue;
    FW_TRY(fw_strokes_circle(sketch->ctx, &sketch->parts[FW_SKETCH_SENSORS], p.at, 0.35 * sketch->size));
    if (way == 1) FW_TRY(draw_place(sketch, FW_SKETCH_SENSORS, &p, false, 2.2 * sketch->size, sensor->id));
  }
  return FW_OK;
}

fw_status fw_sketch_sensors(fw_sketch *sketch) {
  const fw_model *model = sketch->model;
  fw_status status = FW_OK;
  for (int i = 0; i < model->sensor_count && status == FW_OK; i++) {
    pull *pulls;
    FW_TRY(spread(sketch, &model->sensors[i].shape, &pulls));
    status = draw_sensor(sketch, &model->sensors[i], pulls);
    free(pulls);
  }
  return status;
}
