/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "output/files.h"
#include "output/uff58.h"

enum { COUNT = 37 };
static const char path[] = "uff58.tmp";
static double x[COUNT], uneven[COUNT], re[COUNT], im[COUNT];

static int start(void **state) {
  for (int i = 0; i < COUNT; i++) {
    x[i] = 44 + 0.25 * i;
    uneven[i] = 44 + 0.25 * i + 0.01 * i * i;
    re[i] = -1e-5 * cos(i) * exp(i - 20.0);
    im[i] = 1e-5 * sin(3 * i);
  }
  return fw_context_create((fw_context **)state);
}

static int stop(void **state) {
  unlink(path);
  fw_context_destroy((fw_context **)state);
  return 0;
}

static fw_uff58 make(double *abscissa, bool is_complex) {
  fw_uff58 f = {.id = {"drive point", "3 N"},
                .function = is_complex ? FW_UFF_FRF : FW_UFF_TIME,
                .response = {"BEAM", 12, 2},
                .reference = {"BEAM", 7, -3},
                .abscissa = {FW_UFF_AXIS_FREQUENCY, "Frequency", "Hz"},
                .ordinate = {FW_UFF_DISPLACEMENT, "Displacement", "m"},
                .denominator = {FW_UFF_FORCE, "Force", "N"},
                .z = 3.0,
                .count = COUNT,
                .x = abscissa,
                .re = re,
                .im = is_complex ? im : NULL};
  return f;
}

static void assert_close(const double *a, const double *b, double tolerance) {
  for (int i = 0; i < COUNT; i++)
    if (!(fabs(a[i] - b[i]) <= tolerance * fabs(b[i]))) fail_msg("value %d: %.17g against %.17g", i, a[i], b[i]);
}

static void comes_back_the_same(void **state) {
  for (int variant = 0; variant < 8; variant++) {
    bool binary = variant & 1, is_complex = variant & 2, even = variant & 4;
    fw_uff58 pair[2] = {make(even ? x : uneven, is_complex), make(x, true)}, *back;
    int count;
    assert_int_equal(fw_uff58_write(*state, path, pair, 2, binary), FW_OK);
    assert_int_equal(fw_uff58_read(*state, path, &back, &count), FW_OK);
    assert_int_equal(count, 2);
    assert_int_equal(back[0].count, COUNT);
    assert_int_equal(back[0].function, pair[0].function);
    assert_string_equal(back[0].id[0], "drive point");
    assert_string_equal(back[0].id[2], "NONE");
    assert_string_equal(back[0].response.entity, "BEAM");
    assert_int_equal(back[0].response.node, 12);
    assert_int_equal(back[0].reference.direction, -3);
    assert_int_equal(back[0].abscissa.kind, FW_UFF_AXIS_FREQUENCY);
    assert_string_equal(back[0].ordinate.label, "Displacement");
    assert_string_equal(back[0].denominator.unit, "N");
    assert_true(back[0].z == 3.0);
    assert_close(back[0].x, even ? x : uneven, binary && !even ? 0.0 : 2e-6);
    assert_close(back[0].re, re, binary ? 0.0 : 1e-12);
    assert_int_equal(back[0].im != NULL, is_complex);
    if (is_complex) assert_close(back[0].im, im, binary ? 0.0 : 1e-12);
    assert_close(back[1].x, x, 1e-15);
    fw_uff58_destroy(&back, count);
  }
}

/* A file as other systems write it: single precision, another dataset before, Windows line ends. */
static void reads_foreign_files(void **state) {
  static const char text[] =
      "    -1\r\n   151\r\nmodel\r\n    -1\r\n    -1\r\n    58\r\n"
      "Point 1\r\nNONE\r\n04-MAY-26\r\nNONE\r\nNONE\r\n"
      "    4         0    0         0       NONE         1   3       NONE         2  -3\r\n"
      "         5         4         1  1.00000E+00  5.00000E-01  0.00000E+00\r\n"
      "        18    0    0    0 Frequency            Hz\r\n"
      "        12    0    0    0 Acceleration         m/s^2\r\n"
      "        13    0    0    0 Force                N\r\n"
      "         0    0    0    0 NONE                 NONE\r\n"
      "  1.00000E+00 -2.00000E+00  3.00000E+00 -4.00000E+00  5.00000D+00  6.00000E+00\r\n"
      "  7.00000E+00  8.00000E+00\r\n    -1\r\n";
  fw_uff58 *back;
  int count;
  assert_int_equal(fw_file_write(*state, path, text, sizeof text - 1), FW_OK);
  assert_int_equal(fw_uff58_read(*state, path, &back, &count), FW_OK);
  assert_int_equal(count, 1);
  assert_int_equal(back->count, 4);
  assert_true(back->x[3] == 2.5);
  assert_true(back->re[0] == 1.0 && back->im[0] == -2.0);
  assert_true(back->re[2] == 5.0 && back->im[3] == 8.0);
  assert_string_equal(back->ordinate.unit, "m/s^2");
  assert_int_equal(back->response.direction, 3);
  fw_uff58_destroy(&back, count);
}

static void reads_the_other_byte_order(void **state) {
  fw_uff58 f = make(uneven, true), *back;
  char *bytes;
  size_t length;
  int count;
  assert_int_equal(fw_uff58_write(*state, path, &f, 1, true), FW_OK);
  assert_int_equal(fw_file_read(*state, path, &bytes, &length), FW_OK);
  char *order = strstr(bytes, "58b") + 8, *data = bytes + length - 7 - COUNT * 3 * sizeof(double);
  *order = *order == '1' ? '2' : '1';
  for (size_t i = 0; i < COUNT * 3; i++)
    for (int k = 0; k < 4; k++) {
      char *a = data + 8 * i + k, *b = data + 8 * i + 7 - k, swap = *a;
      *a = *b;
      *b = swap;
    }
  assert_int_equal(fw_file_write(*state, path, bytes, length), FW_OK);
  assert_int_equal(fw_uff58_read(*state, path, &back, &count), FW_OK);
  assert_close(back->re, re, 0.0);
  fw_uff58_destroy(&back, count);
  free(bytes);
}

static void refuses_broken_files(void **state) {
  fw_context *ctx = *state;
  fw_uff58 f = make(x, true), *back;
  char *bytes;
  size_t length;
  int count;
  for (int binary = 0; binary < 2; binary++) {
    assert_int_equal(fw_uff58_write(ctx, path, &f, 1, binary), FW_OK);
    assert_int_equal(fw_file_read(ctx, path, &bytes, &length), FW_OK);
    for (size_t cut = 1; cut < length; cut += 53) { /* cut anywhere: an error or nothing, never a crash */
      assert_int_equal(fw_file_write(ctx, path, bytes, length - cut), FW_OK);
      if (fw_uff58_read(ctx, path, &back, &count) == FW_OK) fw_uff58_destroy(&back, count);
    }
    fw_context_clear(ctx);
    assert_int_equal(fw_file_write(ctx, path, bytes, length - 200), FW_OK);
    assert_int_equal(fw_uff58_read(ctx, path, &back, &count), FW_ERR_IO);
    assert_non_null(strstr(fw_context_message(ctx), "cut short"));
    assert_null(back);
    free(bytes);
  }
  fw_context_clear(ctx);
  fw_file_write(ctx, path, "hello\n", 6);
  assert_int_equal(fw_uff58_read(ctx, path, &back, &count), FW_ERR_IO);
  assert_non_null(strstr(fw_context_message(ctx), "uff58.tmp:1: dataset 58: the file has none"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comes_back_the_same),
      cmocka_unit_test(reads_foreign_files),
      cmocka_unit_test(reads_the_other_byte_order),
      cmocka_unit_test(refuses_broken_files),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
