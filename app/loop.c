/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "app/options.h"
#include "app/trial.h"

static int run_loop(const fw_loop_options *options, bool allow_plugins) {
  fw_context *ctx;
  char *text = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_context_allow_plugins(ctx, allow_plugins);
  fw_context_on_plugin(ctx, trial_of_plugin, NULL);
  fw_status status = fw_loop(ctx, options, &text);
  if (text) fputs(text, stdout);
  if (status == FW_OK) printf("\nresults: %s (loops.svg, steady-sliding.svg, a CSV for each law)\n", options->out);
  int code = command_failed(ctx, status);
  free(text);
  fw_context_destroy(&ctx);
  return code;
}

static int run(const command *self, int argc, char **argv) {
  fw_loop_options line = {.out = "loop.out"};
  option_list drive = {0};
  bool allow_plugins = false;
  const command_option options[] = {{"drive", 'd', OPTION_LIST, &drive},
                                    {"out", 'o', OPTION_TEXT, &line.out},
                                    {"force", 0, OPTION_FLAG, &line.force},
                                    {"allow-plugins", 0, OPTION_FLAG, &allow_plugins},
                                    {0}};
  int code = options_read(self, argc, argv, options);
  if (code == OPTIONS_READ && optind == argc) code = command_misuse(self, "which law? (fretwork list laws)", NULL);
  line.drive = drive.items;
  line.drive_count = drive.count;
  line.words = (const char *const *)argv + optind;
  line.word_count = argc - optind;
  if (code == OPTIONS_READ) code = run_loop(&line, allow_plugins);
  free(drive.items);
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
