/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/progress.h"
#include "app/trial.h"

typedef struct run_line {
  char **settings, **only; /* room for argc each */
  int setting_count, only_count;
  const char *deck;
  char *out; /* owned */
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

static bool parse_count(const char *text, int *count) {
  char *end;
  long value = strtol(text, &end, 10);
  if (end == text || *end || value < 1 || value > 4096) return false;
  *count = (int)value;
  return true;
}

/* 0, or the exit code with which the command ends; EXIT_DONE + 1000 stands for "help was shown". */
enum { HELP_SHOWN = 1000 };

static int parse(const command *self, int argc, char **argv, run_line *line) {
  static const struct option options[] = {{"set", required_argument, NULL, 's'},
                                          {"only", required_argument, NULL, 'n'},
                                          {"out", required_argument, NULL, 'o'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"resume", no_argument, NULL, 'r'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"allow-plugins", no_argument, NULL, 'p'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"strict", no_argument, NULL, 'w'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  for (int option; (option = getopt_long(argc, argv, "o:qh", options, NULL)) != -1;) switch (option) {
      case 's':
        line->settings[line->setting_count++] = optarg;
        break;
      case 'n':
        line->only[line->only_count++] = optarg;
        break;
      case 'o':
        free(line->out);
        line->out = strdup(optarg);
        break;
      case 't':
        if (!parse_count(optarg, &line->options.threads))
          return command_misuse(self, "--threads must be a whole number from 1", optarg);
        break;
      case 'r':
        line->options.resume = true;
        break;
      case 'f':
        line->options.force = true;
        break;
      case 'w':
        line->options.strict = true;
        break;
      case 'p':
        line->allow_plugins = true;
        break;
      case 'q':
        line->quiet = true;
        break;
      case 'h':
        command_help(self);
        return HELP_SHOWN;
      default:
        return command_misuse(self, NULL, NULL);
    }
  if (optind + 1 != argc) return command_misuse(self, optind < argc ? "one deck only" : "which deck?", NULL);
  if (line->options.resume && line->options.force) return command_misuse(self, "--resume or --force, not both", NULL);
  line->deck = argv[optind];
  if (!line->out) line->out = default_out(line->deck);
  line->options.out = line->out;
  line->options.may_fork = line->options.may_join_mpi = true; /* a program of its own, with nothing to be careful of */
  line->options.only = (const char *const *)line->only;
  line->options.only_count = line->only_count;
  return 0;
}

/* The summary as text on stdout: the figures a person wants first. */
static void print_summary(const char *out) {
  char path[4096], block[4096];
  snprintf(path, sizeof path, "%s/summary.txt", out);
  FILE *file = fopen(path, "r");
  if (!file) return;
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) fwrite(block, 1, n, stdout);
  fclose(file);
  printf("\nresults: %s\n", out);
  snprintf(path, sizeof path, "%s/report.html", out);
  if (access(path, R_OK) == 0) printf("report:  %s\n", path); /* a full disk may have left none */
}

static int run_deck(const run_line *line) {
  fw_context *ctx;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  if (line->allow_plugins && !trial_of_plugins(line->deck)) return EXIT_USAGE;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  fw_context_allow_plugins(ctx, line->allow_plugins);
  int code = command_load(ctx, line->deck, line->settings, line->setting_count, &deck);
  if (code == 0) {
    progress_catch_signals(ctx);
    progress *shown = progress_start(ctx, line->quiet);
    fw_status status = fw_run(ctx, deck, &line->options, &results);
    progress_stop(shown);
    if (results && !line->quiet) print_summary(line->out);
    code = command_failed(ctx, status);
  }
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return code;
}

static int run(const command *self, int argc, char **argv) {
  run_line line = {.settings = calloc((size_t)argc, sizeof(char *)), .only = calloc((size_t)argc, sizeof(char *))};
  int code = line.settings && line.only ? parse(self, argc, argv, &line) : EXIT_ENVIRONMENT;
  if (code == 0) code = line.out ? run_deck(&line) : EXIT_ENVIRONMENT;
  free(line.settings);
  free(line.only);
  free(line.out);
  return code == HELP_SHOWN ? EXIT_DONE : code;
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
    "                    studies after their last sample; all else is computed again\n"
    "  --force           replace an existing result folder\n"
    "  --allow-plugins   permit friction laws from plug-ins\n"
    "  --quiet           show errors only\n",
    run};
