/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/markup.h"

void fw_put_text(FILE *out, const char *text) {
  for (; *text; text++) switch (*text) {
      case '<':
        fputs("&lt;", out);
        break;
      case '>':
        fputs("&gt;", out);
        break;
      case '&':
        fputs("&amp;", out);
        break;
      case '"':
        fputs("&quot;", out);
        break;
      default:
        fputc(*text, out);
    }
}
