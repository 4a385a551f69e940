/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonic balance answers, or fails and says why: never done with nothing. */
#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/hb/answers/" name ".xml"

static const char *text_of(const deck_run *run, const char *path) {
  const char *text = "";
  if (fw_record_text(run->results->summary, path, &text) != FW_OK) fail_msg("no %s", path);
  return text;
}

static void assert_in(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("'%s' is not in '%s'", part, text);
}

static void a_failed_analysis_tells_its_own_message_only(void **state) {
  (void)state;
  deck_run run;
  assert_int_equal(deck_try(&run, DECK("missing-modes"), NULL), FW_ERR_ANALYSIS);
  assert_in(text_of(&run, "analyses.one.message"), "no mode 7");
  assert_in(text_of(&run, "analyses.two.message"), "no mode 9");
  assert_null(strstr(text_of(&run, "analyses.two.message"), "mode 7"));
  assert_int_not_equal(text_of(&run, "analyses.two.message")[0], '\n');
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_failed_analysis_tells_its_own_message_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
