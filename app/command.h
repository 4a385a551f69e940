/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command of the program is. Each lives in its own file and has one line in commands.def. */
#ifndef FW_APP_COMMAND_H
#define FW_APP_COMMAND_H

#include "fretwork.h"

/* Exit codes. */
enum { EXIT_DONE = 0, EXIT_ANALYSIS = 1, EXIT_USAGE = 2, EXIT_ENVIRONMENT = 3, EXIT_INTERRUPTED = 130 };

typedef struct command {
  const char *name;
  const char *arguments; /* as in the usage line */
  const char *summary;   /* one line */
  const char *options;   /* help on each option, lines that end with \n; "" if none */
  int (*run)(const struct command *self, int argc, char **argv); /* argv[0] is the command's name; an exit code */
} command;

/* All of them, NULL at the end. */
extern const command *const commands[];

/* The command of that name, or NULL. */
const command *command_find(const char *name);

/* Help on one command, to stdout. */
void command_help(const command *self);

/* After a wrong command line: prints the message (may be NULL; getopt has then spoken) and how to get
 * help. Returns EXIT_USAGE. */
int command_misuse(const command *self, const char *message, const char *subject);

/* Prints the context's messages, one per line, and gives the exit code of a status. */
int command_failed(const fw_context *ctx, fw_status status);

/* Loads a deck and applies its settings "name=value"; 0 or an exit code after printing why. */
int command_load(fw_context *ctx, const char *path, const char *const *settings, int count, fw_deck **deck);

#endif
