/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "app/options.h"

static int run(const command *self, int argc, char **argv) {
  bool binary = false, force = false;
  const command_option options[] = {{"binary", 'b', OPTION_FLAG, &binary}, {"force", 'f', OPTION_FLAG, &force}, {0}};
  int code = options_read(self, argc, argv, options);
  if (code != OPTIONS_READ) return code;
  if (argc - optind != 2) return command_misuse(self, "which result folder, and into which file?", NULL);
  fw_context *ctx;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  code = command_failed(ctx, fw_export(ctx, argv[optind], argv[optind + 1], binary, force));
  fw_context_destroy(&ctx);
  return code;
}

extern const command command_export;
const command command_export = {"export", "DIR FILE [--binary] [--force]",
                                "write a result for other programs: tables as JSON (FILE.json) or HDF5 (FILE.h5), else "
                                "responses and histories as UFF-58",
                                "  --binary  58b, with the numbers as they are (default: text)\n"
                                "  --force   replace the file if there is one\n",
                                run};
