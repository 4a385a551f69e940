/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages as files. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "output/plot.h"

fw_status fw_plot_file(fw_context *ctx, const fw_panel *panels, int count, const char *path) {
  char *svg;
  size_t length;
  FW_TRY(fw_plot_svg(ctx, panels, count, &svg, &length));
  fw_status status = fw_file_write(ctx, path, svg, length);
  free(svg);
  return status;
}

fw_status fw_plot_into(fw_context *ctx, const fw_panel *panels, int count, const char *folder, const char *format,
                       ...) {
  enum { ROOM = 256 };
  char name[ROOM], *safe, *path = NULL;
  va_list words;
  va_start(words, format);
  vsnprintf(name, ROOM - sizeof ".svg", format, words);
  va_end(words);
  strcat(name, ".svg");
  FW_TRY(fw_path_safe(ctx, name, &safe));
  fw_status status = fw_path_join(ctx, folder, safe, &path);
  if (status == FW_OK) status = fw_plot_file(ctx, panels, count, path);
  free(path);
  free(safe);
  return status;
}
