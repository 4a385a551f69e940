/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/files.h"
#include "output/uff58.h"

enum { REAL_DOUBLE = 4, COMPLEX_DOUBLE = 6, IEEE = 2, HEADER_LINES = 11 };

/* A number as the header line will have it. */
static double rounded(double value) {
  char text[32];
  snprintf(text, sizeof text, "%13.5e", value);
  return strtod(text, NULL);
}

/* True if start and step, as printed, give every abscissa back to a part in a million of the range. */
static bool is_even(const fw_uff58 *f) {
  if (f->count < 2) return false;
  double start = rounded(f->x[0]), last = f->x[f->count - 1];
  double step = rounded((last - f->x[0]) / (double)(f->count - 1));
  for (size_t i = 0; i < f->count; i++)
    if (fabs(start + (double)i * step - f->x[i]) > 1e-6 * fabs(last - f->x[0])) return false;
  return step != 0.0;
}

static void write_place(FILE *out, const fw_uff_place *place) {
  fprintf(out, " %-10.10s%10d%4d", place->entity[0] ? place->entity : "NONE", place->node, place->direction);
}

static void write_axis(FILE *out, const fw_uff_axis *axis) {
  fprintf(out, "%10d%5d%5d%5d %-20.20s %-20.20s\n", axis->kind, 0, 0, 0, axis->label[0] ? axis->label : "NONE",
          axis->unit[0] ? axis->unit : "NONE");
}

static void write_header(FILE *out, const fw_uff58 *f, bool even, bool binary) {
  size_t values = f->count * (size_t)((even ? 0 : 1) + (f->im ? 2 : 1));
  const uint16_t one = 1;
  int order = *(const unsigned char *)&one ? 1 : 2;
  fprintf(out, "%6d\n", -1);
  if (binary)
    fprintf(out, "%6db%6d%6d%12d%12zu%6d%6d%12d%12d\n", 58, order, IEEE, HEADER_LINES, values * sizeof(double), 0, 0, 0,
            0);
  else
    fprintf(out, "%6d%74s\n", 58, "");
  for (int i = 0; i < 5; i++) fprintf(out, "%-80.80s\n", f->id[i][0] ? f->id[i] : "NONE");
  fprintf(out, "%5d%10d%5d%10d", f->function, 0, 0, 0);
  write_place(out, &f->response);
  write_place(out, &f->reference);
  double step = f->count > 1 ? (f->x[f->count - 1] - f->x[0]) / (double)(f->count - 1) : 0.0;
  fprintf(out, "\n%10d%10zu%10d%13.5e%13.5e%13.5e\n", f->im ? COMPLEX_DOUBLE : REAL_DOUBLE, f->count, even,
          even ? f->x[0] : 0.0, even ? step : 0.0, f->z);
  write_axis(out, &f->abscissa);
  write_axis(out, &f->ordinate);
  write_axis(out, &f->denominator);
  write_axis(out, &f->z_axis);
}

/* 4E20.12; uneven 2(E13.5,E20.12), complex E13.5,2E20.12. C's %20.12e has three digits of exponent at most, so
 * a number fills its field but never bursts it. */
static void write_ascii(FILE *out, const fw_uff58 *f, bool even) {
  int on_line = 0, most = even ? 4 : f->im ? 3 : 4;
  for (size_t i = 0; i < f->count; i++) {
    if (!even) on_line += fprintf(out, "%13.5e", f->x[i]) > 0;
    on_line += fprintf(out, "%20.12e", f->re[i]) > 0;
    if (f->im) on_line += fprintf(out, "%20.12e", f->im[i]) > 0;
    if (on_line < most && i + 1 < f->count) continue;
    fputc('\n', out);
    on_line = 0;
  }
}

static void write_binary(FILE *out, const fw_uff58 *f, bool even) {
  for (size_t i = 0; i < f->count; i++) {
    if (!even) fwrite(&f->x[i], sizeof(double), 1, out);
    fwrite(&f->re[i], sizeof(double), 1, out);
    if (f->im) fwrite(&f->im[i], sizeof(double), 1, out);
  }
}

fw_status fw_uff58_write(fw_context *ctx, const char *path, const fw_uff58 *functions, int count, bool binary) {
  char *bytes = NULL;
  size_t length;
  FILE *out = open_memstream(&bytes, &length);
  if (!out) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  for (int i = 0; i < count; i++) {
    bool even = is_even(&functions[i]);
    write_header(out, &functions[i], even, binary);
    if (binary)
      write_binary(out, &functions[i], even);
    else
      write_ascii(out, &functions[i], even);
    fprintf(out, "%6d\n", -1);
  }
  fw_status status = fclose(out) == 0 ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (status == FW_OK) status = fw_file_write(ctx, path, bytes, length);
  free(bytes);
  return status;
}
