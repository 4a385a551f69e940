/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units, scopes and parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "input/parameters.h"
#include "input/units.h"

static void converts_units(void **unused) {
  (void)unused;
  static const struct {
    const char *unit;
    double factor;
  } cases[] = {
      {"mm", 1e-3},    {"um", 1e-6},     {"\xc2\xb5m", 1e-6}, {"\xce\xbcm", 1e-6}, {"kN", 1e3},
      {"GPa", 1e9},    {"ms", 1e-3},     {"g", 1e-3},         {"Hz", 1},           {"deg", 0.017453292519943295},
      {"N/m", 1},      {"kN/mm", 1e6},   {"kg/m^3", 1},       {"g/cm^3", 1e3},     {"N s/m", 1},
      {"N*s/mm", 1e3}, {"1/s", 1},       {"1/ms", 1e3},       {"mm^2/N", 1e-6},    {"m2", 1},
      {"mm4", 1e-12},  {"N mm^-1", 1e3}, {"%", 0.01},         {"t/mm^3", 1e12}};
  char wrong[32];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double factor;
    fw_dimension dimension;
    assert_true(fw_unit_factor(cases[i].unit, &factor, &dimension, wrong));
    assert_near(factor / cases[i].factor, 1.0, 1e-12);
  }
}

static void refuses_what_is_no_unit(void **unused) {
  (void)unused;
  double factor;
  fw_dimension dimension;
  char wrong[32];
  assert_false(fw_unit_factor("furlong", &factor, &dimension, wrong));
  assert_string_equal(wrong, "furlong");
  assert_false(fw_unit_factor("N/", &factor, &dimension, wrong));
  assert_false(fw_unit_factor("", &factor, &dimension, wrong));
  assert_false(fw_unit_factor("m//s", &factor, &dimension, wrong));
  assert_string_equal(fw_unit_nearest("gpa"), "GPa");
}

/* Dimensions of what is a product of powers are known, all others are not; numbers that look like quantities are none.
 */
static void finds_dimensions(void **unused) {
  (void)unused;
  static const struct {
    const char *expression, *unit; /* NULL: unknown; "": bare */
  } cases[] = {{"2*a", "m"},
               {"r + a/2", "m"},
               {"-P", "N"},
               {"P/(a*r)", "Pa"},
               {"m/(a*a*r)", "kg/m^3"},
               {"sqrt(k/m)", "Hz"},
               {"1/(2*pi)*sqrt(k/m)", "1/s"},
               {"a^3/12", "m^3"},
               {"max(a, r)", "m"},
               {"a/r", "1"},
               {"a > r ? a : r", "m"},
               {"1.5e-3*a", NULL},
               {"a + 1e-3", NULL},
               {"a + m", NULL},
               {"9.81*m", NULL},
               {"n*a", NULL},
               {"sin(a)", NULL},
               {"3e-3", ""},
               {"0*a", NULL},
               {"12.5*a", "m"}};
  fw_context *ctx;
  fw_parameters p = {0};
  fw_place place = {"deck", 1, "parameter"};
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  static const char *const given[][3] = {{"a", "40", "mm"}, {"r", "5", "mm"},    {"P", "83", "N"},
                                         {"m", "12", "g"},  {"k", "1e4", "N/m"}, {"n", "3", NULL}};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    assert_int_equal(fw_parameters_add(ctx, &p, place, given[i][0], given[i][1], given[i][2], NULL, NULL), FW_OK);
  assert_int_equal(fw_parameters_evaluate(ctx, &p), FW_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fw_dimension found, wanted;
    double factor;
    char wrong[32];
    fw_dimension_known known = fw_scope_dimension(p.scope, cases[i].expression, &found);
    fw_dimension_known expected = !cases[i].unit      ? FW_DIMENSION_UNKNOWN
                                  : !cases[i].unit[0] ? FW_DIMENSION_BARE
                                                      : FW_DIMENSION_KNOWN;
    if (known != expected) fail_msg("%s: %d, not %d", cases[i].expression, (int)known, (int)expected);
    if (known != FW_DIMENSION_KNOWN) continue;
    assert_true(fw_unit_factor(cases[i].unit, &factor, &wanted, wrong));
    if (!fw_dimension_equal(&found, &wanted)) fail_msg("%s is not in %s", cases[i].expression, cases[i].unit);
  }
  assert_near(p.list[0].value, 0.04, 0); /* the values are what they were */
  fw_parameters_clear(&p);
  fw_context_destroy(&ctx);
}

static void evaluates_expressions(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_scope *scope;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_scope_create(ctx, &scope), FW_OK);
  double x = 2.0, value;
  char why[256];
  assert_null(fw_scope_define(scope, "x", &x));
  assert_non_null(fw_scope_define(scope, "sqrt", &x));
  assert_non_null(fw_scope_define(scope, "2x", &x));
  assert_non_null(fw_scope_define(scope, "", &x));
  assert_true(fw_scope_evaluate(scope, "3*x^2 + sqrt(4) - max(1, x)", &value, why, sizeof why));
  assert_near(value, 12.0, 1e-15);
  assert_true(fw_scope_evaluate(scope, "cos(pi)", &value, why, sizeof why));
  assert_near(value, -1.0, 1e-15);
  assert_true(fw_scope_evaluate(scope, "1.003e7", &value, why, sizeof why));
  assert_near(value, 1.003e7, 0);
  static const char *const bad[] = {"",  " ",  "1,2",   "x y", "1/0", "sqrt(-1)", "x=3", "\"x\"",
                                    "y", "(1", "1e999", "1 2", "+",   "sin",      "x.y", "_pi_"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    why[0] = '\0';
    assert_false(fw_scope_evaluate(scope, bad[i], &value, why, sizeof why));
    assert_true(strlen(why) > 0);
  }
  assert_near(x, 2.0, 0); /* no expression changes a variable */
  fw_scope_destroy(&scope);
  fw_context_destroy(&ctx);
}

static void evaluates_parameters_in_any_order(void **unused) {
  (void)unused;
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_parameters parameters = {0};
  fw_place nowhere = {0};
  assert_int_equal(fw_parameters_add(ctx, &parameters, nowhere, "c", "a + b", NULL, NULL, NULL), FW_OK);
  assert_int_equal(fw_parameters_add(ctx, &parameters, nowhere, "b", "2*a/1e-3", "mm", "9", "11"), FW_OK);
  assert_int_equal(fw_parameters_add(ctx, &parameters, nowhere, "a", "5", "mm", NULL, NULL), FW_OK);
  assert_int_equal(fw_parameters_evaluate(ctx, &parameters), FW_OK);
  assert_near(parameters.list[0].value, 15e-3, 1e-15);
  assert_int_equal(fw_parameters_set(ctx, &parameters, "a", "6"), FW_OK);
  assert_int_equal(fw_parameters_evaluate(ctx, &parameters), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "b = 12 is above its max 11"));
  fw_parameters_clear(&parameters);
  fw_context_destroy(&ctx);
}

/* A chain of many parameters, each of which depends on the one after it: its length is what the first is worth. */
static void long_chains_are_evaluated(void **unused) {
  (void)unused;
  enum { LENGTH = 16000 };
  fw_context *ctx;
  fw_parameters parameters = {0};
  char name[32], value[48];
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  for (int i = 0; i < LENGTH; i++) {
    snprintf(name, sizeof name, "p%d", i);
    snprintf(value, sizeof value, i + 1 < LENGTH ? "p%d + 1" : "1", i + 1);
    assert_int_equal(fw_parameters_add(ctx, &parameters, (fw_place){0}, name, value, NULL, NULL, NULL), FW_OK);
  }
  assert_int_equal(fw_parameters_evaluate(ctx, &parameters), FW_OK);
  assert_near(parameters.list[0].value, LENGTH, 0.0);
  fw_parameters_clear(&parameters);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(converts_units),
      cmocka_unit_test(refuses_what_is_no_unit),
      cmocka_unit_test(finds_dimensions),
      cmocka_unit_test(evaluates_expressions),
      cmocka_unit_test(evaluates_parameters_in_any_order),
      cmocka_unit_test(long_chains_are_evaluated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
