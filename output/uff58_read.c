/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "output/uff58.h"

enum { REAL_SINGLE = 2, REAL_DOUBLE = 4, COMPLEX_SINGLE = 5, COMPLEX_DOUBLE = 6, IEEE = 2, LINE = 160 };

/* A file in memory, read line by line or byte by byte. */
typedef struct reader {
  fw_context *ctx;
  const char *path, *at, *end;
  int line;
} reader;

static fw_status wrong(const reader *r, const char *what) {
  return fw_fail_at(r->ctx, FW_ERR_IO, (fw_place){r->path, r->line, NULL}, "dataset 58: %s", what);
}

/* The next line, cut to LINE-1 characters and padded with blanks so that columns can be taken from it. */
static bool next_line(reader *r, char line[LINE]) {
  if (r->at >= r->end) return false;
  const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
  if (!stop) stop = r->end;
  size_t length = (size_t)(stop - r->at);
  if (length && r->at[length - 1] == '\r') length--;
  if (length > LINE - 1) length = LINE - 1;
  memset(line, ' ', LINE);
  memcpy(line, r->at, length);
  line[LINE - 1] = '\0';
  r->at = stop < r->end ? stop + 1 : r->end;
  r->line++;
  return true;
}

/* ---- columns ----------------------------------------------------------------------------- */

static void take_text(const char *line, int from, int width, char *text) {
  while (width > 0 && isspace((unsigned char)line[from])) from++, width--;
  while (width > 0 && isspace((unsigned char)line[from + width - 1])) width--;
  memcpy(text, line + from, (size_t)width);
  text[width] = '\0';
}

static double take_number(const char *line, int from, int width) {
  char text[LINE];
  take_text(line, from, width, text);
  for (char *c = text; *c; c++)
    if (*c == 'D' || *c == 'd') *c = 'e'; /* Fortran's double exponent */
  return strtod(text, NULL);
}

/* Beyond what an int holds: -1, which no field allows. */
static int take_integer(const char *line, int from, int width) {
  double number = take_number(line, from, width);
  return fabs(number) < 2147483648.0 ? (int)number : -1;
}

static void take_axis(const char *line, fw_uff_axis *axis) {
  axis->kind = take_integer(line, 0, 10);
  take_text(line, 26, 20, axis->label);
  take_text(line, 47, 20, axis->unit);
  if (strcmp(axis->unit, "NONE") == 0) axis->unit[0] = '\0';
}

static void take_place(const char *line, int from, fw_uff_place *place) {
  take_text(line, from + 1, 10, place->entity);
  place->node = take_integer(line, from + 11, 10);
  place->direction = take_integer(line, from + 21, 4);
}

/* ---- one dataset ------------------------------------------------------------------------- */

typedef struct layout {
  int type; /* ordinate data type */
  bool even, binary, swapped;
  double bytes;     /* of the binary data, as the file says; 0: it does not */
  bool x_is_single; /* binary: the abscissa has four bytes beside an ordinate of eight */
  double start, step;
} layout;

static fw_status read_header(reader *r, fw_uff58 *f, layout *form) {
  char lines[11][LINE];
  for (int i = 0; i < 11; i++)
    if (!next_line(r, lines[i])) return wrong(r, "the header is cut short");
  for (int i = 0; i < 5; i++) take_text(lines[i], 0, 80, f->id[i]);
  f->function = take_integer(lines[5], 0, 5);
  take_place(lines[5], 30, &f->response);
  take_place(lines[5], 55, &f->reference);
  form->type = take_integer(lines[6], 0, 10);
  double count = take_number(lines[6], 10, 10);
  form->even = take_integer(lines[6], 20, 10) == 1;
  form->start = take_number(lines[6], 30, 13);
  form->step = take_number(lines[6], 43, 13);
  f->z = take_number(lines[6], 56, 13);
  take_axis(lines[7], &f->abscissa);
  take_axis(lines[8], &f->ordinate);
  take_axis(lines[9], &f->denominator);
  take_axis(lines[10], &f->z_axis);
  if (form->type != REAL_SINGLE && form->type != REAL_DOUBLE && form->type != COMPLEX_SINGLE &&
      form->type != COMPLEX_DOUBLE)
    return wrong(r, "the ordinate is neither 2, 4, 5 nor 6 (real or complex, single or double)");
  /* every value takes at least a byte of the file, which bounds what a wrong count can ask for */
  if (!(count >= 0) || count > (double)(r->end - r->at)) return wrong(r, "more points than the file can hold");
  f->count = (size_t)count;
  return FW_OK;
}

static bool is_complex(const layout *form) { return form->type == COMPLEX_SINGLE || form->type == COMPLEX_DOUBLE; }
static bool is_single(const layout *form) { return form->type == REAL_SINGLE || form->type == COMPLEX_SINGLE; }
static int values_per_point(const layout *form) { return (form->even ? 0 : 1) + (is_complex(form) ? 2 : 1); }

/* Width of the k-th column of a value group in ASCII. */
static int column_width(const layout *form, int k) {
  if (is_single(form)) return 13;
  return !form->even && k == 0 ? 13 : 20;
}

static int points_per_line(const layout *form) {
  int per_line = is_single(form) ? 6 : form->even ? 4 : is_complex(form) ? 3 : 4;
  return per_line / values_per_point(form);
}

static fw_status read_ascii(reader *r, const layout *form, size_t count, double *values) {
  char line[LINE];
  int group = values_per_point(form), per_line = points_per_line(form);
  for (size_t i = 0; i < count;) {
    if (!next_line(r, line) || strncmp(line, "    -1", 6) == 0) return wrong(r, "the data are cut short");
    int at = 0;
    for (int n = 0; n < per_line && i < count; n++, i++)
      for (int k = 0; k < group; k++) {
        int width = column_width(form, k);
        values[i * (size_t)group + (size_t)k] = take_number(line, at, width);
        at += width;
      }
  }
  return FW_OK;
}

/* One number of 4 or 8 bytes in the file's byte order. */
static double take_binary(const char *bytes, bool single, bool swapped) {
  unsigned char raw[8] = {0};
  size_t size = single ? 4 : 8;
  for (size_t i = 0; i < size; i++) raw[i] = (unsigned char)bytes[swapped ? size - 1 - i : i];
  float f;
  double d;
  memcpy(&f, raw, sizeof f);
  memcpy(&d, raw, single ? sizeof f : sizeof d);
  return single ? (double)f : d;
}

/* The text form gives uneven abscissas of double ordinates six digits, a single's; some systems therefore write four
 * bytes for them. How many there are tells. */
static void size_abscissa(layout *form, size_t count) {
  size_t ordinate = is_complex(form) ? 16 : 8;
  form->x_is_single = !form->even && !is_single(form) && form->bytes == (double)(count * (4 + ordinate));
}

static fw_status read_binary(reader *r, const layout *form, size_t count, double *values) {
  size_t group = (size_t)values_per_point(form), size = is_single(form) ? 4 : 8;
  size_t point = group * size - (form->x_is_single ? 4 : 0);
  if (count * point > (size_t)(r->end - r->at)) return wrong(r, "the binary data are cut short");
  for (size_t i = 0; i < count * group; i++) {
    bool single = is_single(form) || (form->x_is_single && i % group == 0);
    values[i] = take_binary(r->at, single, form->swapped);
    r->at += single ? 4 : 8;
  }
  return FW_OK;
}

/* Parts the value groups into abscissa, real and imaginary part. */
static void spread(const layout *form, const double *values, fw_uff58 *f) {
  size_t group = (size_t)values_per_point(form);
  for (size_t i = 0; i < f->count; i++) {
    const double *v = values + i * group;
    f->x[i] = form->even ? form->start + (double)i * form->step : *v++;
    f->re[i] = *v++;
    if (f->im) f->im[i] = *v;
  }
}

static fw_status read_function(reader *r, const char *first, fw_uff58 *f) {
  layout form = {.binary = tolower((unsigned char)first[6]) == 'b'};
  const uint16_t one = 1;
  int order = *(const unsigned char *)&one ? 1 : 2;
  if (form.binary) {
    form.swapped = take_integer(first, 7, 6) != order;
    if (take_integer(first, 13, 6) != IEEE) return wrong(r, "binary data are not IEEE numbers");
    form.bytes = take_number(first, 31, 12);
  }
  FW_TRY(read_header(r, f, &form));
  size_abscissa(&form, f->count);
  double *values;
  FW_TRY(fw_alloc(r->ctx, f->count, (size_t)values_per_point(&form) * sizeof *values, &values));
  fw_status status;
  FW_TRY_DONE(fw_alloc(r->ctx, f->count, sizeof *f->x, &f->x));
  FW_TRY_DONE(fw_alloc(r->ctx, f->count, sizeof *f->re, &f->re));
  if (is_complex(&form)) FW_TRY_DONE(fw_alloc(r->ctx, f->count, sizeof *f->im, &f->im));
  FW_TRY_DONE(form.binary ? read_binary(r, &form, f->count, values) : read_ascii(r, &form, f->count, values));
  spread(&form, values, f);
done:
  free(values);
  return status;
}

/* ---- the file ---------------------------------------------------------------------------- */

static bool is_delimiter(const char *line) {
  return strncmp(line, "    -1", 6) == 0 && isspace((unsigned char)line[6]);
}

static fw_status read_all(reader *r, fw_uff58 **functions, int *count, int *room) {
  char line[LINE];
  while (next_line(r, line)) {
    if (!is_delimiter(line)) continue; /* between datasets */
    if (!next_line(r, line)) return FW_OK;
    if (take_integer(line, 0, 6) == 58) {
      FW_TRY(fw_grow(r->ctx, *count, room, sizeof **functions, functions));
      memset(*functions + *count, 0, sizeof **functions);
      FW_TRY(read_function(r, line, *functions + (*count)++));
    }
    do { /* on to the end of this dataset */
      if (!next_line(r, line)) return wrong(r, "the closing -1 is missing");
    } while (!is_delimiter(line));
  }
  return *count ? FW_OK : wrong(r, "the file has none");
}

fw_status fw_uff58_read(fw_context *ctx, const char *path, fw_uff58 **functions, int *count) {
  char *bytes;
  size_t length;
  int room = 0;
  *functions = NULL;
  *count = 0;
  FW_TRY(fw_file_read(ctx, path, &bytes, &length));
  reader r = {ctx, path, bytes, bytes + length, 0};
  fw_status status = read_all(&r, functions, count, &room);
  free(bytes);
  if (status != FW_OK) {
    fw_uff58_destroy(functions, *count);
    *count = 0;
  }
  return status;
}

void fw_uff58_destroy(fw_uff58 **functions, int count) {
  if (!functions || !*functions) return;
  for (int i = 0; i < count; i++) {
    free((*functions)[i].x);
    free((*functions)[i].re);
    free((*functions)[i].im);
  }
  free(*functions);
  *functions = NULL;
}
