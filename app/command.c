/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/command.h"

#include <stdio.h>
#include <string.h>

#include "app/colour.h"

void command_help(const command *self) {
  printf("usage: fretwork %s %s\n\n%s\n", self->name, self->arguments, self->summary);
  if (self->options[0]) printf("\n%s", self->options);
}

int command_misuse(const command *self, const char *message, const char *subject) {
  if (message)
    fprintf(stderr, "fretwork %s: %s%s%s\n", self->name, message, subject ? ": " : "", subject ? subject : "");
  fprintf(stderr, "usage: fretwork %s %s\ntry: fretwork %s --help\n", self->name, self->arguments, self->name);
  return EXIT_USAGE;
}

static int exit_code(fw_status status) {
  switch (status) {
    case FW_OK:
      return EXIT_DONE;
    case FW_ERR_ARGUMENT:
    case FW_ERR_DECK:
      return EXIT_USAGE;
    case FW_ERR_MEMORY:
    case FW_ERR_IO:
      return EXIT_ENVIRONMENT;
    case FW_ERR_INTERRUPTED:
      return EXIT_INTERRUPTED;
    default:
      return EXIT_ANALYSIS;
  }
}

int command_failed(const fw_context *ctx, fw_status status) {
  const char *message = fw_context_message(ctx);
  if (status != FW_OK) colour_problem(stderr, message[0] ? message : fw_status_text(status));
  return exit_code(status);
}

/* "name=value": the name is copied, the value points behind the sign. */
static const char *split_setting(const char *setting, char *name, size_t room) {
  const char *sign = strchr(setting, '=');
  if (!sign || sign == setting || (size_t)(sign - setting) >= room || !sign[1]) return NULL;
  memcpy(name, setting, (size_t)(sign - setting));
  name[sign - setting] = '\0';
  return sign + 1;
}

int command_load(fw_context *ctx, const char *path, const char *const *settings, int count, fw_deck **deck) {
  fw_status status = fw_deck_load(ctx, path, deck);
  for (int i = 0; i < count && status == FW_OK; i++) {
    char name[256];
    const char *value = split_setting(settings[i], name, sizeof name);
    if (!value) {
      fprintf(stderr, "fretwork: --set %s: must be name=value\n", settings[i]);
      return EXIT_USAGE;
    }
    status = fw_deck_set(ctx, *deck, name, value);
  }
  if (status == FW_OK) return 0;
  command_failed(ctx, status);
  return status == FW_ERR_MEMORY ? EXIT_ENVIRONMENT : EXIT_USAGE; /* an unreadable deck is a wrong deck */
}
