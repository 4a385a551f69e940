/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program before a person: on a terminal it shows how far it is, in colours unless these are not wanted. */
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "output/files.h"
#include "remove_folder.h"

#define FOLDER "terminal.tmp"
#define RED "\033[31;1m"
#define GREEN "\033[32m"
#define PLAIN "\033[0m"
#define WIPED "\r\033[K"

static fw_context *ctx;
static char screen[1 << 18]; /* all that the program has written so far */
static size_t used;

static int start(void **state) {
  (void)state;
  fw_context_create(&ctx);
  remove_folder(FOLDER);
  return fw_folder_make(ctx, FOLDER);
}

static int stop(void **state) {
  (void)state;
  remove_folder(FOLDER);
  fw_context_destroy(&ctx);
  return 0;
}

/* A mass on a spring, shaken for so many periods. */
static void write_deck(const char *path, const char *periods) {
  char text[2048];
  int length = snprintf(text, sizeof text,
                        "<fretwork version=\"1\">\n"
                        "<bodies><rigid id=\"block\" m=\"1\" at=\"0, 0\" rotation=\"none\"/>\n"
                        "<spring id=\"spring\" at=\"block.centre\" ground=\"-1, 0\" k=\"1e4\"/></bodies>\n"
                        "<supports><support at=\"block.centre\" y=\"fixed\"/></supports>\n"
                        "<loads><harmonic id=\"shake\" at=\"block.centre\" fx=\"1\"/></loads>\n"
                        "<sensors><sensor id=\"x\" at=\"block.centre\" direction=\"x\"/></sensors>\n"
                        "<analyses><transient id=\"shaken\" loads=\"shake\" at-frequency=\"10\" "
                        "periods=\"%s\"/></analyses>\n</fretwork>\n",
                        periods);
  assert_int_equal(fw_file_write(ctx, path, text, (size_t)length), FW_OK);
}

/* `fretwork run DECK` on a terminal of its own, whose other end is returned. */
static int run_on_terminal(const char *deck, const char *no_colour, pid_t *child) {
  int terminal;
  used = 0;
  screen[0] = '\0';
  *child = forkpty(&terminal, NULL, NULL, NULL);
  assert_true(*child >= 0);
  if (*child > 0) return terminal;
  setenv("TERM", "xterm", 1);
  setenv("NO_COLOR", no_colour, 1);
  execl(FW_PROGRAM, "fretwork", "run", deck, "--out", FOLDER "/out", "--force", (char *)NULL);
  _exit(127);
}

/* Reads on; false when the program has ended or says nothing for a minute. */
static bool read_on(int terminal) {
  struct pollfd ready = {.fd = terminal, .events = POLLIN};
  if (poll(&ready, 1, 60000) <= 0) return false;
  ssize_t got = read(terminal, screen + used, sizeof screen - 1 - used);
  if (got <= 0) return false;
  used += (size_t)got;
  screen[used] = '\0';
  return true;
}

static int code_of(pid_t child, int terminal) {
  int status;
  while (read_on(terminal)) {
  }
  waitpid(child, &status, 0);
  close(terminal);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void assert_shown(const char *part) {
  if (strstr(screen, part)) return;
  print_error("%s\n", screen + (used > 900 ? used - 900 : 0)); /* its end: messages of tests are short */
  fail_msg("\"%s\" is not there", part);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The bar that was drawn last: its blocks, the percentage behind it, and the time that is left in s. */
static double check_bar(int *percent) {
  const char *bar = NULL;
  for (const char *at = screen; (at = strstr(at, WIPED "shaken")); at++)
    if (strstr(at, " left")) bar = at;
  assert_non_null(bar);
  const char *blocks = strchr(bar, '[');
  blocks = strchr(blocks + 1, '['); /* the first is the terminal's */
  assert_non_null(blocks);
  int filled = (int)strspn(blocks + 1, "#"), empty = (int)strspn(blocks + 1 + filled, "."), more = 0, whole = 0;
  assert_int_equal(filled + empty, 30);
  assert_int_equal(sscanf(blocks + 31, "] %d %%", percent), 1);
  assert_true(abs(100 * filled - 30 * *percent) <= 50 + 15); /* both are rounded */
  const char *time = strstr(blocks, "%  ") + 3;
  if (sscanf(time, "%d h %d min left", &whole, &more) == 2) return 3600.0 * whole + 60.0 * more;
  if (sscanf(time, "%d min %d s left", &whole, &more) == 2) return 60.0 * whole + more;
  return sscanf(time, "%d s left", &whole) == 1 ? whole : 0.0;
}

/* After a second and one per cent it is known what is left; Ctrl-C then ends the run. */
static void a_bar_tells_what_is_left(void **unused) {
  (void)unused;
  pid_t child;
  int percent;
  write_deck(FOLDER "/long.xml", "4e4");
  double begun = seconds();
  int terminal = run_on_terminal(FOLDER "/long.xml", "", &child);
  while (!strstr(screen, " left") && read_on(terminal)) {
  }
  double passed = seconds() - begun, left = check_bar(&percent);
  print_message("%d %% after %.1f s: %.0f s left\n", percent, passed, left);
  assert_true(percent >= 1 && left > 0.0);
  assert_true(left <
              1.6 * passed * 100.0 / percent); /* the percentage is rounded, and the run began after the program */
  assert_int_equal(write(terminal, "\003", 1), 1);
  assert_int_equal(code_of(child, terminal), 130);
  assert_shown(RED "interrupted" PLAIN);
}

static void a_run_ends_in_colours(void **unused) {
  (void)unused;
  pid_t child;
  write_deck(FOLDER "/short.xml", "2");
  int terminal = run_on_terminal(FOLDER "/short.xml", "", &child);
  assert_int_equal(code_of(child, terminal), 0);
  assert_shown(GREEN "done" PLAIN);
  assert_null(strstr(screen, "left"));
  terminal = run_on_terminal(FOLDER "/short.xml", "1", &child);
  assert_int_equal(code_of(child, terminal), 0);
  assert_shown("done");
  assert_null(strchr(screen, '\033'));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bar_tells_what_is_left),
      cmocka_unit_test(a_run_ends_in_colours),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
