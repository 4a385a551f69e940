/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all calls of ARPACK share. It keeps state between them: one thread at a time. */
#ifndef FW_LINALG_ARPACK_H
#define FW_LINALG_ARPACK_H

#include <stddef.h>

void fw_arpack_enter(void);
void fw_arpack_leave(void);

/* A start of our own (info = 1): ARPACK's goes on from its last one, and the same model would give other last digits
 * the second time. */
void fw_arpack_start(size_t rows, double *resid);

#endif
