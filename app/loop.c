/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/command.h"

static int run_loop(const fw_loop_options *options, bool allow_plugins) {
  fw_context *ctx;
  char *text = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_context_allow_plugins(ctx, allow_plugins);
  fw_status status = fw_loop(ctx, options, &text);
  if (text) fputs(text, stdout);
  if (status == FW_OK) printf("\nresults: %s (loops.svg, steady-sliding.svg, a CSV for each law)\n", options->out);
  int code = command_failed(ctx, status);
  free(text);
  fw_context_destroy(&ctx);
  return code;
}

static int run(const command *self, int argc, char **argv) {
  static const struct option options[] = {
      {"drive", required_argument, NULL, 'd'}, {"out", required_argument, NULL, 'o'},
      {"force", no_argument, NULL, 'f'},       {"allow-plugins", no_argument, NULL, 'p'},
      {"help", no_argument, NULL, 'h'},        {0}};
  const char **drive = calloc((size_t)argc, sizeof *drive);
  if (!drive) return EXIT_ENVIRONMENT;
  fw_loop_options line = {.drive = drive, .out = "loop.out"};
  bool allow_plugins = false;
  int code = -1;
  for (int option; code < 0 && (option = getopt_long(argc, argv, "d:o:h", options, NULL)) != -1;) switch (option) {
      case 'd':
        drive[line.drive_count++] = optarg;
        break;
      case 'o':
        line.out = optarg;
        break;
      case 'f':
        line.force = true;
        break;
      case 'p':
        allow_plugins = true;
        break;
      case 'h':
        command_help(self);
        code = EXIT_DONE;
        break;
      default:
        code = command_misuse(self, NULL, NULL);
    }
  if (code < 0 && optind == argc) code = command_misuse(self, "which law? (fretwork list laws)", NULL);
  line.words = (const char *const *)argv + optind;
  line.word_count = argc - optind;
  if (code < 0) code = run_loop(&line, allow_plugins);
  free(drive);
  return code;
}

extern const command command_loop;
const command command_loop = {
    "loop", "LAW [name=value]... [+ LAW [name=value]...]... [LAW ...]... [--drive name=value]... [--out DIR] [--force]",
    "virtual tribometer: drive friction laws along a slip history and compare their loops",
    "  --drive NAME=VALUE  motion=harmonic, two-harmonics, triangle, random, constant, ramp, table or pulled (a mass "
    "on a\n"
    "                      spring); amplitude, amplitude-2 [m], frequency [Hz], speed [m/s], duration [s],\n"
    "                      normal-force [N], normal-amplitude, normal-phase [rad], cycles, steps, seed, mass [kg],\n"
    "                      stiffness [N/m], table=FILE.csv with columns t, u and perhaps N\n"
    "  --out DIR           where loops, curves and plots go (default loop.out)\n"
    "  --force             replace DIR\n"
    "  --allow-plugins     permit laws from shared objects (plugin:NAME)\n"
    "A law's settings follow its name; u-crit=... sets the elastic stick of set-valued laws,\n"
    "stick-limit=clipped ends it at the sliding force. Laws joined by + (a word of its own)\n"
    "rub side by side.\n",
    run};
