/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory runs out anywhere between reading a deck and its last result: the status says so, or the results are those
 * they would have been; nothing crashes and (under the sanitizers) nothing leaks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "failing_alloc.h"
#include "fretwork.h"

#define WALK FW_SOURCE_DIR "/tests/decks/walk/"

/* What a deck says in the end: a few numbers, NULL: it is only checked. */
typedef struct scenario {
  const char *path;
  const char *figures[8];
} scenario;

enum { TRIALS = 150 };

static char said[400]; /* by the last deck */

static const char small[] = "failing-decks.xml";

/* A block on a spring that rubs, by every analysis. */
static void write_small(void) {
  FILE *file = fopen(small, "w");
  assert_non_null(file);
  fputs(
      "<fretwork version=\"1\"><parameters><parameter name=\"k\" value=\"1e4\"/></parameters><bodies>\n"
      "<rigid id=\"b\" at=\"0, 0\" m=\"1\" rotation=\"none\"/><spring id=\"s\" at=\"b.centre\" direction=\"1, 0\" "
      "k=\"k\"/><damper id=\"d\" at=\"b.centre\" direction=\"1, 0\" c=\"2\"/></bodies>\n"
      "<contact><surface id=\"f\"><line from=\"-1, 0\" to=\"1, 0\"/></surface><pair id=\"p\" target=\"f\"><point "
      "at=\"b.centre\"/><normal law=\"hard\"/><friction law=\"dahl\" mu-c=\"0.3\" sigma-0=\"1e5\"/></pair></contact>\n"
      "<loads><force id=\"w\" at=\"b.centre\" fy=\"-10\"/><harmonic id=\"h\" at=\"b.centre\" fx=\"5\"/></loads>\n"
      "<sensors><sensor id=\"x\" at=\"b.centre\" direction=\"x\"/></sensors><analyses>\n"
      "<static id=\"s\" loads=\"w\"/><modal id=\"m\" start=\"s\" contact=\"stick\" modes=\"1\"/>\n"
      "<transient id=\"t\" start=\"s\" loads=\"h\" at-frequency=\"20\" periods=\"2\" step=\"1e-3\"/>\n"
      "<transient id=\"i\" start=\"s\" loads=\"h\" at-frequency=\"20\" periods=\"2\" step=\"1e-3\" solver=\"ida\"/>\n"
      "<frf id=\"r\" start=\"s\" loads=\"h\" levels=\"1\" response=\"x\" f-min=\"10\" f-max=\"30\" points=\"4\" "
      "harmonics=\"3\" samples=\"64\"/></analyses></fretwork>\n",
      file);
  fclose(file);
}

static fw_status read_figures(const fw_results *results, const scenario *s, double *values) {
  fw_status status = FW_OK;
  for (int i = 0; s->figures[i]; i++) {
    fw_status one = fw_results_number(results, s->figures[i], &values[i]);
    if (one != FW_OK) status = one;
  }
  return status;
}

static fw_status perform(const scenario *s, double *values) {
  fw_context *ctx = NULL;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  fw_status status = fw_context_create(&ctx);
  if (status == FW_OK) status = fw_deck_load(ctx, s->path, &deck);
  if (status == FW_OK && !s->figures[0]) status = fw_deck_check(ctx, deck);
  if (status == FW_OK && s->figures[0]) status = fw_run(ctx, deck, &(fw_run_options){.threads = 1}, &results);
  if (status == FW_OK && results) status = read_figures(results, s, values);
  snprintf(said, sizeof said, "%s", fw_context_message(ctx));
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return status;
}

/* Any other status has to be that of memory; unless a library was without it, whose reasons are its own. */
static bool is_told(fw_status status) { return status == FW_ERR_MEMORY || status == FW_ERR_LIBRARY; }

static int count_untold(const scenario *s) {
  double whole[8] = {0}, now[8];
  int untold = 0;
  failing_alloc_after(-1);
  assert_int_equal(perform(s, whole), FW_OK);
  long total = failing_alloc_count(), stride = total / TRIALS + 1;
  for (long n = 0; n < total; n += stride) {
    memcpy(now, whole, sizeof now);
    failing_alloc_after(n);
    fw_status status = perform(s, now);
    bool hit = failing_alloc_hit();
    failing_alloc_after(-1);
    bool fine = status == FW_OK ? memcmp(now, whole, sizeof now) == 0 : is_told(status);
    if (!hit || fine) continue;
    print_error("%s: allocation %ld of %ld: status %d: %s\n", s->path, n, total, (int)status, said);
    untold++;
  }
  return untold;
}

static void memory_may_run_out_anywhere(void **state) {
  (void)state;
  static const scenario scenarios[] = {
      {WALK "bodies.xml", {NULL}},
      {WALK "contact.xml", {NULL}},
      {WALK "settings.xml", {NULL}},
      {small,
       {"analyses.s.sensors.x", "analyses.m.modes[0].frequency", "analyses.t.sensors.x.max", "analyses.i.sensors.x.max",
        "analyses.r.levels[0].peak.frequency"}}};
  int untold = 0;
  write_small();
  for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) untold += count_untold(&scenarios[i]);
  remove(small);
  assert_int_equal(untold, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_may_run_out_anywhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
