/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers are read and written with a decimal point, whatever the locale of the program around: functions of the public
 * header work in the C locale, which is the calling thread's alone, and give the host's back. Threads begin in the
 * host's locale: those that read or write numbers enter too. */
#ifndef FW_CORE_PLAIN_LOCALE_H
#define FW_CORE_PLAIN_LOCALE_H

#include <locale.h>

#include "core/context.h"

/* *before is what to leave with. Calls may be nested. */
fw_status fw_plain_locale_enter(fw_context *ctx, locale_t *before);
void fw_plain_locale_leave(locale_t before);

/* The result of a call in the C locale. */
#define FW_RETURN_PLAIN(ctx, call)                   \
  do {                                               \
    locale_t fw_before_;                             \
    FW_TRY(fw_plain_locale_enter(ctx, &fw_before_)); \
    fw_status fw_plain_ = (call);                    \
    fw_plain_locale_leave(fw_before_);               \
    return fw_plain_;                                \
  } while (0)

#endif
