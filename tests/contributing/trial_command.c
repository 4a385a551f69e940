/* SPDX-License-Identifier: GPL-3.0-or-later */
/* app/trial_command.c: its argument, as often as it is asked to. */
#include <stdio.h>

#include "app/options.h"

static int run(const command *self, int argc, char **argv) {
  int times = 1;
  int code = options_read(self, argc, argv, (command_option[]){{"times", 't', OPTION_COUNT, &times}, {0}});
  if (code != OPTIONS_READ) return code;
  if (optind + 1 != argc) return command_misuse(self, "which word?", NULL);
  for (int i = 0; i < times; i++) puts(argv[optind]);
  return EXIT_DONE;
}

extern const command command_trial_command;
const command command_trial_command = {"trial-command", "WORD [--times N]", "a command on trial",
                                       "  --times N  how often\n", run};
