/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/mesh/mesh.h"

#include <stdlib.h>
#include <string.h>

fw_status fw_mesh_create(fw_context *ctx, fw_mesh **mesh) { return fw_alloc(ctx, 1, sizeof **mesh, mesh); }

void fw_mesh_destroy(fw_mesh **mesh) {
  if (*mesh == NULL) return;
  for (int i = 0; i < (*mesh)->set_count; i++) {
    free((*mesh)->sets[i].name);
    free((*mesh)->sets[i].items);
  }
  free((*mesh)->x);
  free((*mesh)->labels);
  free((*mesh)->elements);
  free((*mesh)->sets);
  free((*mesh)->curves);
  free(*mesh);
  *mesh = NULL;
}

fw_status fw_mesh_add_node(fw_context *ctx, fw_mesh *mesh, double x, double y, int *index) {
  int room = mesh->node_room;
  FW_TRY(fw_grow(ctx, mesh->node_count, &room, sizeof *mesh->x, &mesh->x));
  FW_TRY(fw_grow(ctx, mesh->node_count, &mesh->node_room, sizeof *mesh->labels, &mesh->labels));
  mesh->x[mesh->node_count][0] = x;
  mesh->x[mesh->node_count][1] = y;
  mesh->labels[mesh->node_count] = mesh->node_count + 1;
  if (index != NULL) *index = mesh->node_count;
  mesh->node_count++;
  return FW_OK;
}

fw_status fw_mesh_add_element(fw_context *ctx, fw_mesh *mesh, fw_shape shape, const int *nodes, int *index) {
  FW_TRY(fw_grow(ctx, mesh->element_count, &mesh->element_room, sizeof *mesh->elements, &mesh->elements));
  fw_mesh_element *element = mesh->elements + mesh->element_count;
  *element = (fw_mesh_element){.shape = shape, .label = mesh->element_count + 1};
  memcpy(element->nodes, nodes, (size_t)fw_shape_nodes(shape) * sizeof *nodes);
  if (index != NULL) *index = mesh->element_count;
  mesh->element_count++;
  return FW_OK;
}

fw_status fw_mesh_add_curve(fw_context *ctx, fw_mesh *mesh, int a, int b, const double middle[2]) {
  FW_TRY(fw_grow(ctx, mesh->curve_count, &mesh->curve_room, sizeof *mesh->curves, &mesh->curves));
  mesh->curves[mesh->curve_count++] = (fw_mesh_curve){a, b, {middle[0], middle[1]}};
  return FW_OK;
}

const fw_mesh_set *fw_mesh_set_find(const fw_mesh *mesh, const char *name, fw_set_kind kind) {
  for (int i = 0; i < mesh->set_count; i++)
    if (mesh->sets[i].kind == kind && strcmp(mesh->sets[i].name, name) == 0) return mesh->sets + i;
  return NULL;
}

fw_status fw_mesh_set_open(fw_context *ctx, fw_mesh *mesh, const char *name, fw_set_kind kind, fw_mesh_set **set) {
  for (int i = 0; i < mesh->set_count; i++)
    if (mesh->sets[i].kind == kind && strcmp(mesh->sets[i].name, name) == 0) {
      *set = mesh->sets + i;
      return FW_OK;
    }
  FW_TRY(fw_grow(ctx, mesh->set_count, &mesh->set_room, sizeof *mesh->sets, &mesh->sets));
  fw_mesh_set fresh = {.kind = kind};
  FW_TRY(fw_copy_text(ctx, name, &fresh.name));
  mesh->sets[mesh->set_count] = fresh;
  *set = mesh->sets + mesh->set_count++;
  return FW_OK;
}

fw_status fw_mesh_set_add(fw_context *ctx, fw_mesh_set *set, int item, int edge) {
  const int width = set->kind == FW_SET_EDGES ? 2 : 1;
  FW_TRY(fw_grow(ctx, set->count, &set->room, (size_t)width * sizeof *set->items, &set->items));
  set->items[width * set->count] = item;
  if (width == 2) set->items[2 * set->count + 1] = edge;
  set->count++;
  return FW_OK;
}

static int compare_one(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int compare_pairs(const void *a, const void *b) {
  const int first = compare_one(a, b);
  return first != 0 ? first : compare_one((const int *)a + 1, (const int *)b + 1);
}

void fw_mesh_set_tidy(fw_mesh_set *set) {
  const int width = set->kind == FW_SET_EDGES ? 2 : 1;
  if (set->count < 2) return;
  int (*compare)(const void *, const void *) = width == 2 ? compare_pairs : compare_one;
  qsort(set->items, (size_t)set->count, (size_t)width * sizeof *set->items, compare);
  int kept = 1;
  for (int i = 1; i < set->count; i++)
    if (compare(set->items + (size_t)width * (kept - 1), set->items + (size_t)width * i) != 0) {
      memmove(set->items + (size_t)width * kept, set->items + (size_t)width * i, (size_t)width * sizeof *set->items);
      kept++;
    }
  set->count = kept;
}

static fw_status no_such_set(fw_context *ctx, const fw_mesh *mesh, const char *name) {
  const char **names;
  FW_TRY(fw_alloc(ctx, (size_t)mesh->set_count + 1, sizeof *names, &names));
  for (int i = 0; i < mesh->set_count; i++) names[i] = mesh->sets[i].name;
  const char *near = fw_nearest(names, name);
  const fw_status status =
      near != NULL ? fw_fail(ctx, FW_ERR_ARGUMENT, "the mesh has no set '%s'; did you mean '%s'?", name, near)
                   : fw_fail(ctx, FW_ERR_ARGUMENT, "the mesh has no set '%s'", name);
  free(names);
  return status;
}

/* Adds the nodes of one item of any set. */
static fw_status collect(fw_context *ctx, const fw_mesh *mesh, const fw_mesh_set *from, int i, fw_mesh_set *nodes) {
  if (from->kind == FW_SET_NODES) return fw_mesh_set_add(ctx, nodes, from->items[i], 0);
  if (from->kind == FW_SET_ELEMENTS) {
    const fw_mesh_element *element = mesh->elements + from->items[i];
    for (int k = 0; k < fw_shape_nodes(element->shape); k++) FW_TRY(fw_mesh_set_add(ctx, nodes, element->nodes[k], 0));
    return FW_OK;
  }
  const fw_mesh_element *element = mesh->elements + from->items[2 * i];
  int ends[3];
  fw_shape_edge(element->shape, from->items[2 * i + 1], ends);
  for (int k = 0; k < 3 && ends[k] >= 0; k++) FW_TRY(fw_mesh_set_add(ctx, nodes, element->nodes[ends[k]], 0));
  return FW_OK;
}

fw_status fw_mesh_nodes(fw_context *ctx, const fw_mesh *mesh, const char *name, int **nodes, int *count) {
  const fw_set_kind kinds[] = {FW_SET_NODES, FW_SET_EDGES, FW_SET_ELEMENTS};
  const fw_mesh_set *from = NULL;
  for (int k = 0; k < 3 && from == NULL; k++) from = fw_mesh_set_find(mesh, name, kinds[k]);
  *nodes = NULL;
  *count = 0;
  if (from == NULL) return no_such_set(ctx, mesh, name);
  fw_mesh_set result = {.kind = FW_SET_NODES};
  for (int i = 0; i < from->count; i++) {
    const fw_status status = collect(ctx, mesh, from, i, &result);
    if (status != FW_OK) {
      free(result.items);
      return status;
    }
  }
  fw_mesh_set_tidy(&result);
  *nodes = result.items;
  *count = result.count;
  return FW_OK;
}

void fw_mesh_places(const fw_mesh *mesh, int element, double *X) {
  const fw_mesh_element *e = mesh->elements + element;
  for (int a = 0; a < fw_shape_nodes(e->shape); a++) {
    X[2 * a] = mesh->x[e->nodes[a]][0];
    X[2 * a + 1] = mesh->x[e->nodes[a]][1];
  }
}
