/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An allocator that fails on demand. A test that links failing_alloc.c with the options FW_FAILING_ALLOC of
 * tests/CMakeLists.txt has every malloc, calloc, realloc, strdup and strndup of fretwork go through it; allocations
 * inside third-party libraries do not. */
#ifndef FW_TESTS_FAILING_ALLOC_H
#define FW_TESTS_FAILING_ALLOC_H

#include <stdbool.h>

/* The allocation after `n` more fails, once; n < 0: none fails. Forgets earlier failures and counts from 0. */
void failing_alloc_after(long n);

/* True if the failure happened. */
bool failing_alloc_hit(void);

/* Allocations since failing_alloc_after. */
long failing_alloc_count(void);

#endif
