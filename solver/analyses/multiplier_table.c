/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/multiplier_table.h"

static const double NOTHING = 1e-6;

fw_status fw_multiplier_table_open(fw_job *job, const char *name, fw_column first, fw_sheet *sheet) {
  *sheet = fw_sheet_of(job->ctx, job->sink, job->id);
  fw_sheet_column(sheet, first.unit, "%s", first.name);
  fw_sheet_column(sheet, "", "number");
  fw_sheet_column(sheet, "", "real");
  fw_sheet_column(sheet, "", "imaginary");
  return fw_sheet_open(sheet, "%s", name);
}

fw_status fw_multiplier_table_rows(fw_sheet *sheet, double first, const fw_floquet *f) {
  for (int i = 0; i < f->count && cabs(f->multipliers[i]) > NOTHING; i++) {
    fw_sheet_put(sheet, first);
    fw_sheet_put(sheet, i + 1);
    fw_sheet_put(sheet, creal(f->multipliers[i]));
    fw_sheet_put(sheet, cimag(f->multipliers[i]));
    FW_TRY(fw_sheet_row(sheet));
  }
  return FW_OK;
}
