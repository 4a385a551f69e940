/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmocka_all.h"
#include "core/table.h"

static void finds_the_nearest_name(void **unused) {
  (void)unused;
  const char *names[] = {"displacement", "velocity", "acceleration", NULL};
  assert_string_equal(fw_nearest(names, "velocty"), "velocity");
  assert_string_equal(fw_nearest(names, "aceleration"), "acceleration");
  assert_null(fw_nearest(names, "temperature"));
}

static void finds_a_choice(void **unused) {
  (void)unused;
  assert_int_equal(fw_choice_index("penalty|lagrange|augmented", "lagrange"), 1);
  assert_int_equal(fw_choice_index("penalty|lagrange", "lag"), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_nearest_name),
      cmocka_unit_test(finds_a_choice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
