/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/measured.h"

#include <stdlib.h>
#include <string.h>

/* Beside the SI unit each is of. */
static const struct {
  const char *si, *unit;
  double factor;
} known[] = {{"s", "ms", 1e-3},
             {"s", "us", 1e-6},
             {"m", "mm", 1e-3},
             {"m", "um", 1e-6},
             {"m", "nm", 1e-9},
             {"m/s", "mm/s", 1e-3},
             {"m/s^2", "m/s2", 1},
             {"m/s^2", "mm/s^2", 1e-3},
             {"m/s^2", "mm/s2", 1e-3},
             {"m/s^2", "g", 9.80665},
             {"N", "mN", 1e-3},
             {"N", "kN", 1e3},
             {"rad", "mrad", 1e-3},
             {"Hz", "kHz", 1e3},
             {"rad", "deg", 0.017453292519943295},
             {"deg", "rad", 57.29577951308232},
             {"rad/s", "mrad/s", 1e-3}};
enum { KNOWN = sizeof known / sizeof *known };

bool fw_measured_factor(const char *unit, const char *si, double *factor) {
  *factor = 1.0;
  if (unit[0] == '\0' || strcmp(unit, si) == 0) return true;
  for (int i = 0; i < KNOWN; i++)
    if (strcmp(known[i].si, si) == 0 && strcmp(known[i].unit, unit) == 0) {
      *factor = known[i].factor;
      return true;
    }
  return false;
}

/* Which of the known units one is, or -1; degrees and radians are left to who knows which is wanted. */
static int find_unit(const char *unit) {
  for (int i = 0; i < KNOWN; i++)
    if (strcmp(known[i].unit, unit) == 0) return strcmp(unit, "deg") == 0 || strcmp(unit, "rad") == 0 ? -1 : i;
  return -1;
}

fw_status fw_measured_to_si(fw_context *ctx, fw_data_table *table) {
  for (int c = 0; c < table->columns; c++) {
    int i = find_unit(table->column_units[c]);
    if (i < 0) continue;
    char *si;
    FW_TRY(fw_copy_text(ctx, known[i].si, &si));
    free(table->column_units[c]);
    table->column_units[c] = si;
    for (size_t r = 0; r < table->rows; r++) table->values[c][r] *= known[i].factor;
  }
  return FW_OK;
}
