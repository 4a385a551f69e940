/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/results.h"

#include <limits.h>
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

fw_status fw_results_summary(const fw_results *results, char **json) {
  if (!results || !json) return FW_ERR_ARGUMENT;
  *json = fw_record_json(results->summary);
  return *json ? FW_OK : FW_ERR_MEMORY;
}

/* A table whose rows are in memory, by its number among those. */
static const fw_data_table *find_table(const fw_results *results, int *index) {
  for (int i = 0; results && i < results->sink->table_count; i++)
    if (!results->sink->tables[i]->stream && (*index)-- == 0) return results->sink->tables[i];
  return NULL;
}

int fw_results_table_count(const fw_results *results) {
  int left = INT_MAX;
  find_table(results, &left);
  return INT_MAX - left;
}

fw_status fw_results_table(const fw_results *results, int index, const char **analysis, const char **name, size_t *rows,
                           int *columns) {
  const fw_data_table *table = index >= 0 ? find_table(results, &index) : NULL;
  if (!table) return FW_ERR_ARGUMENT;
  if (analysis) *analysis = table->analysis;
  if (name) *name = table->name;
  if (rows) *rows = table->rows;
  if (columns) *columns = table->columns;
  return FW_OK;
}

fw_status fw_results_table_column(const fw_results *results, int index, int column, const char **name,
                                  const char **unit, const double **values) {
  const fw_data_table *table = index >= 0 ? find_table(results, &index) : NULL;
  if (!table || column < 0 || column >= table->columns) return FW_ERR_ARGUMENT;
  if (name) *name = table->column_names[column];
  if (unit) *unit = table->column_units[column];
  if (values) *values = table->values[column];
  return FW_OK;
}
