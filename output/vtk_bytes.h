/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How bytes are packed in VTK's files, unpacked with VTK's own tools. Nothing is read or written beyond the sizes given. */
#ifndef FW_OUTPUT_VTK_BYTES_H
#define FW_OUTPUT_VTK_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Four letters of base64 as up to three bytes: how many; 0 where a letter is none. */
int fw_vtk_triplet(const char letters[4], unsigned char bytes[3]);

/* The compressors of VTK, by the names of their classes. */
bool fw_vtk_knows_compressor(const char *name);

/* One block. False: it is damaged, or gives more or less than `room` bytes. */
bool fw_vtk_uncompress(const char *compressor, const unsigned char *block, size_t size, unsigned char *bytes,
                       size_t room);

#ifdef __cplusplus
}
#endif

#endif
