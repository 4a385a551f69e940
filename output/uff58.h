/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Universal file dataset 58, "function at nodal DOF", as modal test systems exchange it: ASCII (58) and
 * binary (58b). */
#ifndef FW_OUTPUT_UFF58_H
#define FW_OUTPUT_UFF58_H

#include "core/context.h"

/* Function types. */
enum { FW_UFF_GENERAL = 0, FW_UFF_TIME = 1, FW_UFF_FRF = 4, FW_UFF_SPECTRUM = 12 };

/* Kinds of quantity on an axis. */
enum {
  FW_UFF_UNKNOWN = 0,
  FW_UFF_DISPLACEMENT = 8,
  FW_UFF_VELOCITY = 11,
  FW_UFF_ACCELERATION = 12,
  FW_UFF_FORCE = 13,
  FW_UFF_AXIS_TIME = 17,
  FW_UFF_AXIS_FREQUENCY = 18
};

typedef struct fw_uff_axis {
  int kind;
  char label[21], unit[21];
} fw_uff_axis;

typedef struct fw_uff_place {
  char entity[11];
  int node;
  int direction; /* 1, 2, 3: +x, +y, +z; 4, 5, 6 rotations; negative: the other way; 0: none */
} fw_uff_place;

/* One function. im is NULL if it is real. */
typedef struct fw_uff58 {
  char id[5][81]; /* first line: description */
  int function;
  fw_uff_place response, reference;
  fw_uff_axis abscissa, ordinate, denominator, z_axis;
  double z;
  size_t count;
  double *x, *re, *im;
} fw_uff58;

/* Writes all functions in double precision. In ASCII an abscissa carries six digits, as the format
 * demands: evenly spaced ones are given by start and step where that reproduces them. */
fw_status fw_uff58_write(fw_context *ctx, const char *path, const fw_uff58 *functions, int count, bool binary);

/* Reads every dataset 58 of a file, single or double, of either byte order; other datasets are
 * skipped. Errors name file and line. */
fw_status fw_uff58_read(fw_context *ctx, const char *path, fw_uff58 **functions, int *count);

/* Frees a list and what its functions own. */
void fw_uff58_destroy(fw_uff58 **functions, int count);

#endif
