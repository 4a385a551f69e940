/* SPDX-License-Identifier: GPL-3.0-or-later */
extern "C" {
#include "output/vtu_read.h"
}

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkIdList.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkOutputWindow.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <climits>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>

static fw_status copy_points(fw_context *ctx, vtkUnstructuredGrid *grid, fw_vtu *vtu) {
  FW_TRY(fw_alloc(ctx, static_cast<size_t>(vtu->points), sizeof *vtu->x, &vtu->x));
  for (int i = 0; i < vtu->points; i++) grid->GetPoint(i, vtu->x[i]);
  return FW_OK;
}

/* A damaged file may name points that are not there. */
static fw_status copy_cells(fw_context *ctx, const char *name, vtkUnstructuredGrid *grid, fw_vtu *vtu) {
  const vtkIdType links = grid->GetCells() ? grid->GetCells()->GetNumberOfConnectivityIds() : 0;
  if (links > INT_MAX) return fw_fail(ctx, FW_ERR_DECK, "%s: too large a mesh", name);
  FW_TRY(fw_alloc(ctx, static_cast<size_t>(vtu->cells), sizeof *vtu->types, &vtu->types));
  FW_TRY(fw_alloc(ctx, static_cast<size_t>(vtu->cells) + 1, sizeof *vtu->starts, &vtu->starts));
  FW_TRY(fw_alloc(ctx, static_cast<size_t>(links), sizeof *vtu->link, &vtu->link));
  vtkNew<vtkIdList> ids;
  int used = 0;
  for (int c = 0; c < vtu->cells; c++) {
    grid->GetCellPoints(c, ids);
    if (ids->GetNumberOfIds() > links - used)
      return fw_fail(ctx, FW_ERR_DECK, "%s: cell %d has too many points", name, c + 1);
    for (vtkIdType k = 0; k < ids->GetNumberOfIds(); k++) {
      if (ids->GetId(k) < 0 || ids->GetId(k) >= vtu->points)
        return fw_fail(ctx, FW_ERR_DECK, "%s: cell %d: there is no point %lld", name, c + 1,
                       static_cast<long long>(ids->GetId(k)));
      vtu->link[used++] = static_cast<int>(ids->GetId(k));
    }
    vtu->types[c] = grid->GetCellType(c);
    vtu->starts[c + 1] = used;
  }
  return FW_OK;
}

static fw_status copy_arrays(fw_context *ctx, vtkFieldData *fields, int count, fw_vtu_arrays *arrays) {
  FW_TRY(fw_alloc(ctx, static_cast<size_t>(fields->GetNumberOfArrays()), sizeof *arrays->list, &arrays->list));
  for (int k = 0; k < fields->GetNumberOfArrays(); k++) {
    vtkDataArray *from = fields->GetArray(k);
    if (!from || !from->GetName() || from->GetNumberOfComponents() != 1 || from->GetNumberOfTuples() != count) continue;
    fw_vtu_array *array = &arrays->list[arrays->count++];
    FW_TRY(fw_copy_text(ctx, from->GetName(), &array->name));
    FW_TRY(fw_alloc(ctx, static_cast<size_t>(count), sizeof *array->values, &array->values));
    for (int i = 0; i < count; i++) array->values[i] = from->GetTuple1(i);
  }
  return FW_OK;
}

/* Where VTK's messages go while it reads: the first is kept, nothing is printed. */
class Listener : public vtkOutputWindow {
 public:
  vtkTypeMacro(Listener, vtkOutputWindow);
  static Listener *New() { VTK_STANDARD_NEW_BODY(Listener); }
  void DisplayText(const char *text) override {
    if (first.empty()) first = text;
  }
  std::string first;
};

/* VTK has one place for its messages, and a log beside it. */
static std::mutex listening;

/* Reads the file; what VTK says against it, or nothing. */
static std::string update(vtkXMLUnstructuredGridReader *reader) {
  const std::lock_guard<std::mutex> lock(listening);
  const vtkSmartPointer<vtkOutputWindow> usual = vtkOutputWindow::GetInstance();
  vtkNew<Listener> listener;
  const vtkLogger::Verbosity loud = vtkLogger::GetCurrentVerbosityCutoff();
  vtkOutputWindow::SetInstance(listener);
  vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
  reader->Update();
  vtkLogger::SetStderrVerbosity(loud);
  vtkOutputWindow::SetInstance(usual);
  return listener->first;
}

static fw_status read(fw_context *ctx, const char *name, const std::string &bytes, fw_vtu *vtu) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->ReadFromInputStringOn();
  reader->SetInputString(bytes);
  const std::string error = update(reader);
  vtkUnstructuredGrid *grid = reader->GetOutput();
  if (reader->GetErrorCode() != 0 || !error.empty() || !grid) {
    const size_t begin = error.rfind("): "), end = error.find_last_not_of("\n ");
    return fw_fail(ctx, FW_ERR_DECK, "%s: VTK cannot read it: %s", name,
                   begin == std::string::npos ? "it is damaged" : error.substr(begin + 3, end - begin - 2).c_str());
  }
  if (grid->GetNumberOfPoints() > INT_MAX || grid->GetNumberOfCells() > INT_MAX)
    return fw_fail(ctx, FW_ERR_DECK, "%s: too large a mesh", name);
  vtu->points = static_cast<int>(grid->GetNumberOfPoints());
  vtu->cells = static_cast<int>(grid->GetNumberOfCells());
  FW_TRY(copy_points(ctx, grid, vtu));
  FW_TRY(copy_cells(ctx, name, grid, vtu));
  FW_TRY(copy_arrays(ctx, grid->GetPointData(), vtu->points, &vtu->of_points));
  return copy_arrays(ctx, grid->GetCellData(), vtu->cells, &vtu->of_cells);
}

fw_status fw_vtu_read(fw_context *ctx, const char *name, const char *data, size_t size, fw_vtu *vtu) {
  *vtu = {};
  try {
    return read(ctx, name, std::string(data, size), vtu);
  } catch (const std::bad_alloc &) {
    return fw_fail(ctx, FW_ERR_MEMORY, "%s: out of memory", name);
  }
}

static void clear_arrays(fw_vtu_arrays *arrays) {
  for (int i = 0; i < arrays->count; i++) {
    free(arrays->list[i].name);
    free(arrays->list[i].values);
  }
  free(arrays->list);
}

void fw_vtu_clear(fw_vtu *vtu) {
  free(vtu->x);
  free(vtu->types);
  free(vtu->starts);
  free(vtu->link);
  clear_arrays(&vtu->of_points);
  clear_arrays(&vtu->of_cells);
  *vtu = {};
}
