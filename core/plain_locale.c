/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/plain_locale.h"

fw_status fw_plain_locale_enter(fw_context *ctx, locale_t *before) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory: no C locale");
  *before = uselocale(plain);
  return FW_OK;
}

void fw_plain_locale_leave(locale_t before) {
  locale_t plain = uselocale(before);
  freelocale(plain);
}
