/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <plane>: pieces of mesh, joined, become nodes and blocks of elements. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/attribute.h"
#include "input/builder.h"
#include "input/mesh/edit.h"
#include "input/mesh/generate.h"
#include "input/mesh/import.h"
#include "input/mesh/quality.h"
#include "input/units.h"

/* ---- pieces ------------------------------------------------------------------------------ */

/* Whole numbers of a NUMBERS attribute. */
static fw_status read_divisions(fw_builder *builder, const fw_args *args, int divisions[2]) {
  FW_TRY(fw_builder_expect(builder, args, "divisions", 2));
  const double *numbers = fw_args_value(args, "divisions")->numbers;
  for (int k = 0; k < 2; k++) {
    double number = fw_whole_but_rounding(numbers[k]);
    if (number != nearbyint(number))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "divisions"),
                        "attribute 'divisions': %g is not a whole number", number);
    divisions[k] = (int)number;
  }
  return FW_OK;
}

static fw_status add_rectangle(fw_builder *builder, const fw_args *args, fw_mesh *mesh) {
  int divisions[2];
  FW_TRY(fw_builder_expect(builder, args, "from", 2));
  FW_TRY(fw_builder_expect(builder, args, "to", 2));
  FW_TRY(fw_builder_expect(builder, args, "grading", 2));
  FW_TRY(read_divisions(builder, args, divisions));
  fw_status status =
      fw_mesh_add_rectangle(builder->aside, mesh, fw_args_value(args, "from")->numbers,
                            fw_args_value(args, "to")->numbers, divisions, fw_args_value(args, "grading")->numbers);
  return fw_builder_retell(builder, status, args, NULL);
}

static fw_status add_block(fw_builder *builder, const fw_args *args, fw_mesh *mesh) {
  static const char *const sides[4] = {"bottom", "right", "top", "left"};
  fw_mesh_block block = {0};
  FW_TRY(fw_builder_expect(builder, args, "corners", 8));
  FW_TRY(fw_builder_expect(builder, args, "grading", 4));
  FW_TRY(read_divisions(builder, args, block.divisions));
  memcpy(block.corner, fw_args_value(args, "corners")->numbers, sizeof block.corner);
  for (int k = 0; k < 4; k++) {
    block.side[k].grading = fw_args_value(args, "grading")->numbers[k];
    block.side[k].set = fw_args_text(args, sides[k]);
  }
  const fw_value *arcs = fw_args_value(args, "arcs");
  if (arcs->count) FW_TRY(fw_builder_expect(builder, args, "arc-centre", 2));
  if (!arcs->count && fw_args_given(args, "arc-centre"))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "arc-centre"),
                      "attribute 'arc-centre': no side is an arc: name some by arcs");
  for (int i = 0; i < arcs->count; i++) {
    if (arcs->numbers[i] != nearbyint(arcs->numbers[i]))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "arcs"),
                        "attribute 'arcs': %g is not a whole number", arcs->numbers[i]);
    fw_mesh_side *side = &block.side[(int)arcs->numbers[i] - 1];
    side->arc = true;
    memcpy(side->centre, fw_args_value(args, "arc-centre")->numbers, sizeof side->centre);
  }
  return fw_builder_retell(builder, fw_mesh_add_block(builder->aside, mesh, &block), args, NULL);
}

static fw_status add_quarter(fw_builder *builder, const fw_args *args, fw_mesh *mesh) {
  fw_mesh_quarter quarter = {.radius = fw_args_number(args, "radius"),
                             .angle = fw_args_number(args, "angle") * M_PI / 180.0,
                             .clockwise = fw_args_flag(args, "clockwise"),
                             .grading = fw_args_number(args, "grading"),
                             .arc = fw_args_text(args, "arc"),
                             .flat = fw_args_text(args, "flat")};
  FW_TRY(fw_builder_expect(builder, args, "centre", 2));
  FW_TRY(read_divisions(builder, args, quarter.divisions));
  memcpy(quarter.centre, fw_args_value(args, "centre")->numbers, sizeof quarter.centre);
  return fw_builder_retell(builder, fw_mesh_add_quarter_disc(builder->aside, mesh, &quarter), args, NULL);
}

static fw_status add_piece(fw_builder *builder, const fw_item *item, fw_mesh *mesh) {
  if (strcmp(item->name, "rectangle") == 0) return add_rectangle(builder, &item->args, mesh);
  if (strcmp(item->name, "block") == 0) return add_block(builder, &item->args, mesh);
  if (strcmp(item->name, "quarter-disc") == 0) return add_quarter(builder, &item->args, mesh);
  return FW_OK;
}

/* ---- the mesh the element wants ---------------------------------------------------------- */

static bool has_middles(fw_shape shape) { return shape == FW_SHAPE_TRI6 || shape == FW_SHAPE_QUAD8; }

/* The element for a shape of the mesh: the deck's own, or beside quadrilaterals the triangle of their order. */
static const fw_element_ops *element_for(const fw_element_ops *own, fw_shape shape) {
  if (own->shape == shape) return own;
  const char *other = shape == FW_SHAPE_TRI3 && own->shape == FW_SHAPE_QUAD4   ? "tri3"
                      : shape == FW_SHAPE_TRI6 && own->shape == FW_SHAPE_QUAD8 ? "tri6"
                                                                               : NULL;
  return other ? (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, other) : NULL;
}

/* An element is made of its own shape, of what stands beside it and of what splitting and middles make of a mesh
 * without middles. */
static bool fits(const fw_element_ops *own, fw_shape shape) { return !has_middles(shape) || element_for(own, shape); }

static void list_fitting(fw_shape shape, char *text, size_t room) {
  size_t at = 0;
  text[0] = '\0';
  for (const fw_entry *const *entry = fw_elements.entries; *entry && at + 32 < room; entry++) {
    const fw_element_ops *ops = (const fw_element_ops *)(const void *)*entry;
    if (ops->shape >= FW_SHAPE_TRI3 && fits(ops, shape))
      at += (size_t)snprintf(text + at, room - at, "%s%s", at ? ", " : "", ops->entry.name);
  }
}

static fw_status check_shapes(fw_builder *builder, const fw_item *item, const fw_mesh *mesh) {
  const fw_element_ops *own = (const fw_element_ops *)(const void *)item->entry;
  fw_place place = fw_builder_place(&item->args, "element");
  for (int e = 0; e < mesh->element_count; e++) {
    fw_shape shape = mesh->elements[e].shape, first = mesh->elements[0].shape;
    if (has_middles(shape) != has_middles(first))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, place,
                        "the mesh has elements with and without middle nodes: %d has %d nodes, %d has %d",
                        mesh->elements[0].label, fw_shape_nodes(first), mesh->elements[e].label, fw_shape_nodes(shape));
    if (fits(own, shape)) continue;
    char fitting[128];
    list_fitting(shape, fitting, sizeof fitting);
    return fw_fail_at(builder->ctx, FW_ERR_DECK, place,
                      "attribute 'element': '%s' does not fit the mesh's elements with %d nodes (fitting: %s)",
                      item->entry->name, fw_shape_nodes(shape), fitting);
  }
  return FW_OK;
}

/* A set that the deck gives its name itself, as a side of a block. */
static bool is_named(const fw_item *item, const char *set) {
  for (int i = 0; i < item->child_count; i++) {
    const fw_args *args = &item->children[i].args;
    for (int k = 0; strcmp(item->children[i].name, "point") != 0 && args->params[k].name; k++)
      if (args->params[k].kind == FW_PARAM_ID && args->values[k].given && strcmp(args->values[k].text, set) == 0)
        return true;
  }
  return false;
}

/* The sides that pieces have of themselves (left of a rectangle) are those of the whole body: where two pieces join
 * there is no side. A named side stays where it is. */
static fw_status keep_sides(fw_context *ctx, const fw_item *item, fw_mesh *mesh) {
  for (int i = 0; i < mesh->set_count; i++)
    if (mesh->sets[i].kind == FW_SET_EDGES && !is_named(item, mesh->sets[i].name))
      FW_TRY(fw_mesh_keep_outline(ctx, mesh, &mesh->sets[i]));
  return FW_OK;
}

static fw_status adapt(fw_context *ctx, const fw_item *item, fw_mesh *mesh) {
  const fw_element_ops *ops = (const fw_element_ops *)(const void *)item->entry;
  bool from_file = fw_item_child(item, "mesh") != NULL; /* its nodes are joined as it says */
  if (!from_file || fw_args_given(&item->args, "merge"))
    FW_TRY(fw_mesh_merge(ctx, mesh, fw_args_number(&item->args, "merge")));
  if (!from_file) FW_TRY(keep_sides(ctx, item, mesh));
  if (ops->shape == FW_SHAPE_TRI3 || ops->shape == FW_SHAPE_TRI6) FW_TRY(fw_mesh_split(ctx, mesh));
  if (has_middles(ops->shape) && mesh->element_count > 0 && !has_middles(mesh->elements[0].shape))
    FW_TRY(fw_mesh_elevate(ctx, mesh));
  FW_TRY(fw_mesh_compact(ctx, mesh));
  return fw_mesh_check(ctx, mesh);
}

/* A mesh from a file is a whole one. */
static fw_status read_mesh(fw_builder *builder, const fw_item *item, fw_mesh **mesh) {
  const fw_item *file = fw_item_child(item, "mesh");
  if (!file) return fw_mesh_create(builder->ctx, mesh);
  FW_TRY(fw_builder_retell(builder, fw_mesh_read(builder->aside, fw_args_text(&file->args, "file"), mesh), &file->args,
                           "file"));
  double metres;
  fw_dimension length;
  char wrong[32];
  fw_unit_factor(fw_args_text(&file->args, "unit"), &metres, &length, wrong);
  fw_mesh_scale(*mesh, metres);
  return FW_OK;
}

/* Pieces that cover each other would be stiff and heavy twice. */
static fw_status check_pieces(fw_builder *builder, const fw_item *item, const fw_mesh *mesh) {
  int pieces = 0;
  bool overlaps;
  double at[2];
  for (int i = 0; i < item->child_count; i++) pieces += strcmp(item->children[i].name, "point") != 0;
  if (pieces < 2) return FW_OK;
  FW_TRY(fw_mesh_overlap(builder->ctx, mesh, &overlaps, at));
  if (!overlaps) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place,
                    "its pieces overlap, at %g, %g among others: let them share an edge", at[0], at[1]);
}

static fw_status make_mesh(fw_builder *builder, const fw_item *item, fw_mesh *mesh) {
  bool whole = mesh->element_count > 0;
  for (int i = 0; whole && i < item->child_count; i++)
    if (strcmp(item->children[i].name, "mesh") != 0 && strcmp(item->children[i].name, "point") != 0)
      return fw_fail_at(builder->ctx, FW_ERR_DECK, item->children[i].args.place,
                        "a body with a mesh from a file takes no further piece");
  for (int i = 0; i < item->child_count; i++) FW_TRY(add_piece(builder, &item->children[i], mesh));
  if (mesh->element_count == 0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "has no mesh: give it a rectangle, block, ...");
  FW_TRY(check_shapes(builder, item, mesh));
  FW_TRY(check_pieces(builder, item, mesh));
  return fw_builder_retell(builder, adapt(builder->aside, item, mesh), &item->args, NULL);
}

/* ---- elements ---------------------------------------------------------------------------- */

static void fill_properties(fw_builder *builder, const fw_item *item, fw_properties *props) {
  const fw_args *args = &item->args;
  fw_builder_material(builder, args, props);
  props->thickness = fw_args_number(args, "thickness");
  props->plane_strain = strcmp(fw_args_text(args, "state"), "plane-strain") == 0;
  bool finite = strcmp(fw_args_text(args, "kinematics"), "total-lagrangian") == 0;
  props->kinematics = finite ? FW_TOTAL_LAGRANGIAN : FW_LINEAR;
  props->lumped = strcmp(fw_args_text(args, "mass"), "lumped") == 0;
}

/* One block for all elements of a shape. */
static fw_status add_shape(fw_builder *builder, const fw_item *item, fw_plane_mesh *self, fw_shape shape) {
  const fw_mesh *mesh = self->mesh;
  int count = 0, first = builder->model->bodies[self->body].first_node;
  for (int e = 0; e < mesh->element_count; e++) count += mesh->elements[e].shape == shape;
  if (count == 0) return FW_OK;
  const fw_element_ops *ops = element_for((const fw_element_ops *)(const void *)item->entry, shape);
  assert(ops); /* the shapes have been checked */
  fw_block *block;
  FW_TRY(fw_builder_add_block(builder, ops, self->body, count, &block));
  fill_properties(builder, item, &block->props);
  for (int e = 0, at = 0; e < mesh->element_count; e++) {
    if (mesh->elements[e].shape != shape) continue;
    for (int k = 0; k < ops->nodes; k++) block->nodes[at * ops->nodes + k] = first + mesh->elements[e].nodes[k];
    self->block[e] = builder->model->block_count - 1;
    self->index[e] = at++;
    double X[2 * FW_ELEMENT_NODES];
    fw_mesh_places(mesh, e, X);
    const char *wrong = fw_element_flaw(ops, &block->props, X);
    if (wrong)
      return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "element %d: %s", mesh->elements[e].label, wrong);
  }
  return FW_OK;
}

static fw_status add_elements(fw_builder *builder, const fw_item *item, fw_plane_mesh *self) {
  FW_TRY(fw_alloc(builder->ctx, (size_t)self->mesh->element_count, sizeof *self->block, &self->block));
  FW_TRY(fw_alloc(builder->ctx, (size_t)self->mesh->element_count, sizeof *self->index, &self->index));
  for (int shape = FW_SHAPE_TRI3; shape <= FW_SHAPE_QUAD8; shape++)
    FW_TRY(add_shape(builder, item, self, (fw_shape)shape));
  return FW_OK;
}

/* ---- the body ---------------------------------------------------------------------------- */

static fw_status add_body(fw_builder *builder, const fw_item *item, fw_plane_mesh *self) {
  int node;
  FW_TRY(fw_builder_add_body(builder, fw_args_text(&item->args, "id"), "plane", &self->body));
  for (int n = 0; n < self->mesh->node_count; n++) FW_TRY(fw_builder_add_node(builder, self->mesh->x[n], false, &node));
  fw_mesh_quality quality;
  fw_mesh_quality_of(self->mesh, &quality);
  builder->model->bodies[self->body].node_count = self->mesh->node_count;
  builder->model->bodies[self->body].quality = quality.worst;
  fw_status status = add_elements(builder, item, self);
  if (status != FW_OK) self->body = -1; /* loads, contact and points do not find half a body */
  FW_TRY(status);
  return fw_build_plane_points(builder, item, self);
}

static fw_status add_plane(fw_builder *builder, const fw_item *item) {
  FW_TRY(fw_grow(builder->ctx, builder->mesh_count, &builder->mesh_room, sizeof *builder->meshes, &builder->meshes));
  fw_plane_mesh *self = &builder->meshes[builder->mesh_count++];
  *self = (fw_plane_mesh){.body = -1};
  FW_TRY(read_mesh(builder, item, &self->mesh));
  FW_TRY(make_mesh(builder, item, self->mesh));
  return add_body(builder, item, self);
}

fw_status fw_build_planes(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = FW_OK;
  for (int i = 0; i < bodies->child_count; i++) {
    if (strcmp(bodies->children[i].name, "plane") != 0) continue;
    fw_status status = add_plane(builder, &bodies->children[i]);
    worst = fw_worse(worst, status);
  }
  return worst;
}
