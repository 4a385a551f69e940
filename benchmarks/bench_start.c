/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole processes: a bare one, the program's own start, and a small deck from end to end, files and report included. */
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

extern char **environ;

typedef struct cost {
  double cpu, wall; /* user and system time; time passed */
} cost;

static double wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

/* One process with its output thrown away; cpu < 0 if it fails. */
static cost run(char *const *words) {
  posix_spawn_file_actions_t files;
  struct rusage usage;
  pid_t pid;
  int status = 1;
  double begin = wall();
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  int failed = posix_spawn(&pid, words[0], &files, NULL, words, environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed || wait4(pid, &status, 0, &usage) != pid || status != 0) return (cost){-1, -1};
  return (cost){seconds(usage.ru_utime) + seconds(usage.ru_stime), wall() - begin};
}

/* The best of ten, of each clock. */
static int measure(const char *name, char *const *words) {
  cost best = run(words); /* the first one fills the caches */
  for (int i = 0; i < 10 && best.cpu >= 0; i++) {
    cost now = run(words);
    if (now.cpu < best.cpu) best.cpu = now.cpu;
    if (now.wall < best.wall || now.wall < 0) best.wall = now.wall;
  }
  bench_print("process", name, "cpu", best.cpu, "s");
  bench_print("process", name, "elapsed", best.wall, "s");
  return best.cpu >= 0 ? 0 : 1;
}

int main(void) {
  char folder[] = "bench-start.XXXXXX";
  if (!mkdtemp(folder)) return 1;
  int failed = measure("bare", (char *const[]){"/bin/true", NULL});
  failed |= measure("fretwork list", (char *const[]){FW_PROGRAM, "list", NULL});
  failed |= measure("fretwork run examples/rig/modes.xml",
                    (char *const[]){FW_PROGRAM, "run", FW_SOURCE_DIR "/examples/rig/modes.xml", "--out", folder,
                                    "--force", "--quiet", NULL});
  failed |= run((char *const[]){"/bin/rm", "-r", folder, NULL}).cpu < 0;
  return failed;
}
