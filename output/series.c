/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/series.h"

#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "output/vtk.h"

static const char head[] = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
static const char tail[] = "</Collection>\n</VTKFile>\n";

fw_status fw_series_open(fw_context *ctx, const char *folder, const char *name, fw_series **result) {
  fw_series *series;
  char *path = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *series, &series));
  fw_status status;
  series->folder = strdup(folder);
  size_t room = strlen(name) + 5;
  FW_TRY_DONE(fw_alloc(ctx, room, 1, &series->name));
  snprintf(series->name, room, "%s.pvd", name);
  FW_TRY_DONE(fw_path_join(ctx, folder, series->name, &path));
  series->name[room - 5] = '\0';
  FW_TRY_DONE(fw_file_open(ctx, path, &series->index));
  fputs(head, series->index);
  series->end = ftell(series->index);
  fputs(tail, series->index);
  FW_TRY_DONE(fw_file_flush(ctx, series->index, path));
done:
  free(path);
  if (status != FW_OK) fw_series_close(&series);
  *result = series;
  return status;
}

fw_status fw_series_add(fw_context *ctx, fw_series *series, const fw_grid *grid) {
  size_t room = strlen(series->name) + 32;
  char *file, *path = NULL;
  FW_TRY(fw_alloc(ctx, room, 1, &file));
  snprintf(file, room, "%s-%04d.vtu", series->name, series->frames + 1);
  fw_status status;
  FW_TRY_DONE(fw_path_join(ctx, series->folder, file, &path));
  FW_TRY_DONE(fw_vtk_write_grid(ctx, grid, path));
  series->frames++;
  /* The new line is longer than the closing tags it overwrites, and goes out in one write with
   * fresh ones: the index is whole at every moment. */
  fseek(series->index, series->end, SEEK_SET);
  int length = fprintf(series->index, "<DataSet timestep=\"%.12g\" part=\"0\" file=\"%s\"/>\n", grid->time, file);
  fputs(tail, series->index);
  series->end += length;
  FW_TRY_DONE(fw_file_flush(ctx, series->index, path));
done:
  free(path);
  free(file);
  return status;
}

void fw_series_close(fw_series **series) {
  if (!series || !*series) return;
  if ((*series)->index) fclose((*series)->index);
  free((*series)->folder);
  free((*series)->name);
  free(*series);
  *series = NULL;
}
