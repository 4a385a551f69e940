/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the program as a user does, without a shell. */
#ifndef FW_TESTS_PROGRAM_H
#define FW_TESTS_PROGRAM_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM_TEXT = 65536 };

/* What a finished program said. */
typedef struct program {
  int code; /* exit code; -1: ended by a signal */
  char out[PROGRAM_TEXT], err[PROGRAM_TEXT];
} program;

/* Where the output of a process goes: tests in one folder run at the same time. */
static inline void program_path(pid_t process, const char *stream, char path[64]) {
  snprintf(path, 64, "program-%ld.%s", (long)process, stream);
}

static inline int program_file(const char *stream) {
  char path[64];
  program_path(getpid(), stream, path);
  return open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
}

static inline void program_read(const char *path, char *text) {
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(text, 1, PROGRAM_TEXT - 1, file) : 0;
  text[length] = '\0';
  if (file) fclose(file);
}

static inline void program_take(pid_t process, const char *stream, char *text) {
  char path[64];
  program_path(process, stream, path);
  program_read(path, text);
  unlink(path);
}

/* Starts `fretwork ARGUMENTS...` (a NULL-terminated list) with its output going to files of its own. */
static inline pid_t program_start(const char *const *arguments) {
  const char *argv[32] = {FW_PROGRAM};
  for (int i = 0; arguments[i] && i < 30; i++) argv[i + 1] = arguments[i];
  pid_t child = fork();
  if (child != 0) return child;
  int out = program_file("out"), err = program_file("err");
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execv(FW_PROGRAM, (char *const *)argv);
  _exit(127);
}

static inline void program_wait(pid_t child, program *p) {
  int status = 0;
  waitpid(child, &status, 0);
  p->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  program_take(child, "out", p->out);
  program_take(child, "err", p->err);
}

static inline void program_run(program *p, const char *const *arguments) { program_wait(program_start(arguments), p); }

/* program_run with the arguments in line. */
#define PROGRAM_RUN(p, ...) program_run(p, (const char *const[]){__VA_ARGS__, NULL})

#endif
