/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/command.h"

static int run(const command *self, int argc, char **argv) {
  static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
  int option = getopt_long(argc, argv, "h", options, NULL);
  if (option == 'h') {
    command_help(self);
    return EXIT_DONE;
  }
  if (option != -1) return command_misuse(self, NULL, NULL);
  if (argc - optind > 2) return command_misuse(self, "one table and one name at most", NULL);
  fw_context *ctx;
  char *text = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_status status =
      fw_list(ctx, optind < argc ? argv[optind] : NULL, optind + 1 < argc ? argv[optind + 1] : NULL, &text);
  if (text) fputs(text, stdout);
  int code = command_failed(ctx, status);
  free(text);
  fw_context_destroy(&ctx);
  return code;
}

extern const command command_list;
const command command_list = {"list", "[TABLE [NAME]]",
                              "show what decks can use: friction laws, elements, analyses ...", "", run};
