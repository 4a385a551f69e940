/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "output/files.h"
#include "output/manifest.h"

struct fw_result_folder {
  fw_context *ctx;
  fw_manifest *manifest;
  char *log_path;
  FILE *log;
  struct timespec start;
};

/* Folders that fretwork did not mark as its own are left alone. */
static fw_status refuse_others(fw_context *ctx, const char *path, const char *log_path) {
  fw_record *origin;
  FW_TRY(fw_manifest_read(ctx, path, &origin));
  bool marked = origin != NULL;
  fw_record_destroy(&origin);
  if (marked) return FW_OK;
  if (fw_path_exists(log_path))
    return fw_fail(ctx, FW_ERR_ARGUMENT,
                   "%s: has no manifest.json: if it is a result of a fretwork before manifests, remove it or move it "
                   "away yourself; or give another folder",
                   path);
  return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: is not a result folder (it has no manifest.json); give another one", path);
}

/* Whether there may be a result in this folder. */
static fw_status prepare(fw_context *ctx, const char *path, const char *log_path, fw_existing existing) {
  FW_TRY(fw_folder_make(ctx, path)); /* says so if it is a file */
  if (fw_manifest_none_yet(path)) return FW_OK;
  if (existing == FW_EXISTING_REFUSE)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: exists; --force replaces it, --resume continues a run", path);
  return refuse_others(ctx, path, log_path);
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

static fw_status start_log(fw_result_folder *folder, bool append) {
  FW_TRY(fw_claim_file(folder->ctx, folder->log_path));
  folder->log = fopen(folder->log_path, append ? "a" : "w");
  if (!folder->log) return fw_fail(folder->ctx, FW_ERR_IO, "%s: cannot write: %s", folder->log_path, strerror(errno));
  log_head(folder);
  fw_context_tap_log(folder->ctx, log_line, folder);
  return fw_result_check(folder);
}

static fw_status open_folder(fw_result_folder *folder, const char *path, fw_existing existing, fw_record *origin) {
  fw_context *ctx = folder->ctx;
  FW_TRY(fw_path_join(ctx, path, "log.txt", &folder->log_path));
  FW_TRY(prepare(ctx, path, folder->log_path, existing));
  FW_TRY(fw_manifest_open(ctx, path, &folder->manifest));
  FW_TRY(prepare(ctx, path, folder->log_path, existing)); /* another run may have had it meanwhile */
  int others = 0;
  if (existing == FW_EXISTING_REPLACE) FW_TRY(fw_manifest_empty(folder->manifest, &others));
  FW_TRY(fw_manifest_write(folder->manifest, origin));
  FW_TRY(start_log(folder, existing == FW_EXISTING_CONTINUE));
  if (others > 0) fw_log(ctx, "%s: %d files or folders that are not fretwork's are kept", path, others);
  return FW_OK;
}

fw_status fw_result_open(fw_context *ctx, const char *path, fw_existing existing, fw_record *origin,
                         fw_result_folder **result) {
  fw_result_folder *folder;
  *result = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *folder, &folder));
  folder->ctx = ctx;
  clock_gettime(CLOCK_MONOTONIC, &folder->start);
  fw_status status = open_folder(folder, path, existing, origin);
  if (status != FW_OK) fw_result_close(&folder);
  *result = folder;
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
  fw_manifest_close(&(*folder)->manifest);
  free((*folder)->log_path);
  free(*folder);
  *folder = NULL;
}
