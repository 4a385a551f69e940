/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "app/options.h"

static int run(const command *self, int argc, char **argv) {
  int code = options_read(self, argc, argv, (command_option[]){{0}});
  if (code != OPTIONS_READ) return code;
  if (argc - optind > 2) return command_misuse(self, "one table and one name at most", NULL);
  fw_context *ctx;
  char *text = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_status status =
      fw_list(ctx, optind < argc ? argv[optind] : NULL, optind + 1 < argc ? argv[optind + 1] : NULL, &text);
  if (text) fputs(text, stdout);
  code = command_failed(ctx, status);
  free(text);
  fw_context_destroy(&ctx);
  return code;
}

extern const command command_list;
const command command_list = {"list", "[TABLE [NAME]]",
                              "show what decks can use: friction laws, elements, analyses ...", "", run};
