/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deck language for people, derived from the grammar and the tables. */
#ifndef FW_INPUT_DESCRIBE_H
#define FW_INPUT_DESCRIBE_H

#include <stdio.h>

/* docs/deck.md: every element of the deck language and every table entry it draws on, in markdown. */
void fw_describe_language(FILE *out);

#endif
