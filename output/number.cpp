/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/number.h"

#include <charconv>

int fw_number_text(double value, char text[FW_NUMBER_ROOM]) {
  return (int)(std::to_chars(text, text + FW_NUMBER_ROOM, value, std::chars_format::general, 12).ptr - text);
}
