/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of plug-ins and the checked values a deck gives for an entry's parameters. */
#ifndef FW_CORE_TABLE_H
#define FW_CORE_TABLE_H

#include "core/context.h"
#include "fretwork_law.h"

/* A table is a NULL-terminated list of entries; each entry is the head of its ops struct. */
typedef struct fw_table {
  const char *name;    /* as in `fretwork list NAME` */
  const char *summary; /* one line */
  const fw_entry *const *entries;
} fw_table;

/* The entry of that name, or NULL. */
const fw_entry *fw_table_find(const fw_table *table, const char *name);

/* The nearest of a NULL-terminated list of names to a misspelt one, or NULL if none is near. */
const char *fw_nearest(const char *const *names, const char *misspelt);

/* Number of parameters in a list (NULL: 0). */
int fw_param_count(const fw_param *params);

/* Index of choice `text` in "a|b|c", or -1. */
int fw_choice_index(const char *choices, const char *text);

/* The checked value of one parameter. Numbers are evaluated (SI); absent: given false, and
 * the fallback is filled in where the description has one. */
typedef struct fw_value {
  bool given;          /* the deck says it */
  int line;            /* where, if given */
  char *text;          /* as written (or the fallback); owned; NULL if absent without fallback */
  double *numbers;     /* evaluated, owned; NULL for text kinds; FLAG 0/1, CHOICE its index */
  int count;           /* how many numbers */
  fw_formula *formula; /* of a FORMULA: a share (core/formula.h); else NULL */
} fw_value;

/* Values for a parameter list: values[i] belongs to params[i]. */
typedef struct fw_args {
  fw_place place;
  const fw_param *params;
  fw_value *values;
} fw_args;

/* Value by name; the name must be in the list (a programming error otherwise: asserts). */
const fw_value *fw_args_value(const fw_args *args, const char *name);
bool fw_args_given(const fw_args *args, const char *name);
/* First number (0 if absent), as integer, choice index or flag; text or NULL. */
double fw_args_number(const fw_args *args, const char *name);
int fw_args_integer(const fw_args *args, const char *name);
bool fw_args_flag(const fw_args *args, const char *name);
const char *fw_args_text(const fw_args *args, const char *name);
/* The formula of the first parameter that is one, lent; NULL if there is none. */
const fw_formula *fw_args_formula(const fw_args *args);

/* Frees the values (not params). */
void fw_args_clear(fw_args *args);

#endif
