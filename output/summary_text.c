/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary as plain text: aligned figures and tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/summary.h"

enum { NAME_WIDTH = 28, WIDEST = 40, MARK = 5 };

/* Number of characters, not bytes, of UTF-8 text. */
static int width(const char *text) {
  int n = 0;
  for (; *text; text++) n += (*text & 0xC0) != 0x80;
  return n;
}

static void pad(FILE *out, int count) {
  for (; count > 0; count--) fputc(' ', out);
}

typedef struct sheet {
  FILE *out;
  int indent; /* of what stands under the last heading */
} sheet;

static void text_heading(void *user, int depth, const char *title) {
  sheet *s = user;
  FILE *out = s->out;
  s->indent = 2 * depth;
  fputc('\n', out);
  pad(out, s->indent - 2);
  fprintf(out, "%s\n", title);
  if (depth > 1) return;
  for (int i = width(title); i > 0; i--) fputc('-', out);
  fputc('\n', out);
}

static void text_figure(void *user, const char *name, const char *value) {
  sheet *s = user;
  FILE *out = s->out;
  pad(out, s->indent);
  fputs(name, out);
  pad(out, NAME_WIDTH - width(name));
  fprintf(out, "  %s\n", value);
}

/* A cell of words, too long for a table: it stands below, and a mark in its place. */
static bool stands_below(int row, int column, const char *cell) {
  return row > 0 && column > 0 && width(cell) > WIDEST;
}

static int column_width(int rows, int columns, char *const *cells, int column) {
  int widest = 0;
  for (int r = 0; r < rows; r++) {
    const char *cell = cells[r * columns + column];
    int w = stands_below(r, column, cell) ? MARK : width(cell);
    if (w > widest) widest = w;
  }
  return widest;
}

static void text_table(void *user, int rows, int columns, char *const *cells) {
  sheet *s = user;
  FILE *out = s->out;
  int below = 0, told = 0;
  for (int r = 0; r < rows; r++) {
    pad(out, s->indent - 2);
    for (int c = 0; c < columns; c++) {
      const char *cell = cells[r * columns + c];
      char mark[16];
      if (stands_below(r, c, cell)) {
        snprintf(mark, sizeof mark, "(%d)", ++below);
        cell = mark;
      }
      pad(out, 2 + column_width(rows, columns, cells, c) - width(cell));
      fputs(cell, out);
    }
    fputc('\n', out);
  }
  for (int i = 0; i < rows * columns; i++) {
    if (!stands_below(i / columns, i % columns, cells[i])) continue;
    pad(out, s->indent);
    fprintf(out, "(%d) %s\n", ++told, cells[i]);
  }
}

fw_status fw_summary_text(fw_context *ctx, const fw_record *record, char **text) {
  size_t length;
  *text = NULL;
  FILE *out = open_memstream(text, &length);
  if (!out) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  const fw_summary_visitor visitor = {&(sheet){out, 2}, text_heading, text_figure, text_table};
  fw_status status = fw_summary_walk(ctx, record, &visitor);
  if (fclose(out) != 0 && status == FW_OK) status = fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (status != FW_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}
