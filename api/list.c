/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What decks can use, from the tables themselves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/templates.h"
#include "contact/friction/abilities.h"
#include "core/plain_locale.h"
#include "core/table.h"
#include "input/describe.h"
#include "input/schema.h"

#define X(variable) extern const fw_table variable;
#include "api/tables.def"
#undef X

static const fw_table *const tables[] = {
#define X(variable) &variable,
#include "api/tables.def"
#undef X
    NULL};

enum { MOST_NAMES = 255 };

/* Besides the tables: the whole language, for docs/deck.md and for editors, and where decks begin. */
static void list_schema(FILE *out) {
  char *text = fw_schema_text();
  if (text) fputs(text, out);
  free(text);
}

static const struct {
  const char *name, *summary;
  void (*list)(FILE *out);
} languages[] = {{"deck", "the deck language, as docs/deck.md", fw_describe_language},
                 {"schema", "the XML schema of decks", list_schema},
                 {"templates", "starter decks, for fretwork new", fw_templates_list}};
enum { LANGUAGES = sizeof languages / sizeof *languages };

static void list_tables(FILE *out) {
  for (int i = 0; tables[i]; i++) fprintf(out, "%-12s  %s\n", tables[i]->name, tables[i]->summary);
  for (int i = 0; i < LANGUAGES; i++) fprintf(out, "%-12s  %s\n", languages[i].name, languages[i].summary);
}

static void list_entries(FILE *out, const fw_table *table) {
  for (const fw_entry *const *entry = table->entries; *entry; entry++)
    fprintf(out, "%-20s  %s\n", (*entry)->name, (*entry)->summary);
}

static const char *kind_word(fw_param_kind kind) {
  static const char *const words[] = {
      [FW_PARAM_NUMBER] = "number",     [FW_PARAM_INTEGER] = "whole number", [FW_PARAM_NUMBERS] = "numbers",
      [FW_PARAM_CHOICE] = "one of",     [FW_PARAM_FLAG] = "yes or no",       [FW_PARAM_TEXT] = "text",
      [FW_PARAM_ID] = "name",           [FW_PARAM_REF] = "name of",          [FW_PARAM_REFS] = "names of",
      [FW_PARAM_FORMULA] = "formula of"};
  return words[kind];
}

static void list_parameter(FILE *out, const fw_param *p) {
  fprintf(out, "  %-16s  %s\n  %-16s  %s%s%s", p->name, p->meaning, "", kind_word(p->kind), p->choices ? " " : "",
          p->choices ? p->choices : "");
  if (p->unit && p->unit[0]) fprintf(out, " [%s]", p->unit);
  if (p->min != 0.0 || p->max != 0.0) fprintf(out, ", %g to %g", p->min, p->max);
  if (!p->fallback)
    fputs(", required", out);
  else if (p->fallback[0])
    fprintf(out, ", default %s", p->fallback);
  fputc('\n', out);
}

/* Text that may span lines, each behind two blanks. */
static void list_lines(FILE *out, const char *text) {
  while (text && *text) {
    size_t length = strcspn(text, "\n");
    fprintf(out, "  %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

static void list_entry(FILE *out, const fw_entry *entry) {
  fprintf(out, "%s: %s\n", entry->name, entry->summary);
  list_lines(out, entry->equation);
  if (entry->params && entry->params->name) fputs("\n", out);
  for (const fw_param *p = entry->params; p && p->name; p++) list_parameter(out, p);
  if (entry->source && entry->source[0]) fprintf(out, "\nsource: %s\n", entry->source);
}

/* What a law was found to do. */
static fw_status list_abilities(fw_context *ctx, FILE *out, const fw_entry *entry) {
  bool found[FW_ABILITY_COUNT];
  FW_TRY(fw_law_abilities(ctx, (const fw_friction_ops *)(const void *)entry, found));
  fputs("\nabilities, as found by running the checks:\n", out);
  for (int i = 0; i < FW_ABILITY_COUNT; i++)
    fprintf(out, "  %-3s  %-18s  %s\n", found[i] ? "yes" : "no", fw_abilities[i].name, fw_abilities[i].meaning);
  return FW_OK;
}

/* Of a table's entries, or of the tables themselves (NULL). */
static fw_status unknown(fw_context *ctx, const char *table, const char *name, const char *const *names) {
  const char *near = fw_nearest(names, name);
  char all[1024] = "";
  for (size_t i = 0, at = 0; names[i] && at < sizeof all; i++) {
    int n = snprintf(all + at, sizeof all - at, "%s%s", i ? ", " : "", names[i]);
    if (n > 0) at += (size_t)n;
  }
  return fw_fail(ctx, FW_ERR_ARGUMENT, "there is no %s\"%s\"%s%s%s%s%s; there are: %s", table ? "" : "table ", name,
                 table ? " among the " : "", table ? table : "", near ? "; did you mean \"" : "", near ? near : "",
                 near ? "\"?" : "", all);
}

static fw_status find_table(fw_context *ctx, const char *name, const fw_table **table) {
  enum { TABLES = sizeof tables / sizeof *tables - 1 };
  const char *names[TABLES + LANGUAGES + 1] = {NULL};
  for (int i = 0; i < TABLES; i++) {
    names[i] = tables[i]->name;
    if (strcmp(tables[i]->name, name) != 0) continue;
    *table = tables[i];
    return FW_OK;
  }
  for (int i = 0; i < LANGUAGES; i++) names[TABLES + i] = languages[i].name;
  return unknown(ctx, NULL, name, names);
}

static fw_status find_entry(fw_context *ctx, const fw_table *table, const char *name, const fw_entry **entry) {
  const char *names[MOST_NAMES + 1] = {NULL};
  *entry = fw_table_find(table, name);
  for (int k = 0; k < MOST_NAMES && table->entries[k]; k++) names[k] = table->entries[k]->name;
  return *entry ? FW_OK : unknown(ctx, table->name, name, names);
}

static fw_status list_language(fw_context *ctx, int which, char **text) {
  size_t length;
  FILE *out = open_memstream(text, &length);
  if (!out) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  languages[which].list(out);
  return fclose(out) == 0 ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
}

static fw_status list(fw_context *ctx, const char *table, const char *name, char **text) {
  for (int i = 0; i < LANGUAGES && table; i++)
    if (strcmp(languages[i].name, table) == 0)
      return name ? fw_fail(ctx, FW_ERR_ARGUMENT, "\"%s\": %s is listed as a whole only", name, table)
                  : list_language(ctx, i, text);
  const fw_table *found = NULL;
  const fw_entry *entry = NULL;
  size_t length;
  if (name && !table) return fw_fail(ctx, FW_ERR_ARGUMENT, "\"%s\": an entry of which table?", name);
  if (table) FW_TRY(find_table(ctx, table, &found));
  if (name) FW_TRY(find_entry(ctx, found, name, &entry));
  FILE *out = open_memstream(text, &length);
  if (!out) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fw_status status = FW_OK;
  if (entry)
    list_entry(out, entry);
  else if (found)
    list_entries(out, found);
  else
    list_tables(out);
  if (entry && found == &fw_laws) status = list_abilities(ctx, out, entry);
  if (fclose(out) != 0 && status == FW_OK) status = fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  return status;
}

fw_status fw_list(fw_context *ctx, const char *table, const char *name, char **text) {
  if (text) *text = NULL;
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, text);
  FW_RETURN_PLAIN(ctx, list(ctx, table, name, text));
}
