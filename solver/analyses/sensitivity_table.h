/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of the sensors by parameters, as a table and in the summary. */
#ifndef FW_ANALYSES_SENSITIVITY_TABLE_H
#define FW_ANALYSES_SENSITIVITY_TABLE_H

#include "solver/time/integrator.h"

typedef struct fw_sensitivity_table {
  const fw_job *job;
  const fw_integrator_ops *ops;
  const void *integrator;
  fw_data_table *table;
  double *row;
} fw_sensitivity_table;

/* Opens the table `sensitivity`: time, then d SENSOR/d PARAMETER of all pairs. The integrator must follow the job's
 * variants. Clear is safe on a zeroed one. */
fw_status fw_sensitivity_table_open(const fw_job *job, const fw_integrator_ops *ops, const void *integrator,
                                    fw_sensitivity_table *table);
void fw_sensitivity_table_clear(fw_sensitivity_table *table);

/* A row of where the integrator is; the last one as sensitivities.PARAMETER.SENSOR of the summary. */
fw_status fw_sensitivity_table_row(fw_sensitivity_table *table);
fw_status fw_sensitivity_table_report(const fw_sensitivity_table *table);

#endif
