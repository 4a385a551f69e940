/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours on a terminal that has them; none in pipes and files, and where NO_COLOR is set (https://no-color.org). */
#ifndef FW_APP_COLOUR_H
#define FW_APP_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

bool colour_wanted(FILE *out);

/* A line in which "failed" and "interrupted" are red, "done with warnings" yellow, "done" green. */
void colour_line(FILE *out, const char *line);

/* A message of what went wrong. */
void colour_problem(FILE *out, const char *message);

#endif
