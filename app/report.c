/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "app/options.h"

static int run(const command *self, int argc, char **argv) {
  const char *page = NULL;
  bool force = false;
  const command_option options[] = {{"out", 'o', OPTION_TEXT, &page}, {"force", 'f', OPTION_FLAG, &force}, {0}};
  int code = options_read(self, argc, argv, options);
  if (code != OPTIONS_READ) return code;
  if (optind == argc) return command_misuse(self, "which result folder?", NULL);
  fw_context *ctx;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_status status = fw_report(ctx, (const char *const *)argv + optind, argc - optind, page, force);
  for (int i = optind; i < argc && status == FW_OK; i++) printf("%s/report.html\n", argv[i]);
  if (page && status == FW_OK) printf("%s\n", page);
  code = command_failed(ctx, status);
  fw_context_destroy(&ctx);
  return code;
}

extern const command command_report;
const command command_report = {"report", "DIR... [--out FILE [--force]]",
                                "(re)build the HTML report of one or several results",
                                "  --out FILE  one page about all of them besides\n"
                                "  --force     replace that page if there is one\n",
                                run};
