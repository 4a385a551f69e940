/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of identification share: a folder for a deck and its data, an oscillator to identify, figures beside their
 * references, decks that are refused. */
#ifndef FW_TESTS_IDENTIFY_CASE_H
#define FW_TESTS_IDENTIFY_CASE_H

#include <stdlib.h>
#include <unistd.h>

#include "remove_folder.h"
#include "verification/deck_run.h"

enum { CASE_PATH = 128 };
static char folder[64];

static inline int make_folder(void **unused) {
  (void)unused;
  snprintf(folder, sizeof folder, "/tmp/fw-identify-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static inline int drop_folder(void **unused) {
  (void)unused;
  remove_folder(folder);
  return 0;
}

static inline void path_in_folder(const char *name, char path[CASE_PATH]) {
  snprintf(path, CASE_PATH, "%s/%s", folder, name);
}

static inline FILE *open_file(const char *name) {
  char path[CASE_PATH];
  path_in_folder(name, path);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  return file;
}

__attribute__((format(printf, 2, 3))) static inline void write_file(const char *name, const char *format, ...) {
  FILE *file = open_file(name);
  va_list words;
  va_start(words, format);
  vfprintf(file, format, words);
  va_end(words);
  assert_int_equal(fclose(file), 0);
}

/* A block of 1 kg on a spring and a damper of c="..." that rubs on the floor with <friction FRICTION/> under 10 N. */
#define OSCILLATOR(c, friction)                                                   \
  "<bodies><rigid id=\"block\" at=\"0, 0\" m=\"1\" rotation=\"none\"/>\n"         \
  "<spring id=\"spring\" at=\"block.centre\" ground=\"-1, 0\" k=\"1e4\"/>\n"      \
  "<damper id=\"damper\" at=\"block.centre\" ground=\"-1, 0\" c=\"" c             \
  "\"/></bodies>\n"                                                               \
  "<contact><surface id=\"floor\"><line from=\"-1, 0\" to=\"1, 0\"/></surface>\n" \
  "<pair id=\"sole\" target=\"floor\"><point at=\"block.centre\"/>\n"             \
  "<normal law=\"hard\" enforcement=\"lagrange\"/>\n"                             \
  "<friction " friction                                                           \
  "/></pair></contact>\n"                                                         \
  "<loads><force id=\"weight\" at=\"block.centre\" fy=\"-10\"/>\n"                \
  "<harmonic id=\"drive\" at=\"block.centre\" fx=\"1\"/></loads>\n"               \
  "<sensors><sensor id=\"x\" at=\"block.centre\" quantity=\"displacement\" direction=\"x\"/></sensors>\n"

/* Runs deck.xml of the folder. */
static inline void run_deck(deck_run *run, const char *const *settings) {
  char path[CASE_PATH];
  path_in_folder("deck.xml", path);
  deck_open(run, path, settings);
}

/* deck.xml of the folder is refused with this message among others. */
static inline void refused(const char *told) {
  char path[CASE_PATH];
  fw_context *ctx;
  fw_deck *deck = NULL;
  path_in_folder("deck.xml", path);
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_deck_check(ctx, deck);
  if (status != FW_ERR_DECK || !strstr(fw_context_message(ctx), told))
    fail_msg("status %d, not told \"%s\": %s", status, told, fw_context_message(ctx));
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
}

/* A figure by its path, written as printf does. */
__attribute__((format(printf, 2, 3))) static inline double number(const deck_run *run, const char *format, ...) {
  char path[200];
  double value = NAN;
  va_list words;
  va_start(words, format);
  vsnprintf(path, sizeof path, format, words);
  va_end(words);
  if (fw_results_number(run->results, path, &value) != FW_OK) fail_msg("no %s", path);
  return value;
}

static inline void near(const deck_run *run, const char *path, double reference, double tolerance) {
  double value = number(run, "%s", path), difference = value / reference - 1;
  printf("%-48s computed %.6g, reference %.6g, difference %.4f %%\n", path, value, reference, 100 * difference);
  assert_true(fabs(difference) < tolerance);
}

/* Whether one of the warnings of the identification has that text. */
static inline bool is_warned(const deck_run *run, const char *id, const char *text) {
  for (int i = 0; i < 40; i++) {
    char path[CASE_PATH];
    const char *told;
    snprintf(path, sizeof path, "identification.%s.warnings[%d].text", id, i);
    if (fw_results_text(run->results, path, &told) != FW_OK) return false;
    if (!strstr(told, text)) continue;
    printf("warning: %s\n", told);
    return true;
  }
  return false;
}

#endif
