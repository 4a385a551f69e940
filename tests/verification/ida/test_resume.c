/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that is killed at arbitrary moments and resumed leaves the same tables, byte for byte, as one that is not. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"

#ifndef KILLS
#define KILLS 3
#endif

static char folder[] = "/tmp/fw_resume_XXXXXX";

/* Starts the program on the deck; `stop` > 0: sends `signal` after so many milliseconds. Returns the exit code, or
 * minus the signal that ended it. */
static int run(const char *solver, const char *out, const char *flag, long stop, int signal) {
  char path[300], setting[40];
  snprintf(path, sizeof path, "%s/%s", folder, out);
  snprintf(setting, sizeof setting, "%s", solver);
  char deck[400];
  snprintf(deck, sizeof deck, FW_SOURCE_DIR "/tests/verification/ida/resume-%s.xml", setting);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    execl(FW_PROGRAM, FW_PROGRAM, "run", deck, "--quiet", "--out", path, flag, (char *)NULL);
    _exit(127);
  }
  if (stop > 0) {
    nanosleep(&(struct timespec){stop / 1000, stop % 1000 * 1000000}, NULL);
    kill(child, signal);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static char *path_of(char path[400], const char *out, const char *name) {
  snprintf(path, 400, "%s/%s/shaken/%s", folder, out, name);
  return path;
}

static char *read_all(const char *out, const char *name, size_t *length) {
  char path[400];
  FILE *file = fopen(path_of(path, out, name), "rb");
  if (!file) fail_msg("no %s", path);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*length + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *length, file), *length);
  fclose(file);
  return bytes;
}

/* The line of the summary that has this figure. */
static char *figure_of(const char *out, const char *name) {
  size_t length;
  char *summary = read_all(out, "../summary.json", &length), key[64];
  summary[length] = '\0';
  snprintf(key, sizeof key, "\"%s\"", name);
  const char *at = strstr(summary, key);
  if (!at) fail_msg("no %s in the summary of %s", name, out);
  char *line = strndup(at, strcspn(at, "\n"));
  free(summary);
  return line;
}

/* Figures that are gathered from the beginning of a run. */
static void same_figures(const char *a, const char *b, const char *const *names) {
  for (; *names; names++) {
    char *x = figure_of(a, *names), *y = figure_of(b, *names);
    assert_string_equal(x, y);
    free(x);
    free(y);
  }
}

static void same_tables(const char *solver, const char *a, const char *b) {
  static const char *const always[] = {"history.csv", "contact.csv", "energy.csv", NULL};
  static const char *const located[] = {"events.csv", NULL};
  static const char *const of_tubes[] = {"supports.csv", "rings.csv", "impacts.csv", "angles.csv", "orbits.csv", NULL};
  bool locates = strcmp(solver, "ida") == 0 || strcmp(solver, "cvode") == 0;
  const char *const *lists[] = {always, locates ? located : NULL, strcmp(solver, "tube") == 0 ? of_tubes : NULL};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    for (const char *const *name = lists[k]; name && *name; name++) {
      size_t m, n;
      char *x = read_all(a, *name, &m), *y = read_all(b, *name, &n);
      if (m != n || memcmp(x, y, m) != 0) fail_msg("%s differs: %zu and %zu bytes", *name, m, n);
      free(x);
      free(y);
    }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool has_checkpoint(const char *out) {
  char path[400];
  snprintf(path, sizeof path, "%s/%s/shaken/checkpoint.bin", folder, out);
  return access(path, R_OK) == 0;
}

static void resume_gives_the_same(const char *solver) {
  char whole[64], parts[64];
  snprintf(whole, sizeof whole, "%s-whole", solver);
  snprintf(parts, sizeof parts, "%s-parts", solver);
  double begin = seconds();
  assert_int_equal(run(solver, whole, "--force", 0, 0), 0);
  double lasts = seconds() - begin;
  unsigned seed = 12345;
  const char *flag = "--force";
  for (int kills = 0; kills < KILLS;) {
    seed = seed * 1103515245u + 12345u;
    long stop = 1 + (long)(1000.0 * lasts * (0.15 + 0.45 * (seed >> 16) / 65536.0));
    int code = run(solver, parts, flag, stop, kills % 3 == 2 ? SIGTERM : SIGKILL);
    if (code == 0) { /* done before it could be killed: the machine has become faster than when it was timed */
      same_tables(solver, whole, parts);
      lasts *= 0.7;
    }
    bool kept = has_checkpoint(parts);
    if (code != 0 && !kept) lasts *= 1.3; /* and slower: there is nothing to resume from yet */
    kills += code != 0 && kept;
    flag = code == 0 ? "--force" : "--resume";
  }
  assert_int_equal(run(solver, parts, "--resume", 0, 0), 0);
  printf("%s: killed %d times, %.2f s whole\n", solver, KILLS, lasts);
  same_tables(solver, whole, parts);
  size_t length;
  char *log = read_all(parts, "../log.txt", &length);
  log[length] = '\0';
  assert_non_null(strstr(log, "resumes at t ="));
  free(log);
}

static void alpha_resumes(void **unused) {
  (void)unused;
  resume_gives_the_same("alpha");
  same_figures("alpha-whole", "alpha-parts",
               (const char *const[]){"force_max", "position_error", "velocity_error", NULL});
}

static void ida_resumes(void **unused) {
  (void)unused;
  resume_gives_the_same("ida");
}

static void cvode_resumes(void **unused) {
  (void)unused;
  resume_gives_the_same("cvode");
}

static void reduced_resumes(void **unused) {
  (void)unused;
  resume_gives_the_same("reduced");
}

static void tube_resumes(void **unused) {
  (void)unused;
  resume_gives_the_same("tube");
  same_figures("tube-whole", "tube-parts", (const char *const[]){"frequency_seen", NULL});
}

/* Every line whole and with as many columns as the header. Returns the number of rows. */
static long sound_table(const char *out, const char *name) {
  size_t length;
  long rows = 0;
  char *bytes = read_all(out, name, &length);
  assert_true(length > 0 && bytes[length - 1] == '\n');
  for (size_t i = 0, columns = 0, header = 0; i < length; i++) {
    columns += bytes[i] == ',';
    if (bytes[i] != '\n') continue;
    if (rows++ == 0) header = columns;
    assert_int_equal(columns, header);
    columns = 0;
  }
  free(bytes);
  return rows - 1;
}

/* A whole summary that calls the run interrupted. */
static bool says_interrupted(const char *out) {
  size_t length;
  char path[400];
  if (access(path_of(path, out, "../summary.json"), R_OK) != 0) return false;
  char *summary = read_all(out, "../summary.json", &length);
  summary[length] = '\0';
  bool says = summary[0] == '{' && strrchr(summary, '}') && strstr(summary, "\"status\": \"interrupted\"");
  free(summary);
  return says;
}

/* Ctrl-C and TERM: exit code 130, tables and summary that can be read, with what was computed. */
static void interrupted_files_are_sound(void **unused) {
  (void)unused;
  static const int signals[] = {SIGINT, SIGTERM};
  double begin = seconds();
  assert_int_equal(run("ida", "interrupted", "--force", 0, 0), 0);
  double lasts = seconds() - begin;
  long whole = sound_table("interrupted", "history.csv");
  for (int k = 0; k < 2; k++) {
    int code = 0;
    bool told = false; /* on a busy machine the second is over before the run has come to write its summary */
    for (int tries = 0; !told && tries < 10; tries++, lasts *= 0.7) {
      code = run("ida", "interrupted", "--force", 1 + (long)(500.0 * lasts), signals[k]);
      told = code == 130 && says_interrupted("interrupted");
    }
    assert_int_equal(code, 130);
    assert_true(told);
    long rows = sound_table("interrupted", "history.csv");
    printf("signal %d: %ld of %ld rows\n", signals[k], rows, whole);
    assert_true(rows < whole);
    sound_table("interrupted", "contact.csv");
    sound_table("interrupted", "energy.csv");
    sound_table("interrupted", "events.csv");
  }
}

static int make_folder(void **unused) {
  (void)unused;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused) {
  (void)unused;
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(alpha_resumes), cmocka_unit_test(ida_resumes),
                                     cmocka_unit_test(cvode_resumes), cmocka_unit_test(reduced_resumes),
                                     cmocka_unit_test(tube_resumes),  cmocka_unit_test(interrupted_files_are_sound)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
