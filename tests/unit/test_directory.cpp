/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The directory sink, read back with VTK's own readers. */
#include <unistd.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkTable.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLTableReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
#include "cmocka_all.h"
#include "core/unknown.h"
#include "output/directory.h"
#include "output/files.h"
#include "remove_folder.h"
#include "small_model.h"
}

static const char folder[] = "directory.tmp";

static int start(void **state) {
  fw_context *ctx;
  fw_context_create(&ctx);
  remove_folder(folder);
  *state = ctx;
  return fw_folder_make(ctx, folder);
}

static int stop(void **state) {
  fw_context *ctx = static_cast<fw_context *>(*state);
  remove_folder(folder);
  fw_context_destroy(&ctx);
  return 0;
}

static std::string read(fw_context *ctx, const char *path) {
  char *text = nullptr;
  assert_int_equal(fw_file_read(ctx, path, &text, nullptr), FW_OK);
  std::string copy = text;
  free(text);
  return copy;
}

static void writes_tables_row_by_row(void **state) {
  fw_context *ctx = static_cast<fw_context *>(*state);
  const fw_column columns[] = {{"frequency", "Hz"}, {"amplitude", "m"}, {"ratio", ""}};
  fw_sink *sink;
  fw_data_table *table;
  assert_int_equal(fw_directory_create(ctx, folder, &sink), FW_OK);
  assert_int_equal(fw_sink_table(sink, ctx, "frf", "response", columns, 3, false, &table), FW_OK);
  const double rows[][3] = {{50, 1e-5, .5}, {51, 2.5e-5, fw_unknown()}};
  fw_sink_row(sink, ctx, table, rows[0]);
  assert_string_equal(read(ctx, "directory.tmp/frf/response.csv").c_str(),
                      "frequency [Hz],amplitude [m],ratio\n50,1e-05,0.5\n");
  fw_sink_row(sink, ctx, table, rows[1]);
  assert_int_equal(fw_directory_finish(ctx, sink, "frf"), FW_OK);
  vtkNew<vtkXMLTableReader> reader;
  reader->SetFileName("directory.tmp/frf/response.vtt");
  reader->Update();
  vtkTable *back = reader->GetOutput();
  assert_int_equal(back->GetNumberOfRows(), 2);
  auto *amplitude = vtkDoubleArray::SafeDownCast(back->GetColumnByName("amplitude [m]"));
  assert_non_null(amplitude);
  assert_true(amplitude->GetValue(1) == 2.5e-5);
  assert_true(fw_path_exists("directory.tmp/frf/response.svg"));
  assert_int_equal(fw_sink_row(sink, ctx, table, rows[0]), FW_ERR_ARGUMENT);
  fw_sink_destroy(&sink);
}

static void writes_frames_and_their_index(void **state) {
  fw_context *ctx = static_cast<fw_context *>(*state);
  const double places[][2] = {{0, 0}, {1, 0}};
  small_model m;
  small_model_make(&m, "euler-bernoulli", places);
  m.block.props.E = m.block.props.A = m.block.props.I = 1;
  m.block.props.height = 0.1;
  fw_state *s;
  fw_sink *sink;
  fw_state_create(ctx, &m.model, &s);
  fw_directory_create(ctx, folder, &sink);
  for (int i = 1; i <= 2; i++) {
    s->q[4] = 0.01 * i;
    fw_frame frame = {"mode", 10.0 * i, s, 5.0, nullptr};
    assert_int_equal(fw_sink_frame(sink, ctx, "stuck", &frame), FW_OK);
    std::string index = read(ctx, "directory.tmp/stuck/mode.pvd");
    assert_non_null(strstr(index.c_str(), i == 1 ? "timestep=\"10\" part=\"0\" file=\"mode-0001.vtu\""
                                                 : "timestep=\"20\" part=\"0\" file=\"mode-0002.vtu\""));
    assert_true(index.size() > 11 && index.compare(index.size() - 11, 11, "</VTKFile>\n") == 0);
  }
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName("directory.tmp/stuck/mode-0002.vtu");
  reader->Update();
  vtkUnstructuredGrid *grid = reader->GetOutput();
  assert_true(grid->GetNumberOfCells() == 16);
  double bounds[6], most[2];
  grid->GetBounds(bounds);
  assert_true(std::fabs(bounds[3] - 0.05) < 1e-15 && std::fabs(bounds[1] - 1) < 1e-15);
  vtkDataArray *u = grid->GetPointData()->GetArray("displacement");
  assert_non_null(u);
  u->GetRange(most, 1);
  assert_true(std::fabs(most[1] - 0.02) < 1e-12);
  assert_non_null(grid->GetPointData()->GetArray("M"));
  assert_true(fw_path_exists("directory.tmp/stuck/mode-0001.svg"));
  fw_sink_destroy(&sink);
  fw_state_destroy(&s);
}

static void names_the_table_that_does_not_fit_the_disk(void **state) {
  fw_context *ctx = static_cast<fw_context *>(*state);
  const fw_column columns[] = {{"time", "s"}};
  fw_sink *sink;
  fw_data_table *table;
  fw_folder_make(ctx, "directory.tmp/full");
  assert_int_equal(symlink("/dev/full", "directory.tmp/full/history.csv"), 0);
  fw_directory_create(ctx, folder, &sink);
  fw_context_clear(ctx);
  assert_int_equal(fw_sink_table(sink, ctx, "full", "history", columns, 1, true, &table), FW_ERR_IO);
  assert_non_null(strstr(fw_context_message(ctx), "directory.tmp/full/history.csv: cannot write: No space left"));
  fw_sink_destroy(&sink);
}

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_tables_row_by_row),
      cmocka_unit_test(writes_frames_and_their_index),
      cmocka_unit_test(names_the_table_that_does_not_fit_the_disk),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
