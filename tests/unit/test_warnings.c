/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every warning that `check` can see has a deck that raises it, and one beside it that does not. */
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
  raises("3-sensor", 3);
  raises("9-samples", 9);
  raises("9-steps", 9);
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

/* What only a run can find: a curve of a part of the range, number 1. */
static void strict_runs_end_with_one(void **unused) {
  (void)unused;
  static const char deck[] = FW_SOURCE_DIR "/tests/verification/hb/answers/hard-to-find.xml";
  remove_folder("warnings.tmp");
  PROGRAM_RUN(&p, "run", "--only", "rubs", "--out", "warnings.tmp", deck);
  assert_int_equal(p.code, 0);
  assert_non_null(strstr(p.err, "warning 1: "));
  remove_folder("warnings.tmp");
  PROGRAM_RUN(&p, "run", "--strict", "--only", "rubs", "--out", "warnings.tmp", deck);
  assert_int_equal(p.code, 1);
  assert_int_equal(access("warnings.tmp/summary.json", F_OK), 0);
  remove_folder("warnings.tmp");
}

/* Warnings of runs: strict ones end with 1 and keep their results, the deck beside is done plainly. */
static void runs_raise_their_warning(void **unused) {
  (void)unused;
  for (int number = 12; number <= 13; number++) {
    char path[512], begin[32];
    snprintf(begin, sizeof begin, "warning %d: ", number);
    snprintf(path, sizeof path, FOLDER "%d.xml", number);
    remove_folder("warnings.tmp");
    PROGRAM_RUN(&p, "run", "--strict", "--out", "warnings.tmp", path);
    if (p.code != 1 || !strstr(p.err, begin)) fail_msg("%s: %d %s", path, p.code, p.err);
    assert_true(file_says("warnings.tmp/summary.json", begin));
    snprintf(path, sizeof path, FOLDER "%d-not.xml", number);
    remove_folder("warnings.tmp");
    PROGRAM_RUN(&p, "run", "--strict", "--out", "warnings.tmp", path);
    if (p.code != 0 || strstr(p.err, "warning")) fail_msg("%s: %d %s", path, p.code, p.err);
  }
  remove_folder("warnings.tmp");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decks_raise_their_warning), cmocka_unit_test(other_decks_raise_it_too),
      cmocka_unit_test(runs_show_them_everywhere), cmocka_unit_test(strict_runs_end_with_one),
      cmocka_unit_test(runs_raise_their_warning)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
