/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines that draw a grid: axes of beams, cells of plane bodies or, where these are many, their edges only. */
#ifndef FW_OUTPUT_OUTLINE_H
#define FW_OUTPUT_OUTLINE_H

#include "output/grid.h"

/* Points in drawing order; -1 is a gap. */
typedef struct fw_outline {
  int64_t *points;
  size_t count;
} fw_outline;

fw_status fw_outline_create(fw_context *ctx, const fw_grid *grid, fw_outline *outline);
void fw_outline_clear(fw_outline *outline);

/* Corner points of a cell: midside nodes follow the corners. */
int fw_outline_corners(const fw_grid *grid, int64_t cell);

/* For each cell whether it is part of a plane body (bands of beams are not); to be freed. */
fw_status fw_outline_planes(fw_context *ctx, const fw_grid *grid, bool **plane);

#endif
