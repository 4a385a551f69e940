/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two ranks of the program under Open MPI's launcher. */
#ifndef FW_TESTS_RANKS_H
#define FW_TESTS_RANKS_H

#include <stdbool.h>

#include "program.h"

#define OPEN_MPI_ENDS "--display-map" /* without effect on what happens: a lost rank ends the job */
#define OTHERS_GO_ON "--enable-recovery"

typedef struct ranks {
  const char *deck, *only, *out, *how, *survival;
  const char *log; /* a file that takes all that they say; NULL: nothing does */
} ranks;

static inline pid_t ranks_start(const ranks *r) {
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  pid_t child = fork();
  if (child != 0) return child;
  /* Open MPI unloads its components before leaks are looked for, so that theirs cannot be told from ours: only the same
   * work without ranks is searched for leaks. */
  setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
  int null = open("/dev/null", O_RDWR), said = r->log ? open(r->log, O_WRONLY | O_CREAT | O_TRUNC, 0644) : null;
  dup2(null, STDIN_FILENO);
  dup2(said, STDOUT_FILENO);
  dup2(said, STDERR_FILENO);
  execlp("mpirun", "mpirun", "--oversubscribe", r->survival, "-np", "2", FW_PROGRAM, "run", r->deck, "--only", r->only,
         "--out", r->out, r->how, (char *)NULL);
  _exit(127);
}

/* One end of the list of a process's direct children: the ranks of mpirun, the worker of a rank. */
static inline pid_t child_of(pid_t parent, bool last) {
  char path[64];
  pid_t child = 0;
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
  FILE *file = fopen(path, "r");
  for (int one; file && fscanf(file, "%d", &one) == 1 && (last || !child);) child = one;
  if (file) fclose(file);
  return child;
}

static inline int wait_for_end(pid_t process) {
  int status = -1;
  waitpid(process, &status, 0);
  return status;
}

#endif
