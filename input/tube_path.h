/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The axis of a tube: straight pieces and circular arcs, each where the one before it ends, measured by arc length. */
#ifndef FW_INPUT_TUBE_PATH_H
#define FW_INPUT_TUBE_PATH_H

#include "core/context.h"

/* A corner of the polygon that the axis rounds off; radius 0: a sharp one. */
typedef struct fw_corner {
  double at[3], radius;
} fw_corner;

/* Begins at arc length s; an arc has a radius and leaves `along` towards `inward`. */
typedef struct fw_path_piece {
  double s, length, radius;
  double from[3], along[3], inward[3];
} fw_path_piece;

typedef struct fw_tube_path {
  fw_path_piece *pieces; /* to be freed */
  int count;
  double length;
} fw_tube_path;

/* FW_ERR_ARGUMENT, with *where the corner at fault, if a piece has no length or a bend does not fit. */
fw_status fw_tube_path_make(fw_context *ctx, const fw_corner *corners, int count, fw_tube_path *path, int *where);

/* Place and unit tangent at arc length s. */
void fw_tube_path_at(const fw_tube_path *path, double s, double place[3], double tangent[3]);
/* The piece that holds s; of two the later. */
const fw_path_piece *fw_tube_path_piece(const fw_tube_path *path, double s);

#endif
