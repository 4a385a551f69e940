/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes a folder and all below it, for tests that clean up after themselves; the library itself never does. */
#ifndef FW_TESTS_REMOVE_FOLDER_H
#define FW_TESTS_REMOVE_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static inline void remove_folder(const char *path) {
  struct stat info;
  if (lstat(path, &info) != 0) return;
  DIR *folder = S_ISDIR(info.st_mode) ? opendir(path) : NULL;
  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    char below[8192];
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    int length = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
    if (length > 0 && (size_t)length < sizeof below) remove_folder(below);
  }
  if (folder) closedir(folder);
  remove(path);
}

#endif
