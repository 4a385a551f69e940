/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/colour.h"
#include "app/options.h"
#include "app/progress.h"
#include "app/trial.h"

typedef struct run_line {
  option_list settings, only;
  const char *deck;
  char *own_out; /* the folder where none was given, owned */
  bool quiet, allow_plugins;
  fw_run_options options;
} run_line;

/* DECK without .xml, and .out behind it. */
static char *default_out(const char *deck) {
  size_t length = strlen(deck);
  if (length > 4 && strcmp(deck + length - 4, ".xml") == 0) length -= 4;
  char *out = malloc(length + 5);
  if (out) snprintf(out, length + 5, "%.*s.out", (int)length, deck);
  return out;
}

/* OPTIONS_READ or an exit code. */
static int parse(const command *self, int argc, char **argv, run_line *line) {
  const command_option options[] = {{"set", 0, OPTION_LIST, &line->settings},
                                    {"only", 0, OPTION_LIST, &line->only},
                                    {"out", 'o', OPTION_TEXT, &line->options.out},
                                    {"threads", 0, OPTION_COUNT, &line->options.threads},
                                    {"resume", 0, OPTION_FLAG, &line->options.resume},
                                    {"force", 0, OPTION_FLAG, &line->options.force},
                                    {"allow-plugins", 0, OPTION_FLAG, &line->allow_plugins},
                                    {"quiet", 'q', OPTION_FLAG, &line->quiet},
                                    {"strict", 0, OPTION_FLAG, &line->options.strict},
                                    {0}};
  int code = options_read(self, argc, argv, options);
  if (code != OPTIONS_READ) return code;
  if (optind + 1 != argc) return command_misuse(self, optind < argc ? "one deck only" : "which deck?", NULL);
  if (line->options.resume && line->options.force) return command_misuse(self, "--resume or --force, not both", NULL);
  line->deck = argv[optind];
  if (!line->options.out) line->options.out = line->own_out = default_out(line->deck);
  line->options.may_fork = line->options.may_join_mpi = true; /* a program of its own, with nothing to be careful of */
  line->options.only = line->only.items;
  line->options.only_count = line->only.count;
  return line->options.out ? OPTIONS_READ : EXIT_ENVIRONMENT;
}

/* The summary in brief, which is what summary.txt begins with up to its first empty line; the rest is in files. */
static void print_summary(const char *out) {
  char path[4096], line[1024];
  snprintf(path, sizeof path, "%s/summary.txt", out);
  FILE *file = fopen(path, "r");
  if (!file) return;
  while (fgets(line, sizeof line, file) && line[0] != '\n') colour_line(stdout, line);
  fclose(file);
  printf("\nresults: %s\n", out);
  snprintf(path, sizeof path, "%s/report.html", out);
  if (access(path, R_OK) == 0) printf("report:  %s\n", path); /* a full disk may have left none */
}

static int run_deck(const run_line *line) {
  fw_context *ctx;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_context_allow_plugins(ctx, line->allow_plugins);
  fw_context_on_plugin(ctx, trial_of_plugin, NULL);
  int code = command_load(ctx, line->deck, line->settings.items, line->settings.count, &deck);
  if (code == 0) {
    progress_catch_signals(ctx);
    progress *shown = progress_start(ctx, line->quiet);
    fw_status status = fw_run(ctx, deck, &line->options, &results);
    progress_stop(shown);
    if (results && !line->quiet) print_summary(line->options.out);
    code = command_failed(ctx, status);
  }
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return code;
}

static int run(const command *self, int argc, char **argv) {
  run_line line = {0};
  int code = parse(self, argc, argv, &line);
  if (code == OPTIONS_READ) code = run_deck(&line);
  free(line.settings.items);
  free(line.only.items);
  free(line.own_out);
  return code;
}

extern const command command_run;
const command command_run = {
    "run", "DECK [--set name=value]... [--only ID]... [--out DIR] [--threads N] [--resume|--force]",
    "run the analyses of a deck and leave a result folder",
    "  --set NAME=VALUE  set a parameter of the deck, in its own unit; may be an expression\n"
    "  --strict          warnings of the deck end with 2 before anything runs, others with 1 after the run\n"
    "  --only ID         run this analysis and those it starts from; may be repeated\n"
    "  --out DIR         result folder (default: the deck's name with .out)\n"
    "  --threads N       how many processors to use (default: all)\n"
    "  --resume          continue in an existing result folder: transients at their last checkpoint,\n"
    "                    studies after their last sample, fits after their last curve; all else is computed again\n"
    "  --force           replace an existing result folder\n"
    "  --allow-plugins   permit friction laws from plug-ins\n"
    "  --quiet           show errors only\n",
    run};
