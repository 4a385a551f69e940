/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units of measuring systems. */
#ifndef FW_OUTPUT_MEASURED_H
#define FW_OUTPUT_MEASURED_H

#include "core/sink.h"

/* What turns numbers in `unit` into numbers in `si`; no unit counts as `si`. False: the unit is not one of that kind. */
bool fw_measured_factor(const char *unit, const char *si, double *factor);

/* Turns each column whose unit is known into the SI unit of its kind, and says so in the table; angles stay as they are. */
fw_status fw_measured_to_si(fw_context *ctx, fw_data_table *table);

#endif
