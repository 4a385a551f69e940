/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/options.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16, HELP = 'h', FIRST_VALUE = 256 }; /* values of options: beyond every letter */

static bool takes_argument(const command_option *option) { return option->kind != OPTION_FLAG; }

/* The table in getopt's words: long names, and the letters as "o:q". */
static void translate(const command_option *table, struct option *names, char *letters) {
  int i = 0;
  *letters++ = HELP;
  for (; i < MOST && table[i].name; i++) {
    names[i] = (struct option){table[i].name, takes_argument(&table[i]), NULL, FIRST_VALUE + i};
    if (!table[i].letter) continue;
    *letters++ = table[i].letter;
    if (takes_argument(&table[i])) *letters++ = ':';
  }
  names[i] = (struct option){"help", no_argument, NULL, HELP};
  names[i + 1] = (struct option){0};
  *letters = '\0';
}

/* What getopt has found, by the value of its name or by its letter; NULL: nothing of the table. */
static const command_option *option_of(const command_option *table, int found) {
  for (int i = 0; table[i].name; i++)
    if (found == FIRST_VALUE + i || (table[i].letter && found == table[i].letter)) return &table[i];
  return NULL;
}

static bool read_count(const char *text, int *count) {
  char *end;
  long value = strtol(text, &end, 10);
  if (end == text || *end || value < 1 || value > 4096) return false;
  *count = (int)value;
  return true;
}

static bool add_to_list(option_list *list, const char *text, int most) {
  if (!list->items) list->items = calloc((size_t)most, sizeof *list->items);
  if (!list->items) return false;
  list->items[list->count++] = text;
  return true;
}

/* OPTIONS_READ or an exit code. `most`: how often an option can be repeated. */
static int take(const command *self, const command_option *option, const char *text, int most) {
  switch (option->kind) {
    case OPTION_FLAG:
      *(bool *)option->to = true;
      return OPTIONS_READ;
    case OPTION_TEXT:
      *(const char **)option->to = text;
      return OPTIONS_READ;
    case OPTION_LIST:
      return add_to_list(option->to, text, most) ? OPTIONS_READ : EXIT_ENVIRONMENT;
    case OPTION_COUNT:
      if (read_count(text, option->to)) return OPTIONS_READ;
  }
  char message[64];
  snprintf(message, sizeof message, "--%s must be a whole number from 1", option->name);
  return command_misuse(self, message, text);
}

static void (*listener)(const command_option *table, void *user);
static void *listener_user;

void options_listen(void (*hear)(const command_option *table, void *user), void *user) {
  listener = hear;
  listener_user = user;
}

int options_read(const command *self, int argc, char **argv, const command_option *table) {
  if (listener) {
    listener(table, listener_user);
    return EXIT_DONE;
  }
  struct option names[MOST + 2];
  char letters[2 * MOST + 2];
  int code = OPTIONS_READ;
  translate(table, names, letters);
  for (int found; code == OPTIONS_READ && (found = getopt_long(argc, argv, letters, names, NULL)) != -1;) {
    const command_option *option = option_of(table, found);
    if (option) {
      code = take(self, option, optarg, argc);
    } else if (found == HELP) {
      command_help(self);
      code = EXIT_DONE;
    } else {
      code = command_misuse(self, NULL, NULL);
    }
  }
  return code;
}
