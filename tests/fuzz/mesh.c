/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mesh files of every format, told apart by their content: Gmsh, Abaqus, VTK. */
#include "input/mesh/import.h"

#include <math.h>
#include <stdlib.h>

#include "fuzz.h"

static void check_mesh(const fw_mesh *mesh) {
  for (int n = 0; n < mesh->node_count; n++)
    fuzz_demand(isfinite(mesh->x[n][0]) && isfinite(mesh->x[n][1]), "nodes of a mesh are somewhere");
  for (int e = 0; e < mesh->element_count; e++)
    for (int n = 0; n < fw_shape_nodes(mesh->elements[e].shape); n++)
      fuzz_demand(mesh->elements[e].nodes[n] >= 0 && mesh->elements[e].nodes[n] < mesh->node_count,
                  "elements of a mesh have nodes of the mesh");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fw_context *ctx = fuzz_context();
  char *text = fuzz_text(data, size);
  fw_mesh *mesh = NULL;
  if (fw_mesh_parse(ctx, "fuzzed", text, size, &mesh) == FW_OK)
    check_mesh(mesh);
  else
    fuzz_demand(fw_context_message(ctx)[0] != '\0', "a mesh that is refused is told why");
  fw_mesh_destroy(&mesh);
  free(text);
  fw_context_destroy(&ctx);
  return 0;
}
