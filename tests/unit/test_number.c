/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in tables are what printf would write. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "output/number.h"

static void compare(double value) {
  char text[FW_NUMBER_ROOM + 1], wanted[64];
  text[fw_number_text(value, text)] = '\0';
  snprintf(wanted, sizeof wanted, "%.12g", value);
  assert_string_equal(text, wanted);
}

static void writes_what_printf_writes(void **unused) {
  (void)unused;
  const double special[] = {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            0.1,
                            1e5,
                            123456789012.0,
                            1234567890125.0,
                            1e-4,
                            1e-5,
                            9.999999999995e-5,
                            DBL_MAX,
                            -DBL_MAX,
                            DBL_MIN,
                            DBL_TRUE_MIN,
                            INFINITY,
                            -INFINITY,
                            NAN,
                            -NAN};
  for (size_t i = 0; i < sizeof special / sizeof *special; i++) compare(special[i]);
  uint64_t bits = 1;
  for (int i = 0; i < 100000; i++) {
    double value;
    bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    memcpy(&value, &bits, sizeof value);
    compare(value);
    compare((double)(bits >> 40) * 1e-6); /* of everyday size */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(writes_what_printf_writes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
