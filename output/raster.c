/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/raster.h"

#include <math.h>
#include <stdlib.h>

typedef struct raster {
  double low[2], high[2], size;
  int wide, tall;
  double *value; /* of each square; below 0: none */
} raster;

static void widen(raster *r, const fw_patch *patch) {
  for (int i = 0; i < patch->corners; i++) {
    const double at[2] = {patch->x[i], patch->y[i]};
    for (int d = 0; d < 2; d++) r->low[d] = fmin(r->low[d], at[d]), r->high[d] = fmax(r->high[d], at[d]);
  }
}

/* The smallest squares of which no more than `most` fill the box. */
static void choose_size(raster *r, size_t most) {
  double width = r->high[0] - r->low[0], height = r->high[1] - r->low[1];
  r->size = fmax(sqrt(width * height / (double)most), fmax(width, height) / (double)most);
  do {
    r->size *= 1.01;
    r->wide = (int)(width / r->size) + 1;
    r->tall = (int)(height / r->size) + 1;
  } while ((size_t)r->wide * (size_t)r->tall > most);
}

static int square_at(const raster *r, int d, double at) { return (int)((at - r->low[d]) / r->size); }

static double middle_of(const raster *r, int d, int square) { return r->low[d] + (square + 0.5) * r->size; }

/* A ray to the right leaves what it began in. */
static bool holds(const fw_patch *patch, double x, double y) {
  bool in = false;
  for (int i = 0, k = patch->corners - 1; i < patch->corners; k = i++) {
    double rise = patch->y[k] - patch->y[i];
    if ((patch->y[i] > y) == (patch->y[k] > y)) continue;
    if (x < patch->x[i] + (patch->x[k] - patch->x[i]) * (y - patch->y[i]) / rise) in = !in;
  }
  return in;
}

static void raise(raster *r, int column, int row, double value) {
  double *square = &r->value[(size_t)row * (size_t)r->wide + (size_t)column];
  *square = fmax(*square, value);
}

static void paint(raster *r, const fw_patch *patch) {
  raster box = {.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
  double x = 0.0, y = 0.0;
  widen(&box, patch);
  for (int row = square_at(r, 1, box.low[1]); row <= square_at(r, 1, box.high[1]); row++)
    for (int column = square_at(r, 0, box.low[0]); column <= square_at(r, 0, box.high[0]); column++)
      if (holds(patch, middle_of(r, 0, column), middle_of(r, 1, row))) raise(r, column, row, patch->value);
  for (int i = 0; i < patch->corners; i++) {
    x += patch->x[i] / patch->corners;
    y += patch->y[i] / patch->corners;
  }
  raise(r, square_at(r, 0, x), square_at(r, 1, y), patch->value);
}

fw_status fw_raster(fw_context *ctx, size_t most, fw_patch *patches, size_t *count) {
  raster r = {.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
  size_t kept = 0;
  for (size_t p = 0; p < *count; p++) widen(&r, &patches[p]);
  choose_size(&r, most < *count ? most : *count);
  FW_TRY(fw_alloc(ctx, (size_t)r.wide * (size_t)r.tall, sizeof *r.value, &r.value));
  for (int i = 0; i < r.wide * r.tall; i++) r.value[i] = -1.0;
  for (size_t p = 0; p < *count; p++) paint(&r, &patches[p]);
  for (int i = 0; i < r.wide * r.tall; i++) {
    if (r.value[i] < 0.0) continue;
    int column = i % r.wide, row = i / r.wide;
    double x = r.low[0] + column * r.size, y = r.low[1] + row * r.size;
    patches[kept++] = (fw_patch){4, {x, x + r.size, x + r.size, x}, {y, y, y + r.size, y + r.size}, r.value[i]};
  }
  *count = kept;
  free(r.value);
  return FW_OK;
}
