/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* tdestroy */
#include "output/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "output/files.h"

static const char RECORD[] = "manifest.json", RECORD_PART[] = "manifest.json.part", LIST[] = "manifest.txt";
static const char FORMAT[] = "fretwork result 1";

struct fw_manifest {
  fw_context *ctx;
  char *folder, *list_path;
  int list;     /* file, locked while open */
  char *text;   /* the list as it was found, cut into names */
  char **names; /* in order; those below `found` lie in `text`, the others are owned */
  int count, room, found;
  void *known;           /* search tree of names */
  pthread_mutex_t claim; /* threads of a run make files too */
};

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

static void keep_name(void *name) { (void)name; }

static fw_status fail_io(const fw_manifest *m, const char *path, const char *what) {
  return fw_fail(m->ctx, FW_ERR_IO, "%s: %s: %s", path, what, strerror(errno));
}

/* ---- names ------------------------------------------------------------------------------- */

/* Below the folder, by ways that do not lead out of it. */
static bool is_safe(const char *name) {
  if (!*name || *name == '/') return false;
  for (const char *part = name; part; part = strchr(part, '/')) {
    part += *part == '/';
    size_t length = strcspn(part, "/");
    if (length == 2 && strncmp(part, "..", 2) == 0) return false;
  }
  return true;
}

static fw_status add_name(fw_manifest *m, char *name) {
  FW_TRY(fw_grow(m->ctx, m->count, &m->room, sizeof *m->names, &m->names));
  m->names[m->count] = name;
  if (!tsearch(name, &m->known, by_text)) return fw_fail(m->ctx, FW_ERR_MEMORY, "out of memory");
  m->count++;
  return FW_OK;
}

static fw_status read_list(fw_manifest *m) {
  char *rest = NULL;
  FW_TRY(fw_file_read(m->ctx, m->list_path, &m->text, NULL));
  for (char *name = strtok_r(m->text, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest))
    if (is_safe(name) && !tfind(name, &m->known, by_text)) FW_TRY(add_name(m, name));
  m->found = m->count;
  return FW_OK;
}

/* The manifest does not list itself. */
static bool is_own(const char *name) {
  return strcmp(name, LIST) == 0 || strcmp(name, RECORD) == 0 || strcmp(name, RECORD_PART) == 0;
}

/* ---- claims ------------------------------------------------------------------------------ */

/* The part of a path below the folder; NULL if it is not there. */
static const char *below(const fw_manifest *m, const char *path) {
  size_t length = strlen(m->folder);
  if (strncmp(path, m->folder, length) != 0 || path[length] != '/') return NULL;
  path += length;
  return path + strspn(path, "/");
}

static fw_status note_name(fw_manifest *m, const char *name) {
  char *line;
  size_t length = strlen(name);
  FW_TRY(fw_alloc(m->ctx, length + 2, 1, &line));
  memcpy(line, name, length);
  line[length] = '\n';
  bool written = write(m->list, line, length + 1) == (ssize_t)(length + 1);
  line[length] = '\0';
  fw_status status = written ? add_name(m, line) : fail_io(m, m->list_path, "cannot write");
  if (status != FW_OK) free(line);
  return status;
}

static fw_status claim(void *user, fw_context *ctx, const char *path) {
  fw_manifest *m = user;
  const char *name = below(m, path);
  struct stat info;
  if (!name || !*name || is_own(name)) return FW_OK;
  pthread_mutex_lock(&m->claim);
  fw_status status = FW_OK;
  if (!tfind(name, &m->known, by_text)) {
    if (lstat(path, &info) == 0)
      status = fw_fail(ctx, FW_ERR_ARGUMENT, "%s: is there already and not of fretwork's making; move it away", path);
    else
      status = note_name(m, name);
  }
  pthread_mutex_unlock(&m->claim);
  return status;
}

/* ---- life -------------------------------------------------------------------------------- */

/* The workers of a run that was killed hold its lock until they have ended too. */
static fw_status lock(const fw_manifest *m) {
  for (int i = 0; i < 200 && flock(m->list, LOCK_EX | LOCK_NB) != 0; i++) {
    if (errno != EWOULDBLOCK && errno != EINTR) return FW_OK; /* a file system without locks */
    if (i == 199) return fw_fail(m->ctx, FW_ERR_ARGUMENT, "%s: another run is writing there", m->folder);
    nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  return FW_OK;
}

static fw_status take_over(fw_manifest *m, const char *folder) {
  FW_TRY(fw_copy_text(m->ctx, folder, &m->folder));
  for (size_t n = strlen(m->folder); n > 1 && m->folder[n - 1] == '/'; n--) m->folder[n - 1] = '\0';
  FW_TRY(fw_path_join(m->ctx, m->folder, LIST, &m->list_path));
  m->list = open(m->list_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (m->list < 0) return fail_io(m, m->list_path, "cannot write");
  FW_TRY(lock(m));
  return read_list(m);
}

fw_status fw_manifest_open(fw_context *ctx, const char *folder, fw_manifest **manifest) {
  fw_manifest *m;
  *manifest = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *m, &m));
  m->ctx = ctx;
  m->list = -1;
  pthread_mutex_init(&m->claim, NULL);
  fw_status status = take_over(m, folder);
  if (status != FW_OK)
    fw_manifest_close(&m);
  else
    fw_context_tap_files(ctx, claim, m);
  *manifest = m;
  return status;
}

void fw_manifest_close(fw_manifest **manifest) {
  if (!manifest || !*manifest) return;
  fw_manifest *m = *manifest;
  fw_context_tap_files(m->ctx, NULL, NULL);
  if (m->list >= 0) close(m->list);
  tdestroy(m->known, keep_name);
  for (int i = m->found; i < m->count; i++) free(m->names[i]);
  pthread_mutex_destroy(&m->claim);
  free(m->names);
  free(m->text);
  free(m->list_path);
  free(m->folder);
  free(m);
  *manifest = NULL;
}

fw_status fw_manifest_join(fw_context *ctx, const char *folder, fw_manifest **manifest) {
  fw_record *origin;
  *manifest = NULL;
  FW_TRY(fw_manifest_read(ctx, folder, &origin));
  if (!origin) return FW_OK;
  fw_record_destroy(&origin);
  return fw_manifest_open(ctx, folder, manifest);
}

/* ---- what is in the folder --------------------------------------------------------------- */

/* Files and folders in it besides the manifest. */
static int count_others(const char *path) {
  int count = 0;
  DIR *folder = opendir(path);
  for (const struct dirent *entry; folder && (entry = readdir(folder));)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && !is_own(entry->d_name);
  if (folder) closedir(folder);
  return count;
}

bool fw_manifest_none_yet(const char *folder) {
  char path[4096];
  struct stat info;
  snprintf(path, sizeof path, "%s/%s", folder, RECORD);
  return count_others(folder) == 0 && stat(path, &info) != 0;
}

/* A file and what a kill left of its writing; a folder if it is empty by now. */
static fw_status remove_name(const fw_manifest *m, const char *name) {
  char path[4096];
  int length = snprintf(path, sizeof path - 8, "%s/%s", m->folder, name);
  if (length <= 0 || (size_t)length >= sizeof path - 8) return FW_OK;
  if (path[length - 1] == '/') {
    path[length - 1] = '\0';
    if (rmdir(path) == 0 || errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR) return FW_OK;
    return fail_io(m, path, "cannot remove");
  }
  if (unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR && errno != EISDIR)
    return fail_io(m, path, "cannot remove");
  memcpy(path + length, ".part", 6);
  unlink(path);
  return FW_OK;
}

fw_status fw_manifest_empty(fw_manifest *m, int *others) {
  for (int i = m->count - 1; i >= 0; i--) FW_TRY(remove_name(m, m->names[i]));
  if (ftruncate(m->list, 0) != 0) return fail_io(m, m->list_path, "cannot write");
  tdestroy(m->known, keep_name);
  m->known = NULL;
  for (int i = m->found; i < m->count; i++) free(m->names[i]);
  m->count = m->found = 0;
  *others = count_others(m->folder);
  return FW_OK;
}

/* ---- the record -------------------------------------------------------------------------- */

fw_status fw_manifest_read(fw_context *ctx, const char *folder, fw_record **origin) {
  char *path, *json = NULL;
  const char *format;
  *origin = NULL;
  FW_TRY(fw_path_join(ctx, folder, RECORD, &path));
  fw_status status = FW_OK;
  if (fw_path_exists(path)) status = fw_file_read(ctx, path, &json, NULL);
  if (status == FW_OK && json &&
      (fw_record_parse(ctx, json, origin) != FW_OK || fw_record_text(*origin, "format", &format) != FW_OK ||
       strcmp(format, FORMAT) != 0)) {
    fw_record_destroy(origin);
    status = fw_fail(ctx, FW_ERR_ARGUMENT, "%s: is not the manifest of a result", path);
  }
  free(json);
  free(path);
  return status;
}

fw_status fw_manifest_write(fw_manifest *m, fw_record *record) {
  char *json = NULL, *path = NULL;
  fw_status status;
  FW_TRY_DONE(fw_record_set_text(record, FORMAT, "format"));
  json = fw_record_json(record);
  if (!json) FW_TRY_DONE(fw_fail(m->ctx, FW_ERR_MEMORY, "out of memory"));
  FW_TRY_DONE(fw_path_join(m->ctx, m->folder, RECORD, &path));
  FW_TRY_DONE(fw_file_write(m->ctx, path, json, strlen(json)));
done:
  free(json);
  free(path);
  return status;
}
