/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/report.h"

#include "core/context.h"

fw_status fw_report(fw_context *ctx, const char *const *folders, int count, const char *page) {
  for (int i = 0; i < count; i++) FW_TRY(fw_report_write(ctx, folders[i], true));
  return page ? fw_report_several(ctx, folders, count, page) : FW_OK;
}
