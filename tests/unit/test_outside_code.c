/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code from outside that crashes, loops, ends the program or writes where it may not is found before it is let in, and
 * named; one that loops later does not keep the program from being stopped. */
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "program.h"
#include "remove_folder.h"

static program p;

/* The template with `code` at the beginning of its rate face. */
static void build(const char *name, const char *code) {
  char line[2000];
  snprintf(line, sizeof line,
           "cd outside.tmp && sed 's|^  double speed = fabs|  %s\\n&|; s|^#include <math.h>|&\\n#include "
           "<stdio.h>\\n#include <stdlib.h>|' "
           "'%s/examples/plugin-law/mylaw.c' > %s.c && cc -std=c17 -O0 -shared -fPIC -I'%s/include' -o %s.so %s.c -lm",
           code, FW_SOURCE_DIR, name, FW_SOURCE_DIR, name, name);
  assert_int_equal(system(line), 0);
}

static void write_deck(const char *law) {
  FILE *file = fopen("outside.tmp/deck.xml", "w");
  assert_non_null(file);
  fprintf(file,
          "<fretwork version=\"1\"><bodies><rigid id=\"b\" at=\"0, 0\" m=\"1\" rotation=\"none\"/></bodies>\n"
          "<supports><support at=\"b.centre\" x=\"1e5\" y=\"1e4\"/></supports>\n"
          "<contact><surface id=\"f\"><line from=\"-1, 0\" to=\"1, 0\"/></surface><pair id=\"k\" target=\"f\">\n"
          "<point at=\"b.centre\"/><normal law=\"linear\" stiffness=\"1e6\"/><friction "
          "law=\"plugin:%s\" mu=\"0.777\"/></pair></contact>\n"
          "<loads><force id=\"w\" at=\"b.centre\" fy=\"-10\"/><ramp id=\"r\" at=\"b.centre\" fy=\"-90\" "
          "duration=\"1\"/></loads>\n"
          "<sensors><sensor id=\"y\" at=\"b.centre\" direction=\"y\"/></sensors>\n"
          "<analyses><transient id=\"a\" loads=\"w, r\" duration=\"1\" "
          "step=\"1e-3\"/></analyses></fretwork>\n",
          law);
  fclose(file);
}

static void check_refused(const char *name, const char *code, const char *said) {
  build(name, code);
  write_deck(name);
  PROGRAM_RUN(&p, "check", "outside.tmp/deck.xml", "--allow-plugins");
  if (p.code != 2 || !strstr(p.err, said) || !strstr(p.err, name)) fail_msg("%s: %d: %s", name, p.code, p.err);
}

static void bad_code_is_found_and_named(void **state) {
  (void)state;
  check_refused("crashes", "*(volatile int *)0 = 1;", "it crashed");
  check_refused("ends", "exit(0);", "it ended the program");
  check_refused("scribbles", "out->zdot[1] = 1;", "writes beyond its 1 states");
}

static void an_endless_law_is_found_and_named(void **state) {
  (void)state;
  check_refused("loops", "for (;;) {}", "did not end within");
}

static void a_trial_covers_loops_too(void **state) {
  (void)state;
  build("quits", "exit(0);");
  PROGRAM_RUN(&p, "loop", "plugin:quits", "--allow-plugins", "--out", "outside.tmp/loops");
  assert_int_not_equal(p.code, 0); /* it is not in the current folder */
  assert_int_equal(system("cp outside.tmp/quits.so ."), 0);
  PROGRAM_RUN(&p, "loop", "plugin:quits", "--allow-plugins", "--out", "outside.tmp/loops");
  remove("quits.so");
  if (p.code == 0 || !strstr(p.err, "it ended the program")) fail_msg("%d: %s", p.code, p.err);
}

/* The law counts the processes that ask it. */
static int processes_of_a_check(void) {
  struct stat before = {.st_size = 0}, after;
  stat("outside.tmp/asked", &before);
  PROGRAM_RUN(&p, "check", "outside.tmp/deck.xml", "--allow-plugins");
  assert_int_equal(p.code, 0);
  assert_int_equal(stat("outside.tmp/asked", &after), 0);
  return (int)(after.st_size - before.st_size);
}

static void a_trial_that_is_passed_is_kept_by_contents(void **state) {
  (void)state;
  const char count[] =
      "static int asked; if (!asked++) { FILE *f = fopen(\"outside.tmp/asked\", \"a\"); if (f) { fputc(%d, f); "
      "fclose(f); } }";
  char code[300];
  for (int contents = 65; contents < 67; contents++) {
    snprintf(code, sizeof code, count, contents);
    build("counts", code);
    write_deck("counts");
    assert_int_equal(processes_of_a_check(), 2); /* the trial's and the program's own */
    assert_int_equal(processes_of_a_check(), 1);
  }
}

static double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Until a file is there, and a second and a half more. */
static void wait_for_rows(const char *path) {
  struct stat about;
  for (int i = 0; i < 400 && stat(path, &about) != 0; i++) nanosleep(&(struct timespec){0, 50000000}, NULL);
  nanosleep(&(struct timespec){1, 500000000}, NULL);
}

/* The law loops in the middle of the transient, where the load passes 55 N, and only with the deck's own parameter. */
static void what_does_not_stop_is_stopped(void **state) {
  (void)state;
  build("sleeps", "while (c[MU] == 0.777 \\&\\& in->N > 55) {}");
  write_deck("sleeps");
  pid_t child = program_start((const char *const[]){"run", "outside.tmp/deck.xml", "--allow-plugins", "--force", NULL});
  wait_for_rows("outside.tmp/deck.out/a/history.csv");
  double begun = clock_now();
  kill(child, SIGTERM);
  program_wait(child, &p);
  double took = clock_now() - begun;
  if (p.code != 130 || took > 3.0) fail_msg("%d after %g s: %s", p.code, took, p.err);
  assert_non_null(strstr(p.err, "did not stop by itself"));
  static char rows[PROGRAM_TEXT];
  program_read("outside.tmp/deck.out/a/history.csv", rows);
  assert_non_null(strstr(rows, "\n0.4,"));
}

static int set_up(void **state) {
  (void)state;
  remove_folder("outside.tmp");
  char here[2000], cache[2100];
  if (!getcwd(here, sizeof here)) return -1;
  snprintf(cache, sizeof cache, "%s/outside.tmp/cache", here);
  setenv("XDG_CACHE_HOME", cache, 1);
  return mkdir("outside.tmp", 0755);
}

static int tear_down(void **state) {
  (void)state;
  remove_folder("outside.tmp");
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_code_is_found_and_named), cmocka_unit_test(an_endless_law_is_found_and_named),
      cmocka_unit_test(a_trial_covers_loops_too), cmocka_unit_test(a_trial_that_is_passed_is_kept_by_contents),
      cmocka_unit_test(what_does_not_stop_is_stopped)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
