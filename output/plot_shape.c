/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A deformed shape over the undeformed one; of plane bodies at rest coloured by stress. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "output/mesh.h"
#include "output/outline.h"
#include "output/plot.h"
#include "output/plots.h"
#include "output/raster.h"

enum { MOST_SHAPES = 12, MOST_PATCHES = 4000 };

/* ---- lines --------------------------------------------------------------------------------- */

/* In space an oblique view: z goes back to the upper right. */
static void place(const fw_grid *grid, int64_t point, double scale, double *x, double *y) {
  const double *X = grid->x + 3 * point, *u = grid->fields[FW_MESH_DISPLACEMENT].values + 3 * point;
  const double oblique = 0.35 * (X[2] + scale * u[2]);
  *x = X[0] + scale * u[0] + oblique;
  *y = X[1] + scale * u[1] + oblique;
}

static void draw_outline(const fw_grid *grid, const fw_outline *outline, double scale, double *x, double *y) {
  for (size_t i = 0; i < outline->count; i++) {
    x[i] = y[i] = NAN;
    if (outline->points[i] >= 0) place(grid, outline->points[i], scale, &x[i], &y[i]);
  }
}

/* The scale that makes the largest displacement an eighth of the picture. */
static double picture_scale(const fw_grid *grid) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, most = 0.0;
  for (int64_t p = 0; p < grid->points; p++) {
    const double *u = grid->fields[FW_MESH_DISPLACEMENT].values + 3 * p;
    most = fmax(most, hypot(hypot(u[0], u[1]), u[2]));
    for (int d = 0; d < 3; d++) {
      low[d] = fmin(low[d], grid->x[3 * p + d]);
      high[d] = fmax(high[d], grid->x[3 * p + d]);
    }
  }
  return most > 0.0 ? hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]) / 8.0 / most : 0.0;
}

/* ---- stress -------------------------------------------------------------------------------- */

/* The patch of a cell: its corners in place and the mean of their stresses. */
static fw_patch cell_patch(const fw_grid *grid, int64_t cell, double scale) {
  fw_patch patch = {.corners = fw_outline_corners(grid, cell)};
  const int64_t *link = grid->link + grid->starts[cell];
  for (int i = 0; i < patch.corners; i++) {
    place(grid, link[i], scale, &patch.x[i], &patch.y[i]);
    patch.value += grid->fields[FW_MESH_VON_MISES].values[link[i]] / patch.corners;
  }
  return patch;
}

static fw_status stress_patches(fw_context *ctx, const fw_grid *grid, double scale, fw_patch **patches, size_t *count) {
  bool *plane = NULL;
  fw_status status = FW_OK;
  *count = 0;
  FW_TRY_DONE(fw_outline_planes(ctx, grid, &plane));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)grid->cells, sizeof **patches, patches));
  for (int64_t c = 0; c < grid->cells; c++)
    if (plane[c]) (*patches)[(*count)++] = cell_patch(grid, c, scale);
  if (*count > MOST_PATCHES) FW_TRY_DONE(fw_raster(ctx, MOST_PATCHES, *patches, count));
done:
  free(plane);
  return status;
}

/* ---- pictures ------------------------------------------------------------------------------ */

static fw_status draw_shape(fw_context *ctx, const fw_grid *grid, bool stress, const char *title, const char *path) {
  fw_outline outline = {0};
  fw_patch *patches = NULL;
  double *memory = NULL, scale = picture_scale(grid);
  size_t patch_count = 0;
  fw_status status;
  FW_TRY_DONE(fw_outline_create(ctx, grid, &outline));
  size_t n = outline.count;
  if (n == 0) goto done; /* points alone */
  FW_TRY_DONE(fw_alloc(ctx, 4 * n, sizeof *memory, &memory));
  draw_outline(grid, &outline, 0.0, memory, memory + n);
  draw_outline(grid, &outline, scale, memory + 2 * n, memory + 3 * n);
  fw_plot_curve curves[2] = {{.count = n, .x = memory, .y = memory + n, .faint = true},
                             {.count = n, .x = memory + 2 * n, .y = memory + 3 * n, .thin = stress}};
  if (stress) FW_TRY_DONE(stress_patches(ctx, grid, scale, &patches, &patch_count));
  fw_panel panel = {title,
                    "x [m]",
                    "y [m]",
                    .equal = true,
                    .play = stress ? FW_PLAY_NONE : FW_PLAY_SHAPE,
                    .curves = curves,
                    .curve_count = 2,
                    .patches = patches,
                    .patch_count = patch_count,
                    .patch_label = "von Mises stress [Pa]"};
  FW_TRY_DONE(fw_plot_file(ctx, &panel, 1, path));
done:
  fw_outline_clear(&outline);
  free(patches);
  free(memory);
  return status;
}

/* Only those have a stress to colour: forces of beams are in their tables. */
static fw_status has_planes(fw_context *ctx, const fw_grid *grid, bool *any) {
  bool *plane;
  FW_TRY(fw_outline_planes(ctx, grid, &plane));
  *any = false;
  for (int64_t c = 0; c < grid->cells; c++) *any = *any || plane[c];
  free(plane);
  return FW_OK;
}

fw_status fw_plots_frame(fw_context *ctx, const char *folder, const fw_frame *frame, const fw_grid *grid, int number) {
  bool mode = strncmp(frame->series, "mode", 4) == 0, still = strcmp(frame->series, "static") == 0, stress = false;
  if ((!mode && !still) || number > MOST_SHAPES) return FW_OK;
  char *safe, *path = NULL, name[160], title[160];
  if (still) FW_TRY(has_planes(ctx, grid, &stress));
  if (still) FW_TRY(fw_plots_pressure(ctx, frame->state, folder));
  FW_TRY(fw_path_safe(ctx, frame->series, &safe));
  double scale = picture_scale(grid);
  if (still && !(scale > 0.0 && scale < 1e9)) { /* nothing has moved */
    free(safe);
    return FW_OK;
  }
  if (still) {
    snprintf(name, sizeof name, stress ? "%s-stress.svg" : "%s-shape.svg", safe);
    snprintf(title, sizeof title, scale < 100.0 ? "displacements %.3g times" : "displacements %.0f times", scale);
  } else {
    snprintf(name, sizeof name, "%s-%04d.svg", safe, number);
    snprintf(title, sizeof title, "%s %g%s%s", frame->series, frame->time, frame->caption ? ": " : "",
             frame->caption ? frame->caption : "");
  }
  fw_status status = fw_path_join(ctx, folder, name, &path);
  if (status == FW_OK) status = draw_shape(ctx, grid, stress, title, path);
  free(path);
  free(safe);
  return status;
}
