/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/report.h"

#include "core/plain_locale.h"
#include "output/files.h"
#include "output/manifest.h"

static fw_status report_one(fw_context *ctx, const char *folder) {
  fw_manifest *manifest;
  FW_TRY(fw_manifest_join(ctx, folder, &manifest));
  fw_status status = fw_report_write(ctx, folder, true);
  fw_manifest_close(&manifest);
  return status;
}

static fw_status report(fw_context *ctx, const char *const *folders, int count, const char *page, bool force) {
  if (page && !force) FW_TRY(fw_file_absent(ctx, page));
  for (int i = 0; i < count; i++) FW_TRY(report_one(ctx, folders[i]));
  return page ? fw_report_several(ctx, folders, count, page) : FW_OK;
}

fw_status fw_report(fw_context *ctx, const char *const *folders, int count, const char *page, bool force) {
  FW_NEED(ctx, ctx);
  FW_NEED_LIST(ctx, folders, count);
  FW_RETURN_PLAIN(ctx, report(ctx, folders, count, page, force));
}
