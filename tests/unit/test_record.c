/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/record.h"
#include "core/unknown.h"

static void sets_and_reads_by_path(void **unused) {
  (void)unused;
  fw_record *record;
  assert_int_equal(fw_record_create(&record), FW_OK);
  assert_int_equal(fw_record_set_number(record, 47.25, "modes[%d].frequency", 0), FW_OK);
  assert_int_equal(fw_record_set_number(record, 154.5, "modes[1].frequency"), FW_OK);
  assert_int_equal(fw_record_set_number(record, 2.0, "contact.%s.work_rate", "foot"), FW_OK);
  assert_int_equal(fw_record_set_text(record, "hertz \"quoted\"", "note"), FW_OK);
  double value;
  assert_int_equal(fw_record_number(record, "modes[1].frequency", &value), FW_OK);
  assert_true(value == 154.5);
  assert_int_equal(fw_record_number(record, "contact.foot.work_rate", &value), FW_OK);
  assert_true(value == 2.0);
  assert_int_equal(fw_record_number(record, "modes[2].frequency", &value), FW_ERR_ARGUMENT);
  assert_int_equal(fw_record_number(record, "note", &value), FW_ERR_ARGUMENT);
  const char *text;
  assert_int_equal(fw_record_text(record, "note", &text), FW_OK);
  assert_string_equal(text, "hertz \"quoted\"");
  fw_record_destroy(&record);
  assert_null(record);
  fw_record_destroy(&record);
}

static void refuses_gaps_and_wrong_paths(void **unused) {
  (void)unused;
  fw_record *record;
  fw_record_create(&record);
  assert_int_equal(fw_record_set_number(record, 1, "list[1]"), FW_ERR_ARGUMENT);
  assert_int_equal(fw_record_set_number(record, 1, "%s", ""), FW_ERR_ARGUMENT);
  assert_int_equal(fw_record_set_number(record, 1, "a..b"), FW_ERR_ARGUMENT);
  assert_int_equal(fw_record_set_number(record, 1, "a[x]"), FW_ERR_ARGUMENT);
  assert_int_equal(fw_record_set_number(record, 1, "n"), FW_OK);
  assert_int_equal(fw_record_set_number(record, 1, "n.below"), FW_ERR_ARGUMENT);
  fw_record_destroy(&record);
}

static void hangs_a_copy_of_a_record(void **unused) {
  (void)unused;
  fw_record *root, *part;
  fw_record_create(&root);
  fw_record_create(&part);
  fw_record_set_number(part, 52.4, "levels[0].resonance.frequency");
  assert_int_equal(fw_record_set_record(root, part, "analyses.%s", "frf"), FW_OK);
  fw_record_set_number(part, 0, "levels[0].resonance.frequency");
  double value;
  assert_int_equal(fw_record_number(root, "analyses.frf.levels[0].resonance.frequency", &value), FW_OK);
  assert_true(value == 52.4);
  fw_record_destroy(&part);
  fw_record_destroy(&root);
}

static void survives_the_way_through_json(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_context_create(&ctx);
  fw_record *record, *back;
  fw_record_create(&record);
  fw_record_set_number(record, 0.1 + 0.2, "sum");
  fw_record_set_number(record, fw_unknown(), "nothing");
  fw_record_set_number(record, fw_unknown(), "list[0]");
  fw_record_set_number(record, -3, "whole");
  fw_record_set_text(record, "b", "z");
  fw_record_set_text(record, "a", "a");
  char *json = fw_record_json(record);
  assert_null(strstr(json, "nothing"));
  assert_non_null(strstr(json, "\"whole\": -3,"));
  assert_int_equal(fw_record_parse(ctx, json, &back), FW_OK);
  double value;
  assert_int_equal(fw_record_number(back, "sum", &value), FW_OK);
  assert_true(value == 0.1 + 0.2);
  assert_int_equal(fw_record_number(back, "nothing", &value), FW_ERR_ARGUMENT);
  assert_int_equal(fw_record_count(back, ""), 5);
  assert_string_equal(fw_record_key(back, "", 3), "z");
  assert_string_equal(fw_record_key(back, "", 4), "a");
  assert_null(fw_record_key(back, "", 5));
  assert_int_equal(fw_record_kind_at(back, ""), FW_RECORD_OBJECT);
  assert_int_equal(fw_record_kind_at(back, "list[0]"), FW_RECORD_NULL);
  assert_int_equal(fw_record_kind_at(back, "sum"), FW_RECORD_NUMBER);
  assert_int_equal(fw_record_kind_at(back, "z"), FW_RECORD_TEXT);
  assert_int_equal(fw_record_kind_at(back, "zz"), FW_RECORD_ABSENT);
  free(json);
  fw_record_destroy(&back);
  fw_record_destroy(&record);
  assert_int_equal(fw_record_parse(ctx, "{\"a\": }", &back), FW_ERR_IO);
  assert_null(back);
  fw_context_destroy(&ctx);
}

static void refuses_what_is_not_finite(void **unused) {
  (void)unused;
  fw_record *record, *part;
  fw_record_create(&record);
  fw_record_create(&part);
  assert_int_equal(fw_record_set_number(part, -fw_unknown(), "unknown"), FW_OK);
  assert_null(fw_record_flaw(part));
  volatile double zero = 0.0;
  assert_int_equal(fw_record_set_number(part, zero / zero, "modes[%d].damping", 0), FW_ERR_ANALYSIS);
  assert_int_equal(fw_record_set_number(part, INFINITY, "later"), FW_ERR_ANALYSIS);
  assert_int_equal(fw_record_count(part, ""), 0);
  assert_int_equal(fw_record_set_record(record, part, "analyses.a"), FW_OK);
  assert_string_equal(fw_record_flaw(record), "analyses.a.modes[0].damping");
  fw_record_destroy(&part);
  fw_record_destroy(&record);
}

/* A unit is told once, by the outermost object for which it is true; what is told within counts before it. */
static void units_travel_with_the_figures(void **unused) {
  (void)unused;
  fw_record *part, *record;
  const char *text;
  assert_int_equal(fw_record_create(&part), FW_OK);
  assert_int_equal(fw_record_create(&record), FW_OK);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(fw_record_set_figure(part, 50, "Hz", "levels[%d].resonance.frequency", i), FW_OK);
    assert_int_equal(fw_record_set_figure(part, 0.3, "W", "levels[%d].contact.foot.work_rate", i), FW_OK);
    assert_int_equal(fw_record_set_figure(part, 1e-3, "", "levels[%d].agreement.contact.foot.work_rate", i), FW_OK);
  }
  assert_int_equal(fw_record_set_number(part, 7, "levels[0].points"), FW_OK);
  assert_int_equal(fw_record_set_figure(part, 1, "m", "sensors.tip.max"), FW_OK);
  assert_int_equal(fw_record_set_figure(part, 2, "rad", "sensors.turn.max"), FW_OK);
  assert_int_equal(fw_record_set_number(part, 3, "sensors.other.share"), FW_OK);
  assert_int_equal(fw_record_set_figure(part, 4, "m", "late.share"), FW_OK); /* does not speak for the one before */
  assert_int_equal(fw_record_set_figure(part, 5, "N", "limits[0]"), FW_OK);
  assert_int_equal(fw_record_set_figure(part, fw_unknown(), "m", "nothing"), FW_OK);
  assert_int_equal(fw_record_set_record(record, part, "analyses.frf"), FW_OK);
  char *json = fw_record_json(record);
  fw_context *ctx;
  fw_record *again;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_record_parse(ctx, json, &again), FW_OK); /* also from a file */
  const char *const told[][2] = {{"levels[0].resonance.frequency", "Hz"},
                                 {"levels[1].resonance.frequency", "Hz"},
                                 {"levels[1].contact.foot.work_rate", "W"},
                                 {"levels[0].agreement.contact.foot.work_rate", ""},
                                 {"levels[1].agreement.contact.foot.work_rate", ""},
                                 {"levels[0].points", ""},
                                 {"sensors.tip.max", "m"},
                                 {"sensors.turn.max", "rad"},
                                 {"sensors.other.share", ""},
                                 {"late.share", "m"},
                                 {"limits[0]", "N"}};
  for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
    char path[80];
    snprintf(path, sizeof path, "analyses.frf.%s", told[i][0]);
    assert_string_equal(fw_record_unit(again, path), told[i][1]);
  }
  assert_int_equal(fw_record_text(again, "analyses.frf.units.frequency", &text), FW_OK);
  assert_string_equal(text, "Hz");
  assert_int_equal(fw_record_kind_at(again, "analyses.frf.units.nothing"), FW_RECORD_ABSENT);
  free(json);
  fw_record_destroy(&again);
  fw_record_destroy(&record);
  fw_record_destroy(&part);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_and_reads_by_path),     cmocka_unit_test(refuses_gaps_and_wrong_paths),
      cmocka_unit_test(hangs_a_copy_of_a_record),   cmocka_unit_test(survives_the_way_through_json),
      cmocka_unit_test(refuses_what_is_not_finite), cmocka_unit_test(units_travel_with_the_figures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
