/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of a command as a table, and the one loop that reads them. */
#ifndef FW_APP_OPTIONS_H
#define FW_APP_OPTIONS_H

#include <getopt.h> /* optind */

#include "app/command.h"

/* Values of an option that may be repeated; free(items). */
typedef struct option_list {
  const char **items; /* the words lent from argv */
  int count;
} option_list;

typedef enum option_kind {
  OPTION_FLAG,  /* bool */
  OPTION_TEXT,  /* const char *, the last one given */
  OPTION_COUNT, /* int, from 1 */
  OPTION_LIST   /* option_list */
} option_kind;

typedef struct command_option {
  const char *name; /* --name; NULL ends the table */
  char letter;      /* -l, or 0 */
  option_kind kind;
  void *to; /* of the kind's type */
} command_option;

/* Reads the options; every command has --help and -h besides. Returns OPTIONS_READ, with the first other argument at
 * optind, or the exit code with which the command ends: help was shown, or what is wrong has been told. */
enum { OPTIONS_READ = -1 };
/* While someone listens nothing is read: a command that is run tells its table and ends with EXIT_DONE. NULL ends it. */
void options_listen(void (*hear)(const command_option *table, void *user), void *user);

int options_read(const command *self, int argc, char **argv, const command_option *table);

#endif
