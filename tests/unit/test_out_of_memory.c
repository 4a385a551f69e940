/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each allocation in turn fails: the status says so, nothing crashes, and (under the sanitizers) nothing leaks. */
#include "cmocka_all.h"
#include "contact/friction/setting.h"
#include "core/record.h"
#include "core/sink.h"
#include "failing_alloc.h"

typedef fw_status (*scenario)(fw_context *ctx);

enum { MOST_TRIALS = 400 };

/* Runs the scenario once to count its allocations, then with one failure after the other; where there are more than
 * MOST_TRIALS, with as many spread over them. */
static void every_allocation_may_fail(scenario run) {
  fw_context *ctx;
  failing_alloc_after(-1);
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(run(ctx), FW_OK);
  long total = failing_alloc_count() - 1; /* without the context */
  fw_context_destroy(&ctx);
  assert_true(total > 0);
  long stride = total / MOST_TRIALS + 1;
  for (long n = 0; n < total; n += stride) {
    assert_int_equal(fw_context_create(&ctx), FW_OK);
    failing_alloc_after(n);
    fw_status status = run(ctx);
    bool hit = failing_alloc_hit();
    failing_alloc_after(-1);
    if (!hit || status != FW_ERR_MEMORY) print_error("allocation %ld of %ld: status %d\n", n, total, (int)status);
    assert_true(hit);
    assert_int_equal(status, FW_ERR_MEMORY);
    fw_context_destroy(&ctx);
  }
}

static fw_status make_context(fw_context *unused) {
  (void)unused;
  fw_context *ctx;
  FW_TRY(fw_context_create(&ctx));
  fw_context_destroy(&ctx);
  return FW_OK;
}

static fw_status fill_sink(fw_context *ctx) {
  static const fw_column columns[] = {{"time", "s"}, {"slip", "m"}};
  fw_status status;
  fw_sink *sink = NULL;
  fw_data_table *table;
  FW_TRY_DONE(fw_sink_create(ctx, &sink));
  FW_TRY_DONE(fw_sink_table(sink, ctx, "check", "history", columns, 2, false, &table));
  for (int i = 0; i < 100; i++) FW_TRY_DONE(fw_sink_row(sink, ctx, table, (double[]){i, 2.0 * i}));
done:
  fw_sink_destroy(&sink);
  return status;
}

static fw_status fill_record(fw_context *ctx) {
  (void)ctx;
  fw_status status;
  fw_record *record = NULL;
  FW_TRY_DONE(fw_record_create(&record));
  FW_TRY_DONE(fw_record_set_number(record, 47.6, "modes[%d].frequency", 0));
done:
  fw_record_destroy(&record);
  return status;
}

static fw_status make_every_law(fw_context *ctx) {
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++) {
    fw_friction law;
    FW_TRY(fw_law_create(ctx, (const fw_friction_ops *)*entry, NULL, 0, &law));
    fw_friction_clear(&law);
  }
  return FW_OK;
}

#define OUT_OF_MEMORY_TEST(scenario)              \
  static void scenario##_survives(void **state) { \
    (void)state;                                  \
    every_allocation_may_fail(scenario);          \
  }

OUT_OF_MEMORY_TEST(make_context)
OUT_OF_MEMORY_TEST(fill_sink)
OUT_OF_MEMORY_TEST(fill_record)
OUT_OF_MEMORY_TEST(make_every_law)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(make_context_survives),
      cmocka_unit_test(fill_sink_survives),
      cmocka_unit_test(fill_record_survives),
      cmocka_unit_test(make_every_law_survives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
