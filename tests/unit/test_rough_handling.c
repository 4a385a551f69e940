/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fifty runs in one folder at once, one with little memory, and one that is killed again and again: what is called done
 * is what one run left in peace has, bit by bit. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "cmocka_all.h"
#include "program.h"
#include "remove_folder.h"

enum { RUNS = 50, KILLS = 12 };

static program p;
static char whole[PROGRAM_TEXT], now[PROGRAM_TEXT];

static void write_deck(const char *path, const char *duration) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file,
          "<fretwork version=\"1\"><bodies><rigid id=\"m\" at=\"0,0\" m=\"1\" J=\"1\"/><spring id=\"s\" "
          "at=\"m.centre\" direction=\"1,0\" k=\"100\"/></bodies>\n<supports><support at=\"m.centre\" y=\"fixed\" "
          "rz=\"fixed\"/></supports><loads><force id=\"f\" at=\"m.centre\" fx=\"1\"/></loads>\n<sensors><sensor "
          "id=\"x\" at=\"m.centre\" direction=\"x\"/></sensors><analyses><transient id=\"t\" loads=\"f\" "
          "duration=\"%s\" step=\"0.001\" every=\"100\" checkpoint-every=\"1\"/></analyses></fretwork>\n",
          duration);
  fclose(file);
}

static void read_rows(const char *path, char *text) {
  program_read(path, text);
  assert_true(strlen(text) > 200);
}

/* Starts them all, waits for them all; how many were done. The others say that somebody else is there. */
static int run_at_once(const char *how) {
  pid_t child[RUNS];
  int done = 0;
  for (int i = 0; i < RUNS; i++)
    child[i] = program_start(
        (const char *const[]){"run", "rough.tmp/many.xml", "--out", "rough.tmp/many", "--quiet", how, NULL});
  for (int i = 0; i < RUNS; i++) {
    program_wait(child[i], &p);
    done += p.code == 0;
    if (p.code != 0 && (p.code != 2 || !strstr(p.err, "rough.tmp/many: "))) fail_msg("%d: %s", p.code, p.err);
  }
  return done;
}

static void one_folder_has_one_writer(void **state) {
  (void)state;
  write_deck("rough.tmp/many.xml", "2");
  PROGRAM_RUN(&p, "run", "rough.tmp/many.xml", "--quiet", "--out", "rough.tmp/alone");
  assert_int_equal(p.code, 0);
  read_rows("rough.tmp/alone/t/history.csv", whole);
  assert_int_equal(run_at_once(NULL), 1);
  assert_true(run_at_once("--force") >= 1);
  read_rows("rough.tmp/many/t/history.csv", now);
  assert_string_equal(whole, now);
}

/* Milliseconds, the same each time, and never twice the same. */
static long moment(int i) { return 20 + (i * 7919 + 13) % 180; }

static void kills_leave_no_trace(void **state) {
  (void)state;
  int killed = 0;
  write_deck("rough.tmp/killed.xml", "100");
  PROGRAM_RUN(&p, "run", "rough.tmp/killed.xml", "--quiet", "--out", "rough.tmp/peace");
  assert_int_equal(p.code, 0);
  read_rows("rough.tmp/peace/t/history.csv", whole);
  for (int i = 0; i < KILLS; i++) {
    pid_t child = program_start((const char *const[]){"run", "rough.tmp/killed.xml", "--quiet", "--out",
                                                      "rough.tmp/killed", i ? "--resume" : "--force", NULL});
    nanosleep(&(struct timespec){0, 1000000 * moment(i)}, NULL);
    kill(child, SIGKILL);
    program_wait(child, &p);
    killed += p.code == -1;
  }
  PROGRAM_RUN(&p, "run", "rough.tmp/killed.xml", "--quiet", "--out", "rough.tmp/killed", "--resume");
  if (p.code == 2) /* killed before there was a folder to take up */
    PROGRAM_RUN(&p, "run", "rough.tmp/killed.xml", "--quiet", "--out", "rough.tmp/killed", "--force");
  if (p.code != 0) fail_msg("%d: %s", p.code, p.err);
  read_rows("rough.tmp/killed/t/history.csv", now);
  assert_string_equal(whole, now);
  print_message("%d runs killed\n", killed);
  assert_true(killed > 0);
}

/* True if the process ends within so many tenths of a second. */
static bool ends_within(pid_t child, int tenths) {
  siginfo_t about = {.si_pid = 0};
  for (int i = 0; i < tenths; i++) {
    if (waitid(P_PID, (id_t)child, &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid == child) return true;
    nanosleep(&(struct timespec){0, 100000000}, NULL);
  }
  return false;
}

/* Libraries wait for memory for ever, or end the program in their own way (127: they are not even loaded): where they
 * have no room a run is refused, and one is called done only where the rows are those it has with memory. */
static void little_memory_ends(void **state) {
  (void)state;
  struct rlimit before, little;
  assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
  for (rlim_t megabytes = 160; megabytes <= 400; megabytes += 60) {
    little = (struct rlimit){megabytes << 20, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
    pid_t child = program_start(
        (const char *const[]){"run", "rough.tmp/many.xml", "--out", "rough.tmp/little", "--quiet", "--force", NULL});
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    bool ended = ends_within(child, 30);
    if (!ended) kill(child, SIGTERM);
    bool obeyed = ended || ends_within(child, 50);
    if (!obeyed) kill(child, SIGKILL);
    program_wait(child, &p);
    print_message("%d MB: %s, exit code %d\n", (int)megabytes, ended ? "ended" : "told to end", p.code);
    assert_true(obeyed);
    assert_true(p.code == 0 || p.code == 3 || p.code == 127 || !ended);
    if (p.code != 0) continue;
    read_rows("rough.tmp/little/t/history.csv", now);
    assert_string_equal(whole, now);
  }
}

static int set_up(void **state) {
  (void)state;
  remove_folder("rough.tmp");
  return mkdir("rough.tmp", 0755);
}

static int tear_down(void **state) {
  (void)state;
  remove_folder("rough.tmp");
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_folder_has_one_writer), cmocka_unit_test(little_memory_ends),
                                     cmocka_unit_test(kills_leave_no_trace)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
