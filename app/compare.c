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
  if (argc - optind < 2) return command_misuse(self, "which result folder and which data?", NULL);
  fw_context *ctx;
  char *text = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  int code = command_failed(
      ctx, fw_compare(ctx, argv[optind], (const char *const *)argv + optind + 1, argc - optind - 1, &text));
  if (text) fputs(text, stdout);
  free(text);
  fw_context_destroy(&ctx);
  return code;
}

extern const command command_compare;
const command command_compare = {
    "compare", "DIR DATA...", "misfit of a result against rig data (CSV, UFF-58, or folders of them)",
    "Leaves compare.json, compare.txt and compare-*.svg in DIR and rebuilds its report.\n", run};
