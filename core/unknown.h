/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure that is not known: an empty cell of a table, absent from a summary. It is a NaN of its own, so that a NaN
 * which arithmetic made is not taken for it: that one ends the analysis. isnan() holds for both. */
#ifndef FW_CORE_UNKNOWN_H
#define FW_CORE_UNKNOWN_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FW_UNKNOWN_BITS UINT64_C(0x7ff8756e6b6e776e) /* a quiet NaN; arithmetic makes 0x7ff8000000000000 */

static inline double fw_unknown(void) {
  const uint64_t bits = FW_UNKNOWN_BITS;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Whatever its sign: what is computed from the unknown is unknown. */
static inline bool fw_is_unknown(double value) {
  uint64_t bits;
  value = fabs(value);
  memcpy(&bits, &value, sizeof bits);
  return bits == FW_UNKNOWN_BITS;
}

/* A number, or said to be unknown. */
static inline bool fw_is_figure(double value) { return isfinite(value) || fw_is_unknown(value); }

/* For messages: what a value that is no figure is. */
static inline const char *fw_flaw_of(double value) { return isnan(value) ? "not a number" : "infinite"; }

#endif
