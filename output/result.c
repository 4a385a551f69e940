/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "output/files.h"

struct fw_result_folder {
  fw_context *ctx;
  char *log_path;
  FILE *log;
  struct timespec start;
};

static bool is_empty(fw_context *ctx, const char *path) {
  char **names;
  int files = 0, folders = 0;
  if (fw_folder_list(ctx, path, "", false, &names, &files) == FW_OK) free(names);
  if (fw_folder_list(ctx, path, "", true, &names, &folders) == FW_OK) free(names);
  return files + folders == 0;
}

/* Removes an earlier result, or refuses. */
static fw_status prepare(fw_context *ctx, const char *path, const char *log_path, fw_existing existing) {
  if (!fw_path_exists(path)) return fw_folder_make(ctx, path);
  FW_TRY(fw_folder_make(ctx, path)); /* says so if it is a file */
  if (is_empty(ctx, path)) return FW_OK;
  if (existing == FW_EXISTING_REFUSE)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: exists; --force replaces it, --resume continues a run", path);
  if (!fw_path_exists(log_path))
    return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: is not a result folder (it has no log.txt); give another one", path);
  if (existing == FW_EXISTING_CONTINUE) return FW_OK;
  FW_TRY(fw_folder_remove(ctx, path));
  return fw_folder_make(ctx, path);
}

/* "   12.345  text" */
static void log_line(void *user, const char *text) {
  fw_result_folder *folder = user;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double seconds = (double)(now.tv_sec - folder->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - folder->start.tv_nsec);
  fprintf(folder->log, "%10.3f  %s\n", seconds, text);
  fflush(folder->log);
}

static void log_head(fw_result_folder *folder) {
  char date[64];
  time_t now = time(NULL);
  struct tm local;
  strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", localtime_r(&now, &local));
  fprintf(folder->log, "fretwork %s, %s\n", fw_version(), date);
}

fw_status fw_result_open(fw_context *ctx, const char *path, fw_existing existing, fw_result_folder **result) {
  fw_result_folder *folder;
  *result = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *folder, &folder));
  fw_status status;
  folder->ctx = ctx;
  clock_gettime(CLOCK_MONOTONIC, &folder->start);
  FW_TRY_DONE(fw_path_join(ctx, path, "log.txt", &folder->log_path));
  FW_TRY_DONE(prepare(ctx, path, folder->log_path, existing));
  folder->log = fopen(folder->log_path, existing == FW_EXISTING_CONTINUE ? "a" : "w");
  if (!folder->log) {
    status = fw_fail(ctx, FW_ERR_IO, "%s: cannot write: %s", folder->log_path, strerror(errno));
    goto done;
  }
  log_head(folder);
  FW_TRY_DONE(fw_result_check(folder));
  fw_context_tap_log(ctx, log_line, folder);
  *result = folder;
  return FW_OK;
done:
  fw_result_close(&folder);
  return status;
}

fw_status fw_result_check(fw_result_folder *folder) {
  return fw_file_flush(folder->ctx, folder->log, folder->log_path);
}

void fw_result_close(fw_result_folder **folder) {
  if (!folder || !*folder) return;
  if ((*folder)->log) {
    fw_context_tap_log((*folder)->ctx, NULL, NULL);
    fclose((*folder)->log);
  }
  free((*folder)->log_path);
  free(*folder);
  *folder = NULL;
}
