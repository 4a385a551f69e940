/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verification book: every tests/verification/decks/NAME.xml with a NAME.expect beside it is run through the
 * public interface, and each line of the expectation is printed and judged:
 *
 *   PATH  REFERENCE  TOLERANCE      summary value against a number, relative difference
 *   PATH  REFERENCE  TOLERANCE abs  absolute difference
 *   PATH  = PATH     TOLERANCE      two summary values against each other
 *
 * A PATH with slashes is of a table: ANALYSIS/TABLE/COLUMN@KEY=VALUE, the column where another has that value.
 * '#' begins a comment. Adding a case is adding two files. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "contact/friction/friction.h"
#include "fretwork.h"

#define FOLDER FW_SOURCE_DIR "/tests/verification/decks"

typedef struct line {
  char path[200], reference[200], mode[8];
  double tolerance;
} line;

/* 1: a line was read; 0: nothing on it; -1: malformed. */
static int parse(char *text, line *out) {
  char tolerance[64] = "", equals[4] = "";
  text[strcspn(text, "#\n")] = '\0';
  memset(out, 0, sizeof *out);
  if (sscanf(text, "%199s", out->path) != 1) return 0;
  int fields = sscanf(text, "%199s %3s", out->path, equals);
  if (fields == 2 && strcmp(equals, "=") == 0)
    fields = sscanf(text, "%199s = %199s %63s %7s", out->path, out->reference, tolerance, out->mode);
  else
    fields = sscanf(text, "%199s %199s %63s %7s", out->path, out->reference, tolerance, out->mode);
  if (fields < 3) return -1;
  out->tolerance = atof(tolerance);
  return out->tolerance > 0.0 ? 1 : -1;
}

/* ANALYSIS/TABLE/COLUMN@KEY=VALUE; FW_ERR_ARGUMENT if there is no such row. */
static fw_status table_number(const fw_results *results, const char *path, double *number) {
  char analysis[64], table[64], column[64], key[64];
  const double *keys, *values;
  size_t key_rows, rows;
  double where;
  if (sscanf(path, "%63[^/]/%63[^/]/%63[^@]@%63[^=]=%lf", analysis, table, column, key, &where) != 5)
    return FW_ERR_ARGUMENT;
  fw_status status = fw_results_column(results, analysis, table, key, &key_rows, &keys);
  if (status == FW_OK) status = fw_results_column(results, analysis, table, column, &rows, &values);
  if (status != FW_OK) return status;
  for (size_t r = 0; r < rows; r++)
    if (fabs(keys[r] - where) <= 1e-9 * fabs(where)) {
      *number = values[r];
      return FW_OK;
    }
  return FW_ERR_ARGUMENT;
}

static fw_status look_up(const fw_results *results, const char *path, double *number) {
  return strchr(path, '/') ? table_number(results, path, number) : fw_results_number(results, path, number);
}

static bool judge(const fw_results *results, const line *expected) {
  double computed = NAN, reference = NAN;
  char *end = NULL;
  if (look_up(results, expected->path, &computed) != FW_OK) {
    printf("  %-52s is not in the summary\n", expected->path);
    return false;
  }
  reference = strtod(expected->reference, &end);
  if (*end != '\0' && look_up(results, expected->reference, &reference) != FW_OK) {
    printf("  %-52s is not in the summary\n", expected->reference);
    return false;
  }
  bool absolute = strcmp(expected->mode, "abs") == 0;
  double difference = computed - reference;
  if (!absolute) difference /= fabs(reference);
  bool good = fabs(difference) <= expected->tolerance;
  printf("  %-52s %-17.10g %-17.10g %10.2e %s\n", expected->path, computed, reference, difference,
         good ? "" : "<-- too far");
  return good;
}

static int run_case(const char *name) {
  char path[512];
  int failures = 0;
  fw_context *ctx = NULL;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  snprintf(path, sizeof path, FOLDER "/%s.xml", name);
  printf("%s\n", name);
  if (fw_deck_load(ctx, path, &deck) != FW_OK || fw_run(ctx, deck, NULL, &results) != FW_OK) {
    printf("  %s\n", fw_context_message(ctx));
    failures++;
  }
  snprintf(path, sizeof path, FOLDER "/%s.expect", name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  char text[512];
  int lines = 0;
  while (results && fgets(text, sizeof text, file)) {
    line expected;
    int got = parse(text, &expected);
    if (got < 0) printf("  cannot read: %s\n", text);
    lines += got > 0;
    failures += got < 0 || (got > 0 && !judge(results, &expected));
  }
  fclose(file);
  if (lines == 0) failures++;
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return failures;
}

static int wants_case(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 7 && strcmp(entry->d_name + length - 7, ".expect") == 0;
}

static void every_deck_meets_its_reference(void **unused) {
  (void)unused;
  struct dirent **entries = NULL;
  int count = scandir(FOLDER, &entries, wants_case, alphasort), failures = 0;
  assert_true(count > 0);
  printf("  %-52s %-17s %-17s %10s\n", "", "computed", "reference", "difference");
  for (int i = 0; i < count; i++) {
    entries[i]->d_name[strlen(entries[i]->d_name) - 7] = '\0';
    failures += run_case(entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  assert_int_equal(failures, 0);
}

/* No friction law without a deck law-NAME that shows it. */
static void every_law_has_a_deck(void **unused) {
  (void)unused;
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++) {
    char path[512], word[128], text[4000] = "";
    snprintf(path, sizeof path, FOLDER "/law-%s.xml", (*entry)->name);
    snprintf(word, sizeof word, "<friction law=\"%s\"", (*entry)->name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s: there is no %s", (*entry)->name, path);
    fread(text, 1, sizeof text - 1, file);
    fclose(file);
    if (!strstr(text, word)) fail_msg("%s does not use the law", path);
    snprintf(path, sizeof path, FOLDER "/law-%s.expect", (*entry)->name);
    assert_int_equal(access(path, R_OK), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_law_has_a_deck),
                                     cmocka_unit_test(every_deck_meets_its_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
