/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gmsh .msh: the frame of sections, physical names, and the making of sets. */
#include "input/mesh/gmsh.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/mesh/edit.h"
#include "input/mesh/labels.h"

enum { MOST_ENTITIES = 65536 };

/* ---- parts shared by the versions -------------------------------------------------------- */

fw_status fw_gmsh_entity_open(fw_gmsh *g, int dimension, int tag, int *index) {
  for (*index = 0; *index < g->entity_count; ++*index)
    if (g->entities[*index].dimension == dimension && g->entities[*index].tag == tag) return FW_OK;
  if (g->entity_count == MOST_ENTITIES) return fw_scan_fail(g->scan, "more than %d entities", MOST_ENTITIES);
  FW_TRY(fw_grow(g->scan->ctx, g->entity_count, &g->entity_room, sizeof *g->entities, &g->entities));
  g->entities[g->entity_count++] = (fw_gmsh_entity){.dimension = dimension, .tag = tag};
  return FW_OK;
}

fw_status fw_gmsh_entity_add(fw_gmsh *g, int entity, int physical) {
  fw_gmsh_entity *e = g->entities + entity;
  FW_TRY(fw_grow(g->scan->ctx, e->count, &e->room, sizeof *e->physical, &e->physical));
  e->physical[e->count++] = physical;
  return FW_OK;
}

fw_status fw_gmsh_group(fw_gmsh *g, int *physical) {
  int tag;
  FW_TRY(fw_scan_int(g->scan, &tag));
  if (tag == INT_MIN) return fw_scan_fail(g->scan, "%d is no tag of a physical group", tag);
  *physical = abs(tag);
  return FW_OK;
}

fw_status fw_gmsh_node(fw_gmsh *g, int label, const double x[3]) {
  int index;
  FW_TRY(fw_import_flat(g->scan, x[2], label, &g->flat_known, &g->plane));
  FW_TRY(fw_mesh_add_node(g->scan->ctx, g->mesh, x[0], x[1], &index));
  g->mesh->labels[index] = label;
  return FW_OK;
}

fw_status fw_gmsh_type_nodes(fw_gmsh *g, int type, int *count) {
  static const int nodes[] = {[1] = 2, [2] = 3, [3] = 4, [8] = 3, [9] = 6, [15] = 1, [16] = 8};
  if (type == 10) return fw_scan_fail(g->scan, "quadrilaterals of 9 nodes: set Mesh.SecondOrderIncomplete = 1 in Gmsh");
  if (type < 1 || type > 16 || nodes[type] == 0)
    return fw_scan_fail(g->scan,
                        "element type %d: only points, lines, triangles of 3 or 6 and quadrilaterals of 4 or 8 "
                        "nodes are known",
                        type);
  *count = nodes[type];
  return FW_OK;
}

fw_status fw_gmsh_element(fw_gmsh *g, int type, int label, int entity, const int *nodes) {
  fw_context *ctx = g->scan->ctx;
  if (type == 1 || type == 8 || type == 15) {
    FW_TRY(fw_grow(ctx, g->trace_count, &g->trace_room, sizeof *g->traces, &g->traces));
    const int d = type == 15 ? 0 : 1;
    g->traces[g->trace_count++] =
        (fw_gmsh_trace){.dimension = d, .nodes = {nodes[0], nodes[d]}, .entity = entity, .label = label};
    return FW_OK;
  }
  const fw_shape shape = type == 2   ? FW_SHAPE_TRI3
                         : type == 9 ? FW_SHAPE_TRI6
                         : type == 3 ? FW_SHAPE_QUAD4
                                     : FW_SHAPE_QUAD8;
  int index;
  FW_TRY(fw_grow(ctx, g->mesh->element_count, &g->element_entity_room, sizeof *g->element_entity, &g->element_entity));
  FW_TRY(fw_mesh_add_element(ctx, g->mesh, shape, nodes, &index));
  g->mesh->elements[index].label = label;
  g->element_entity[index] = entity;
  return FW_OK;
}

/* ---- sections ---------------------------------------------------------------------------- */

/* "version type size", and for binary files the integer 1 as bytes. */
static fw_status read_format(fw_gmsh *g, bool *old) {
  double version;
  int type, size;
  FW_TRY(fw_scan_double(g->scan, &version));
  FW_TRY(fw_scan_int(g->scan, &type));
  FW_TRY(fw_scan_int(g->scan, &size));
  *old = version == 2.2;
  if (!*old && version != 4.1) return fw_scan_fail(g->scan, "format %g: 2.2 and 4.1 can be read", version);
  if (type != 0 && type != 1) return fw_scan_fail(g->scan, "file type %d: 0 (text) or 1 (binary) is allowed", type);
  if (size != 8) return fw_scan_fail(g->scan, "numbers of %d bytes: 8 are needed", size);
  if (type == 0) return FW_OK;
  const char *rest;
  size_t length;
  int one;
  (void)fw_scan_line(g->scan, &rest, &length);
  g->scan->binary = true;
  FW_TRY(fw_scan_int(g->scan, &one));
  if (one == 0x01000000)
    g->scan->swap = true;
  else if (one != 1)
    return fw_scan_fail(g->scan, "the byte order cannot be told");
  return FW_OK;
}

/* Always text: count, then lines  dimension tag "name". */
static fw_status read_names(fw_gmsh *g) {
  int count;
  FW_TRY(fw_scan_size(g->scan, &count));
  for (int i = 0; i < count; i++) {
    fw_gmsh_name name = {0};
    const char *line;
    size_t length;
    FW_TRY(fw_scan_int(g->scan, &name.dimension));
    FW_TRY(fw_scan_int(g->scan, &name.tag));
    if (!fw_scan_line(g->scan, &line, &length)) return fw_scan_fail(g->scan, "the file ends within the physical names");
    const char *open = memchr(line, '"', length);
    const char *start = open != NULL ? open + 1 : NULL;
    const char *close = start != NULL ? memchr(start, '"', length - (size_t)(start - line)) : NULL;
    if (close == NULL) return fw_scan_fail(g->scan, "a physical name without quotes");
    FW_TRY(fw_grow(g->scan->ctx, g->name_count, &g->name_room, sizeof *g->names, &g->names));
    name.name = strndup(start, (size_t)(close - start));
    if (name.name == NULL) return fw_fail(g->scan->ctx, FW_ERR_MEMORY, "out of memory (a physical name)");
    g->names[g->name_count++] = name;
  }
  return FW_OK;
}

static fw_status read_section(fw_gmsh *g, const char *name, bool *old) {
  if (strcmp(name, "MeshFormat") == 0) return read_format(g, old);
  if (strcmp(name, "Entities") == 0 && !*old) return fw_gmsh4_entities(g);
  if (strcmp(name, "Nodes") == 0) return *old ? fw_gmsh2_nodes(g) : fw_gmsh4_nodes(g);
  if (strcmp(name, "Elements") == 0) return *old ? fw_gmsh2_elements(g) : fw_gmsh4_elements(g);
  if (strcmp(name, "PhysicalNames") == 0) {
    const bool binary = g->scan->binary;
    g->scan->binary = false;
    const fw_status status = read_names(g);
    g->scan->binary = binary;
    return status;
  }
  return FW_OK; /* a section we have no use for: passed over */
}

/* $Name ... $EndName, one after the other. */
static fw_status read_sections(fw_gmsh *g) {
  bool old = false, known = false;
  const char *line;
  size_t length;
  while (fw_scan_line(g->scan, &line, &length)) {
    char name[40], end[48];
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t')) length--;
    if (length == 0) continue;
    if (line[0] != '$' || length >= sizeof name)
      return fw_scan_fail(g->scan, "'%.*s' where a section is expected", (int)(length < 40 ? length : 40), line);
    memcpy(name, line + 1, length - 1);
    name[length - 1] = '\0';
    if (!known && strcmp(name, "MeshFormat") != 0) return fw_scan_fail(g->scan, "$%s before $MeshFormat", name);
    known = true;
    FW_TRY(read_section(g, name, &old));
    snprintf(end, sizeof end, "$End%s", name);
    FW_TRY(fw_scan_past(g->scan, end));
    (void)fw_scan_line(g->scan, &line, &length); /* the rest of that line */
  }
  return FW_OK;
}

/* ---- sets -------------------------------------------------------------------------------- */

/* Adds to the sets of all physical groups of an entity. */
static fw_status add_to_groups(fw_gmsh *g, int entity, fw_set_kind kind, int item, int edge) {
  if (entity < 0) return FW_OK;
  const fw_gmsh_entity *e = g->entities + entity;
  for (int i = 0; i < e->count; i++) {
    char number[16];
    const char *name = number;
    fw_mesh_set *set;
    snprintf(number, sizeof number, "%d", e->physical[i]);
    for (int k = 0; k < g->name_count; k++)
      if (g->names[k].dimension == e->dimension && g->names[k].tag == e->physical[i]) name = g->names[k].name;
    FW_TRY(fw_mesh_set_open(g->scan->ctx, g->mesh, name, kind, &set));
    FW_TRY(fw_mesh_set_add(g->scan->ctx, set, item, edge));
  }
  return FW_OK;
}

typedef struct twin {
  const fw_mesh_element *element;
  int index;
} twin;

static int compare_twins(const void *a, const void *b) {
  const twin *x = a, *y = b;
  if (x->element->shape != y->element->shape) return x->element->shape < y->element->shape ? -1 : 1;
  const int order = memcmp(x->element->nodes, y->element->nodes, sizeof x->element->nodes);
  return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* Format 2.2 repeats an element for each of its groups: the first stays, and joins all of them. */
static fw_status element_sets(fw_gmsh *g) {
  fw_status status;
  fw_mesh *mesh = g->mesh;
  const int count = mesh->element_count;
  twin *twins = NULL;
  int *keep = NULL, kept = 0;
  FW_TRY_DONE(fw_alloc(g->scan->ctx, (size_t)count, sizeof *twins, &twins));
  FW_TRY_DONE(fw_alloc(g->scan->ctx, (size_t)count, sizeof *keep, &keep));
  for (int e = 0; e < count; e++) twins[e] = (twin){mesh->elements + e, e};
  qsort(twins, (size_t)count, sizeof *twins, compare_twins);
  for (int i = 0; i < count; i++) {
    const bool same = i > 0 && twins[i].element->shape == twins[i - 1].element->shape &&
                      memcmp(twins[i].element->nodes, twins[i - 1].element->nodes, sizeof twins[i].element->nodes) == 0;
    keep[twins[i].index] = same ? keep[twins[i - 1].index] : twins[i].index;
  }
  for (int e = 0; e < count; e++) { /* keep[e] <= e: already moved to its new number */
    const bool first = keep[e] == e;
    keep[e] = first ? kept : keep[keep[e]];
    if (first) mesh->elements[kept++] = mesh->elements[e];
    FW_TRY_DONE(add_to_groups(g, g->element_entity[e], FW_SET_ELEMENTS, keep[e], 0));
  }
  mesh->element_count = kept;
done:
  free(twins);
  free(keep);
  return status;
}

/* Lines on the edge of an element become edges, other lines and points nodes. */
static fw_status trace_sets(fw_gmsh *g) {
  fw_status status;
  fw_labels nodes = {0};
  fw_mesh_edge *edges = NULL;
  int count = 0;
  fw_mesh *mesh = g->mesh;
  fw_context *ctx = g->scan->ctx;
  FW_TRY_DONE(
      fw_labels_create(ctx, g->scan->file, "node", mesh->labels, sizeof *mesh->labels, mesh->node_count, &nodes));
  FW_TRY_DONE(fw_mesh_edges(ctx, mesh, &edges, &count));
  for (int i = 0; i < g->trace_count; i++) {
    const fw_gmsh_trace *trace = g->traces + i;
    const int a = fw_labels_find(&nodes, trace->nodes[0]), b = fw_labels_find(&nodes, trace->nodes[1]);
    if (a < 0 || b < 0) {
      status = fw_fail_at(ctx, FW_ERR_DECK, (fw_place){.file = g->scan->file}, "element %d: there is no node %d",
                          trace->label, trace->nodes[a < 0 ? 0 : 1]);
      goto done;
    }
    const fw_mesh_edge *edge = trace->dimension == 1 ? fw_mesh_edge_find(edges, count, a, b) : NULL;
    if (edge != NULL) {
      FW_TRY_DONE(add_to_groups(g, trace->entity, FW_SET_EDGES, edge->element, edge->edge));
    } else {
      FW_TRY_DONE(add_to_groups(g, trace->entity, FW_SET_NODES, a, 0));
      if (b != a) FW_TRY_DONE(add_to_groups(g, trace->entity, FW_SET_NODES, b, 0));
    }
  }
  for (int s = 0; s < mesh->set_count; s++) fw_mesh_set_tidy(mesh->sets + s);
done:
  fw_labels_clear(&nodes);
  free(edges);
  return status;
}

static void clear(fw_gmsh *g) {
  for (int i = 0; i < g->entity_count; i++) free(g->entities[i].physical);
  for (int i = 0; i < g->name_count; i++) free(g->names[i].name);
  free(g->entities);
  free(g->names);
  free(g->traces);
  free(g->element_entity);
}

fw_status fw_gmsh_parse(fw_scan *scan, fw_mesh *mesh) {
  fw_status status;
  fw_gmsh g = {.scan = scan, .mesh = mesh};
  FW_TRY_DONE(read_sections(&g));
  FW_TRY_DONE(fw_import_resolve(scan, mesh));
  FW_TRY_DONE(element_sets(&g));
  fw_mesh_orient(mesh);
  FW_TRY_DONE(trace_sets(&g));
done:
  clear(&g);
  return status;
}
