/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: after FAIL_WRITE_AFTER writes to files the disk is full. Streams that are opened for writing are
 * made over, as the C library writes for them without asking anybody. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long writes;

static bool disk_is_full(void) {
  const char *after = getenv("FAIL_WRITE_AFTER");
  return after && atomic_fetch_add(&writes, 1) >= strtol(after, NULL, 10);
}

static ssize_t write_on(int descriptor, const void *bytes, size_t length) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "write");
  return next(descriptor, bytes, length);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  if (descriptor <= STDERR_FILENO || !disk_is_full()) return write_on(descriptor, bytes, length);
  errno = ENOSPC;
  return -1;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  static ssize_t (*next)(int, const struct iovec *, int);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "writev");
  if (descriptor <= STDERR_FILENO || !disk_is_full()) return next(descriptor, parts, count);
  errno = ENOSPC;
  return -1;
}

/* ---- streams ----------------------------------------------------------------------------- */

enum { STREAMS = 256 };
static FILE *streams[STREAMS];
static int descriptors[STREAMS];

static ssize_t stream_write(void *cookie, const char *bytes, size_t length) {
  ssize_t written = write((int)(intptr_t)cookie, bytes, length);
  return written < 0 ? 0 : written; /* 0 is a cookie's word for an error */
}

static int stream_seek(void *cookie, off64_t *place, int from) {
  *place = lseek((int)(intptr_t)cookie, *place, from);
  return *place < 0 ? -1 : 0;
}

static int stream_close(void *cookie) { return close((int)(intptr_t)cookie); }

static FILE *make_over(int descriptor, const char *mode) {
  const cookie_io_functions_t io = {.write = stream_write, .seek = stream_seek, .close = stream_close};
  FILE *file = fopencookie((void *)(intptr_t)descriptor, mode, io);
  for (int i = 0; file && i < STREAMS; i++)
    if (!streams[i] || descriptors[i] == descriptor) {
      streams[i] = file;
      descriptors[i] = descriptor;
      break;
    }
  return file;
}

FILE *fopen(const char *path, const char *mode) {
  static FILE *(*next)(const char *, const char *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "fopen");
  if (mode[0] == 'r') return next(path, mode);
  int descriptor = open(path, O_WRONLY | O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC), 0666);
  return descriptor < 0 ? NULL : make_over(descriptor, mode);
}

FILE *fdopen(int descriptor, const char *mode) {
  static FILE *(*next)(int, const char *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "fdopen");
  return mode[0] == 'r' ? next(descriptor, mode) : make_over(descriptor, mode);
}

int fileno(FILE *file) {
  static int (*next)(FILE *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "fileno");
  for (int i = 0; i < STREAMS; i++)
    if (streams[i] == file) return descriptors[i];
  return next(file);
}
