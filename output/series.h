/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A series of .vtu files with its .pvd index, valid after every frame. */
#ifndef FW_OUTPUT_SERIES_H
#define FW_OUTPUT_SERIES_H

#include <stdio.h>

#include "output/grid.h"

typedef struct fw_series {
  char *folder, *name;
  FILE *index; /* NAME.pvd */
  long end;    /* where the closing tags begin */
  int frames;
} fw_series;

/* Starts folder/name.pvd; `name` must be fit for a file name. */
fw_status fw_series_open(fw_context *ctx, const char *folder, const char *name, fw_series **series);
/* Writes folder/name-NNNN.vtu and its line in the index. */
fw_status fw_series_add(fw_context *ctx, fw_series *series, const fw_grid *grid);
void fw_series_close(fw_series **series);

#endif
