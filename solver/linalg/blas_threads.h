/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number of threads of BLAS belongs to the program around: parallelism here is over samples and levels, so that
 * runs set it to one while they last and give the program's number back. */
#ifndef FW_LINALG_BLAS_THREADS_H
#define FW_LINALG_BLAS_THREADS_H

#include "core/context.h"

/* Runs may overlap in several threads: the first to enter sets it, the last to leave gives it back. */
void fw_blas_threads_enter(void);
void fw_blas_threads_leave(void);

/* FW_ERR_MEMORY where a limit of the address space leaves the libraries no room to work in: BLAS would ask for it again
 * and again, for ever. Else BLAS has taken what one thread needs. */
fw_status fw_blas_room(fw_context *ctx);

#endif
