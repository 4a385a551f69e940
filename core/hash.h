/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of data: Fowler, Noll and Vo's hash (FNV-1a, 64 bit). It tells accidental changes, not forgery. A mark begins
 * with FW_HASH_START and goes on from call to call. */
#ifndef FW_CORE_HASH_H
#define FW_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FW_HASH_START UINT64_C(14695981039346656037)

uint64_t fw_hash(uint64_t hash, const void *bytes, size_t size);

/* Each with its length, so that what follows cannot slip into it; NULL and 0 are an empty one. */
uint64_t fw_hash_text(uint64_t hash, const char *text);
uint64_t fw_hash_numbers(uint64_t hash, const double *numbers, size_t count);
uint64_t fw_hash_integers(uint64_t hash, const int *numbers, size_t count);

/* A single one. */
uint64_t fw_hash_number(uint64_t hash, double number);
uint64_t fw_hash_integer(uint64_t hash, long number);

#endif
