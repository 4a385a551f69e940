/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of fretwork that are loaded when they are needed, because what they are linked with is heavy (MPI, HDF5). */
#ifndef FW_CORE_MODULE_H
#define FW_CORE_MODULE_H

#include "core/context.h"

/* Each of them exports, beside its functions, for which build of the library it was made: FW_MODULE_MARK, the version and a
 * mark of the headers that both share (CMakeLists.txt). */
extern const char fw_module_made_for[];

typedef struct fw_module {
  const char *name;     /* of libfretwork_NAME.so */
  const char *variable; /* of the environment, names the file; NULL: none is asked for */
  int scope;            /* RTLD_LOCAL or RTLD_GLOBAL */
  const char *symbol;   /* what is wanted of it */
} fw_module;

/* Finds the symbol in the file that the environment names, beside this library (in a program that has it linked in: beside
 * that), in its folder fretwork/, or where the linker looks. FW_ERR_LIBRARY, saying why, where it is nowhere or made for
 * another build. It stays loaded: libraries like these leave handlers behind that run at the end of the process. */
fw_status fw_module_find(fw_context *ctx, const fw_module *module, const void **symbol);

#endif
