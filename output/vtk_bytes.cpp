/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/vtk_bytes.h"

#include <vtkBase64Utilities.h>
#include <vtkCallbackCommand.h>
#include <vtkLZ4DataCompressor.h>
#include <vtkLZMADataCompressor.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkZLibDataCompressor.h>

#include <climits>
#include <cstring>
#include <new>

int fw_vtk_triplet(const char letters[4], unsigned char bytes[3]) {
  return vtkBase64Utilities::DecodeTriplet(
      static_cast<unsigned char>(letters[0]), static_cast<unsigned char>(letters[1]),
      static_cast<unsigned char>(letters[2]), static_cast<unsigned char>(letters[3]), bytes, bytes + 1, bytes + 2);
}

static vtkSmartPointer<vtkDataCompressor> compressor_named(const char *name) {
  if (std::strcmp(name, "vtkZLibDataCompressor") == 0) return vtkSmartPointer<vtkZLibDataCompressor>::New();
  if (std::strcmp(name, "vtkLZ4DataCompressor") == 0) return vtkSmartPointer<vtkLZ4DataCompressor>::New();
  if (std::strcmp(name, "vtkLZMADataCompressor") == 0) return vtkSmartPointer<vtkLZMADataCompressor>::New();
  return nullptr;
}

bool fw_vtk_knows_compressor(const char *name) {
  try {
    return compressor_named(name) != nullptr;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

bool fw_vtk_uncompress(const char *compressor, const unsigned char *block, size_t size, unsigned char *bytes,
                       size_t room) {
  if (size > INT_MAX || room > INT_MAX) return false; /* LZ4 counts in int */
  try {
    const vtkSmartPointer<vtkDataCompressor> tool = compressor_named(compressor);
    vtkNew<vtkCallbackCommand> silent; /* VTK prints what nobody listens to */
    silent->SetCallback([](vtkObject *, unsigned long, void *, void *) {});
    tool->AddObserver(vtkCommand::ErrorEvent, silent);
    return tool->Uncompress(block, size, bytes, room) == room;
  } catch (const std::bad_alloc &) {
    return false;
  }
}
