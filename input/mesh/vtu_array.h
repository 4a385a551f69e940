/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One <DataArray> of a .vtu file as numbers, however it is written. */
#ifndef FW_INPUT_MESH_VTU_ARRAY_H
#define FW_INPUT_MESH_VTU_ARRAY_H

#include <libxml/tree.h>

#include "core/context.h"

/* How the arrays of a file are written. */
typedef struct fw_vtu_coding {
  fw_context *ctx;
  size_t word;                         /* bytes of a number in the headers of arrays: 4 or 8 */
  bool swap;                           /* numbers have the other order of bytes */
  const char *compressor;              /* NULL: none */
  const char *appended, *appended_end; /* behind the '_' of the appended data; NULL: none */
  bool base64;                         /* so are the appended data */
} fw_vtu_coding;

/* An attribute; NULL: there is none. */
const char *fw_vtu_word(const xmlNode *node, const char *name);

/* True if the elements of the <DataArray> are of a number type. */
bool fw_vtu_is_numeric(const xmlNode *array);

/* Just `count` numbers of a <DataArray>: refused where it holds more or less. *values is to be freed, NULL on failure. */
fw_status fw_vtu_numbers(const fw_vtu_coding *coding, const xmlNode *array, size_t count, double **values);

#endif
