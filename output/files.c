/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static fw_status file_fail(fw_context *ctx, const char *path, const char *what) {
  return fw_fail(ctx, FW_ERR_IO, "%s: %s: %s", path, what, strerror(errno));
}

/* ---- names ------------------------------------------------------------------------------- */

fw_status fw_path_join(fw_context *ctx, const char *folder, const char *name, char **path) {
  size_t room = strlen(folder) + strlen(name) + 2;
  FW_TRY(fw_alloc(ctx, room, 1, path));
  snprintf(*path, room, "%s/%s", folder, name);
  return FW_OK;
}

fw_status fw_path_safe(fw_context *ctx, const char *name, char **safe) {
  FW_TRY(fw_alloc(ctx, strlen(name) + 1, 1, safe));
  for (size_t i = 0; name[i]; i++)
    (*safe)[i] = isalnum((unsigned char)name[i]) || strchr("._+-", name[i]) ? name[i] : '-';
  if ((*safe)[0] == '.') (*safe)[0] = '-';
  return FW_OK;
}

bool fw_path_exists(const char *path) {
  struct stat info;
  return stat(path, &info) == 0;
}

fw_status fw_file_absent(fw_context *ctx, const char *path) {
  struct stat info;
  if (lstat(path, &info) != 0) return FW_OK;
  return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: exists; --force replaces it", path);
}

/* ---- folders ----------------------------------------------------------------------------- */

static fw_status make_one(fw_context *ctx, const char *path) {
  if (fw_path_exists(path)) return FW_OK;
  char *name = NULL;
  FW_TRY(fw_path_join(ctx, path, "", &name));
  fw_status status = fw_claim_file(ctx, name);
  free(name);
  if (status == FW_OK && mkdir(path, 0777) != 0 && errno != EEXIST)
    status = file_fail(ctx, path, "cannot make the folder");
  return status;
}

fw_status fw_folder_make(fw_context *ctx, const char *path) {
  char *part = strdup(path);
  if (!part) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fw_status status = FW_OK;
  size_t length = strlen(path);
  for (size_t i = 1; i <= length && status == FW_OK; i++) {
    if (part[i] != '/' && part[i] != '\0') continue;
    part[i] = '\0';
    status = make_one(ctx, part);
    part[i] = path[i];
  }
  struct stat info;
  if (status == FW_OK && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)))
    status = fw_fail(ctx, FW_ERR_IO, "%s: is not a folder", path);
  free(part);
  return status;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool wanted(const char *folder, const char *name, const char *suffix, bool folders) {
  size_t length = strlen(name), tail = strlen(suffix);
  if (name[0] == '.' || length < tail || strcmp(name + length - tail, suffix) != 0) return false;
  char path[4096];
  struct stat info;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return stat(path, &info) == 0 && (folders ? S_ISDIR(info.st_mode) : S_ISREG(info.st_mode));
}

fw_status fw_folder_list(fw_context *ctx, const char *path, const char *suffix, bool folders, char ***names,
                         int *count) {
  struct dirent **entries;
  *names = NULL;
  *count = 0;
  int found = scandir(path, &entries, NULL, NULL);
  if (found < 0) return file_fail(ctx, path, "cannot read the folder");
  size_t room = 0;
  for (int i = 0; i < found; i++) room += sizeof(char *) + strlen(entries[i]->d_name) + 1;
  fw_status status = fw_alloc(ctx, room, 1, names);
  char *text = (char *)*names + (size_t)found * sizeof(char *);
  for (int i = 0; i < found; i++) {
    if (status == FW_OK && wanted(path, entries[i]->d_name, suffix, folders)) {
      (*names)[(*count)++] = strcpy(text, entries[i]->d_name);
      text += strlen(text) + 1;
    }
    free(entries[i]);
  }
  free(entries);
  if (*count > 1) qsort(*names, (size_t)*count, sizeof(char *), by_name);
  return status;
}

/* ---- files ------------------------------------------------------------------------------- */

static bool write_all(int descriptor, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(descriptor, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    length -= (size_t)written;
  }
  return true;
}

fw_status fw_file_write(fw_context *ctx, const char *path, const void *bytes, size_t length) {
  size_t room = strlen(path) + 8;
  char *temporary;
  FW_TRY(fw_claim_file(ctx, path));
  FW_TRY(fw_alloc(ctx, room, 1, &temporary));
  snprintf(temporary, room, "%s.part", path);
  fw_status status = FW_OK;
  int descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (descriptor < 0) {
    status = file_fail(ctx, path, "cannot write");
  } else {
    bool written = write_all(descriptor, bytes, length);
    if (!written) status = file_fail(ctx, path, "cannot write");
    if (close(descriptor) != 0 && written) status = file_fail(ctx, path, "cannot write");
    if (status == FW_OK && rename(temporary, path) != 0) status = file_fail(ctx, path, "cannot write");
    if (status != FW_OK) unlink(temporary);
  }
  free(temporary);
  return status;
}

fw_status fw_file_write_in(fw_context *ctx, const char *folder, const char *name, const char *text) {
  char *path;
  FW_TRY(fw_path_join(ctx, folder, name, &path));
  fw_status status = fw_file_write(ctx, path, text, strlen(text));
  free(path);
  return status;
}

fw_status fw_file_read(fw_context *ctx, const char *path, char **bytes, size_t *length) {
  *bytes = NULL;
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) /* to open a pipe may never end */
    return fw_fail(ctx, FW_ERR_IO, "%s: is not a file", path);
  FILE *file = fopen(path, "rb");
  if (!file || fstat(fileno(file), &info) != 0) {
    fw_status failed = file_fail(ctx, path, "cannot read");
    if (file) fclose(file);
    return failed;
  }
  size_t size = (size_t)info.st_size;
  fw_status status = fw_alloc(ctx, size + 1, 1, bytes);
  if (status == FW_OK && fread(*bytes, 1, size, file) != size) {
    status = file_fail(ctx, path, "cannot read");
    free(*bytes);
    *bytes = NULL;
  }
  fclose(file);
  if (length) *length = size;
  return status;
}

fw_status fw_file_open(fw_context *ctx, const char *path, FILE **file) {
  *file = NULL;
  FW_TRY(fw_claim_file(ctx, path));
  *file = fopen(path, "wb");
  return *file ? FW_OK : file_fail(ctx, path, "cannot write");
}

fw_status fw_file_flush(fw_context *ctx, FILE *file, const char *path) {
  return fflush(file) == 0 && !ferror(file) ? FW_OK : file_fail(ctx, path, "cannot write");
}
