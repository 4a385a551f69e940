/* SPDX-License-Identifier: GPL-3.0-or-later */
/* VTK files for ParaView. VTK's headers stay in vtk.cpp. All files are written whole or not at all. */
#ifndef FW_OUTPUT_VTK_H
#define FW_OUTPUT_VTK_H

#include "core/sink.h"
#include "output/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Unstructured grid, appended binary, zlib (.vtu). FW_ERR_IO names the file. */
fw_status fw_vtk_write_grid(fw_context *ctx, const fw_grid *grid, const char *path);

/* Table kept in memory, one array per column "name [unit]" (.vtt). */
fw_status fw_vtk_write_table(fw_context *ctx, const fw_data_table *table, const char *path);

#ifdef __cplusplus
}
#endif
#endif
