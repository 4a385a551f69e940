/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the axis of a tube may go in its supports before it touches. */
#ifndef FW_ANALYSES_CLEARANCE_H
#define FW_ANALYSES_CLEARANCE_H

#include "core/sheet.h"
#include "solver/analysis.h"

/* A column of a table about rings: SUPPORT.WHAT, of a plate with two faces SUPPORT.1.WHAT. */
void fw_ring_column(fw_sheet *sheet, const fw_ring *ring, const char *unit, const char *what);

/* Writes the table `clearances`: x, y of every ring all round, from where it is at rest; empty cells where nothing is in
 * the way within a radius of the tube. */
fw_status fw_clearance_table(const fw_job *job);

#endif
