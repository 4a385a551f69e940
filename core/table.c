/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula.h"

const fw_entry *fw_table_find(const fw_table *table, const char *name) {
  for (const fw_entry *const *entry = table->entries; *entry; entry++)
    if (strcmp((*entry)->name, name) == 0) return *entry;
  return NULL;
}

/* Levenshtein distance, both names cut to 63 characters. */
static int edit_distance(const char *a, const char *b) {
  enum { MOST = 63 };
  int row[MOST + 1], la = (int)strnlen(a, MOST), lb = (int)strnlen(b, MOST);
  for (int j = 0; j <= lb; j++) row[j] = j;
  for (int i = 1; i <= la; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= lb; j++) {
      int replace = diagonal + (a[i - 1] != b[j - 1]);
      int shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      diagonal = row[j];
      row[j] = replace < shorter ? replace : shorter;
    }
  }
  return row[lb];
}

const char *fw_nearest(const char *const *names, const char *misspelt) {
  const char *best = NULL;
  int least = 3 < (int)strlen(misspelt) / 2 + 1 ? 3 : (int)strlen(misspelt) / 2 + 1;
  for (; *names; names++) {
    int distance = edit_distance(*names, misspelt);
    if (distance < least) {
      least = distance;
      best = *names;
    }
  }
  return best;
}

int fw_param_count(const fw_param *params) {
  int n = 0;
  while (params && params[n].name) n++;
  return n;
}

int fw_choice_index(const char *choices, const char *text) {
  size_t length = strlen(text);
  int index = 0;
  for (const char *at = choices; *at; index++) {
    size_t span = strcspn(at, "|");
    if (span == length && strncmp(at, text, length) == 0) return index;
    at += span + (at[span] == '|');
  }
  return -1;
}

const fw_value *fw_args_value(const fw_args *args, const char *name) {
  for (int i = 0; args->params[i].name; i++)
    if (strcmp(args->params[i].name, name) == 0) return &args->values[i];
  assert(!"parameter not in the list");
  return NULL;
}

bool fw_args_given(const fw_args *args, const char *name) { return fw_args_value(args, name)->given; }

double fw_args_number(const fw_args *args, const char *name) {
  const fw_value *value = fw_args_value(args, name);
  return value->count ? value->numbers[0] : 0.0;
}

int fw_args_integer(const fw_args *args, const char *name) { return (int)fw_args_number(args, name); }

bool fw_args_flag(const fw_args *args, const char *name) { return fw_args_number(args, name) != 0.0; }

const char *fw_args_text(const fw_args *args, const char *name) { return fw_args_value(args, name)->text; }

const fw_formula *fw_args_formula(const fw_args *args) {
  for (int i = 0; args->values && args->params[i].name; i++)
    if (args->values[i].formula) return args->values[i].formula;
  return NULL;
}

void fw_args_clear(fw_args *args) {
  for (int i = 0; args->values && args->params[i].name; i++) {
    free(args->values[i].text);
    free(args->values[i].numbers);
    fw_formula_release(&args->values[i].formula);
  }
  free(args->values);
  args->values = NULL;
}
