/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/export.h"

#include "core/plain_locale.h"
#include "output/files.h"

static fw_status export(fw_context *ctx, const char *folder, const char *path, bool binary, bool force) {
  fw_sink *sink;
  if (!force) FW_TRY(fw_file_absent(ctx, path));
  FW_TRY(fw_sink_create(ctx, &sink));
  fw_status status = fw_export_load(ctx, folder, sink);
  if (status == FW_OK) status = fw_export_uff58(ctx, sink, path, binary);
  fw_sink_destroy(&sink);
  return status;
}

fw_status fw_export(fw_context *ctx, const char *folder, const char *path, bool binary, bool force) {
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, folder);
  FW_NEED(ctx, path);
  FW_RETURN_PLAIN(ctx, export(ctx, folder, path, binary, force));
}
