/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every warning has a deck that raises it, and one beside it that does not. */
#include "cmocka_all.h"
#include "core/warning.h"
#include "program.h"
#include "remove_folder.h"

#define FOLDER FW_SOURCE_DIR "/tests/decks/warnings/"

static program p;

static void raises(const char *name, int number) {
  char path[512], begin[32];
  snprintf(path, sizeof path, FOLDER "%s.xml", name);
  snprintf(begin, sizeof begin, "warning %d: ", number);
  PROGRAM_RUN(&p, "check", path);
  assert_int_equal(p.code, 0);
  if (strncmp(p.err, begin, strlen(begin)) != 0 || strchr(p.err, '\n') != p.err + strlen(p.err) - 1)
    fail_msg("%s: %s", path, p.err);
  PROGRAM_RUN(&p, "check", "--strict", path);
  assert_int_equal(p.code, 2);
  snprintf(path, sizeof path, FOLDER "%s-not.xml", name);
  PROGRAM_RUN(&p, "check", "--strict", path);
  if (p.code != 0 || p.err[0]) fail_msg("%s: %s", path, p.err);
}

static void decks_raise_their_warning(void **unused) {
  (void)unused;
  for (const fw_warning_kind *kind = fw_warning_kinds; kind->number; kind++) {
    char name[16];
    snprintf(name, sizeof name, "%d", kind->number);
    if (kind->in_check) raises(name, kind->number);
  }
}

/* What else raises a number. */
static void other_decks_raise_it_too(void **unused) {
  (void)unused;
  raises("3-section", 3);
  raises("3-sensor", 3);
  raises("5-mesh", 5);
  raises("9-band", 9);
  raises("9-samples", 9);
  raises("9-sine", 9);
  raises("9-steps", 9);
  raises("16-sensor", 16);
  raises("16-spring", 16);
  raises("16-support", 16);
}

static bool file_says(const char *path, const char *words) {
  static char text[PROGRAM_TEXT];
  program_read(path, text);
  return strstr(text, words) != NULL;
}

static void runs_show_them_everywhere(void **unused) {
  (void)unused;
  remove_folder("warnings.tmp");
  PROGRAM_RUN(&p, "run", "--strict", "--out", "warnings.tmp", FOLDER "4.xml");
  assert_int_equal(p.code, 2);
  assert_int_not_equal(access("warnings.tmp", F_OK), 0); /* nothing was begun */
  PROGRAM_RUN(&p, "run", "--out", "warnings.tmp", FOLDER "4.xml");
  assert_int_equal(p.code, 0);
  assert_non_null(strstr(p.err, "warning 4: "));
  assert_true(file_says("warnings.tmp/summary.json", "warning 4: "));
  assert_true(file_says("warnings.tmp/summary.txt", "warning 4: "));
  assert_true(file_says("warnings.tmp/report.html", "warning 4: "));
  remove_folder("warnings.tmp");
}

/* What only a run can find leaves the code at 0 without --strict. */
static void other_runs_end_with_zero(void **unused) {
  (void)unused;
  remove_folder("warnings.tmp");
  PROGRAM_RUN(&p, "run", "--out", "warnings.tmp", FOLDER "1.xml");
  assert_int_equal(p.code, 0);
  assert_non_null(strstr(p.err, "warning 1: "));
  remove_folder("warnings.tmp");
}

/* A warning of runs: strict ones end with 1 and keep their results, the deck beside is done plainly. */
static void run_raises(const char *name, int number) {
  char path[512], begin[32];
  snprintf(begin, sizeof begin, "warning %d: ", number);
  snprintf(path, sizeof path, FOLDER "%s.xml", name);
  remove_folder("warnings.tmp");
  PROGRAM_RUN(&p, "run", "--strict", "--out", "warnings.tmp", path);
  if (p.code != 1 || !strstr(p.err, begin)) fail_msg("%s: %d %s", path, p.code, p.err);
  assert_true(file_says("warnings.tmp/summary.json", begin));
  snprintf(path, sizeof path, FOLDER "%s-not.xml", name);
  remove_folder("warnings.tmp");
  PROGRAM_RUN(&p, "run", "--strict", "--out", "warnings.tmp", path);
  if (p.code != 0 || strstr(p.err, "warning")) fail_msg("%s: %d %s", path, p.code, p.err);
  remove_folder("warnings.tmp");
}

static void runs_raise_their_warning(void **unused) {
  (void)unused;
  for (const fw_warning_kind *kind = fw_warning_kinds; kind->number; kind++) {
    char name[16];
    snprintf(name, sizeof name, "%d", kind->number);
    if (!kind->in_check) run_raises(name, kind->number);
  }
}

/* Large rotations in every analysis that computes a motion. */
static void every_motion_is_looked_at(void **unused) {
  (void)unused;
  run_raises("13-frf", 13);
  run_raises("13-time", 13);
  run_raises("13-h1", 13);
  run_raises("13-resonance", 13);
  run_raises("13-nnm", 13);
  run_raises("13-pendulum", 13);
  run_raises("13-small", 13);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decks_raise_their_warning), cmocka_unit_test(other_decks_raise_it_too),
      cmocka_unit_test(runs_show_them_everywhere), cmocka_unit_test(other_runs_end_with_zero),
      cmocka_unit_test(runs_raise_their_warning),  cmocka_unit_test(every_motion_is_looked_at)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
