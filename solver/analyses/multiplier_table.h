/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of Floquet multipliers, those of one motion below those of another. */
#ifndef FW_ANALYSES_MULTIPLIER_TABLE_H
#define FW_ANALYSES_MULTIPLIER_TABLE_H

#include "solver/analysis.h"
#include "solver/stability/floquet.h"

/* first: name and unit of what tells the motions apart. Close by fw_sheet_close. */
fw_status fw_multiplier_table_open(fw_job *job, const char *name, fw_column first, fw_sheet *sheet);

/* All but those that vanish (below 1e-6). */
fw_status fw_multiplier_table_rows(fw_sheet *sheet, double first, const fw_floquet *f);

#endif
