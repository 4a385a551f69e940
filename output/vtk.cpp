/* SPDX-License-Identifier: GPL-3.0-or-later */
extern "C" {
#include "output/vtk.h"
#include "output/files.h"
}

#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkTable.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLTableWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <string>

constexpr bool same(fw_cell_type ours, VTKCellType theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
static_assert(same(FW_CELL_VERTEX, VTK_VERTEX) && same(FW_CELL_LINE, VTK_LINE) && same(FW_CELL_TRI3, VTK_TRIANGLE));
static_assert(same(FW_CELL_QUAD4, VTK_QUAD) && same(FW_CELL_TRI6, VTK_QUADRATIC_TRIANGLE));
static_assert(same(FW_CELL_QUAD8, VTK_QUADRATIC_QUAD) && sizeof(vtkIdType) == sizeof(int64_t));

/* Borrows memory that outlives the array. */
static vtkNew<vtkDoubleArray> lend(const char *name, double *values, vtkIdType count, int components) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetArray(values, count * components, 1);
  return array;
}

/* Lets a writer produce its file in memory and puts it on disk whole; VTK itself prints nothing. */
static fw_status write_whole(fw_context *ctx, vtkXMLWriter *writer, const char *path) {
  std::string error;
  vtkNew<vtkCallbackCommand> observer;
  observer->SetClientData(&error);
  observer->SetCallback([](vtkObject *, unsigned long, void *message, void *text) {
    *static_cast<std::string *>(message) = static_cast<const char *>(text);
  });
  writer->AddObserver(vtkCommand::ErrorEvent, observer);
  writer->SetDataModeToBinary();  // appended data: ParaView 5.11 does not read it with Debian's expat 2.5.0-1+deb12u2
  writer->SetCompressorTypeToZLib();
  writer->WriteToOutputStringOn();
  if (!writer->Write()) return fw_fail(ctx, FW_ERR_LIBRARY, "%s: VTK: %s", path, error.c_str());
  const std::string bytes = writer->GetOutputString();
  return fw_file_write(ctx, path, bytes.data(), bytes.size());
}

static void add_number(vtkFieldData *fields, const char *name, double value) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->InsertNextValue(value);
  fields->AddArray(array);
}

static void fill_grid(const fw_grid *grid, vtkUnstructuredGrid *data) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetData(lend("points", grid->x, grid->points, 3));
  data->SetPoints(points);
  vtkNew<vtkIdTypeArray> starts, link;
  vtkNew<vtkUnsignedCharArray> types;
  starts->SetArray(reinterpret_cast<vtkIdType *>(grid->starts), grid->cells + 1, 1);
  link->SetArray(reinterpret_cast<vtkIdType *>(grid->link), grid->links, 1);
  types->SetArray(grid->types, grid->cells, 1);
  vtkNew<vtkCellArray> cells;
  cells->SetData(starts, link);
  data->SetCells(types, cells);
  for (int i = 0; i < grid->field_count; i++)
    data->GetPointData()->AddArray(
        lend(grid->fields[i].name, grid->fields[i].values, grid->points, grid->fields[i].components));
  data->GetCellData()->AddArray(lend("body", grid->body, grid->cells, 1));
  if (grid->energetic) data->GetCellData()->AddArray(lend("energy", grid->energy, grid->cells, 1));
  add_number(data->GetFieldData(), "TimeValue", grid->time);
  if (grid->scale != 0.0) add_number(data->GetFieldData(), "suggested_scale", grid->scale);
}

fw_status fw_vtk_write_grid(fw_context *ctx, const fw_grid *grid, const char *path) {
  try {
    vtkNew<vtkUnstructuredGrid> data;
    fill_grid(grid, data);
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetInputData(data);
    return write_whole(ctx, writer, path);
  } catch (const std::bad_alloc &) {
    return fw_fail(ctx, FW_ERR_MEMORY, "%s: out of memory", path);
  }
}

fw_status fw_vtk_write_table(fw_context *ctx, const fw_data_table *table, const char *path) {
  try {
    vtkNew<vtkTable> data;
    for (int c = 0; c < table->columns; c++) {
      std::string name = table->column_names[c];
      if (table->column_units[c][0]) name += std::string(" [") + table->column_units[c] + "]";
      data->AddColumn(lend(name.c_str(), table->values[c], static_cast<vtkIdType>(table->rows), 1));
    }
    vtkNew<vtkXMLTableWriter> writer;
    writer->SetInputData(data);
    return write_whole(ctx, writer, path);
  } catch (const std::bad_alloc &) {
    return fw_fail(ctx, FW_ERR_MEMORY, "%s: out of memory", path);
  }
}
