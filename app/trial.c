/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/trial.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/command.h"

static const char survived[] = "the trial is over";

/* ---- the child --------------------------------------------------------------------------- */

static void say(void *user, const char *text) {
  (void)user;
  printf("%s\n", text);
  fflush(stdout);
}

static int run_trial(const command *self, int argc, char **argv) {
  const struct rlimit time = {10, 10}, no_core = {0, 0}; /* s of processor time: checks take a tenth of one */
  fw_context *ctx;
  fw_deck *deck = NULL;
  (void)self;
  if (argc != 2 || fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &no_core);
  fw_context_allow_plugins(ctx, true);
  fw_context_on_log(ctx, say, NULL);
  (void)fw_deck_load(ctx, argv[1], &deck);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  say(NULL, survived);
  return EXIT_DONE;
}

extern const command command_trial;
const command command_trial = {"--trial", "DECK", "load the plug-ins of a deck and tell of it", "", run_trial};

/* ---- the parent -------------------------------------------------------------------------- */

static pid_t start_child(const char *deck, int output[2]) {
  if (pipe(output) != 0) return -1;
  pid_t child = fork();
  if (child != 0) {
    close(output[1]);
    return child;
  }
  dup2(output[1], STDOUT_FILENO);
  close(output[0]);
  execl("/proc/self/exe", "fretwork", command_trial.name, deck, (char *)NULL);
  _exit(EXIT_ENVIRONMENT);
}

/* True if the child said that it lived; `last` is the line before that. */
static bool listen(int input, char *last, size_t room) {
  char line[1000];
  bool alive = false;
  FILE *file = fdopen(input, "r");
  last[0] = '\0';
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    alive = strcmp(line, survived) == 0;
    if (!alive) snprintf(last, room, "%s", line);
  }
  if (file) fclose(file);
  return alive;
}

static void tell_end(int status, const char *last) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    fprintf(stderr, "fretwork: %s: it did not end within 10 s of processor time\n", last);
  else if (WIFSIGNALED(status))
    fprintf(stderr, "fretwork: %s: it crashed (%s)\n", last, strsignal(WTERMSIG(status)));
  else
    fprintf(stderr, "fretwork: %s: it ended the program (exit code %d)\n", last, WEXITSTATUS(status));
}

bool trial_of_plugins(const char *deck) {
  int output[2], status = 0;
  char last[1000];
  fflush(NULL);
  pid_t child = start_child(deck, output);
  if (child < 0) return true; /* no process to be had: the checks are made in this one */
  bool alive = listen(output[0], last, sizeof last);
  waitpid(child, &status, 0);
  if (!alive) tell_end(status, last[0] ? last : "a plug-in was tried");
  return alive;
}
