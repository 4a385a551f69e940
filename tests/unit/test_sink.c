/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmocka_all.h"
#include "core/sheet.h"
#include "core/sink.h"

static const fw_column columns[] = {{"frequency", "Hz"}, {"amplitude", "m"}};

static void keeps_rows_in_columns(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_sink *sink;
  fw_data_table *table;
  fw_context_create(&ctx);
  assert_int_equal(fw_sink_create(ctx, &sink), FW_OK);
  assert_int_equal(fw_sink_table(sink, ctx, "frf", "response", columns, 2, false, &table), FW_OK);
  for (int i = 0; i < 1000; i++) {
    double row[2] = {i, 2.0 * i};
    assert_int_equal(fw_sink_row(sink, ctx, table, row), FW_OK);
  }
  assert_int_equal(table->rows, 1000);
  assert_true(table->values[1][999] == 1998.0);
  assert_ptr_equal(fw_sink_find(sink, "frf", "response"), table);
  assert_null(fw_sink_find(sink, "frf", "harmonics"));
  assert_int_equal(fw_data_table_column(table, "amplitude"), 1);
  assert_int_equal(fw_data_table_column(table, "phase"), -1);
  assert_int_equal(fw_sink_table(sink, ctx, "frf", "response", columns, 2, false, &table), FW_ERR_ARGUMENT);
  fw_sink_destroy(&sink);
  assert_null(sink);
  fw_context_destroy(&ctx);
}

static void streams_are_not_kept(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_sink *sink;
  fw_data_table *table;
  fw_context_create(&ctx);
  fw_sink_create(ctx, &sink);
  fw_sink_table(sink, ctx, "run", "history", columns, 2, true, &table);
  double row[2] = {1, 2};
  assert_int_equal(fw_sink_row(sink, ctx, table, row), FW_OK);
  assert_int_equal(table->rows, 1);
  assert_null(table->values[0]);
  fw_sink_destroy(&sink);
  fw_context_destroy(&ctx);
}

/* An implementation that counts what reaches it and refuses the third row. */
typedef struct counting_sink {
  fw_sink base;
  int tables, rows, frames;
  int *destroyed;
} counting_sink;

static fw_status counting_table(fw_sink *sink, fw_context *ctx, fw_data_table *table) {
  (void)ctx, (void)table;
  ((counting_sink *)sink)->tables++;
  return FW_OK;
}

static fw_status counting_row(fw_sink *sink, fw_context *ctx, fw_data_table *table, const double *row) {
  (void)row;
  if (++((counting_sink *)sink)->rows < 3) return FW_OK;
  return fw_fail(ctx, FW_ERR_IO, "%s: disk full", table->name);
}

static fw_status counting_frame(fw_sink *sink, fw_context *ctx, const char *analysis, const fw_frame *frame) {
  (void)ctx, (void)analysis, (void)frame;
  ((counting_sink *)sink)->frames++;
  return FW_OK;
}

static void counting_destroy(fw_sink *sink) { ++*((counting_sink *)sink)->destroyed; }

static void hands_everything_to_its_implementation(void **unused) {
  (void)unused;
  static const fw_sink_ops ops = {counting_table, counting_row, counting_frame, counting_destroy};
  int destroyed = 0;
  counting_sink sink = {.base = {.ops = &ops}, .destroyed = &destroyed};
  fw_context *ctx;
  fw_data_table *table;
  fw_context_create(&ctx);
  assert_int_equal(fw_sink_table(&sink.base, ctx, "a", "t", columns, 2, false, &table), FW_OK);
  double row[2] = {1, 2};
  assert_int_equal(fw_sink_row(&sink.base, ctx, table, row), FW_OK);
  assert_int_equal(fw_sink_row(&sink.base, ctx, table, row), FW_OK);
  assert_int_equal(fw_sink_row(&sink.base, ctx, table, row), FW_ERR_IO);
  assert_string_equal(fw_context_message(ctx), "t: disk full");
  const fw_model model = {0};
  const fw_state state_of_nothing = {.model = &model};
  fw_frame frame = {.series = "mode", .state = &state_of_nothing};
  assert_int_equal(fw_sink_frame(&sink.base, ctx, "a", &frame), FW_OK);
  assert_int_equal(sink.tables, 1);
  assert_int_equal(sink.frames, 1);
  fw_sink *head = &sink.base;
  fw_sink_destroy(&head);
  assert_int_equal(destroyed, 1);
  fw_context_destroy(&ctx);
}

static void sheets_name_their_columns_one_by_one(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_sink *sink;
  fw_context_create(&ctx);
  fw_sink_create(ctx, &sink);
  fw_sheet sheet = fw_sheet_of(ctx, sink, "a");
  fw_sheet_column(&sheet, "s", "time");
  for (int i = 0; i < 40; i++) fw_sheet_column(&sheet, "N", "foot %d", i);
  assert_int_equal(fw_sheet_open(&sheet, "forces-%d", 3), FW_OK);
  for (int i = 0; i < 41; i++) fw_sheet_put(&sheet, i);
  assert_int_equal(fw_sheet_row(&sheet), FW_OK);
  sheet.row[40] = -1; /* in place */
  assert_int_equal(fw_sheet_row(&sheet), FW_OK);
  const fw_data_table *table = fw_sink_find(sink, "a", "forces-3");
  assert_non_null(table);
  assert_int_equal(table->columns, 41);
  assert_string_equal(table->column_names[40], "foot 39");
  assert_string_equal(table->column_units[40], "N");
  assert_int_equal(table->rows, 2);
  assert_true(table->values[40][0] == 40 && table->values[40][1] == -1 && table->values[39][1] == 39);
  fw_sheet_put(&sheet, 1); /* one cell of 41 */
  assert_int_equal(fw_sheet_row(&sheet), FW_ERR_ARGUMENT);
  assert_string_equal(fw_context_message(ctx), "table forces-3: 1 cells for 41 columns");
  fw_sheet_close(&sheet);
  fw_sheet_close(&sheet);
  fw_sink_destroy(&sink);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_rows_in_columns),
      cmocka_unit_test(streams_are_not_kept),
      cmocka_unit_test(hands_everything_to_its_implementation),
      cmocka_unit_test(sheets_name_their_columns_one_by_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
