/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/summary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reading.h"
#include "output/files.h"

enum { PATH = 512, VALUE = 256, MOST_COLUMNS = 64 };

/* Prints what fits. A path that is cut leads nowhere and shows nothing. */
FW_PRINTF(3, 4) static void print_in(char *text, size_t room, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(text, room, format, args);
  va_end(args);
}

/* ---- walking ----------------------------------------------------------------------------- */

typedef struct walk {
  fw_context *ctx;
  const fw_record *record;
  const fw_summary_visitor *visitor;
} walk;

/* Path of child i below `path`. */
static void child_path(const walk *w, const char *path, int i, char *child) {
  const char *key = fw_record_key(w->record, path, i);
  if (key)
    print_in(child, PATH, "%s%s%s", path, path[0] ? "." : "", key);
  else
    print_in(child, PATH, "%s[%d]", path, i);
}

static bool is_leaf(fw_record_kind kind) { return kind != FW_RECORD_LIST && kind != FW_RECORD_OBJECT; }

/* Numbers without unit are read as they are; what is nothing keeps its number, in SI. */
static fw_reading reading_in(const char *unit, double most) {
  fw_reading reading = {.factor = 1.0};
  if (unit[0]) reading = fw_reading_of(unit, most);
  if (!reading.nothing) return reading;
  reading.factor = 1.0;
  print_in(reading.unit, sizeof reading.unit, "%s", unit);
  return reading;
}

static fw_reading reading_at(const walk *w, const char *path, double most) {
  return reading_in(fw_record_unit(w->record, path), most);
}

static double size_at(const walk *w, const char *path) {
  double number = 0.0;
  fw_record_number(w->record, path, &number);
  return fabs(number);
}

static void leaf_text(const walk *w, const char *path, const fw_reading *reading, char *text) {
  double number;
  const char *string;
  text[0] = '\0';
  if (fw_record_number(w->record, path, &number) == FW_OK)
    print_in(text, VALUE, reading->nothing && number != 0.0 ? "0 (%.2g)" : "%.6g", number * reading->factor);
  else if (fw_record_text(w->record, path, &string) == FW_OK)
    print_in(text, VALUE, "%s", string);
  else if (fw_record_kind_at(w->record, path) == FW_RECORD_NULL)
    print_in(text, VALUE, "-");
}

static void name_with_unit(const char *name, const fw_reading *reading, char *text) {
  if (reading->unit[0])
    print_in(text, PATH, "%s [%s]", name, reading->unit);
  else
    print_in(text, PATH, "%s", name);
}

static bool tells_units(const walk *w, const char *path, int i) {
  const char *key = fw_record_key(w->record, path, i);
  return key && strcmp(key, "units") == 0;
}

/* ---- lists of objects as tables ---------------------------------------------------------- */

typedef struct columns {
  char names[MOST_COLUMNS][PATH];
  int count;
} columns;

/* Collects the leaf names below an item, relative to it. */
static void collect_columns(const walk *w, const char *item, const char *path, columns *c) {
  char child[PATH];
  for (int i = 0; i < fw_record_count(w->record, path); i++) {
    child_path(w, path, i, child);
    fw_record_kind kind = fw_record_kind_at(w->record, child);
    if (tells_units(w, path, i)) continue;
    if (kind == FW_RECORD_OBJECT) collect_columns(w, item, child, c);
    if (!is_leaf(kind)) continue;
    const char *name = child + strlen(item) + 1;
    int known = 0;
    while (known < c->count && strcmp(c->names[known], name) != 0) known++;
    if (known == c->count && c->count < MOST_COLUMNS) print_in(c->names[c->count++], PATH, "%s", name);
  }
}

/* Fills one cell; row 0 and column 0 are headings. Items are the rows, or the columns if `turned`. */
typedef struct sheet {
  char **cells;
  int rows, columns; /* as shown */
  bool turned;
} sheet;

static char *sheet_cell(const sheet *s, int item, int name) {
  return s->turned ? s->cells[name * s->columns + item] : s->cells[item * s->columns + name];
}

/* How a column of items is read: by its largest figure, in the unit that the first one with a unit has. */
static fw_reading column_reading(const walk *w, const char *path, int items, const char *name) {
  char item[PATH], leaf[2 * PATH];
  const char *unit = "";
  double most = 0.0;
  for (int r = 0; r < items; r++) {
    child_path(w, path, r, item);
    print_in(leaf, sizeof leaf, "%s.%s", item, name);
    most = fmax(most, size_at(w, leaf));
    if (!unit[0]) unit = fw_record_unit(w->record, leaf);
  }
  return reading_in(unit, most);
}

/* Rows are counted from 1; the first of harmonics is the mean, so that each has its own number. */
static void name_item(const char *path, int item, char *name) {
  const char *last = strrchr(path, '.');
  bool harmonics = strcmp(last ? last + 1 : path, "harmonics") == 0;
  if (harmonics && item == 0)
    print_in(name, PATH, "mean");
  else
    print_in(name, PATH, "%d", harmonics ? item : item + 1);
}

static void fill_sheet(const walk *w, const char *path, int items, const columns *c, const sheet *s) {
  char item[PATH], leaf[2 * PATH];
  for (int r = 0; r < items; r++) name_item(path, r, sheet_cell(s, r + 1, 0));
  for (int k = 0; k < c->count; k++) {
    fw_reading reading = column_reading(w, path, items, c->names[k]);
    name_with_unit(c->names[k], &reading, sheet_cell(s, 0, k + 1));
    for (int r = 0; r < items; r++) {
      child_path(w, path, r, item);
      print_in(leaf, sizeof leaf, "%s.%s", item, c->names[k]);
      leaf_text(w, leaf, &reading, sheet_cell(s, r + 1, k + 1));
    }
  }
}

static fw_status walk_table(const walk *w, const char *path) {
  enum { WIDE = 7 };
  int items = fw_record_count(w->record, path);
  char item[PATH], *text = NULL;
  sheet s = {0};
  columns *c;
  FW_TRY(fw_alloc(w->ctx, 1, sizeof *c, &c));
  fw_status status = FW_OK;
  for (int r = 0; r < items; r++) {
    child_path(w, path, r, item);
    collect_columns(w, item, item, c);
  }
  if (c->count == 0) goto done;
  s.turned = c->count > WIDE && items <= WIDE;
  s.rows = 1 + (s.turned ? c->count : items);
  s.columns = 1 + (s.turned ? items : c->count);
  size_t count = (size_t)s.rows * (size_t)s.columns;
  FW_TRY_DONE(fw_alloc(w->ctx, count, sizeof *s.cells, &s.cells));
  FW_TRY_DONE(fw_alloc(w->ctx, count, PATH, &text));
  for (size_t i = 0; i < count; i++) s.cells[i] = text + i * PATH;
  fill_sheet(w, path, items, c, &s);
  w->visitor->table(w->visitor->user, s.rows, s.columns, s.cells);
done:
  free(text);
  free(s.cells);
  free(c);
  return status;
}

/* Lists of plain values in one line. */
static void walk_values(const walk *w, const char *path, const char *key) {
  char child[PATH], value[VALUE], name[PATH], line[4 * VALUE] = "";
  double most = 0.0;
  for (int i = 0; i < fw_record_count(w->record, path); i++) {
    child_path(w, path, i, child);
    most = fmax(most, size_at(w, child));
  }
  fw_reading reading = reading_at(w, path, most);
  name_with_unit(key, &reading, name);
  size_t at = 0;
  for (int i = 0; i < fw_record_count(w->record, path) && at + VALUE < sizeof line; i++) {
    child_path(w, path, i, child);
    leaf_text(w, child, &reading, value);
    int n = snprintf(line + at, sizeof line - at, "%s%s", i ? ", " : "", value);
    if (n > 0) at += (size_t)n;
  }
  w->visitor->figure(w->visitor->user, name, line);
}

/* ---- objects ----------------------------------------------------------------------------- */

/* A list of plain values. */
static bool is_value_list(const walk *w, const char *path) {
  char first[PATH];
  print_in(first, sizeof first, "%s[0]", path);
  return fw_record_kind_at(w->record, path) == FW_RECORD_LIST && is_leaf(fw_record_kind_at(w->record, first));
}

/* Objects whose members are the headings. */
static bool has_parts(const char *path) {
  return strcmp(path, "analyses") == 0 || strcmp(path, "studies") == 0 || strcmp(path, "identification") == 0;
}

/* Figures of an object first, then what hangs below, each under its heading. */
static fw_status walk_object(const walk *w, const char *path, int depth) {
  char child[PATH], value[VALUE], name[PATH];
  int count = fw_record_count(w->record, path);
  for (int i = 0; i < count; i++) {
    child_path(w, path, i, child);
    const char *key = fw_record_key(w->record, path, i);
    if (is_leaf(fw_record_kind_at(w->record, child))) {
      fw_reading reading = reading_at(w, child, size_at(w, child));
      name_with_unit(key, &reading, name);
      leaf_text(w, child, &reading, value);
      w->visitor->figure(w->visitor->user, name, value);
    } else if (is_value_list(w, child)) {
      walk_values(w, child, key);
    }
  }
  for (int i = 0; i < count; i++) {
    child_path(w, path, i, child);
    fw_record_kind kind = fw_record_kind_at(w->record, child);
    if (is_leaf(kind) || is_value_list(w, child) || fw_record_count(w->record, child) == 0) continue;
    if (tells_units(w, path, i)) continue;
    bool hidden = has_parts(child);
    if (!hidden) w->visitor->heading(w->visitor->user, depth, fw_record_key(w->record, path, i));
    FW_TRY(kind == FW_RECORD_LIST ? walk_table(w, child) : walk_object(w, child, depth + !hidden));
  }
  return FW_OK;
}

fw_status fw_summary_walk(fw_context *ctx, const fw_record *record, const fw_summary_visitor *visitor) {
  walk w = {ctx, record, visitor};
  return walk_object(&w, "", 1);
}

/* ---- files ------------------------------------------------------------------------------- */

fw_status fw_summary_write(fw_context *ctx, const fw_record *record, const char *folder) {
  char *json = fw_record_json(record), *text = NULL, *brief = NULL, *both = NULL;
  if (!json) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fw_status status;
  FW_TRY_DONE(fw_file_write_in(ctx, folder, "summary.json", json));
  FW_TRY_DONE(fw_summary_text(ctx, record, &text));
  FW_TRY_DONE(fw_summary_brief(ctx, record, &brief));
  size_t room = strlen(brief) + strlen(text) + 1;
  FW_TRY_DONE(fw_alloc(ctx, room, 1, &both));
  snprintf(both, room, "%s%s", brief, text);
  FW_TRY_DONE(fw_file_write_in(ctx, folder, "summary.txt", both));
done:
  free(both);
  free(brief);
  free(text);
  free(json);
  return status;
}

fw_status fw_summary_read(fw_context *ctx, const char *folder, fw_record **record) {
  char *path, *json = NULL;
  *record = NULL;
  FW_TRY(fw_path_join(ctx, folder, "summary.json", &path));
  fw_status status = fw_file_read(ctx, path, &json, NULL);
  if (status == FW_OK) status = fw_record_parse(ctx, json, record);
  free(json);
  free(path);
  return status;
}
