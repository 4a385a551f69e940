/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a fuzz target over files and folders of files: replay FOLDER... */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static int replayed;

static void replay_file(const char *path) {
  enum { MOST = 1 << 20 };
  static uint8_t data[MOST];
  FILE *file = fopen(path, "rb");
  fuzz_demand(file != NULL, path);
  size_t size = fread(data, 1, MOST, file);
  fclose(file);
  LLVMFuzzerTestOneInput(data, size);
  replayed++;
}

static void replay(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) {
    replay_file(path);
    return;
  }
  for (const struct dirent *entry; (entry = readdir(folder));) {
    char below[4096];
    snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
    if (entry->d_name[0] != '.') replay(below);
  }
  closedir(folder);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) replay(argv[i]);
  printf("%d inputs\n", replayed);
  return replayed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
