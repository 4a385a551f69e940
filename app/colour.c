/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char red[] = "\033[31;1m", yellow[] = "\033[33m", green[] = "\033[32m", plain[] = "\033[0m";

bool colour_wanted(FILE *out) {
  const char *off = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if (off && off[0]) return false;
  return isatty(fileno(out)) && terminal && strcmp(terminal, "dumb") != 0;
}

void colour_line(FILE *out, const char *line) {
  static const struct {
    const char *word, *colour;
  } words[] = {{"failed", red}, {"interrupted", red}, {"done with warnings", yellow}, {"done", green}};
  for (size_t i = 0; colour_wanted(out) && i < sizeof words / sizeof *words; i++) {
    const char *at = strstr(line, words[i].word);
    if (!at) continue;
    fprintf(out, "%.*s%s%s%s%s", (int)(at - line), line, words[i].colour, words[i].word, plain,
            at + strlen(words[i].word));
    return;
  }
  fputs(line, out);
}

void colour_problem(FILE *out, const char *message) {
  bool coloured = colour_wanted(out);
  fprintf(out, "%s%s%s\n", coloured ? red : "", message, coloured ? plain : "");
}
