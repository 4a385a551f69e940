/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/command.h"

/* Writes to stdout, or to a file that must not exist yet. */
static int write_text(const char *text, const char *path) {
  FILE *file = path ? fopen(path, "wx") : stdout;
  if (!file) {
    perror(path);
    return EXIT_ENVIRONMENT;
  }
  bool failed = fputs(text, file) < 0 || fflush(file) != 0;
  if (failed) perror(path ? path : "stdout");
  if (path) fclose(file);
  return failed ? EXIT_ENVIRONMENT : EXIT_DONE;
}

static int run(const command *self, int argc, char **argv) {
  static const struct option options[] = {{"out", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {0}};
  const char *path = NULL;
  for (int option; (option = getopt_long(argc, argv, "o:h", options, NULL)) != -1;) switch (option) {
      case 'o':
        path = optarg;
        break;
      case 'h':
        command_help(self);
        return EXIT_DONE;
      default:
        return command_misuse(self, NULL, NULL);
    }
  if (argc - optind > 1) return command_misuse(self, "one template only", NULL);
  fw_context *ctx;
  char *text = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  int code = command_failed(ctx, fw_template(ctx, optind < argc ? argv[optind] : NULL, &text));
  if (code == EXIT_DONE) code = write_text(text, path);
  free(text);
  fw_context_destroy(&ctx);
  return code;
}

extern const command command_new;
const command command_new = {"new", "[TEMPLATE] [--out FILE]",
                             "write a commented starter deck: beam (default) or modes",
                             "  --out FILE  where to (default: the terminal); an existing file is not replaced\n", run};
