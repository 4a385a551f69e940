/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "app/options.h"

static void tell(void *unused, const char *text) {
  (void)unused;
  fprintf(stderr, "%s\n", text);
}

static int run(const command *self, int argc, char **argv) {
  int code = options_read(self, argc, argv, (command_option[]){{0}});
  if (code != OPTIONS_READ) return code;
  if (argc - optind < 2) return command_misuse(self, "which result folder and which data?", NULL);
  fw_context *ctx;
  char *text = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_context_on_log(ctx, tell, NULL);
  code = command_failed(
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
