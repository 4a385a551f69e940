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

/* The first character that is neither blank nor part of an Abaqus comment line says which format. */
static bool looks_like_abaqus(const char *data, size_t size) {
  size_t i = 0;
  while (i < size && (data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n')) i++;
  return i < size && data[i] == '*';
}

fw_status fw_mesh_parse(fw_context *ctx, const char *name, const char *data, size_t size, fw_mesh **mesh) {
  static const char gmsh[] = "$MeshFormat";
  fw_status status;
  fw_scan scan = {.ctx = ctx, .file = name, .data = data, .size = size};
  FW_TRY_DONE(fw_mesh_create(ctx, mesh));
  if (size >= sizeof gmsh - 1 && memcmp(data, gmsh, sizeof gmsh - 1) == 0)
    status = fw_gmsh_parse(&scan, *mesh);
  else if (looks_like_abaqus(data, size))
    status = fw_abaqus_parse(&scan, *mesh);
  else
    status = fw_fail(ctx, FW_ERR_DECK, "%s is neither a Gmsh .msh nor an Abaqus .inp", name);
  if (status != FW_OK) goto done;
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
