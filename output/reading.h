/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units as people read them: files hold SI, pictures and pages say 12.3 µm. */
#ifndef FW_OUTPUT_READING_H
#define FW_OUTPUT_READING_H

#include <stddef.h>

typedef struct fw_reading {
  double factor; /* a value in SI times this is a number of `unit` */
  char unit[40];
} fw_reading;

/* The unit for values of up to `most` in size: of those people use the largest of which that is one or more, and the
 * next power of a thousand where a unit has no such names. "" has none either. */
fw_reading fw_reading_of(const char *unit, double most);

/* The same for a label that ends in its unit, "slip [m]", and the label as it is to be read, "slip [µm]". */
fw_reading fw_reading_of_label(const char *label, double most, char *read, size_t room);

#endif
