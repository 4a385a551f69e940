/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/grid.h"

#include <stdlib.h>
#include <string.h>

fw_status fw_grid_create(fw_context *ctx, const fw_grid_field *fields, int count, fw_grid **grid) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **grid, grid));
  fw_status status = fw_alloc(ctx, (size_t)count, sizeof(fw_grid_field), &(*grid)->fields);
  if (status == FW_OK) status = fw_alloc(ctx, 1, sizeof(int64_t), &(*grid)->starts);
  if (status != FW_OK) {
    fw_grid_destroy(grid);
    return status;
  }
  (*grid)->field_count = count;
  for (int i = 0; i < count; i++) (*grid)->fields[i] = (fw_grid_field){fields[i].name, fields[i].components, NULL};
  return FW_OK;
}

void fw_grid_destroy(fw_grid **grid) {
  if (!grid || !*grid) return;
  for (int i = 0; i < (*grid)->field_count; i++) free((*grid)->fields[i].values);
  free((*grid)->fields);
  free((*grid)->x);
  free((*grid)->types);
  free((*grid)->starts);
  free((*grid)->link);
  free((*grid)->body);
  free((*grid)->energy);
  free(*grid);
  *grid = NULL;
}

/* Grows one array to `room` items. */
static fw_status grow(fw_context *ctx, void *array, size_t room, size_t size) {
  void *old, *grown;
  memcpy(&old, array, sizeof old);
  grown = realloc(old, room * size);
  if (!grown) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory: a mesh picture of %zu items", room);
  memcpy(array, &grown, sizeof grown);
  return FW_OK;
}

fw_status fw_grid_place(fw_context *ctx, fw_grid *grid, const double x[3], int64_t *point) {
  if (grid->points == grid->point_room) {
    size_t room = grid->point_room ? 2 * (size_t)grid->point_room : 256;
    FW_TRY(grow(ctx, &grid->x, room, 3 * sizeof(double)));
    for (int i = 0; i < grid->field_count; i++)
      FW_TRY(grow(ctx, &grid->fields[i].values, room, (size_t)grid->fields[i].components * sizeof(double)));
    grid->point_room = (int64_t)room;
  }
  *point = grid->points++;
  double *at = grid->x + 3 * *point;
  at[0] = x[0];
  at[1] = x[1];
  at[2] = x[2];
  for (int i = 0; i < grid->field_count; i++)
    memset(fw_grid_at(grid, i, *point), 0, (size_t)grid->fields[i].components * sizeof(double));
  return FW_OK;
}

fw_status fw_grid_point(fw_context *ctx, fw_grid *grid, const double x[2], int64_t *point) {
  return fw_grid_place(ctx, grid, (const double[3]){x[0], x[1], 0.0}, point);
}

fw_status fw_grid_cell(fw_context *ctx, fw_grid *grid, fw_cell_type type, const int64_t *points, int count, int body) {
  if (grid->cells == grid->cell_room) {
    size_t room = grid->cell_room ? 2 * (size_t)grid->cell_room : 128;
    FW_TRY(grow(ctx, &grid->types, room, 1));
    FW_TRY(grow(ctx, &grid->starts, room + 1, sizeof(int64_t)));
    FW_TRY(grow(ctx, &grid->body, room, sizeof(double)));
    if (grid->energetic) FW_TRY(grow(ctx, &grid->energy, room, sizeof(double)));
    grid->cell_room = (int64_t)room;
  }
  if (grid->links + count > grid->link_room) {
    size_t room = 2 * (size_t)(grid->links + count);
    FW_TRY(grow(ctx, &grid->link, room, sizeof(int64_t)));
    grid->link_room = (int64_t)room;
  }
  memcpy(grid->link + grid->links, points, (size_t)count * sizeof *points);
  grid->links += count;
  grid->types[grid->cells] = (unsigned char)type;
  grid->body[grid->cells] = body;
  if (grid->energetic) grid->energy[grid->cells] = 0.0;
  grid->starts[++grid->cells] = grid->links;
  return FW_OK;
}
