/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "app/command.h"

#define X(name) extern const command command_##name;
#include "app/commands.def"
#undef X

const command *const commands[] = {
#define X(name) &command_##name,
#include "app/commands.def"
#undef X
    NULL};

extern const command command_trial, command_page; /* not for people */

const command *command_find(const char *name) {
  if (strcmp(name, command_trial.name) == 0) return &command_trial;
  if (strcmp(name, command_page.name) == 0) return &command_page;
  for (int i = 0; commands[i]; i++)
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  return NULL;
}

static void print_help(FILE *out) {
  fputs("fretwork: vibration with friction\n\nusage: fretwork COMMAND ...\n\n", out);
  for (int i = 0; commands[i]; i++) fprintf(out, "  %-8s  %s\n", commands[i]->name, commands[i]->summary);
  fputs(
      "\nfretwork COMMAND --help tells more; fretwork --version the version.\n"
      "exit codes: 0 done, 1 the analysis failed, 2 wrong command line or deck, 3 disk, memory or permission,\n"
      "130 interrupted\n",
      out);
}

static bool is(const char *argument, const char *a, const char *b) {
  return strcmp(argument, a) == 0 || strcmp(argument, b) == 0;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return EXIT_USAGE;
  }
  if (is(argv[1], "--version", "-V")) {
    printf("fretwork %s\n", fw_version());
    return EXIT_DONE;
  }
  bool help = is(argv[1], "--help", "-h") || strcmp(argv[1], "help") == 0;
  if (help && argc == 2) {
    print_help(stdout);
    return EXIT_DONE;
  }
  const char *name = help ? argv[2] : argv[1];
  const command *found = command_find(name);
  if (!found) {
    fprintf(stderr, "fretwork: there is no command \"%s\"\ntry: fretwork --help\n", name);
    return EXIT_USAGE;
  }
  if (help) {
    command_help(found);
    return EXIT_DONE;
  }
  char self[64]; /* what getopt_long puts before its messages */
  snprintf(self, sizeof self, "fretwork %s", found->name);
  argv[1] = self;
  return found->run(found, argc - 1, argv + 1);
}
