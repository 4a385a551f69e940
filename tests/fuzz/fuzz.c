/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fuzz_demand(int kept, const char *promise) {
  if (kept) return;
  fprintf(stderr, "broken promise: %s\n", promise);
  abort();
}

char *fuzz_text(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  fuzz_demand(text != NULL, "memory for the input");
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  return text;
}

/* In memory where there is such a place: a disk makes most inputs wait. */
static char in_memory[] = "/dev/shm/fretwork-fuzz-XXXXXX", on_disk[] = "/tmp/fretwork-fuzz-XXXXXX", path[64];
static char *folder = in_memory;

static void remove_file(void) {
  unlink(path);
  rmdir(folder);
}

const char *fuzz_folder(void) {
  if (path[0]) return folder;
  if (!mkdtemp(in_memory)) folder = mkdtemp(on_disk);
  fuzz_demand(folder != NULL, "a folder for the input");
  snprintf(path, sizeof path, "%s/journal-0.txt", folder);
  atexit(remove_file);
  return folder;
}

const char *fuzz_file(const uint8_t *data, size_t size) {
  fuzz_folder();
  FILE *file = fopen(path, "wb");
  fuzz_demand(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0, "a file for the input");
  return path;
}

fw_context *fuzz_context(void) {
  fw_context *ctx = NULL;
  fuzz_demand(fw_context_create(&ctx) == FW_OK, "a context");
  return ctx;
}
