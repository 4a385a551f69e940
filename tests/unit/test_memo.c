/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "cmocka_all.h"
#include "core/memo.h"

static int released;

static void release(void *result) {
  released++;
  free(result);
}

static void keep(fw_context *ctx, const char *function, double x, double y, double value, size_t size) {
  const double input[] = {x, y};
  const fw_memo_part parts[] = {{&input[0], sizeof(double)}, {&input[1], sizeof(double)}};
  double *result = malloc(sizeof *result);
  *result = value;
  fw_memo_keep(ctx, &(fw_memo_key){function, parts, 2}, result, size, release);
}

static double find(fw_context *ctx, const char *function, double x, double y) {
  const double input[] = {x, y};
  const fw_memo_part whole = {input, sizeof input};
  const double *found = fw_memo_find(ctx, &(fw_memo_key){function, &whole, 1});
  return found ? *found : -1;
}

static void finds_by_function_and_input(void **state) {
  (void)state;
  fw_context *ctx;
  long found, missed;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  released = 0;
  keep(ctx, "f", 1, 2, 3, 8); /* does not remember yet */
  assert_int_equal(released, 1);
  assert_true(find(ctx, "f", 1, 2) == -1);
  assert_int_equal(fw_context_remember(ctx), FW_OK);
  assert_int_equal(fw_context_remember(ctx), FW_OK);
  keep(ctx, "f", 1, 2, 3, 8);
  keep(ctx, "g", 1, 2, 4, 8);
  assert_true(find(ctx, "f", 1, 2) == 3);
  assert_true(find(ctx, "g", 1, 2) == 4);
  assert_true(find(ctx, "h", 1, 2) == -1);
  assert_true(find(ctx, "f", 1, 2.0000000000000004) == -1); /* one bit more */
  fw_memo_count(ctx, &found, &missed);
  assert_int_equal(found, 2);
  assert_int_equal(missed, 2);
  fw_context *child;
  assert_int_equal(fw_context_fork(ctx, &child), FW_OK);
  assert_true(find(child, "f", 1, 2) == -1);
  fw_context_destroy(&child);
  fw_context_destroy(&ctx);
  assert_int_equal(released, 3);
}

/* However many there are, what is used again and again stays, and memory is bounded. */
static void gives_up_what_was_used_longest_ago(void **state) {
  (void)state;
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_context_remember(ctx), FW_OK);
  released = 0;
  keep(ctx, "f", 0, 0, 7, 8);
  for (int i = 1; i < 100; i++) {
    keep(ctx, "f", i, 0, i, 8);
    assert_true(find(ctx, "f", 0, 0) == 7);
    assert_true(find(ctx, "f", i, 0) == i);
  }
  assert_true(find(ctx, "f", 1, 0) == -1);
  assert_true(released > 50);
  keep(ctx, "large", 0, 0, 1, (size_t)400 << 20);
  assert_true(find(ctx, "f", 0, 0) == 7);
  keep(ctx, "large", 1, 0, 2, (size_t)400 << 20);
  assert_true(find(ctx, "large", 0, 0) == -1);
  assert_true(find(ctx, "large", 1, 0) == 2);
  keep(ctx, "too large", 0, 0, 1, (size_t)600 << 20);
  assert_true(find(ctx, "too large", 0, 0) == -1);
  assert_true(find(ctx, "large", 1, 0) == 2);
  fw_context_destroy(&ctx);
  assert_int_equal(released, 103);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(finds_by_function_and_input),
                                     cmocka_unit_test(gives_up_what_was_used_longest_ago)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
