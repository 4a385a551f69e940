/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/export.h"

#include <string.h>

#include "core/plain_locale.h"
#include "output/files.h"

typedef fw_status write_tables(fw_context *ctx, const fw_sink *sink, const char *path);

/* Formats that have one form, by the ending of the file; all else is UFF-58. */
static const struct format {
  const char *ending, *name;
  write_tables *write;
} formats[] = {{".json", "JSON", fw_export_json}, {".h5", "HDF5", fw_export_hdf5}, {".hdf5", "HDF5", fw_export_hdf5}};

static const struct format *format_of(const char *path) {
  size_t length = strlen(path);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    size_t tail = strlen(formats[i].ending);
    if (length > tail && strcmp(path + length - tail, formats[i].ending) == 0) return &formats[i];
  }
  return NULL;
}

/* A name that promises another format would be UFF-58 all the same. */
static fw_status refuse_csv(fw_context *ctx, const char *folder, const char *path) {
  size_t length = strlen(path);
  if (length < 4 || strcmp(path + length - 4, ".csv") != 0) return FW_OK;
  return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: tables are CSV files already, %s/ANALYSIS/TABLE.csv", path, folder);
}

static fw_status export(fw_context *ctx, const char *folder, const char *path, bool binary, bool force) {
  const struct format *format = format_of(path);
  fw_sink *sink;
  if (format && binary) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: %s has one form only", path, format->name);
  FW_TRY(refuse_csv(ctx, folder, path));
  if (!force) FW_TRY(fw_file_absent(ctx, path));
  FW_TRY(fw_sink_create(ctx, &sink));
  fw_status status = fw_export_load(ctx, folder, sink);
  if (status == FW_OK) status = format ? format->write(ctx, sink, path) : fw_export_uff58(ctx, sink, path, binary);
  fw_sink_destroy(&sink);
  return status;
}

fw_status fw_export(fw_context *ctx, const char *folder, const char *path, bool binary, bool force) {
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, folder);
  FW_NEED(ctx, path);
  FW_RETURN_PLAIN(ctx, export(ctx, folder, path, binary, force));
}
