/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <stdio.h>

#include "app/command.h"

static int run(const command *self, int argc, char **argv) {
  static const struct option options[] = {
      {"out", required_argument, NULL, 'o'}, {"force", no_argument, NULL, 'f'}, {"help", no_argument, NULL, 'h'}, {0}};
  const char *page = NULL;
  bool force = false;
  for (int option; (option = getopt_long(argc, argv, "o:fh", options, NULL)) != -1;) switch (option) {
      case 'o':
        page = optarg;
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
  if (optind == argc) return command_misuse(self, "which result folder?", NULL);
  fw_context *ctx;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_status status = fw_report(ctx, (const char *const *)argv + optind, argc - optind, page, force);
  for (int i = optind; i < argc && status == FW_OK; i++) printf("%s/report.html\n", argv[i]);
  if (page && status == FW_OK) printf("%s\n", page);
  int code = command_failed(ctx, status);
  fw_context_destroy(&ctx);
  return code;
}

extern const command command_report;
const command command_report = {"report", "DIR... [--out FILE [--force]]",
                                "(re)build the HTML report of one or several results",
                                "  --out FILE  one page about all of them besides\n"
                                "  --force     replace that page if there is one\n",
                                run};
