/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "app/options.h"

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
  const char *path = NULL;
  int code = options_read(self, argc, argv, (command_option[]){{"out", 'o', OPTION_TEXT, &path}, {0}});
  if (code != OPTIONS_READ) return code;
  if (argc - optind > 1) return command_misuse(self, "one template only", NULL);
  fw_context *ctx;
  char *text = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  code = command_failed(ctx, fw_template(ctx, optind < argc ? argv[optind] : NULL, &text));
  if (code == EXIT_DONE) code = write_text(text, path);
  free(text);
  fw_context_destroy(&ctx);
  return code;
}

extern const command command_new;
const command command_new = {
    "new", "[TEMPLATE] [--out FILE]", "write a commented starter deck",
    "  --out FILE  where to (default: the terminal); an existing file is not replaced\n"
    "TEMPLATE: beam (default) or modes; of the tutorials tube-supports, blade-damper, lap-joint,\n"
    "gmsh-contact (its mesh: foot.geo) or belt. view.py, which runs leave too,\n"
    "opens results in ParaView\n",
    run};
