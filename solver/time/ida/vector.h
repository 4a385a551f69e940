/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serial vectors for SUNDIALS with the hot operations compiled here: Debian builds SUNDIALS without
 * optimisation, and vector arithmetic would take most of the time. Clones inherit the operations. */
#ifndef FW_TIME_IDA_VECTOR_H
#define FW_TIME_IDA_VECTOR_H

#include <sundials/sundials_nvector.h>

/* A vector of n zeros, or NULL. Destroy with N_VDestroy. */
N_Vector fw_vector_create(int64_t n, SUNContext context);

#endif
