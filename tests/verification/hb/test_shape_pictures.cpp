/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of a response, read back by VTK: the motion over a period is the sum of its harmonics at every frame, and
 * the shape of a harmonic is the shape that the table has, its largest displacement 1. */
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
#include "cmocka_all.h"
#include "fretwork.h"
#include "output/files.h"
#include "remove_folder.h"
}

static const char folder[] = "shape_pictures.tmp";
static const double level_frequency = 105; /* a frequency of the deck's grid */
enum { FRAMES = 8 };

/* Displacement in y of a point at x along the beam. */
static double deflection(const std::string &path, double along, double *largest) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  vtkUnstructuredGrid *grid = reader->GetOutput();
  vtkDataArray *u = grid->GetPointData()->GetArray("displacement");
  assert_non_null(u);
  double found = NAN;
  *largest = 0;
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); i++) {
    double x[3];
    grid->GetPoint(i, x);
    if (std::fabs(x[0] - along) < 1e-9) found = u->GetComponent(i, 1);
    *largest = std::fmax(*largest, std::fabs(u->GetComponent(i, 1)));
  }
  return found;
}

static double entry(const fw_results *results, const char *table, const char *column, size_t row) {
  size_t rows = 0;
  const double *values = nullptr;
  assert_int_equal(fw_results_column(results, "frf", table, column, &rows, &values), FW_OK);
  assert_true(row < rows);
  return values[row];
}

/* Row of the response at the frequency of the pictures. */
static size_t row_at(const fw_results *results, double frequency) {
  size_t rows = 0, best = 0;
  const double *values = nullptr;
  assert_int_equal(fw_results_column(results, "frf", "frf-1", "frequency", &rows, &values), FW_OK);
  for (size_t i = 0; i < rows; i++)
    if (std::fabs(values[i] - frequency) < std::fabs(values[best] - frequency)) best = i;
  assert_true(std::fabs(values[best] - frequency) < 1e-9);
  return best;
}

static void period_and_shape(void **) {
  fw_context *ctx = nullptr;
  fw_deck *deck = nullptr;
  fw_results *results = nullptr;
  fw_run_options options = {};
  options.out = folder;
  options.force = true;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_deck_load(ctx, FW_SOURCE_DIR "/tests/verification/hb/shapes.xml", &deck), FW_OK);
  if (fw_run(ctx, deck, &options, &results) != FW_OK) fail_msg("%s", fw_context_message(ctx));

  size_t row = row_at(results, level_frequency);
  double X = entry(results, "frf-1", "tip.amplitude", row),
         phase = entry(results, "frf-1", "tip.phase", row) * M_PI / 180;
  double worst = 0, largest = 0;
  int listed = 0;
  for (int k = 0; k < FRAMES; k++) {
    char name[64];
    std::snprintf(name, sizeof name, "/frf/motion-1-105Hz-%04d.vtu", k + 1);
    double read = deflection(std::string(folder) + name, 0.5, &largest),
           wave = X * std::cos(2 * M_PI * k / FRAMES + phase);
    std::printf("  frame %d of the period: tip %13.6e m, by its harmonic %13.6e m\n", k, read, wave);
    worst = std::fmax(worst, std::fabs(read - wave) / X);
  }
  assert_true(worst < 1e-6);
  char *index = nullptr;
  size_t length = 0;
  assert_int_equal(fw_file_read(ctx, (std::string(folder) + "/frf/motion-1-105Hz.pvd").c_str(), &index, &length),
                   FW_OK);
  for (const char *at = index; (at = std::strstr(at, "<DataSet")); at++) listed++;
  std::free(index);
  assert_int_equal(listed, FRAMES);

  const std::string shape = std::string(folder) + "/frf/shape-1-0001.vtu";
  double end = deflection(shape, 0.5, &largest), middle = deflection(shape, 0.25, &largest);
  double ratio = entry(results, "shapes-1", "middle", 0) / entry(results, "shapes-1", "tip", 0);
  std::printf("  shape: largest displacement %.9f, middle over tip %.9f, in the table %.9f\n", largest, middle / end,
              ratio);
  assert_true(std::fabs(largest - 1) < 1e-9 && std::fabs(std::fabs(end) - 1) < 1e-9); /* a cantilever's tip */
  assert_true(std::fabs(middle / end - ratio) < 1e-6);

  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  remove_folder(folder);
  fw_context_destroy(&ctx);
}

int main() {
  const struct CMUnitTest tests[] = {cmocka_unit_test(period_and_shape)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
