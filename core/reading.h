/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units as people read them: files hold SI, pictures, pages and messages say 12.3 µm. */
#ifndef FW_CORE_READING_H
#define FW_CORE_READING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fw_reading {
  double factor; /* a value in SI times this is a number of `unit` */
  char unit[40];
  bool nothing; /* below any unit people use, as what rounding leaves of a zero: a power of ten of the SI unit */
} fw_reading;

/* The unit for values of up to `most` in size: of those people use the largest of which that is one or more, and the
 * next power of a thousand where a unit has no such names. "" has none either. */
fw_reading fw_reading_of(const char *unit, double most);

/* The same for a label that ends in its unit, "slip [m]", and the label as it is to be read, "slip [µm]"; on a
 * logarithmic axis, whose numbers tell their powers of ten, without one. */
fw_reading fw_reading_of_label(const char *label, double most, bool logarithmic, char *read, size_t room);

/* A quantity in words, "12.3 µm"; what is nothing keeps its number, for it may be meant: "0 (4.6e-20 m)". */
typedef struct fw_said {
  char text[80];
} fw_said;

fw_said fw_say(double value, const char *unit);

#endif
