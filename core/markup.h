/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text inside XML and HTML. */
#ifndef FW_CORE_MARKUP_H
#define FW_CORE_MARKUP_H

#include <stdio.h>

/* Writes `text` so that markup shows it as it is, in an element or between double quotes. */
void fw_put_text(FILE *out, const char *text);

#endif
