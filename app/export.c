/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <stdio.h>

#include "app/command.h"

static int run(const command *self, int argc, char **argv) {
  static const struct option options[] = {
      {"binary", no_argument, NULL, 'b'}, {"force", no_argument, NULL, 'f'}, {"help", no_argument, NULL, 'h'}, {0}};
  bool binary = false, force = false;
  for (int option; (option = getopt_long(argc, argv, "bfh", options, NULL)) != -1;) switch (option) {
      case 'b':
        binary = true;
        break;
      case 'f':
        force = true;
        break;
      case 'h':
        command_help(self);
        return EXIT_DONE;
      default:
        return command_misuse(self, NULL, NULL);
    }
  if (argc - optind != 2) return command_misuse(self, "which result folder, and into which file?", NULL);
  fw_context *ctx;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  int code = command_failed(ctx, fw_export(ctx, argv[optind], argv[optind + 1], binary, force));
  fw_context_destroy(&ctx);
  return code;
}

extern const command command_export;
const command command_export = {"export", "DIR FILE [--binary] [--force]",
                                "write responses and histories of a result as UFF-58",
                                "  --binary  58b, with the numbers as they are (default: text)\n"
                                "  --force   replace the file if there is one\n",
                                run};
