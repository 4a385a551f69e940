/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/results.h"

#include <stdlib.h>

void fw_results_destroy(fw_results **results) {
  if (!results || !*results) return;
  fw_record_destroy(&(*results)->summary);
  fw_sink_destroy(&(*results)->sink);
  free(*results);
  *results = NULL;
}

fw_status fw_results_number(const fw_results *results, const char *path, double *number) {
  return results && path && number ? fw_record_number(results->summary, path, number) : FW_ERR_ARGUMENT;
}

fw_status fw_results_text(const fw_results *results, const char *path, const char **text) {
  return results && path && text ? fw_record_text(results->summary, path, text) : FW_ERR_ARGUMENT;
}

fw_status fw_results_column(const fw_results *results, const char *analysis, const char *table, const char *column,
                            size_t *rows, const double **values) {
  if (!results || !analysis || !table || !column || !rows || !values) return FW_ERR_ARGUMENT;
  const fw_data_table *data = fw_sink_find(results->sink, analysis, table);
  int c = data && !data->stream ? fw_data_table_column(data, column) : -1;
  if (c < 0) return FW_ERR_ARGUMENT;
  *rows = data->rows;
  *values = data->values[c];
  return FW_OK;
}
