/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mesh part of an Abaqus .inp: *NODE, *ELEMENT, *NSET, *ELSET, *SURFACE. Other keywords and their
 * data are passed over, except those that would change the mesh, which are refused. Sets hold labels
 * until all is read. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "input/mesh/edit.h"
#include "input/mesh/import.h"
#include "input/mesh/labels.h"

enum { FIELD = 128, MOST_GENERATED = 20000000 };

typedef enum section { OTHER, NODES, ELEMENTS, SET, SURFACE, INSTANCE } section;

typedef struct abaqus {
  fw_scan *scan;
  fw_mesh *mesh;
  const char *line; /* the present line and what is left of it */
  size_t length;
  section section;
  fw_shape shape;
  char set[FIELD]; /* set that the lines below add to; "" none */
  fw_set_kind kind;
  bool generate;
  int pending[FW_ELEMENT_NODES + 1], pending_count; /* numbers of an element spread over lines */
  int parts;
  bool flat_known;
  double plane;
} abaqus;

/* The next comma-separated field without surrounding blanks or quotes; false when the line is used up. */
static bool next_field(abaqus *a, char field[FIELD]) {
  if (a->line == NULL) return false;
  const char *comma = memchr(a->line, ',', a->length);
  const char *start = a->line;
  size_t length = comma != NULL ? (size_t)(comma - start) : a->length;
  if (comma != NULL) {
    a->line = comma + 1;
    a->length -= length + 1;
  } else {
    a->line = NULL;
  }
  while (length > 0 && (isspace((unsigned char)*start) || *start == '"')) start++, length--;
  while (length > 0 && (isspace((unsigned char)start[length - 1]) || start[length - 1] == '"')) length--;
  if (length >= FIELD) length = FIELD - 1;
  memcpy(field, start, length);
  field[length] = '\0';
  return true;
}

static fw_status to_label(const abaqus *a, const char *field, int *label) {
  char *end;
  errno = 0;
  const long number = strtol(field, &end, 10);
  if (end == field || *end != '\0' || errno != 0 || number < 0 || number > INT_MAX)
    return fw_scan_fail(a->scan, "'%.40s' where a number is expected", field);
  *label = (int)number;
  return FW_OK;
}

/* ---- keywords ---------------------------------------------------------------------------- */

/* Splits NAME=VALUE in place; NULL without value. */
static char *value_of(char *field) {
  char *value = strchr(field, '=');
  if (value == NULL) return NULL;
  char *end = value;
  while (end > field && isspace((unsigned char)end[-1])) end--;
  *end = '\0';
  value++;
  while (isspace((unsigned char)*value) || *value == '"') value++;
  return value;
}

static fw_status element_shape(abaqus *a, const char *type) {
  if (strncasecmp(type, "CPS", 3) != 0 && strncasecmp(type, "CPE", 3) != 0)
    return fw_scan_fail(a->scan, "element type %.20s: only CPS and CPE types are known (from Gmsh, save .msh)", type);
  switch (type[3]) {
    case '3':
      a->shape = FW_SHAPE_TRI3;
      return FW_OK;
    case '4':
      a->shape = FW_SHAPE_QUAD4;
      return FW_OK;
    case '6':
      a->shape = FW_SHAPE_TRI6;
      return FW_OK;
    case '8':
      a->shape = FW_SHAPE_QUAD8;
      return FW_OK;
    default:
      return fw_scan_fail(a->scan, "element type %.20s: 3, 4, 6 or 8 nodes are known", type);
  }
}

static fw_status refuse(const abaqus *a, const char *keyword) {
  static const char *const changing[] = {"*INCLUDE", "*NGEN",   "*NFILL",  "*NCOPY", "*NMAP",
                                         "*ELGEN",   "*ELCOPY", "*SYSTEM", "*INPUT"};
  for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
    if (strcasecmp(keyword, changing[i]) == 0)
      return fw_scan_fail(a->scan, "%s is not read: give all nodes and elements in this file", changing[i]);
  return FW_OK;
}

static void begin_section(abaqus *a, const char *keyword) {
  a->section = OTHER;
  a->generate = false;
  a->set[0] = '\0';
  if (strcasecmp(keyword, "*NODE") == 0) a->section = NODES, a->kind = FW_SET_NODES;
  if (strcasecmp(keyword, "*ELEMENT") == 0) a->section = ELEMENTS, a->kind = FW_SET_ELEMENTS;
  if (strcasecmp(keyword, "*NSET") == 0) a->section = SET, a->kind = FW_SET_NODES;
  if (strcasecmp(keyword, "*ELSET") == 0) a->section = SET, a->kind = FW_SET_ELEMENTS;
  if (strcasecmp(keyword, "*SURFACE") == 0) a->section = SURFACE, a->kind = FW_SET_EDGES;
  if (strcasecmp(keyword, "*INSTANCE") == 0) a->section = INSTANCE;
  if (strcasecmp(keyword, "*PART") == 0) a->parts++;
}

static bool names_the_set(const abaqus *a, const char *parameter) {
  if (a->section == SURFACE) return strcasecmp(parameter, "NAME") == 0;
  return strcasecmp(parameter, a->kind == FW_SET_NODES ? "NSET" : "ELSET") == 0;
}

static fw_status keyword_line(abaqus *a) {
  char field[FIELD];
  bool typed = false;
  if (a->pending_count > 0) return fw_scan_fail(a->scan, "element %d has too few nodes", a->pending[0]);
  next_field(a, field);
  FW_TRY(refuse(a, field));
  begin_section(a, field);
  if (a->parts > 1) return fw_scan_fail(a->scan, "a second *PART: only one can be read");
  if (a->section == OTHER) return FW_OK;
  while (next_field(a, field)) {
    const char *value = value_of(field);
    if (strcasecmp(field, "GENERATE") == 0) {
      a->generate = true;
    } else if (value != NULL && strcasecmp(field, "TYPE") == 0) {
      if (a->section == ELEMENTS) FW_TRY(element_shape(a, value));
      if (a->section == SURFACE && strcasecmp(value, "ELEMENT") != 0) a->section = OTHER;
      typed = true;
    } else if (value != NULL && a->section != INSTANCE && names_the_set(a, field)) {
      memcpy(a->set, value, strlen(value) + 1);
    }
  }
  if (a->section == ELEMENTS && !typed) return fw_scan_fail(a->scan, "*ELEMENT without TYPE");
  if ((a->section == SET || a->section == SURFACE) && a->set[0] == '\0')
    return fw_scan_fail(a->scan, "a set without name");
  if (a->set[0] == '\0') return FW_OK;
  fw_mesh_set *set;
  return fw_mesh_set_open(a->scan->ctx, a->mesh, a->set, a->kind, &set);
}

/* ---- data -------------------------------------------------------------------------------- */

/* Adds to the set of the section, if it has one. */
static fw_status add_to_set(abaqus *a, int label, int edge) {
  fw_mesh_set *set;
  if (a->set[0] == '\0') return FW_OK;
  FW_TRY(fw_mesh_set_open(a->scan->ctx, a->mesh, a->set, a->kind, &set));
  return fw_mesh_set_add(a->scan->ctx, set, label, edge);
}

static fw_status node_line(abaqus *a) {
  char field[FIELD], *end;
  int label = 0, index;
  double x[3] = {0};
  next_field(a, field);
  FW_TRY(to_label(a, field, &label));
  for (int k = 0; k < 3 && next_field(a, field); k++) {
    x[k] = strtod(field, &end);
    if (*end != '\0' || !isfinite(x[k])) return fw_scan_fail(a->scan, "'%.40s' where a coordinate is expected", field);
  }
  FW_TRY(fw_import_flat(a->scan, x[2], label, &a->flat_known, &a->plane));
  FW_TRY(fw_mesh_add_node(a->scan->ctx, a->mesh, x[0], x[1], &index));
  a->mesh->labels[index] = label;
  return add_to_set(a, label, 0);
}

static fw_status element_line(abaqus *a) {
  char field[FIELD];
  const int wanted = fw_shape_nodes(a->shape) + 1;
  while (next_field(a, field)) {
    if (field[0] == '\0') continue; /* a comma at the end of the line */
    if (a->pending_count == wanted) return fw_scan_fail(a->scan, "element %d has too many nodes", a->pending[0]);
    FW_TRY(to_label(a, field, a->pending + a->pending_count));
    a->pending_count++;
  }
  if (a->pending_count < wanted) return FW_OK; /* goes on in the next line */
  int index;
  FW_TRY(fw_mesh_add_element(a->scan->ctx, a->mesh, a->shape, a->pending + 1, &index));
  a->mesh->elements[index].label = a->pending[0];
  a->pending_count = 0;
  return add_to_set(a, a->pending[0], 0);
}

static fw_status generate_line(abaqus *a) {
  char field[FIELD];
  int range[3] = {0, 0, 1};
  for (int k = 0; k < 3 && next_field(a, field); k++)
    if (field[0] != '\0') FW_TRY(to_label(a, field, range + k));
  if (range[2] < 1 || range[1] < range[0] || (range[1] - range[0]) / range[2] > MOST_GENERATED)
    return fw_scan_fail(a->scan, "the range %d, %d, %d of a set", range[0], range[1], range[2]);
  for (long label = range[0]; label <= range[1]; label += range[2]) FW_TRY(add_to_set(a, (int)label, 0));
  return FW_OK;
}

/* Case does not count in the names of Abaqus. */
static const fw_mesh_set *find_set(const abaqus *a, const char *name, fw_set_kind kind) {
  for (int i = 0; i < a->mesh->set_count; i++)
    if (a->mesh->sets[i].kind == kind && strcasecmp(a->mesh->sets[i].name, name) == 0) return a->mesh->sets + i;
  return NULL;
}

/* A label, or the name of a set whose labels are copied; `from` is the kind of the named set. */
static fw_status add_item(abaqus *a, const char *item, fw_set_kind from, int edge) {
  int label = 0;
  if (isdigit((unsigned char)item[0])) {
    FW_TRY(to_label(a, item, &label));
    return add_to_set(a, label, edge);
  }
  const fw_mesh_set *set = find_set(a, item, from);
  if (set == NULL) return fw_scan_fail(a->scan, "there is no set '%.60s'", item);
  const int index = (int)(set - a->mesh->sets), count = set->count;
  for (int i = 0; i < count; i++) FW_TRY(add_to_set(a, a->mesh->sets[index].items[i], edge));
  return FW_OK;
}

static fw_status set_line(abaqus *a) {
  char field[FIELD];
  if (a->generate) return generate_line(a);
  while (next_field(a, field))
    if (field[0] != '\0') FW_TRY(add_item(a, field, a->kind, 0));
  return FW_OK;
}

/* "elements, S2": face k of a plane element is the edge from its node k. */
static fw_status surface_line(abaqus *a) {
  char item[FIELD], face[FIELD] = "";
  next_field(a, item);
  next_field(a, face);
  if ((face[0] != 'S' && face[0] != 's') || face[1] < '1' || face[1] > '4' || face[2] != '\0')
    return fw_scan_fail(a->scan, "face '%.20s' of a surface: S1 to S4 are known", face);
  return add_item(a, item, FW_SET_ELEMENTS, face[1] - '1');
}

static fw_status data_line(abaqus *a) {
  switch (a->section) {
    case NODES:
      return node_line(a);
    case ELEMENTS:
      return element_line(a);
    case SET:
      return set_line(a);
    case SURFACE:
      return surface_line(a);
    case INSTANCE:
      return fw_scan_fail(a->scan, "an *INSTANCE that is moved: give the nodes where they are");
    case OTHER:
      break;
  }
  return FW_OK;
}

/* ---- labels to numbers ------------------------------------------------------------------- */

static fw_status resolve_set(const abaqus *a, fw_mesh_set *set, const fw_labels *labels) {
  const int width = set->kind == FW_SET_EDGES ? 2 : 1;
  for (int i = 0; i < set->count; i++) {
    int *item = set->items + (size_t)width * (size_t)i;
    const int index = fw_labels_find(labels, *item);
    const fw_place place = {.file = a->scan->file};
    if (index < 0)
      return fw_fail_at(a->scan->ctx, FW_ERR_DECK, place, "set '%s': there is no %s %d", set->name,
                        set->kind == FW_SET_NODES ? "node" : "element", *item);
    if (width == 2 && item[1] >= fw_shape_corners(a->mesh->elements[index].shape))
      return fw_fail_at(a->scan->ctx, FW_ERR_DECK, place, "surface '%s': element %d has no face S%d", set->name, *item,
                        item[1] + 1);
    *item = index;
  }
  fw_mesh_set_tidy(set);
  return FW_OK;
}

static fw_status resolve_sets(const abaqus *a) {
  fw_status status;
  fw_labels nodes = {0}, elements = {0};
  fw_mesh *mesh = a->mesh;
  FW_TRY_DONE(fw_labels_create(a->scan->ctx, a->scan->file, "node", mesh->labels, sizeof *mesh->labels,
                               mesh->node_count, &nodes));
  if (mesh->element_count > 0)
    FW_TRY_DONE(fw_labels_create(a->scan->ctx, a->scan->file, "element", &mesh->elements[0].label,
                                 sizeof *mesh->elements, mesh->element_count, &elements));
  for (int s = 0; s < mesh->set_count; s++)
    FW_TRY_DONE(resolve_set(a, mesh->sets + s, mesh->sets[s].kind == FW_SET_NODES ? &nodes : &elements));
done:
  fw_labels_clear(&nodes);
  fw_labels_clear(&elements);
  return status;
}

fw_status fw_abaqus_parse(fw_scan *scan, fw_mesh *mesh) {
  abaqus a = {.scan = scan, .mesh = mesh};
  while (fw_scan_line(scan, &a.line, &a.length)) {
    while (a.length > 0 && isspace((unsigned char)*a.line)) a.line++, a.length--;
    if (a.length == 0 || (a.length > 1 && a.line[0] == '*' && a.line[1] == '*')) continue;
    if (a.line[0] == '*')
      FW_TRY(keyword_line(&a));
    else
      FW_TRY(data_line(&a));
  }
  if (a.pending_count > 0) return fw_scan_fail(scan, "the file ends within element %d", a.pending[0]);
  FW_TRY(fw_import_resolve(scan, mesh));
  FW_TRY(resolve_sets(&a));
  fw_mesh_orient(mesh);
  return FW_OK;
}
