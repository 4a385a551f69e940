/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/warning.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const fw_warning_kind fw_warning_kinds[] = {
#define FW_WARNING(number, name, in_check, title) {number, in_check, title},
#include "core/warnings.def"
#undef FW_WARNING
    {0, false, NULL}};

fw_status fw_warnings_add(fw_context *ctx, fw_warnings *warnings, fw_warning kind, fw_place place, const char *format,
                          ...) {
  char text[1024], line[1400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  snprintf(line, sizeof line, "warning %d: %s:%d: <%s>: %s", (int)kind, place.file ? place.file : "", place.line,
           place.element ? place.element : "", text);
  FW_TRY(fw_grow(ctx, warnings->count, &warnings->room, sizeof *warnings->texts, &warnings->texts));
  FW_TRY(fw_copy_text(ctx, line, &warnings->texts[warnings->count]));
  warnings->count++;
  return FW_OK;
}

void fw_warnings_clear(fw_warnings *warnings) {
  for (int i = 0; i < warnings->count; i++) free(warnings->texts[i]);
  free(warnings->texts);
  *warnings = (fw_warnings){0};
}
