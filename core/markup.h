/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text inside XML and HTML. */
#ifndef FW_CORE_MARKUP_H
#define FW_CORE_MARKUP_H

#include <stddef.h>
#include <stdio.h>

/* Writes `text` so that markup shows it as it is, in an element or between double quotes. */
void fw_put_text(FILE *out, const char *text);

/* Writes bytes in base64. */
void fw_put_base64(FILE *out, const unsigned char *bytes, size_t length);

#endif
