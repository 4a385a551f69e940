/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of fretwork that are loaded when they are needed, because what they are linked with is heavy (MPI, HDF5). */
#ifndef FW_CORE_MODULE_H
#define FW_CORE_MODULE_H

/* Opens libfretwork_NAME.so: the file that the environment's `variable` names (NULL: none is asked for), beside this
 * library (in a program that has it linked in: beside that), in its folder fretwork/, or where the linker looks.
 * NULL if it is nowhere: dlerror() says why. `scope` is RTLD_LOCAL or RTLD_GLOBAL. It stays loaded: libraries like
 * these leave handlers behind that run at the end of the process. */
void *fw_module_open(const char *name, const char *variable, int scope);

#endif
