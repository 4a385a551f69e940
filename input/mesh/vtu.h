/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a VTK .vtu file. Whatever the file announces is compared with what it holds before room is made. */
#ifndef FW_INPUT_MESH_VTU_H
#define FW_INPUT_MESH_VTU_H

#include "core/context.h"

/* A number for each point or cell. */
typedef struct fw_vtu_array {
  char *name;
  double *values;
} fw_vtu_array;

typedef struct fw_vtu_arrays {
  int count, room;
  fw_vtu_array *list;
} fw_vtu_arrays;

/* Cell c has the type types[c] of VTK and the points link[starts[c]] to link[starts[c+1] - 1]. */
typedef struct fw_vtu {
  int points, cells;
  double (*x)[3];
  int *types, *starts, *link;
  fw_vtu_arrays of_points, of_cells; /* those of one component */
} fw_vtu;

/* From memory, `size` bytes and a 0; `name` for messages. Indices are checked. FW_ERR_DECK with line and array where
 * the file is not what it should be. */
fw_status fw_vtu_read(fw_context *ctx, const char *name, const char *data, size_t size, fw_vtu *vtu);
void fw_vtu_clear(fw_vtu *vtu);

#endif
