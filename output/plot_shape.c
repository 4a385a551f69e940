/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A deformed shape over the undeformed one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "output/mesh.h"
#include "output/plot.h"
#include "output/plots.h"

enum { MOST_SHAPES = 12 };

/* Outlines of all cells as one curve with gaps: x[n], y[n]. */
typedef struct outline {
  double *x, *y;
  size_t n;
} outline;

static void outline_add(outline *o, const fw_grid *grid, int64_t point, double scale) {
  const double *x = grid->x + 3 * point, *u = grid->fields[FW_MESH_DISPLACEMENT].values + 3 * point;
  o->x[o->n] = x[0] + scale * u[0];
  o->y[o->n++] = x[1] + scale * u[1];
}

static void outline_gap(outline *o) { o->x[o->n] = o->y[o->n] = NAN, o->n++; }

/* Corner points only: midside nodes follow the corners in a cell. */
static int corners(int type, int points) {
  if (type == FW_CELL_TRI6) return 3;
  return type == FW_CELL_QUAD8 ? 4 : points;
}

/* Beams are drawn by their axis: bands of bodies that have lines are left out. */
static void outline_draw(outline *o, const fw_grid *grid, const bool *has_axis, double scale) {
  for (int64_t c = 0; c < grid->cells; c++) {
    int type = grid->types[c], count = corners(type, (int)(grid->starts[c + 1] - grid->starts[c]));
    if (type == FW_CELL_VERTEX || (type != FW_CELL_LINE && has_axis[(int)grid->body[c]])) continue;
    const int64_t *link = grid->link + grid->starts[c];
    for (int i = 0; i < count; i++) outline_add(o, grid, link[i], scale);
    if (count > 2) outline_add(o, grid, link[0], scale);
    outline_gap(o);
  }
}

/* The scale that makes the largest displacement an eighth of the picture. */
static double picture_scale(const fw_grid *grid) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, most = 0.0;
  for (int64_t p = 0; p < grid->points; p++) {
    const double *u = grid->fields[FW_MESH_DISPLACEMENT].values + 3 * p;
    most = fmax(most, hypot(u[0], u[1]));
    for (int d = 0; d < 2; d++) {
      low[d] = fmin(low[d], grid->x[3 * p + d]);
      high[d] = fmax(high[d], grid->x[3 * p + d]);
    }
  }
  return most > 0.0 ? hypot(high[0] - low[0], high[1] - low[1]) / 8.0 / most : 0.0;
}

static fw_status mark_axes(fw_context *ctx, const fw_grid *grid, bool **has_axis) {
  int bodies = 0;
  for (int64_t c = 0; c < grid->cells; c++) bodies = (int)fmax(bodies, grid->body[c] + 1);
  FW_TRY(fw_alloc(ctx, (size_t)bodies, sizeof **has_axis, has_axis));
  for (int64_t c = 0; c < grid->cells; c++)
    if (grid->types[c] == FW_CELL_LINE && grid->body[c] >= 0) (*has_axis)[(int)grid->body[c]] = true;
  return FW_OK;
}

static fw_status draw_shape(fw_context *ctx, const fw_grid *grid, const char *title, const char *path) {
  size_t room = (size_t)(grid->links + 2 * grid->cells) + 1;
  bool *has_axis = NULL;
  double *memory = NULL;
  fw_status status;
  FW_TRY_DONE(mark_axes(ctx, grid, &has_axis));
  FW_TRY_DONE(fw_alloc(ctx, 4 * room, sizeof *memory, &memory));
  outline rest = {memory, memory + room, 0}, moved = {memory + 2 * room, memory + 3 * room, 0};
  outline_draw(&rest, grid, has_axis, 0.0);
  outline_draw(&moved, grid, has_axis, picture_scale(grid));
  fw_curve curves[2] = {{.count = rest.n, .x = rest.x, .y = rest.y, .faint = true},
                        {.count = moved.n, .x = moved.x, .y = moved.y}};
  fw_panel panel = {title, "x [m]", "y [m]", .equal = true, .curves = curves, .curve_count = 2};
  FW_TRY_DONE(fw_plot_file(ctx, &panel, 1, path));
done:
  free(has_axis);
  free(memory);
  return status;
}

fw_status fw_plots_frame(fw_context *ctx, const char *folder, const fw_frame *frame, const fw_grid *grid, int number) {
  if (strncmp(frame->series, "mode", 4) != 0 || number > MOST_SHAPES) return FW_OK;
  char *safe, *path = NULL, name[160], title[160];
  FW_TRY(fw_path_safe(ctx, frame->series, &safe));
  snprintf(name, sizeof name, "%s-%04d.svg", safe, number);
  snprintf(title, sizeof title, "%s %g", frame->series, frame->time);
  fw_status status = fw_path_join(ctx, folder, name, &path);
  if (status == FW_OK) status = draw_shape(ctx, grid, title, path);
  free(path);
  free(safe);
  return status;
}
