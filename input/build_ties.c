/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <tie> and <coupling>: bodies joined by linear constraints. */
#include <stdlib.h>
#include <string.h>

#include "elements/tie.h"
#include "input/builder.h"
#include "input/mesh/mesh.h"

typedef struct edge_list {
  fw_tie_edge *edges;
  int count;
} edge_list;

/* The edges of a set by their model nodes, to be freed. */
static fw_status read_edges(fw_builder *builder, const fw_args *args, const char *attribute, edge_list *list) {
  const char *name;
  const fw_plane_mesh *self = fw_builder_mesh(builder, fw_args_text(args, attribute), &name);
  if (!self) return FW_ERR_DECK; /* its body could not be built: that has been reported */
  const fw_mesh_set *set = fw_mesh_set_find(self->mesh, name, FW_SET_EDGES);
  if (!set)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, attribute),
                      "attribute '%s': the mesh has no set of edges '%s'", attribute, name);
  FW_TRY(fw_alloc(builder->ctx, (size_t)set->count, sizeof *list->edges, &list->edges));
  list->count = set->count;
  const int first = builder->model->bodies[self->body].first_node;
  for (int i = 0; i < set->count; i++) {
    const fw_mesh_element *element = &self->mesh->elements[set->items[2 * i]];
    int ends[3];
    fw_shape_edge(element->shape, set->items[2 * i + 1], ends);
    for (int k = 0; k < 3; k++) list->edges[i].nodes[k] = ends[k] < 0 ? -1 : first + element->nodes[ends[k]];
  }
  return FW_OK;
}

static fw_status add_tie(fw_builder *builder, const fw_args *args) {
  fw_status status;
  edge_list following = {0}, leading = {0};
  FW_TRY_DONE(read_edges(builder, args, "following", &following));
  FW_TRY_DONE(read_edges(builder, args, "leading", &leading));
  status = fw_tie_edges(builder->aside, builder->model, following.edges, following.count, leading.edges, leading.count);
  status = fw_builder_retell(builder, status, args, "following");
done:
  free(following.edges);
  free(leading.edges);
  return status;
}

static fw_status add_coupling(fw_builder *builder, const fw_args *args) {
  fw_status status;
  edge_list face = {0};
  const fw_point *point = fw_builder_point(builder, fw_args_text(args, "point"));
  if (!point) return FW_ERR_DECK; /* its body could not be built: that has been reported */
  if (point->node < 0 || builder->model->nodes[point->node].dof[FW_RZ] == FW_DOF_NONE || point->arm[0] != 0.0 ||
      point->arm[1] != 0.0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "point"),
                      "attribute 'point': '%s' must be a node with a rotation, of a beam or the centre of a rigid body",
                      point->name);
  if (point->large_rotation)
    return fw_fail_at(
        builder->ctx, FW_ERR_DECK, fw_builder_place(args, "point"),
        "attribute 'point': a coupling joins bodies of small rotations; '%s' belongs to one of large ones",
        point->name);
  FW_TRY_DONE(read_edges(builder, args, "face", &face));
  const bool rigid = strcmp(fw_args_text(args, "kind"), "rigid") == 0;
  status = rigid ? fw_tie_rigid(builder->ctx, builder->model, point->node, face.edges, face.count)
                 : fw_tie_transition(builder->ctx, builder->model, point->node, face.edges, face.count);
done:
  free(face.edges);
  return status;
}

fw_status fw_build_ties(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = FW_OK;
  for (int i = 0; i < bodies->child_count; i++) {
    const fw_item *item = &bodies->children[i];
    fw_status status = FW_OK;
    if (strcmp(item->name, "tie") == 0) status = add_tie(builder, &item->args);
    if (strcmp(item->name, "coupling") == 0) status = add_coupling(builder, &item->args);
    worst = fw_worse(worst, status);
  }
  return worst;
}
