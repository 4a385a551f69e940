/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two runs tell the same. */
#ifndef FW_TESTS_RANDOM_SAME_H
#define FW_TESTS_RANDOM_SAME_H

#include <stdbool.h>
#include <stddef.h>

#include "fretwork.h"

/* Compares every figure of the summaries and (where `tables`) every column of the tables but those of how the answer was found, up to
 * their signs, which follow the axes; sensors only where `sensors`. tolerance: of the largest of a figure. What differs
 * is told in why. */
bool same_results(const fw_results *one, const fw_results *other, double tolerance, bool sensors, bool tables,
                  char *why, size_t size);

#endif
