/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The starter decks of api/templates, with what they need and what opens their results, carried in the library (cmake/embed.cmake). */
#ifndef FW_API_TEMPLATES_H
#define FW_API_TEMPLATES_H

typedef struct fw_template_text {
  const char *name, *text;
} fw_template_text;

#include <stdio.h>

/* A line for each: its name and what it begins with. */
void fw_templates_list(FILE *out);

/* Ends with a NULL name. */
extern const fw_template_text fw_templates[];

#endif
