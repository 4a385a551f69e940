/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units of <parameter>: products of powers of the units in a table, e.g. "mm", "N/m", "kg/m^3",
 * "N s/m". Everything else in a deck is SI. */
#ifndef FW_INPUT_UNITS_H
#define FW_INPUT_UNITS_H

#include <stdbool.h>
#include <stddef.h>

enum { FW_BASES = 3 };

/* Powers of m, kg and s; angles are numbers. */
typedef struct fw_dimension {
  double power[FW_BASES];
} fw_dimension;

typedef struct fw_unit {
  const char *name;
  double factor; /* times this: SI */
  fw_dimension dimension;
} fw_unit;

extern const fw_unit fw_units[]; /* ends with a NULL name */

/* Factor to SI and dimension. False if the text is not a unit; *wrong is then the part that is not known (at
 * most 31 characters are kept). */
bool fw_unit_factor(const char *text, double *factor, fw_dimension *dimension, char wrong[32]);

bool fw_dimension_equal(const fw_dimension *a, const fw_dimension *b);
void fw_dimension_text(const fw_dimension *dimension, char *text, size_t room);

/* The nearest unit to a misspelt one, or NULL. */
const char *fw_unit_nearest(const char *misspelt);

#endif
