/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/export.h"

#include <string.h>

#include "core/plain_locale.h"
#include "output/files.h"

static bool is_json(const char *path) {
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

static fw_status export(fw_context *ctx, const char *folder, const char *path, bool binary, bool force) {
  fw_sink *sink;
  if (is_json(path) && binary) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: JSON has no binary form", path);
  if (!force) FW_TRY(fw_file_absent(ctx, path));
  FW_TRY(fw_sink_create(ctx, &sink));
  fw_status status = fw_export_load(ctx, folder, sink);
  if (status == FW_OK)
    status = is_json(path) ? fw_export_json(ctx, sink, path) : fw_export_uff58(ctx, sink, path, binary);
  fw_sink_destroy(&sink);
  return status;
}

fw_status fw_export(fw_context *ctx, const char *folder, const char *path, bool binary, bool force) {
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, folder);
  FW_NEED(ctx, path);
  FW_RETURN_PLAIN(ctx, export(ctx, folder, path, binary, force));
}
