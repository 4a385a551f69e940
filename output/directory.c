/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/directory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/csv.h"
#include "output/files.h"
#include "output/mesh.h"
#include "output/plots.h"
#include "output/vtk.h"

/* ---- picture series ----------------------------------------------------------------------- */

/* Files .vtu with their .pvd index, valid after every frame. */
typedef struct pvd_series {
  char *folder, *name;
  FILE *index; /* NAME.pvd */
  long end;    /* where the closing tags begin */
  int frames;
} pvd_series;

static const char head[] = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
static const char tail[] = "</Collection>\n</VTKFile>\n";

static void pvd_close(pvd_series **series) {
  if (!series || !*series) return;
  if ((*series)->index) fclose((*series)->index);
  free((*series)->folder);
  free((*series)->name);
  free(*series);
  *series = NULL;
}

/* Starts folder/name.pvd; `name` must be fit for a file name. */
static fw_status pvd_open(fw_context *ctx, const char *folder, const char *name, pvd_series **result) {
  pvd_series *series;
  char *path = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *series, &series));
  fw_status status = FW_OK;
  series->folder = strdup(folder);
  if (!series->folder) FW_TRY_DONE(fw_fail(ctx, FW_ERR_MEMORY, "out of memory"));
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
  if (status != FW_OK) pvd_close(&series);
  *result = series;
  return status;
}

/* Writes folder/name-NNNN.vtu and its line in the index. */
static fw_status pvd_add(fw_context *ctx, pvd_series *series, const fw_grid *grid) {
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

/* ---- directory ---------------------------------------------------------------------------- */

/* The open file of a table. */
typedef struct table_file {
  fw_data_table *table;
  FILE *file;
  char *path;
} table_file;

/* The picture series of an analysis: structure, contact points, supports of tubes, joints. */
typedef struct picture_series {
  char *analysis, *name;
  pvd_series *structure, *contact, *supports, *joints;
} picture_series;

typedef struct directory {
  fw_sink base;
  char *folder;
  table_file *files;
  int file_count;
  picture_series *series;
  int series_count;
} directory;

/* Folder of an analysis, made if missing; to be freed. */
static fw_status analysis_folder(fw_context *ctx, const directory *dir, const char *analysis, char **path) {
  char *safe;
  FW_TRY(fw_path_safe(ctx, analysis, &safe));
  *path = NULL;
  fw_status status = fw_path_join(ctx, dir->folder, safe, path);
  free(safe);
  return status == FW_OK ? fw_folder_make(ctx, *path) : status;
}

/* Folder of an analysis with a file NAME+suffix in it; to be freed. */
static fw_status analysis_file(fw_context *ctx, const directory *dir, const char *analysis, const char *name,
                               const char *suffix, char **path) {
  char *folder = NULL, *safe = NULL, *file = NULL;
  fw_status status;
  *path = NULL;
  FW_TRY_DONE(analysis_folder(ctx, dir, analysis, &folder));
  FW_TRY_DONE(fw_path_safe(ctx, name, &safe));
  size_t room = strlen(safe) + strlen(suffix) + 1;
  FW_TRY_DONE(fw_alloc(ctx, room, 1, &file));
  snprintf(file, room, "%s%s", safe, suffix);
  FW_TRY_DONE(fw_path_join(ctx, folder, file, path));
done:
  free(folder);
  free(safe);
  free(file);
  return status;
}

/* ---- tables ------------------------------------------------------------------------------ */

static fw_status directory_table(fw_sink *sink, fw_context *ctx, fw_data_table *table) {
  directory *dir = (directory *)sink;
  table_file *grown = realloc(dir->files, (size_t)(dir->file_count + 1) * sizeof *grown);
  if (!grown) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  dir->files = grown;
  table_file *entry = &dir->files[dir->file_count++];
  *entry = (table_file){.table = table};
  FW_TRY(analysis_file(ctx, dir, table->analysis, table->name, ".csv", &entry->path));
  FW_TRY(fw_file_open(ctx, entry->path, &entry->file));
  fw_csv_header(entry->file, table);
  return fw_file_flush(ctx, entry->file, entry->path);
}

static fw_status directory_row(fw_sink *sink, fw_context *ctx, fw_data_table *table, const double *row) {
  directory *dir = (directory *)sink;
  for (int i = dir->file_count - 1; i >= 0; i--) {
    table_file *entry = &dir->files[i];
    if (entry->table != table) continue;
    if (!entry->file) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: row after the analysis has ended", entry->path);
    fw_csv_row(entry->file, table->columns, row);
    return fw_file_flush(ctx, entry->file, entry->path);
  }
  return fw_fail(ctx, FW_ERR_ARGUMENT, "table %s is not of this sink", table->name);
}

static void close_table(table_file *entry) {
  if (entry->file) fclose(entry->file);
  entry->file = NULL;
}

/* ---- frames ------------------------------------------------------------------------------ */

static fw_status find_series(fw_context *ctx, directory *dir, const char *analysis, const char *name,
                             picture_series **found) {
  for (int i = 0; i < dir->series_count; i++) {
    *found = &dir->series[i];
    if (strcmp((*found)->analysis, analysis) == 0 && strcmp((*found)->name, name) == 0) return FW_OK;
  }
  picture_series *grown = realloc(dir->series, (size_t)(dir->series_count + 1) * sizeof *grown);
  if (!grown) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  dir->series = grown;
  picture_series made = {.analysis = strdup(analysis), .name = strdup(name)};
  if (!made.analysis || !made.name) {
    free(made.analysis);
    free(made.name);
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  }
  *found = &dir->series[dir->series_count++];
  **found = made;
  return FW_OK;
}

/* Adds a grid to folder/stem+suffix, opening the series first if need be. */
static fw_status add_grid(fw_context *ctx, const char *folder, const char *stem, const char *suffix,
                          const fw_grid *grid, pvd_series **series) {
  if (!*series) {
    char *safe, *name = NULL;
    FW_TRY(fw_path_safe(ctx, stem, &safe));
    size_t room = strlen(safe) + strlen(suffix) + 1;
    fw_status status = fw_alloc(ctx, room, 1, &name);
    if (status == FW_OK) {
      snprintf(name, room, "%s%s", safe, suffix);
      status = pvd_open(ctx, folder, name, series);
    }
    free(safe);
    free(name);
    if (status != FW_OK) return status;
  }
  return pvd_add(ctx, *series, grid);
}

static fw_status directory_frame(fw_sink *sink, fw_context *ctx, const char *analysis, const fw_frame *frame) {
  directory *dir = (directory *)sink;
  picture_series *series = NULL;
  char *folder = NULL;
  fw_grid *grid = NULL;
  fw_status status;
  FW_TRY_DONE(find_series(ctx, dir, analysis, frame->series, &series));
  FW_TRY_DONE(analysis_folder(ctx, dir, analysis, &folder));
  FW_TRY_DONE(fw_mesh_structure(ctx, frame->state, &grid));
  grid->time = frame->time;
  grid->scale = frame->scale;
  FW_TRY_DONE(add_grid(ctx, folder, frame->series, "", grid, &series->structure));
  FW_TRY_DONE(fw_plots_frame(ctx, folder, frame, grid, series->structure->frames));
  fw_grid_destroy(&grid);
  if (frame->state->model->joint_count > 0) {
    FW_TRY_DONE(fw_mesh_joints(ctx, frame->state, &grid));
    grid->time = frame->time;
    FW_TRY_DONE(add_grid(ctx, folder, frame->series, "-joints", grid, &series->joints));
    fw_grid_destroy(&grid);
  }
  if (frame->state->model->ring_count > 0 && !series->supports) { /* they stand still */
    FW_TRY_DONE(fw_mesh_supports(ctx, frame->state->model, &grid));
    FW_TRY_DONE(add_grid(ctx, folder, frame->series, "-supports", grid, &series->supports));
    fw_grid_destroy(&grid);
  }
  if (frame->state->model->contact_count == 0) goto done;
  FW_TRY_DONE(fw_mesh_contact(ctx, frame->state, &grid));
  grid->time = frame->time;
  FW_TRY_DONE(add_grid(ctx, folder, frame->series, "-contact", grid, &series->contact));
done:
  fw_grid_destroy(&grid);
  free(folder);
  return status;
}

/* ---- life -------------------------------------------------------------------------------- */

fw_status fw_directory_finish(fw_context *ctx, fw_sink *sink, const char *analysis) {
  directory *dir = (directory *)sink;
  for (int i = 0; i < dir->file_count; i++) {
    fw_data_table *table = dir->files[i].table;
    if (strcmp(table->analysis, analysis) != 0) continue;
    close_table(&dir->files[i]);
    if (table->stream || table->rows == 0) continue;
    char *path;
    FW_TRY(analysis_file(ctx, dir, analysis, table->name, ".vtt", &path));
    fw_status status = fw_vtk_write_table(ctx, table, path);
    free(path);
    if (status != FW_OK) return status;
  }
  for (int i = 0; i < dir->series_count; i++) {
    if (strcmp(dir->series[i].analysis, analysis) != 0) continue;
    pvd_close(&dir->series[i].structure);
    pvd_close(&dir->series[i].contact);
    pvd_close(&dir->series[i].supports);
    pvd_close(&dir->series[i].joints);
  }
  char *folder = NULL;
  fw_status status = analysis_folder(ctx, dir, analysis, &folder);
  if (status == FW_OK) status = fw_plots_write(ctx, sink, analysis, folder);
  free(folder);
  return status;
}

static void directory_destroy(fw_sink *sink) {
  directory *dir = (directory *)sink;
  for (int i = 0; i < dir->file_count; i++) {
    close_table(&dir->files[i]);
    free(dir->files[i].path);
  }
  for (int i = 0; i < dir->series_count; i++) {
    pvd_close(&dir->series[i].structure);
    pvd_close(&dir->series[i].contact);
    pvd_close(&dir->series[i].supports);
    pvd_close(&dir->series[i].joints);
    free(dir->series[i].analysis);
    free(dir->series[i].name);
  }
  free(dir->files);
  free(dir->series);
  free(dir->folder);
  free(dir);
}

fw_status fw_directory_create(fw_context *ctx, const char *folder, fw_sink **sink) {
  static const fw_sink_ops ops = {directory_table, directory_row, directory_frame, directory_destroy};
  directory *dir;
  *sink = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *dir, &dir));
  dir->base.ops = &ops;
  dir->folder = strdup(folder);
  if (!dir->folder) {
    free(dir);
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  }
  *sink = &dir->base;
  return FW_OK;
}
