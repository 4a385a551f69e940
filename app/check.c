/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/command.h"
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
  bool allow_plugins, strict;
} check_options;

static int check_deck(const char *path, char *const *settings, int count, check_options how) {
  fw_context *ctx;
  fw_deck *deck = NULL;
  if (how.allow_plugins && !trial_of_plugins(path)) return EXIT_USAGE;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_context_allow_plugins(ctx, how.allow_plugins);
  int code = command_load(ctx, path, settings, count, &deck);
  if (code == 0) {
    fw_status status = fw_deck_check(ctx, deck);
    code = command_failed(ctx, status);
    if (status == FW_OK) printf("%s: sound\n", path);
    if (status != FW_OK && status != FW_ERR_MEMORY) code = EXIT_USAGE;
    if (status == FW_OK) code = show_warnings(ctx, deck, how.strict);
  }
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return code;
}

static int run(const command *self, int argc, char **argv) {
  static const struct option options[] = {{"set", required_argument, NULL, 's'},
                                          {"allow-plugins", no_argument, NULL, 'p'},
                                          {"strict", no_argument, NULL, 'w'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  char **settings = calloc((size_t)argc, sizeof *settings);
  if (!settings) return EXIT_ENVIRONMENT;
  int count = 0, code = -1;
  check_options how = {0};
  for (int option; code < 0 && (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) switch (option) {
      case 's':
        settings[count++] = optarg;
        break;
      case 'p':
        how.allow_plugins = true;
        break;
      case 'w':
        how.strict = true;
        break;
      case 'h':
        command_help(self);
        code = EXIT_DONE;
        break;
      default:
        code = command_misuse(self, NULL, NULL);
    }
  if (code < 0 && optind == argc) code = command_misuse(self, "which deck?", NULL);
  for (int worst = code; code <= 0 && optind < argc && worst <= 0; optind++)
    worst = code = check_deck(argv[optind], settings, count, how);
  free(settings);
  return code;
}

extern const command command_check;
const command command_check = {"check", "DECK... [--set name=value]... [--strict] [--allow-plugins]",
                               "validate decks without running them",
                               "  --set NAME=VALUE  set a parameter of the deck first\n"
                               "  --strict          end with 2 where there are warnings\n"
                               "  --allow-plugins   permit friction laws from shared objects\n",
                               run};
