/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/mesh/import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/mesh/edit.h"
#include "input/mesh/labels.h"
#include "input/mesh/quality.h"

fw_status fw_import_resolve(fw_scan *scan, fw_mesh *mesh) {
  fw_status status;
  fw_labels nodes = {0};
  FW_TRY_DONE(
      fw_labels_create(scan->ctx, scan->file, "node", mesh->labels, sizeof *mesh->labels, mesh->node_count, &nodes));
  for (int e = 0; e < mesh->element_count; e++) {
    fw_mesh_element *element = mesh->elements + e;
    for (int a = 0; a < fw_shape_nodes(element->shape); a++) {
      const int node = fw_labels_find(&nodes, element->nodes[a]);
      if (node < 0) {
        status = fw_fail_at(scan->ctx, FW_ERR_DECK, (fw_place){.file = scan->file}, "element %d: there is no node %d",
                            element->label, element->nodes[a]);
        goto done;
      }
      element->nodes[a] = node;
    }
  }
done:
  fw_labels_clear(&nodes);
  return status;
}

fw_status fw_import_flat(const fw_scan *scan, double z, int label, bool *any, double *plane) {
  if (!*any) *plane = z;
  *any = true;
  if (fabs(z - *plane) <= 1e-9 * (1 + fabs(*plane))) return FW_OK;
  return fw_scan_fail(scan, "node %d has z = %g, others %g: a plane mesh lies in one plane z = constant", label, z,
                      *plane);
}

static bool begins(const char *data, size_t size, const char *with) {
  return size >= strlen(with) && memcmp(data, with, strlen(with)) == 0;
}

/* What the file begins with, blanks aside, says which format it has. */
static fw_status parse_any(fw_scan *scan, fw_mesh *mesh) {
  const char *data = scan->data;
  size_t size = scan->size;
  if (begins(data, size, "$MeshFormat")) return fw_gmsh_parse(scan, mesh);
  for (; size > 0 && strchr(" \t\r\n", *data) != NULL && *data; data++) size--;
  if (begins(data, size, "*")) return fw_abaqus_parse(scan, mesh);
  if (begins(data, size, "<VTKFile") || begins(data, size, "<?xml")) return fw_vtu_parse(scan, mesh);
  return fw_fail(scan->ctx, FW_ERR_DECK, "%s is neither a Gmsh .msh nor an Abaqus .inp nor a VTK .vtu", scan->file);
}

fw_status fw_mesh_parse(fw_context *ctx, const char *name, const char *data, size_t size, fw_mesh **mesh) {
  fw_status status;
  fw_scan scan = {.ctx = ctx, .file = name, .data = data, .size = size};
  FW_TRY_DONE(fw_mesh_create(ctx, mesh));
  FW_TRY_DONE(parse_any(&scan, *mesh));
  FW_TRY_DONE(fw_mesh_compact(ctx, *mesh));
  status = fw_mesh_check(ctx, *mesh);
  if (status == FW_ERR_ARGUMENT) status = fw_fail(ctx, FW_ERR_DECK, "%s cannot be used", name);
done:
  if (status != FW_OK) fw_mesh_destroy(mesh);
  return status;
}

fw_status fw_mesh_read(fw_context *ctx, const char *path, fw_mesh **mesh) {
  char *data;
  size_t size;
  *mesh = NULL;
  FW_TRY(fw_scan_load(ctx, path, &data, &size));
  const fw_status status = fw_mesh_parse(ctx, path, data, size, mesh);
  free(data);
  return status;
}
