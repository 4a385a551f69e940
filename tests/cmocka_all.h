/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmocka with the headers it needs, in the order it needs them. */
#ifndef FW_TESTS_CMOCKA_ALL_H
#define FW_TESTS_CMOCKA_ALL_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

/* |value - expected| <= tolerance, in double precision (cmocka's assert_float_equal rounds to float); a
 * value that is not a number fails. */
static inline void fw_assert_near(double value, double expected, double tolerance, const char *file, int line) {
  if (fabs(value - expected) <= tolerance) return;
  print_error("%.17g is not %.17g: difference %.3g, allowed %.3g\n", value, expected, value - expected, tolerance);
  _fail(file, line);
}
#undef assert_float_equal
#define assert_near(value, expected, tolerance) fw_assert_near(value, expected, tolerance, __FILE__, __LINE__)

#endif
