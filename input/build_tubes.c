/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <tube>: an axis in space of straight pieces and bends, divided into elements with six freedoms a node. A point that a
 * support, mass or support plane stands on gets a node exactly there; loads and sensors interpolate instead. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/along.h"
#include "input/builder.h"
#include "input/stations.h"
#include "input/tube_support.h"
#include "input/vectors.h"

/* ---- the axis: straight pieces and circular arcs, each where the one before it ends, by arc length - */

/* A corner of the polygon that the axis rounds off; radius 0: a sharp one. */
typedef struct tube_corner {
  double at[3], radius;
} tube_corner;

/* Begins at arc length s; an arc has a radius and leaves `along` towards `inward`. */
typedef struct path_piece {
  double s, length, radius;
  double from[3], along[3], inward[3];
} path_piece;

typedef struct tube_path {
  path_piece *pieces; /* to be freed */
  int count;
  double length;
} tube_path;

/* How the axis turns at a corner: unit directions before and after, the angle between them, and how far from the
 * corner its bend begins and ends, R tan(angle/2). */
typedef struct turn {
  double before[3], after[3], angle, reach;
} turn;

static double leg(const tube_corner *from, const tube_corner *to, double direction[3]) {
  for (int k = 0; k < 3; k++) direction[k] = to->at[k] - from->at[k];
  double length = sqrt(fw_vector_dot(direction, direction));
  for (int k = 0; k < 3 && length > 0; k++) direction[k] /= length;
  return length;
}

static turn turn_at(const tube_corner *corners, int i) {
  turn t = {0};
  double across[3] = {0};
  leg(&corners[i - 1], &corners[i], t.before);
  leg(&corners[i], &corners[i + 1], t.after);
  double c = fw_vector_dot(t.before, t.after);
  for (int k = 0; k < 3; k++) across[k] = t.after[k] - c * t.before[k];
  t.angle = atan2(sqrt(fw_vector_dot(across, across)), c);
  t.reach = corners[i].radius > 0 ? corners[i].radius * tan(0.5 * t.angle) : 0;
  return t;
}

static void add_straight(tube_path *path, const double from[3], const double along[3], double length) {
  path_piece *piece = &path->pieces[path->count++];
  *piece = (path_piece){.s = path->length, .length = length};
  memcpy(piece->from, from, sizeof piece->from);
  memcpy(piece->along, along, sizeof piece->along);
  path->length += length;
}

static void add_bend(tube_path *path, const tube_corner *corner, const turn *t) {
  path_piece *piece = &path->pieces[path->count++];
  double c = fw_vector_dot(t->before, t->after), size;
  *piece = (path_piece){.s = path->length, .length = corner->radius * t->angle, .radius = corner->radius};
  for (int k = 0; k < 3; k++) {
    piece->from[k] = corner->at[k] - t->reach * t->before[k];
    piece->inward[k] = t->after[k] - c * t->before[k];
  }
  memcpy(piece->along, t->before, sizeof piece->along);
  size = sqrt(fw_vector_dot(piece->inward, piece->inward));
  for (int k = 0; k < 3; k++) piece->inward[k] /= size;
  path->length += piece->length;
}

/* The leg from corner i - 1 to i, less what the bends at its ends take, and the bend at i. */
static fw_status add_leg(fw_context *ctx, const tube_corner *corners, int count, int i, tube_path *path) {
  static const double same = 1e-9, nearly_back = 3.14;
  double direction[3] = {0}, from[3], length = leg(&corners[i - 1], &corners[i], direction);
  if (!(length > 0))
    return fw_fail(ctx, FW_ERR_ARGUMENT, "the tube has no length between two corners at (%g, %g, %g)", corners[i].at[0],
                   corners[i].at[1], corners[i].at[2]);
  double before = i > 1 ? turn_at(corners, i - 1).reach : 0;
  turn t = {.reach = 0};
  if (i < count - 1) t = turn_at(corners, i);
  if (t.reach > 0 && t.angle > nearly_back)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "the axis turns back at one corner: a U-bend has two");
  double left = length - before - t.reach;
  if (left < -same * length)
    return fw_fail(ctx, FW_ERR_ARGUMENT,
                   "the bends do not fit: they take %g m of the %g m between (%g, %g, %g) and (%g, %g, %g)",
                   before + t.reach, length, corners[i - 1].at[0], corners[i - 1].at[1], corners[i - 1].at[2],
                   corners[i].at[0], corners[i].at[1], corners[i].at[2]);
  for (int k = 0; k < 3; k++) from[k] = corners[i - 1].at[k] + before * direction[k];
  if (left > same * length) add_straight(path, from, direction, left);
  if (t.reach > same * length) add_bend(path, &corners[i], &t);
  return FW_OK;
}

/* FW_ERR_ARGUMENT, with *where the corner at fault, if a piece has no length or a bend does not fit. */
static fw_status tube_path_make(fw_context *ctx, const tube_corner *corners, int count, tube_path *path, int *where) {
  FW_TRY(fw_alloc(ctx, (size_t)(2 * count), sizeof *path->pieces, &path->pieces));
  for (*where = 1; *where < count; ++*where) FW_TRY(add_leg(ctx, corners, count, *where, path));
  return FW_OK;
}

/* The piece that holds s; of two the later. */
static const path_piece *tube_path_piece(const tube_path *path, double s) {
  int i = path->count - 1;
  while (i > 0 && path->pieces[i].s > s) i--;
  return &path->pieces[i];
}

/* Place and unit tangent at arc length s. */
static void tube_path_at(const tube_path *path, double s, double place[3], double tangent[3]) {
  const path_piece *piece = tube_path_piece(path, s);
  double R = piece->radius, along = s - piece->s, inward = 0, c = 1, n = 0;
  if (R > 0) {
    double half = sin(0.5 * along / R);
    c = cos(along / R), n = sin(along / R);
    along = R * n, inward = 2 * R * half * half;
  }
  for (int k = 0; k < 3; k++) {
    place[k] = piece->from[k] + along * piece->along[k] + inward * piece->inward[k];
    tangent[k] = c * piece->along[k] + n * piece->inward[k];
  }
}

/* ---- the tube ------------------------------------------------------------------------------- */

typedef struct tube {
  const fw_item *item;
  const fw_element_ops *ops;
  tube_corner *corners;
  int corner_count;
  tube_path path;
  fw_stations stations;
  fw_properties *props; /* of each element */
  int *block, *index;   /* where it is in the model */
  int body;
} tube;

static void tube_clear(tube *self) {
  free(self->corners);
  free(self->path.pieces);
  free(self->stations.list);
  free(self->props);
  free(self->block);
  free(self->index);
}

/* ---- what the deck says of the axis --------------------------------------------------------- */

static fw_status read_corner(fw_builder *builder, const fw_args *args, const char *name, double radius, tube *self) {
  FW_TRY(fw_builder_expect(builder, args, name, 3));
  tube_corner *corner = &self->corners[self->corner_count++];
  memcpy(corner->at, fw_args_value(args, name)->numbers, sizeof corner->at);
  corner->radius = radius;
  return FW_OK;
}

static fw_status read_axis(fw_builder *builder, tube *self) {
  const fw_item *item = self->item;
  int where = 0;
  FW_TRY(fw_alloc(builder->ctx, (size_t)item->child_count + 2, sizeof *self->corners, &self->corners));
  FW_TRY(read_corner(builder, &item->args, "from", 0, self));
  for (int i = 0; i < item->child_count; i++) {
    const fw_args *args = &item->children[i].args;
    if (strcmp(item->children[i].name, "vertex") != 0) continue;
    FW_TRY(read_corner(builder, args, "at", fw_args_number(args, "bend-radius"), self));
  }
  FW_TRY(read_corner(builder, &item->args, "to", 0, self));
  fw_status status = tube_path_make(builder->aside, self->corners, self->corner_count, &self->path, &where);
  return fw_builder_retell(builder, status, &item->args, NULL);
}

/* ---- stations ------------------------------------------------------------------------------ */

static void full_name(const tube *self, const fw_item *point, char *name, size_t room) {
  snprintf(name, room, "%s.%s", fw_args_text(&self->item->args, "id"), fw_args_text(&point->args, "id"));
}

static fw_status require_point(fw_builder *builder, const fw_item *point, tube *self) {
  double s = fw_args_number(&point->args, "s"), length = self->path.length;
  char name[256];
  full_name(self, point, name, sizeof name);
  if (s > length + fw_stations_tolerance(&self->stations))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&point->args, "s"),
                      "attribute 's': %g m is beyond the tube's length of %g m", s, length);
  if (fw_builder_needs_node(builder, name)) fw_stations_require(&self->stations, s);
  return FW_OK;
}

/* The next <tube-support> of the tube after number *i of <contact>; NULL: no more. */
static const fw_item *next_support(const fw_builder *builder, const tube *self, int *i) {
  const fw_item *contact = fw_item_child(builder->root, "contact");
  const char *id = fw_args_text(&self->item->args, "id");
  while (contact && ++*i < contact->child_count) {
    const fw_item *item = &contact->children[*i];
    if (strcmp(item->name, "tube-support") == 0 && strcmp(fw_args_text(&item->args, "tube"), id) == 0) return item;
  }
  return NULL;
}

static fw_status require_support(fw_builder *builder, const fw_item *item, tube *self) {
  for (int face = 0; face < fw_tube_support_faces(item); face++) {
    double s = fw_tube_support_place(item, face), tolerance = fw_stations_tolerance(&self->stations);
    if (s < -tolerance || s > self->path.length + tolerance)
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "at"),
                        "attribute 'at': %g m is not on the tube, which is %g m long", s, self->path.length);
    fw_stations_require(&self->stations, s);
  }
  return FW_OK;
}

static int count_supports(const fw_builder *builder, const tube *self) {
  int count = 0;
  for (int i = -1; next_support(builder, self, &i);) count++;
  return count;
}

static fw_status divide(fw_builder *builder, tube *self) {
  const fw_item *item = self->item, *support;
  int more = item->child_count + self->path.count + FW_TUBE_SUPPORT_FACES * count_supports(builder, self);
  self->stations.length = self->path.length;
  FW_TRY(fw_stations_divide(builder->ctx, &self->stations, fw_args_integer(&item->args, "divisions"),
                            fw_args_number(&item->args, "grading"), more));
  for (int i = 1; i < self->path.count; i++) fw_stations_require(&self->stations, self->path.pieces[i].s);
  for (int i = 0; i < item->child_count; i++)
    if (strcmp(item->children[i].name, "point") == 0) FW_TRY(require_point(builder, &item->children[i], self));
  for (int i = -1; (support = next_support(builder, self, &i));) FW_TRY(require_support(builder, support, self));
  return FW_OK;
}

static fw_status add_nodes(fw_builder *builder, tube *self) {
  FW_TRY(fw_builder_add_body(builder, fw_args_text(&self->item->args, "id"), "tube", &self->body));
  for (int i = 0; i < self->stations.count; i++) {
    double place[3], tangent[3];
    int node;
    tube_path_at(&self->path, self->stations.list[i].s, place, tangent);
    FW_TRY(fw_builder_add_space_node(builder, place, &node));
  }
  builder->model->bodies[self->body].node_count = self->stations.count;
  return FW_OK;
}

/* ---- properties ---------------------------------------------------------------------------- */

static double chord(const fw_builder *builder, int node) {
  const fw_model *model = builder->model;
  return fw_node_distance(model, &model->nodes[node], &model->nodes[node + 1]);
}

static void fill_element(const fw_builder *builder, const tube *self, const fw_along *mass, const fw_along *damping,
                         int e, fw_properties *props) {
  double a = self->stations.list[e].s, b = self->stations.list[e + 1].s;
  double added = fw_along_mean(mass, a, b);
  bool across = fw_args_integer(&self->item->args, "added-mass-acts") == 0;
  props->mass_per_length += across ? 0 : added;
  props->across_mass = across ? added : 0;
  props->across_damping = fw_along_mean(damping, a, b);
  if (!(tube_path_piece(&self->path, 0.5 * (a + b))->radius > 0)) return;
  props->arc = (b - a) / chord(builder, builder->model->bodies[self->body].first_node + e);
  props->bend_flexibility = fw_args_number(&self->item->args, "bend-flexibility");
}

static fw_status fill_properties(fw_builder *builder, tube *self) {
  const fw_args *args = &self->item->args;
  fw_properties common = {.kinematics = FW_LINEAR};
  fw_along mass, damping;
  int elements = self->stations.count - 1;
  FW_TRY(fw_builder_line_properties(builder, self->item, &common));
  FW_TRY(fw_along_read(builder, args, "added-mass", "added-mass-at", &mass));
  FW_TRY(fw_along_read(builder, args, "damping", "damping-at", &damping));
  if (fw_args_given(args, "orientation")) {
    FW_TRY(fw_builder_expect(builder, args, "orientation", 3));
    memcpy(common.up, fw_args_value(args, "orientation")->numbers, sizeof common.up);
  }
  FW_TRY(fw_alloc(builder->ctx, (size_t)elements, sizeof *self->props, &self->props));
  for (int e = 0; e < elements; e++) {
    self->props[e] = common;
    fill_element(builder, self, &mass, &damping, e, &self->props[e]);
  }
  return FW_OK;
}

/* ---- elements ------------------------------------------------------------------------------- */

/* Equal but for rounding: neighbours of one block. */
static bool alike(const fw_properties *a, const fw_properties *b) {
  const double differ[] = {a->mass_per_length - b->mass_per_length, a->across_mass - b->across_mass,
                           a->across_damping - b->across_damping, a->arc - b->arc,
                           a->bend_flexibility - b->bend_flexibility};
  for (size_t i = 0; i < sizeof differ / sizeof *differ; i++)
    if (fabs(differ[i]) > 1e-12 * (1 + a->mass_per_length + a->across_mass + a->across_damping)) return false;
  return true;
}

static fw_status add_block(fw_builder *builder, tube *self, int first, int count) {
  int node = builder->model->bodies[self->body].first_node + first, b = builder->model->block_count;
  fw_block *block;
  FW_TRY(fw_builder_add_block(builder, self->ops, self->body, count, &block));
  block->props = self->props[first];
  for (int e = 0; e < count; e++) {
    double X[FW_ELEMENT_PLACES];
    block->nodes[2 * e] = node + e;
    block->nodes[2 * e + 1] = node + e + 1;
    self->block[first + e] = b;
    self->index[first + e] = e;
    fw_element_places(builder->model, block, e, X);
    const char *wrong = fw_element_flaw(self->ops, &block->props, X);
    if (wrong)
      return fw_fail_at(builder->ctx, FW_ERR_DECK, self->item->args.place, "element %d: %s", first + e + 1, wrong);
  }
  return FW_OK;
}

static fw_status add_elements(fw_builder *builder, tube *self) {
  int elements = self->stations.count - 1;
  FW_TRY(fill_properties(builder, self));
  FW_TRY(fw_alloc(builder->ctx, (size_t)elements, sizeof *self->block, &self->block));
  FW_TRY(fw_alloc(builder->ctx, (size_t)elements, sizeof *self->index, &self->index));
  for (int first = 0, end; first < elements; first = end) {
    for (end = first + 1; end < elements && alike(&self->props[first], &self->props[end]);) end++;
    FW_TRY(add_block(builder, self, first, end - first));
  }
  return FW_OK;
}

/* ---- points --------------------------------------------------------------------------------- */

static fw_status add_point(fw_builder *builder, char *name, double place, const tube *self) {
  fw_point point = {.name = name, .body = self->body, .space = true};
  double s = fmax(0.0, fmin(place, self->path.length));
  int element = 0, at = fw_stations_find(&self->stations, s, &element, &point.xi[0]);
  tube_path_at(&self->path, s, point.place, point.tangent);
  point.node = at < 0 ? -1 : builder->model->bodies[self->body].first_node + at;
  point.block = self->block[element];
  point.element = self->index[element];
  return fw_builder_add_point(builder, &point);
}

static fw_status add_points(fw_builder *builder, const tube *self) {
  char name[256];
  const fw_item *support;
  for (int i = 0; i < self->item->child_count; i++) {
    const fw_item *item = &self->item->children[i];
    if (strcmp(item->name, "point") != 0) continue;
    full_name(self, item, name, sizeof name);
    FW_TRY(add_point(builder, name, fw_args_number(&item->args, "s"), self));
  }
  for (int i = -1; (support = next_support(builder, self, &i));)
    for (int face = 0; face < fw_tube_support_faces(support); face++) {
      snprintf(name, sizeof name, "%s.%s", fw_args_text(&support->args, "id"), fw_tube_support_point(face));
      FW_TRY(add_point(builder, name, fw_tube_support_place(support, face), self));
    }
  return FW_OK;
}

static fw_status add_tube(fw_builder *builder, tube *self) {
  FW_TRY(read_axis(builder, self));
  FW_TRY(divide(builder, self));
  FW_TRY(add_nodes(builder, self));
  FW_TRY(add_elements(builder, self));
  return add_points(builder, self);
}

fw_status fw_build_tubes(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = FW_OK;
  for (int i = 0; i < bodies->child_count; i++) {
    const fw_item *item = &bodies->children[i];
    if (strcmp(item->name, "tube") != 0) continue;
    tube self = {.item = item, .ops = ((const fw_element_ops *)(const void *)item->entry)->in_space};
    fw_status status = add_tube(builder, &self);
    tube_clear(&self);
    if (status != FW_OK) worst = status;
  }
  return worst;
}
