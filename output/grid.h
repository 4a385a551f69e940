/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An unstructured grid in plain C: what a .vtu file holds. */
#ifndef FW_OUTPUT_GRID_H
#define FW_OUTPUT_GRID_H

#include <stdint.h>

#include "core/context.h"

/* Cell types, numbered as in VTK. */
typedef enum fw_cell_type {
  FW_CELL_VERTEX = 1,
  FW_CELL_LINE = 3,
  FW_CELL_TRI3 = 5,
  FW_CELL_QUAD4 = 9,
  FW_CELL_TRI6 = 22,
  FW_CELL_QUAD8 = 23
} fw_cell_type;

/* A field on the points; the name is lent and must outlive the grid. */
typedef struct fw_grid_field {
  const char *name;
  int components;
  double *values; /* points x components */
} fw_grid_field;

typedef struct fw_grid {
  int64_t points, point_room;
  double *x; /* points x 3 */
  fw_grid_field *fields;
  int field_count;
  int64_t cells, cell_room, links, link_room;
  unsigned char *types; /* cells */
  int64_t *starts;      /* cells + 1: where each cell's points begin in `link` */
  int64_t *link;
  double *body;   /* cells: index of the body each belongs to */
  bool energetic; /* its cells have an energy */
  double *energy; /* cells: strain energy of each, J; NULL unless energetic */
  double scale;   /* suggested magnification of displacements, 0: none */
  double time;    /* coordinate of the frame */
} fw_grid;

/* An empty grid with the named fields (`values` of the list is ignored). */
fw_status fw_grid_create(fw_context *ctx, const fw_grid_field *fields, int count, fw_grid **grid);
void fw_grid_destroy(fw_grid **grid);

/* Adds a point of the plane with zero fields; *point is its number. */
fw_status fw_grid_point(fw_context *ctx, fw_grid *grid, const double x[2], int64_t *point);
fw_status fw_grid_place(fw_context *ctx, fw_grid *grid, const double x[3], int64_t *point); /* in space */
/* Adds a cell through points. */
fw_status fw_grid_cell(fw_context *ctx, fw_grid *grid, fw_cell_type type, const int64_t *points, int count, int body);

/* The values of a field at a point. */
static inline double *fw_grid_at(fw_grid *grid, int field, int64_t point) {
  return grid->fields[field].values + point * grid->fields[field].components;
}

#endif
