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

void fw_put_base64(FILE *out, const unsigned char *bytes, size_t length) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char block[4096];
  size_t at = 0;
  for (size_t i = 0; i < length; i += 3) {
    size_t left = length - i;
    unsigned word =
        (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
    block[at++] = digits[word >> 18];
    block[at++] = digits[word >> 12 & 63];
    block[at++] = left > 1 ? digits[word >> 6 & 63] : '=';
    block[at++] = left > 2 ? digits[word & 63] : '=';
    if (at < sizeof block && left > 3) continue;
    fwrite(block, 1, at, out);
    at = 0;
  }
}
