/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The man page and the completion of bash, written from the table of commands and from the options that each of them reads: `fretwork --page man`
 * and `fretwork --page bash`, called when fretwork is built. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/options.h"

/* ---- man page ---------------------------------------------------------------------------- */

/* Text as troff shows it as it is: hyphens that can be copied, no line that is a request. */
static void put_roff(const char *text) {
  for (bool begins = true; *text; text++) {
    if (begins && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
    if (*text == '-' || *text == '\\') putchar('\\');
    putchar(*text == '\\' ? 'e' : *text);
    begins = *text == '\n';
  }
}

static void put_command(const command *c) {
  fputs(".SS ", stdout);
  put_roff(c->name);
  fputs("\n.B fretwork ", stdout);
  put_roff(c->name);
  fputs("\n", stdout);
  put_roff(c->arguments);
  fputs("\n.PP\n", stdout);
  put_roff(c->summary);
  fputs(".\n", stdout);
  if (!c->options[0]) return;
  fputs(".PP\n.nf\n", stdout);
  put_roff(c->options);
  fputs(".fi\n", stdout);
}

static int write_man(void) {
  printf(".TH FRETWORK 1 \"\" \"fretwork %s\" \"User Commands\"\n", fw_version());
  puts(".SH NAME\nfretwork \\- vibration with friction");
  puts(".SH SYNOPSIS\n.B fretwork\n.I COMMAND\n.RI [ ARGUMENT ]...");
  puts(
      ".SH DESCRIPTION\nA deck in XML describes bodies, contact and friction laws; fretwork computes how the structure "
      "vibrates,\n"
      "slips and wears, in the time domain and in the frequency domain from the same model.\n"
      "Begin with\n.B fretwork new\nand\n.BR \"fretwork run\" .");
  puts(".SH COMMANDS");
  for (int i = 0; commands[i]; i++) put_command(commands[i]);
  puts(
      ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nan analysis failed\n.TP\n2\nwrong command line or deck\n"
      ".TP\n3\ndisk, memory or permission\n.TP\n130\ninterrupted");
  puts(
      ".SH FILES\n.TP\nDECK.out/\nwhat a run leaves: summary, tables, plots, files for ParaView and report.html\n"
      ".TP\n$XDG_CACHE_HOME/fretwork/\nmarks of plug\\-ins that passed their trial");
  return EXIT_DONE;
}

/* ---- completion of bash ------------------------------------------------------------------ */

/* Options of a command, those with a value a second time: " --set --out" into `valued`. */
typedef struct option_words {
  char all[512], valued[512];
} option_words;

static void add_word(char *words, size_t room, const char *name) {
  size_t used = strlen(words);
  snprintf(words + used, room - used, "%s--%s", used ? " " : "", name);
}

static void hear(const command_option *table, void *user) {
  option_words *words = user;
  for (; table->name; table++) {
    add_word(words->all, sizeof words->all, table->name);
    if (table->kind != OPTION_FLAG) add_word(words->valued, sizeof words->valued, table->name);
  }
  add_word(words->all, sizeof words->all, "help");
}

static option_words words_of(const command *c) {
  option_words words = {{0}, {0}};
  char *argv[] = {(char *)(uintptr_t)c->name, NULL};
  options_listen(hear, &words);
  c->run(c, 1, argv);
  options_listen(NULL, NULL);
  return words;
}

/* The first word of every line of a list. */
static void put_first_words(const char *text) {
  for (const char *line = text; *line;) {
    printf("%s%.*s", line == text ? "" : " ", (int)strcspn(line, " \n"), line);
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
}

/* What stands behind a command that takes no files: a table of `list`, a template of `new`. */
static int put_list(const char *name, const char *table) {
  fw_context *ctx;
  char *text = NULL;
  if (fw_context_create(&ctx) != FW_OK) return EXIT_ENVIRONMENT;
  int code = command_failed(ctx, fw_list(ctx, table, NULL, &text));
  printf("    %s) words=\"", name);
  if (text) put_first_words(text);
  puts("\" ;;");
  free(text);
  fw_context_destroy(&ctx);
  return code;
}

static int write_bash(void) {
  puts(
      "# Completion of fretwork's commands, options, tables and templates; written by fretwork --page bash.\n"
      "_fretwork() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options=\"\" valued=\"\" words=\"\"");
  fputs("  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    mapfile -t COMPREPLY < <(compgen -W \"", stdout);
  for (int i = 0; commands[i]; i++) printf("%s ", commands[i]->name);
  puts("--help --version\" -- \"$word\")\n    return\n  fi\n  case ${COMP_WORDS[1]} in");
  for (int i = 0; commands[i]; i++) {
    option_words words = words_of(commands[i]);
    printf("    %s) options=\"%s\" valued=\"%s\" ;;\n", commands[i]->name, words.all, words.valued);
  }
  puts("  esac\n  case ${COMP_WORDS[1]} in");
  int code = put_list("list", NULL);
  if (code == EXIT_DONE) code = put_list("new", "templates");
  puts(
      "  esac\n"
      "  if [[ $word == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
      "  elif [ -n \"$words\" ] && [[ \" $valued \" != *\" $before \"* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "  else\n"
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
      "  fi\n"
      "}\n"
      "complete -o filenames -F _fretwork fretwork");
  return code;
}

static int run(const command *self, int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "man") == 0) return write_man();
  if (argc == 2 && strcmp(argv[1], "bash") == 0) return write_bash();
  return command_misuse(self, "man or bash?", NULL);
}

extern const command command_page;
const command command_page = {"--page", "man|bash", "write the man page or the completion of bash", "", run};
