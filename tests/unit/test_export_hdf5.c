/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as HDF5, read back with the library's own reader: names, units, order and every number. */
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/unknown.h"
#include "output/export.h"
#include "output/files.h"
#include "remove_folder.h"

static fw_context *ctx;

static int start(void **state) {
  (void)state;
  fw_context_create(&ctx);
  remove_folder("hdf5.tmp");
  return fw_folder_make(ctx, "hdf5.tmp");
}

static int stop(void **state) {
  (void)state;
  remove_folder("hdf5.tmp");
  fw_context_destroy(&ctx);
  return 0;
}

enum { ROWS = 100000, COLUMNS = 3 };
static const fw_column columns[COLUMNS] = {{"time", "s"}, {"foot.slip", "m"}, {"below", "N m/rad"}};

/* A history longer than a chunk, and one cell that is not known. */
static fw_sink *history(void) {
  fw_sink *sink;
  fw_data_table *table, *empty;
  assert_int_equal(fw_sink_create(ctx, &sink), FW_OK);
  assert_int_equal(fw_sink_table(sink, ctx, "shake", "history", columns, COLUMNS, false, &table), FW_OK);
  assert_int_equal(fw_sink_table(sink, ctx, "shake", "nothing", columns, COLUMNS, false, &empty), FW_OK);
  assert_int_equal(fw_sink_table(sink, ctx, "shake", "other", columns, COLUMNS, false, &empty), FW_OK);
  for (int r = 0; r < ROWS; r++) {
    const double t = 1e-4 * r, row[COLUMNS] = {t, 1e-6 * sin(314.0 * t), r == 7 ? fw_unknown() : -t};
    assert_int_equal(fw_sink_row(sink, ctx, table, row), FW_OK);
  }
  assert_int_equal(fw_sink_row(sink, ctx, empty, (double[]){1.0, 2.0, 3.0}), FW_OK);
  return sink;
}

static void assert_unit(hid_t set, const char *unit) {
  char *found;
  hid_t attribute = H5Aopen(set, "unit", H5P_DEFAULT), type = H5Aget_type(attribute);
  assert_true(H5Aread(attribute, type, &found) >= 0);
  assert_string_equal(found, unit);
  H5free_memory(found);
  H5Tclose(type);
  H5Aclose(attribute);
}

static void assert_column(hid_t table, int c, const double *values) {
  static double found[ROWS];
  char name[64];
  H5Lget_name_by_idx(table, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, (hsize_t)c, name, sizeof name, H5P_DEFAULT);
  assert_string_equal(name, columns[c].name);
  hid_t set = H5Dopen2(table, name, H5P_DEFAULT);
  assert_unit(set, columns[c].unit);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0);
  for (int r = 0; r < ROWS; r++) assert_true(found[r] == values[r] || (isnan(found[r]) && isnan(values[r])));
  H5Dclose(set);
}

static void every_number_comes_back(void **state) {
  (void)state;
  fw_sink *sink = history();
  char *bytes;
  size_t length;
  assert_int_equal(fw_export_hdf5(ctx, sink, "hdf5.tmp/history.h5"), FW_OK);
  hid_t file = H5Fopen("hdf5.tmp/history.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t table = H5Gopen2(file, "/shake/history", H5P_DEFAULT);
  for (int c = 0; c < COLUMNS; c++) assert_column(table, c, sink->tables[0]->values[c]);
  assert_true(H5Lexists(file, "/shake/nothing", H5P_DEFAULT) == 0);
  assert_true(H5Lexists(file, "/shake/other", H5P_DEFAULT) > 0);
  H5Gclose(table);
  H5Fclose(file);
  assert_int_equal(fw_file_read(ctx, "hdf5.tmp/history.h5", &bytes, &length), FW_OK);
  print_message("%d rows of %d numbers: %zu bytes, %.2f of them as they are\n", ROWS, COLUMNS, length,
                (double)length / (8.0 * ROWS * COLUMNS));
  assert_true(length < 8 * ROWS * COLUMNS);
  free(bytes);
  fw_sink_destroy(&sink);
}

static void failures_are_told(void **state) {
  (void)state;
  fw_sink *sink;
  assert_int_equal(fw_sink_create(ctx, &sink), FW_OK);
  assert_int_equal(fw_export_hdf5(ctx, sink, "hdf5.tmp/empty.h5"), FW_ERR_ARGUMENT);
  assert_false(fw_path_exists("hdf5.tmp/empty.h5"));
  fw_sink_destroy(&sink);
  sink = history();
  fw_context_clear(ctx);
  assert_int_equal(fw_export_hdf5(ctx, sink, "hdf5.tmp/no-folder/history.h5"), FW_ERR_IO);
  assert_non_null(strstr(fw_context_message(ctx), "no-folder/history.h5"));
  fw_sink_destroy(&sink);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_number_comes_back), cmocka_unit_test(failures_are_told)};
  return cmocka_run_group_tests(tests, start, stop);
}
