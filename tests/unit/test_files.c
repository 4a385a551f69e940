/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "output/csv.h"
#include "output/files.h"
#include "remove_folder.h"

static const char folder[] = "files.tmp";

static int start(void **state) {
  fw_context *ctx;
  fw_context_create(&ctx);
  remove_folder(folder);
  *state = ctx;
  return fw_folder_make(ctx, "files.tmp/below/more");
}

static int stop(void **state) {
  fw_context *ctx = *state;
  remove_folder(folder);
  fw_context_destroy(&ctx);
  return 0;
}

static void writes_whole_files(void **state) {
  fw_context *ctx = *state;
  char *text;
  size_t length;
  assert_int_equal(fw_file_write(ctx, "files.tmp/a.txt", "one", 3), FW_OK);
  assert_int_equal(fw_file_write(ctx, "files.tmp/a.txt", "three", 5), FW_OK);
  assert_int_equal(fw_file_read(ctx, "files.tmp/a.txt", &text, &length), FW_OK);
  assert_int_equal(length, 5);
  assert_string_equal(text, "three");
  free(text);
  assert_false(fw_path_exists("files.tmp/a.txt.part"));
}

static void names_the_file_it_cannot_write(void **state) {
  fw_context *ctx = *state;
  fw_context_clear(ctx);
  assert_int_equal(fw_file_write(ctx, "files.tmp/no/such/a.txt", "x", 1), FW_ERR_IO);
  assert_non_null(strstr(fw_context_message(ctx), "files.tmp/no/such/a.txt"));
  fw_context_clear(ctx);
  assert_int_equal(fw_file_read(ctx, "files.tmp", &(char *){NULL}, NULL), FW_ERR_IO);
  assert_non_null(strstr(fw_context_message(ctx), "is not a file"));
  assert_int_equal(fw_folder_make(ctx, "/proc/none"), FW_ERR_IO);
}

static void notices_a_full_disk(void **state) {
  fw_context *ctx = *state;
  FILE *file;
  fw_context_clear(ctx);
  assert_int_equal(symlink("/dev/full", "files.tmp/full.csv"), 0);
  assert_int_equal(fw_file_open(ctx, "files.tmp/full.csv", &file), FW_OK);
  fputs("1,2\n", file);
  assert_int_equal(fw_file_flush(ctx, file, "files.tmp/full.csv"), FW_ERR_IO);
  assert_non_null(strstr(fw_context_message(ctx), "files.tmp/full.csv: cannot write: No space left"));
  fclose(file);
}

static void lists_sorted_names(void **state) {
  fw_context *ctx = *state;
  char **names;
  int count;
  fw_file_write(ctx, "files.tmp/b.svg", "", 0);
  fw_file_write(ctx, "files.tmp/a.svg", "", 0);
  assert_int_equal(fw_folder_list(ctx, folder, ".svg", false, &names, &count), FW_OK);
  assert_int_equal(count, 2);
  assert_string_equal(names[0], "a.svg");
  free(names);
  assert_int_equal(fw_folder_list(ctx, folder, "", true, &names, &count), FW_OK);
  assert_int_equal(count, 1);
  assert_string_equal(names[0], "below");
  free(names);
}

static void makes_names_safe(void **state) {
  char *safe;
  assert_int_equal(fw_path_safe(*state, "../response 3 N/µ", &safe), FW_OK);
  assert_string_equal(safe, "-.-response-3-N---");
  free(safe);
}

static void reads_csv(void **state) {
  fw_context *ctx = *state;
  const char text[] = "# rig\nforce_N,frequency [Hz],remark\n1,53.0,\n\n6.5,50,-1e-3\r\n";
  fw_sink *sink;
  fw_data_table *table;
  fw_file_write(ctx, "files.tmp/r.csv", text, sizeof text - 1);
  fw_sink_create(ctx, &sink);
  assert_int_equal(fw_csv_read(ctx, "files.tmp/r.csv", sink, "rig", "r", &table), FW_OK);
  assert_int_equal(table->rows, 2);
  assert_string_equal(table->column_names[0], "force");
  assert_string_equal(table->column_units[0], "N");
  assert_string_equal(table->column_names[1], "frequency");
  assert_string_equal(table->column_units[1], "Hz");
  assert_true(isnan(table->values[2][0]));
  assert_true(table->values[2][1] == -1e-3);
  fw_sink_destroy(&sink);
}

static void names_the_line_of_a_bad_csv(void **state) {
  fw_context *ctx = *state;
  fw_sink *sink;
  fw_data_table *table;
  fw_sink_create(ctx, &sink);
  fw_context_clear(ctx);
  fw_file_write(ctx, "files.tmp/bad.csv", "a,b\n1,2\n1,x\n", 12);
  assert_int_equal(fw_csv_read(ctx, "files.tmp/bad.csv", sink, "d", "bad", &table), FW_ERR_IO);
  assert_non_null(strstr(fw_context_message(ctx), "files.tmp/bad.csv:3: column 2: \"x\""));
  fw_context_clear(ctx);
  fw_file_write(ctx, "files.tmp/short.csv", "a,b\n1\n", 6);
  assert_int_equal(fw_csv_read(ctx, "files.tmp/short.csv", sink, "d", "short", &table), FW_ERR_IO);
  assert_non_null(strstr(fw_context_message(ctx), "files.tmp/short.csv:2: 1 cells"));
  fw_file_write(ctx, "files.tmp/empty.csv", "# nothing\n", 10);
  assert_int_equal(fw_csv_read(ctx, "files.tmp/empty.csv", sink, "d", "empty", &table), FW_ERR_IO);
  fw_sink_destroy(&sink);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_whole_files),
      cmocka_unit_test(names_the_file_it_cannot_write),
      cmocka_unit_test(notices_a_full_disk),
      cmocka_unit_test(lists_sorted_names),
      cmocka_unit_test(makes_names_safe),
      cmocka_unit_test(reads_csv),
      cmocka_unit_test(names_the_line_of_a_bad_csv),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
