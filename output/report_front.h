/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first screen of a report: what was run, whether it is to be trusted, the figures that matter of each part. */
#ifndef FW_OUTPUT_REPORT_FRONT_H
#define FW_OUTPUT_REPORT_FRONT_H

#include <stdio.h>

#include "core/record.h"
#include "output/report_figures.h"

/* Heading with the status, then warnings, failures, energy balance, agreement of methods and with measurements. */
void fw_report_head(FILE *out, const fw_record *record, const char *title);
void fw_report_trust(FILE *out, const fw_record *record);

/* The picture of what a study looked for stands first among its own. */
void fw_report_mark_sought(const fw_record *record, fw_page_figures *figures);

/* A card for each analysis, study and identification: status, key figures, its picture; after a table of contents. */
void fw_report_cards(FILE *out, const fw_record *record, const fw_page_figures *figures);

/* "done", "warned" or "failed" for the status at a path. */
const char *fw_report_class(const fw_record *record, const char *path);

#endif
