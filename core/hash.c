/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/hash.h"

#include <string.h>

uint64_t fw_hash(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
  return hash;
}

uint64_t fw_hash_integer(uint64_t hash, long number) { return fw_hash(hash, &number, sizeof number); }

uint64_t fw_hash_number(uint64_t hash, double number) { return fw_hash(hash, &number, sizeof number); }

uint64_t fw_hash_text(uint64_t hash, const char *text) {
  size_t length = text ? strlen(text) : 0;
  return fw_hash(fw_hash_integer(hash, (long)length), text, length);
}

uint64_t fw_hash_numbers(uint64_t hash, const double *numbers, size_t count) {
  if (!numbers) count = 0;
  return fw_hash(fw_hash_integer(hash, (long)count), numbers, count * sizeof *numbers);
}

uint64_t fw_hash_integers(uint64_t hash, const int *numbers, size_t count) {
  if (!numbers) count = 0;
  return fw_hash(fw_hash_integer(hash, (long)count), numbers, count * sizeof *numbers);
}
