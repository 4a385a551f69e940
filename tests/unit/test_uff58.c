/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
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

/* ---- field by field ---------------------------------------------------------------------- */

/* Line `number` of the file written, from 0; its text stands until the next call. */
static const char *line_of(fw_context *ctx, int number) {
  static char line[128];
  char *text;
  size_t length;
  assert_int_equal(fw_file_read(ctx, path, &text, &length), FW_OK);
  const char *at = text;
  for (int i = 0; i < number; i++) at = strchr(at, '\n') + 1;
  snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
  free(text);
  return line;
}

/* Columns from..to, counted from 1 as in the description of the format, hold `text`. */
static void assert_columns(const char *line, int from, int to, const char *text) {
  char found[128];
  assert_true((int)strlen(line) >= to);
  snprintf(found, sizeof found, "%.*s", to - from + 1, line + from - 1);
  assert_string_equal(found, text);
}

/* SDRC's description of dataset 58 (revision of 23 April 1993): records 1 to 5 80A1; 6 2(I5,I10),2(1X,10A1,I10,I4); 7 3I10,3E13.5;
 * 8 to 11 I10,3I5,2(1X,20A1); data by the kind of ordinate and spacing. */
static void has_the_published_header(void **state) {
  fw_uff58 f = make(x, true);
  assert_int_equal(fw_uff58_write(*state, path, &f, 1, false), FW_OK);
  assert_string_equal(line_of(*state, 0), "    -1");
  assert_columns(line_of(*state, 1), 1, 6, "    58");
  assert_columns(line_of(*state, 2), 1, 80,
                 "drive point                                                                     ");
  const char *record = line_of(*state, 7);
  static const struct {
    int from, to;
    const char *text;
  } six[] = {{1, 5, "    4"}, {6, 15, "         0"},  {16, 20, "    0"},      {21, 30, "         0"},
             {31, 31, " "},   {32, 41, "BEAM      "}, {42, 51, "        12"}, {52, 55, "   2"},
             {56, 56, " "},   {57, 66, "BEAM      "}, {67, 76, "         7"}, {77, 80, "  -3"}},
    seven[] = {{1, 10, "         6"},     {11, 20, "        37"},    {21, 30, "         1"},
               {31, 43, "  4.40000e+01"}, {44, 56, "  2.50000e-01"}, {57, 69, "  3.00000e+00"}},
    eight[] = {{1, 10, "        18"},
               {11, 15, "    0"},
               {16, 20, "    0"},
               {21, 25, "    0"},
               {27, 46, "Frequency           "},
               {48, 67, "Hz                  "}};
  for (size_t i = 0; i < sizeof six / sizeof *six; i++) assert_columns(record, six[i].from, six[i].to, six[i].text);
  record = line_of(*state, 8);
  for (size_t i = 0; i < sizeof seven / sizeof *seven; i++)
    assert_columns(record, seven[i].from, seven[i].to, seven[i].text);
  record = line_of(*state, 9);
  for (size_t i = 0; i < sizeof eight / sizeof *eight; i++)
    assert_columns(record, eight[i].from, eight[i].to, eight[i].text);
  assert_columns(line_of(*state, 10), 1, 10, "         8");
  assert_columns(line_of(*state, 11), 1, 10, "        13");
}

/* Widths of the numbers on the first line of data, by what the description says of each kind; 0 ends. */
static void has_the_published_data(void **state) {
  static const struct {
    bool even, complex;
    int widths[5];
  } kinds[] = {{true, false, {20, 20, 20, 20}},
               {true, true, {20, 20, 20, 20}},
               {false, false, {13, 20, 13, 20}},
               {false, true, {13, 20, 20}}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    fw_uff58 f = make(kinds[k].even ? x : uneven, kinds[k].complex);
    assert_int_equal(fw_uff58_write(*state, path, &f, 1, false), FW_OK);
    const char *line = line_of(*state, 13);
    size_t at = 0;
    for (int i = 0; kinds[k].widths[i]; i++) {
      char *end, number[32];
      snprintf(number, sizeof number, "%.*s", kinds[k].widths[i], line + at);
      strtod(number, &end);
      assert_true(*end == '\0' && number[0] == ' '); /* one number, which fills the field to its right end */
      at += (size_t)kinds[k].widths[i];
    }
    assert_int_equal(strlen(line), at);
  }
}

/* The binary form (UC-SDRL): I6, 1A1 'b', I6 byte order, I6 format of numbers, I12 lines of text, I12 bytes of data, 2I6 and 2I12 zeros. */
static void has_the_published_binary_header(void **state) {
  fw_uff58 f = make(uneven, true);
  assert_int_equal(fw_uff58_write(*state, path, &f, 1, true), FW_OK);
  const char *line = line_of(*state, 1);
  const uint16_t one = 1;
  assert_int_equal(strlen(line), 79);
  assert_columns(line, 1, 7, "    58b");
  assert_columns(line, 8, 13, *(const unsigned char *)&one ? "     1" : "     2");
  assert_columns(line, 14, 19, "     2");
  assert_columns(line, 20, 31, "          11");
  assert_columns(line, 32, 43, "         888"); /* 37 points of three doubles */
  assert_columns(line, 44, 79, "     0     0           0           0");
}

/* Uneven abscissas of four bytes beside ordinates of eight. */
static void reads_short_abscissas(void **state) {
  fw_uff58 f = make(uneven, false), *back;
  char *text;
  size_t length;
  int count;
  assert_int_equal(fw_uff58_write(*state, path, &f, 1, true), FW_OK);
  assert_int_equal(fw_file_read(*state, path, &text, &length), FW_OK);
  size_t from = length - 7 - COUNT * 16, to = from; /* what stands before "    -1\n" */
  memcpy(strstr(text, "         592"), "         444", 12);
  for (int i = 0; i < COUNT; i++) {
    float single = (float)uneven[i];
    memmove(text + to, &single, 4);
    memmove(text + to + 4, text + from + 16 * (size_t)i + 8, 8);
    to += 12;
  }
  memmove(text + to, "    -1\n", 7);
  assert_int_equal(fw_file_write(*state, path, text, to + 7), FW_OK);
  free(text);
  assert_int_equal(fw_uff58_read(*state, path, &back, &count), FW_OK);
  assert_int_equal(count, 1);
  assert_close(back->x, uneven, 1e-7);
  assert_close(back->re, re, 0.0);
  fw_uff58_destroy(&back, count);
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
      cmocka_unit_test(comes_back_the_same),        cmocka_unit_test(has_the_published_header),
      cmocka_unit_test(has_the_published_data),     cmocka_unit_test(has_the_published_binary_header),
      cmocka_unit_test(reads_short_abscissas),      cmocka_unit_test(reads_foreign_files),
      cmocka_unit_test(reads_the_other_byte_order), cmocka_unit_test(refuses_broken_files),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
