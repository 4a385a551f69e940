/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a study's worker keeps from sample to sample saves time and changes nothing, to the last digit and whatever the
 * order of the samples. */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/memo.h"
#include "fretwork.h"

typedef struct sample {
  const char *mu, *thick;
} sample;

static const sample samples[] = {{"0.50", "4.76"}, {"0.52", "4.76"}, {"0.50", "4.80"}, {"0.54", "4.76"}};
enum { SAMPLES = sizeof samples / sizeof *samples, ROWS_MOST = 1000 };

typedef struct curve {
  size_t rows;
  double values[2][ROWS_MOST];
} curve;

static void run(fw_context *ctx, const char *path, const char *table, const sample *s, curve *c) {
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  const char *only = "frf", *const columns[] = {"frequency", "drive.amplitude"};
  assert_int_equal(fw_deck_load(ctx, path, &deck), FW_OK);
  assert_int_equal(fw_deck_set(ctx, deck, "mu", s->mu), FW_OK);
  assert_int_equal(fw_deck_set(ctx, deck, "thick", s->thick), FW_OK);
  assert_int_equal(fw_run(ctx, deck, &(fw_run_options){.threads = 1, .only = &only, .only_count = 1}, &results), FW_OK);
  memset(c, 0, sizeof *c);
  for (int k = 0; k < 2; k++) {
    const double *values;
    assert_int_equal(fw_results_column(results, "frf", table, columns[k], &c->rows, &values), FW_OK);
    assert_true(c->rows > 10 && c->rows <= ROWS_MOST);
    memcpy(c->values[k], values, c->rows * sizeof *values);
  }
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

static void compare_orders(const char *name, const char *table) {
  static curve alone[SAMPLES], again;
  char path[512];
  fw_context *ctx;
  long found, missed;
  snprintf(path, sizeof path, "%s/examples/study/%s.xml", FW_SOURCE_DIR, name);
  for (int i = 0; i < SAMPLES; i++) {
    assert_int_equal(fw_context_create(&ctx), FW_OK);
    run(ctx, path, table, &samples[i], &alone[i]);
    fw_context_destroy(&ctx);
  }
  for (int down = 0; down < 2; down++) {
    assert_int_equal(fw_context_create(&ctx), FW_OK);
    assert_int_equal(fw_context_remember(ctx), FW_OK);
    for (int i = 0; i < SAMPLES; i++) {
      int k = down ? SAMPLES - 1 - i : i;
      run(ctx, path, table, &samples[k], &again);
      assert_memory_equal(&again, &alone[k], sizeof again);
    }
    fw_memo_count(ctx, &found, &missed);
    printf("%s: %ld results found, %ld computed\n", name, found, missed);
    assert_true(found >= 2 * (SAMPLES - 2)); /* at least ordering and reduction of samples with a known structure */
    fw_context_destroy(&ctx);
  }
}

static void linear_beam(void **state) {
  (void)state;
  compare_orders("rig-dahl", "frf-3");
}

static void von_karman_beam(void **state) {
  (void)state;
  compare_orders("coulomb-penalty", "frf-6.5");
}

static void plane_body(void **state) {
  (void)state;
  compare_orders("plane-dahl", "frf-3");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear_beam), cmocka_unit_test(von_karman_beam),
                                     cmocka_unit_test(plane_body)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
