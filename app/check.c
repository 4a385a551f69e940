/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "app/options.h"
#include "app/trial.h"

/* Warnings on stderr; returns how the check ends with them. */
static int show_warnings(fw_context *ctx, const fw_deck *deck, bool strict) {
  char *text;
  fw_status status = fw_deck_warnings(ctx, deck, &text);
  if (status != FW_OK) return command_failed(ctx, status);
  fputs(text, stderr);
  bool any = text[0] != '\0';
  free(text);
  return strict && any ? EXIT_USAGE : EXIT_DONE;
}

typedef struct check_options {
  bool allow_plugins, strict, force;
  const char *sketch; /* NULL: none */
  option_list settings;
} check_options;

/* Returns how the check ends. */
static int write_sketch(fw_context *ctx, const fw_deck *deck, const check_options *how, int code) {
  fw_status status = fw_deck_sketch(ctx, deck, how->sketch, how->force);
  if (status != FW_OK) return command_failed(ctx, status);
  printf("%s\n", how->sketch);
  return code;
}

static int check_deck(const char *path, const check_options *how) {
  fw_context *ctx;
  fw_deck *deck = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_context_allow_plugins(ctx, how->allow_plugins);
  fw_context_on_plugin(ctx, trial_of_plugin, NULL);
  int code = command_load(ctx, path, how->settings.items, how->settings.count, &deck);
  if (code == 0) {
    fw_status status = fw_deck_check(ctx, deck);
    code = command_failed(ctx, status);
    if (status == FW_OK) printf("%s: sound\n", path);
    if (status != FW_OK && status != FW_ERR_MEMORY) code = EXIT_USAGE;
    if (status == FW_OK) code = show_warnings(ctx, deck, how->strict);
    if (status == FW_OK && how->sketch) code = write_sketch(ctx, deck, how, code);
  }
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return code;
}

static int run(const command *self, int argc, char **argv) {
  check_options how = {0};
  const command_option options[] = {
      {"set", 0, OPTION_LIST, &how.settings},  {"allow-plugins", 0, OPTION_FLAG, &how.allow_plugins},
      {"strict", 0, OPTION_FLAG, &how.strict}, {"sketch", 0, OPTION_TEXT, &how.sketch},
      {"force", 'f', OPTION_FLAG, &how.force}, {0}};
  int code = options_read(self, argc, argv, options);
  if (code == OPTIONS_READ && optind == argc) code = command_misuse(self, "which deck?", NULL);
  if (code == OPTIONS_READ && how.sketch && argc - optind > 1)
    code = command_misuse(self, "a sketch is of one deck", NULL);
  if (code == OPTIONS_READ && how.force && !how.sketch)
    code = command_misuse(self, "--force replaces a sketch: give --sketch", NULL);
  if (code == OPTIONS_READ) /* up to the first deck that is not sound */
    for (code = EXIT_DONE; code == EXIT_DONE && optind < argc; optind++) code = check_deck(argv[optind], &how);
  free(how.settings.items);
  return code;
}

extern const command command_check;
const command command_check = {
    "check", "DECK... [--set name=value]... [--strict] [--allow-plugins] [--sketch FILE [--force]]",
    "validate decks without running them",
    "  --set NAME=VALUE  set a parameter of the deck first\n"
    "  --strict          end with 2 where there are warnings\n"
    "  --allow-plugins   permit friction laws from shared objects\n"
    "  --sketch FILE     draw the model as SVG: supports, contacts, normals, gaps, loads, sensors\n"
    "  --force           replace that file if there is one\n",
    run};
