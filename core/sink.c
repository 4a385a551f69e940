/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/sink.h"

#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"

/* ---- tables ------------------------------------------------------------------------------ */

static void data_table_destroy(fw_data_table *table) {
  if (!table) return;
  for (int c = 0; c < table->columns; c++) {
    if (table->column_names) free(table->column_names[c]);
    if (table->column_units) free(table->column_units[c]);
    if (table->values) free(table->values[c]);
  }
  free(table->column_names);
  free(table->column_units);
  free(table->values);
  free(table->analysis);
  free(table->name);
  free(table);
}

static fw_status data_table_create(fw_context *ctx, const char *analysis, const char *name, const fw_column *columns,
                                   int count, bool stream, fw_data_table **result) {
  fw_data_table *table;
  FW_TRY(fw_alloc(ctx, 1, sizeof *table, &table));
  fw_status status;
  table->columns = count;
  table->stream = stream;
  FW_TRY_DONE(fw_copy_text(ctx, analysis, &table->analysis));
  FW_TRY_DONE(fw_copy_text(ctx, name, &table->name));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *table->column_names, &table->column_names));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *table->column_units, &table->column_units));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *table->values, &table->values));
  for (int c = 0; c < count; c++) {
    FW_TRY_DONE(fw_copy_text(ctx, columns[c].name, &table->column_names[c]));
    FW_TRY_DONE(fw_copy_text(ctx, columns[c].unit ? columns[c].unit : "", &table->column_units[c]));
  }
  *result = table;
  return FW_OK;
done:
  data_table_destroy(table);
  return status;
}

/* Doubles the room of every column. */
static fw_status data_table_grow(fw_context *ctx, fw_data_table *table) {
  size_t room = table->room ? 2 * table->room : 64;
  for (int c = 0; c < table->columns; c++) {
    double *grown = realloc(table->values[c], room * sizeof *grown);
    if (!grown)
      return fw_fail(ctx, FW_ERR_MEMORY, "out of memory: table %s of %s, %zu rows", table->name, table->analysis, room);
    table->values[c] = grown;
  }
  table->room = room;
  return FW_OK;
}

int fw_data_table_column(const fw_data_table *table, const char *name) {
  for (int c = 0; c < table->columns; c++)
    if (strcmp(table->column_names[c], name) == 0) return c;
  return -1;
}

/* ---- the sink ---------------------------------------------------------------------------- */

fw_status fw_sink_create(fw_context *ctx, fw_sink **sink) { return fw_alloc(ctx, 1, sizeof **sink, sink); }

void fw_sink_destroy(fw_sink **sink) {
  if (!sink || !*sink) return;
  fw_sink *s = *sink;
  for (int i = 0; i < s->table_count; i++) data_table_destroy(s->tables[i]);
  free(s->tables);
  s->tables = NULL;
  s->table_count = 0;
  if (s->ops && s->ops->destroy)
    s->ops->destroy(s);
  else
    free(s);
  *sink = NULL;
}

fw_data_table *fw_sink_find(const fw_sink *sink, const char *analysis, const char *name) {
  for (int i = 0; i < sink->table_count; i++)
    if (strcmp(sink->tables[i]->analysis, analysis) == 0 && strcmp(sink->tables[i]->name, name) == 0)
      return sink->tables[i];
  return NULL;
}

fw_status fw_sink_table(fw_sink *sink, fw_context *ctx, const char *analysis, const char *name,
                        const fw_column *columns, int count, bool stream, fw_data_table **table) {
  *table = NULL;
  if (fw_sink_find(sink, analysis, name))
    return fw_fail(ctx, FW_ERR_ARGUMENT, "analysis %s has two tables named %s", analysis, name);
  FW_TRY(fw_grow(ctx, sink->table_count, &sink->table_room, sizeof *sink->tables, &sink->tables));
  FW_TRY(data_table_create(ctx, analysis, name, columns, count, stream, table));
  sink->tables[sink->table_count++] = *table;
  return sink->ops && sink->ops->table ? sink->ops->table(sink, ctx, *table) : FW_OK;
}

/* The first column says where in the table. */
static fw_status check_row(fw_context *ctx, const fw_data_table *table, const double *row) {
  for (int c = 0; c < table->columns; c++)
    if (!fw_is_figure(row[c]))
      return fw_fail(ctx, FW_ERR_ANALYSIS, "%s of %s: %s is %s in row %zu, where %s is %.9g", table->name,
                     table->analysis, table->column_names[c], fw_flaw_of(row[c]), table->rows + 1,
                     table->column_names[0], row[0]);
  return FW_OK;
}

fw_status fw_sink_row(fw_sink *sink, fw_context *ctx, fw_data_table *table, const double *row) {
  FW_TRY(check_row(ctx, table, row));
  if (!table->stream) {
    if (table->rows == table->room) FW_TRY(data_table_grow(ctx, table));
    for (int c = 0; c < table->columns; c++) table->values[c][table->rows] = row[c];
  }
  table->rows++;
  if (sink->ops && sink->ops->row) FW_TRY(sink->ops->row(sink, ctx, table, row));
  return fw_tell_row(
      ctx, &(fw_row_view){table->analysis, table->name, table->columns, (const char *const *)table->column_names,
                          (const char *const *)table->column_units, row});
}

/* Rotations along the axes of the deck; a node of the plane turns about the third of its own. */
static void node_rotation(const fw_state *state, const fw_node *node, double rotation[3]) {
  double axes[3][3], own[3] = {0.0, 0.0, fw_node_value(node, FW_RZ, state->q)};
  for (int i = 0; node->space && i < 2; i++) own[i] = fw_node_value(node, fw_dof_turnings[i], state->q);
  fw_node_axes(state->model, node, axes);
  for (int k = 0; k < 3; k++) rotation[k] = own[0] * axes[0][k] + own[1] * axes[1][k] + own[2] * axes[2][k];
}

/* [place, displacement, rotation][node][x, y, z] */
static void fill_frame(const fw_state *state, double *numbers) {
  size_t nodes = (size_t)state->model->node_count;
  for (size_t i = 0; i < nodes; i++) {
    const fw_node *node = &state->model->nodes[i];
    double *place = numbers + 3 * i, *displacement = place + 3 * nodes, *rotation = displacement + 3 * nodes;
    fw_node_place(state->model, node, place);
    fw_node_displacement(state->model, node, state->q, displacement);
    node_rotation(state, node, rotation);
  }
}

static fw_status tell_frame(fw_context *ctx, const char *analysis, const fw_frame *frame) {
  size_t nodes = (size_t)frame->state->model->node_count;
  double *numbers;
  FW_TRY(fw_alloc(ctx, 9 * nodes, sizeof *numbers, &numbers));
  fill_frame(frame->state, numbers);
  fw_status status = fw_tell_frame(ctx, &(fw_frame_view){analysis, frame->series, frame->time, nodes, numbers,
                                                         numbers + 3 * nodes, numbers + 6 * nodes});
  free(numbers);
  return status;
}

fw_status fw_sink_frame(fw_sink *sink, fw_context *ctx, const char *analysis, const fw_frame *frame) {
  FW_TRY(fw_state_check(ctx, frame->state));
  if (sink->ops && sink->ops->frame) FW_TRY(sink->ops->frame(sink, ctx, analysis, frame));
  return fw_wants_frames(ctx) ? tell_frame(ctx, analysis, frame) : FW_OK;
}
