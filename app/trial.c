/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/trial.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/command.h"

/* The last words of a child that lived. */
static const char passed[] = "the trial is passed", over[] = "the trial is over";

/* ---- the child --------------------------------------------------------------------------- */

static void say(void *user, const char *text) {
  (void)user;
  printf("%s\n", text);
  fflush(stdout);
}

static int run_trial(const command *self, int argc, char **argv) {
  const struct rlimit time = {10, 10}, no_core = {0, 0}; /* s of processor time: checks take a tenth of one */
  fw_context *ctx;
  (void)self;
  if (argc != 2 || fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &no_core);
  fw_context_on_log(ctx, say, NULL);
  fw_status status = fw_plugin_try(ctx, argv[1]);
  fw_context_destroy(&ctx);
  say(NULL, status == FW_OK ? passed : over);
  return EXIT_DONE;
}

extern const command command_trial;
const command command_trial = {"--trial", "PLUG-IN", "load a plug-in and tell of it", "", run_trial};

/* ---- what has passed before -------------------------------------------------------------- */

/* An empty file in the user's cache for each plug-in that has passed: $XDG_CACHE_HOME/fretwork/plug-ins/MARK. */
static bool kept_path(uint64_t mark, char *path, size_t room) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  bool own = cache && cache[0] == '/';
  if (!own && !(home && home[0] == '/')) return false;
  int length =
      snprintf(path, room, "%s%s/fretwork/plug-ins/%016" PRIx64, own ? cache : home, own ? "" : "/.cache", mark);
  return length > 0 && (size_t)length < room;
}

static bool has_passed(uint64_t mark) {
  char path[4096];
  return kept_path(mark, path, sizeof path) && access(path, F_OK) == 0;
}

/* What cannot be kept is tried anew. */
static void keep_passed(uint64_t mark) {
  char path[4096];
  if (!kept_path(mark, path, sizeof path)) return;
  for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
    *at = '\0';
    mkdir(path, 0700);
    *at = '/';
  }
  FILE *file = fopen(path, "w");
  if (file) fclose(file);
}

/* ---- the parent -------------------------------------------------------------------------- */

static pid_t start_child(const char *plugin, int output[2]) {
  if (pipe(output) != 0) return -1;
  pid_t child = fork();
  if (child != 0) {
    close(output[1]);
    return child;
  }
  dup2(output[1], STDOUT_FILENO);
  close(output[0]);
  execl("/proc/self/exe", "fretwork", command_trial.name, plugin, (char *)NULL);
  _exit(EXIT_ENVIRONMENT);
}

typedef enum { DIED, LIVED, PASSED } outcome;

/* How the child says that it ended; `last` is the line before that. */
static outcome listen(int input, char *text, size_t room) {
  char line[1000];
  outcome heard = DIED;
  FILE *file = fdopen(input, "r");
  text[0] = '\0';
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    heard = strcmp(line, passed) == 0 ? PASSED : strcmp(line, over) == 0 ? LIVED : DIED;
    if (heard == DIED) snprintf(text, room, "%s", line);
  }
  if (file) fclose(file);
  return heard;
}

static void tell_end(int status, const char *last) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    fprintf(stderr, "fretwork: %s: it did not end within 10 s of processor time\n", last);
  else if (WIFSIGNALED(status))
    fprintf(stderr, "fretwork: %s: it crashed (%s)\n", last, strsignal(WTERMSIG(status)));
  else
    fprintf(stderr, "fretwork: %s: it ended the program (exit code %d)\n", last, WEXITSTATUS(status));
}

bool trial_of_plugin(void *user, const char *path, uint64_t mark) {
  int output[2], status = 0;
  char last[1000];
  (void)user;
  if (has_passed(mark)) return true;
  fflush(NULL);
  pid_t child = start_child(path, output);
  if (child < 0) return true; /* no process to be had: the checks are made in this one */
  outcome heard = listen(output[0], last, sizeof last);
  waitpid(child, &status, 0);
  if (heard == DIED) tell_end(status, last[0] ? last : path);
  if (heard == PASSED) keep_passed(mark);
  return heard != DIED;
}
