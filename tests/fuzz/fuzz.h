/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fuzz targets share. Each target is one file with LLVMFuzzerTestOneInput; libFuzzer drives it with new inputs
 * (scripts/fuzz), replay.c with those of the corpus (among the tests). A target ends by itself only where the library
 * broke a promise. */
#ifndef FW_TESTS_FUZZ_H
#define FW_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "fretwork.h"

/* A text that ends at the first 0 byte or at the end of the input. To be freed. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Writes the input into a file of this process's own, which is written over by the next and removed at exit. Its path.
 */
const char *fuzz_file(const uint8_t *data, size_t size);

/* The folder of that file. */
const char *fuzz_folder(void);

/* A promise of the library: the process ends with the text if it is broken. */
void fuzz_demand(int kept, const char *promise);

/* A context; its messages are for nobody. */
fw_context *fuzz_context(void);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
