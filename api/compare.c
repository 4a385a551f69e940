/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/compare.h"
#include "core/unknown.h"

#include <stdlib.h>
#include <string.h>

#include "core/plain_locale.h"
#include "output/files.h"
#include "output/manifest.h"
#include "output/report.h"
#include "output/summary.h"

/* All data files of a folder; those that fit nothing are passed over. */
static fw_status compare_folder(fw_context *ctx, const char *folder, const char *data, fw_record *record) {
  static const char *const endings[] = {".csv", ".uff", ".unv"};
  for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
    char **names;
    int count;
    FW_TRY(fw_folder_list(ctx, data, endings[e], false, &names, &count));
    fw_status status = FW_OK;
    for (int i = 0; i < count && status == FW_OK; i++) {
      char *path = NULL;
      status = fw_path_join(ctx, data, names[i], &path);
      if (status == FW_OK) {
        fw_context_clear(ctx);
        fw_status compared = fw_compare_data(ctx, folder, path, NULL, fw_unknown(), record);
        if (compared == FW_ERR_MEMORY) status = compared;
        if (compared != FW_OK) fw_log(ctx, "%s: passed over: %s", path, fw_context_message(ctx));
      }
      free(path);
    }
    free(names);
    if (status != FW_OK) return status;
  }
  fw_context_clear(ctx);
  return fw_record_count(record, "") ? FW_OK : fw_fail(ctx, FW_ERR_ARGUMENT, "%s: nothing to compare with", data);
}

static bool is_folder(fw_context *ctx, const char *path) {
  char **names;
  int count;
  if (fw_folder_list(ctx, path, "", false, &names, &count) != FW_OK) {
    fw_context_clear(ctx);
    return false;
  }
  free(names);
  return true;
}

static fw_status compare(fw_context *ctx, const char *folder, const char *const *data, int count, char **text) {
  fw_record *record;
  fw_manifest *manifest = NULL;
  char *shown = NULL, *json = NULL;
  if (fw_record_create(&record) != FW_OK) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_manifest_join(ctx, folder, &manifest));
  for (int i = 0; i < count; i++)
    FW_TRY_DONE(is_folder(ctx, data[i]) ? compare_folder(ctx, folder, data[i], record)
                                        : fw_compare_data(ctx, folder, data[i], NULL, fw_unknown(), record));
  FW_TRY_DONE(fw_summary_text(ctx, record, &shown));
  json = fw_record_json(record);
  if (!json) status = fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (status == FW_OK) status = fw_file_write_in(ctx, folder, "compare.json", json);
  if (status == FW_OK) status = fw_file_write_in(ctx, folder, "compare.txt", shown);
  if (status == FW_OK) status = fw_report_write(ctx, folder, false);
  if (status == FW_OK && text) {
    *text = shown;
    shown = NULL;
  }
done:
  fw_manifest_close(&manifest);
  free(json);
  free(shown);
  fw_record_destroy(&record);
  return status;
}

fw_status fw_compare(fw_context *ctx, const char *folder, const char *const *data, int count, char **text) {
  if (text) *text = NULL;
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, folder);
  FW_NEED_LIST(ctx, data, count);
  FW_RETURN_PLAIN(ctx, compare(ctx, folder, data, count, text));
}
