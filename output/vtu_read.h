/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a .vtu file (VTK stays inside vtu_read.cpp). */
#ifndef FW_OUTPUT_VTU_READ_H
#define FW_OUTPUT_VTU_READ_H

#include <stdint.h>

#include "core/context.h"

/* A number for each point or cell. */
typedef struct fw_vtu_array {
  char *name;
  double *values;
} fw_vtu_array;

typedef struct fw_vtu_arrays {
  int count;
  fw_vtu_array *list;
} fw_vtu_arrays;

/* Cell c has the type types[c] of VTK and the points link[starts[c]] to link[starts[c+1] - 1]. */
typedef struct fw_vtu {
  int points, cells;
  double (*x)[3];
  int *types, *starts, *link;
  fw_vtu_arrays of_points, of_cells; /* those of one component */
} fw_vtu;

/* From memory; `name` for messages. Indices are checked. FW_ERR_DECK where VTK cannot read it. */
fw_status fw_vtu_read(fw_context *ctx, const char *name, const char *data, size_t size, fw_vtu *vtu);
void fw_vtu_clear(fw_vtu *vtu);

#endif
