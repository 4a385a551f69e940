/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of formulas of time against their closed forms; and the reader of derivatives against the parser that
 * gives values. */
#include <math.h>
#include <stdio.h>

#include "core/formula.h"
#include "one_context.h"

static fw_formula *compile(const char *text) {
  fw_formula *formula;
  if (fw_formula_compile(ctx, text, "t", &formula) != FW_OK) fail_msg("%s: %s", text, fw_context_message(ctx));
  return formula;
}

typedef struct exact {
  const char *text;
  double t, first, second;
} exact;

static void check(const exact *e) {
  fw_formula *formula = compile(e->text);
  double first, second;
  fw_formula_rates(formula, e->t, &first, &second);
  printf("%-44s t = %-6g first %9.1e second %9.1e\n", e->text, e->t, first - e->first, second - e->second);
  assert_true(fabs(first - e->first) <= 1e-12 * fmax(fabs(e->first), 1.0));
  assert_true(fabs(second - e->second) <= 1e-12 * fmax(fabs(e->second), 1.0));
  fw_formula_release(&formula);
}

static void functions(void **unused) {
  (void)unused;
  static const double times[] = {0.05, 0.3, 0.7};
  for (int k = 0; k < 3; k++) {
    const double t = times[k], s = 1 - t * t, q = 1 + t * t, w = 1 / (t * t + 0.25);
    const exact all[] = {
        {"sin(6000*t + 0.3)", t, 6000 * cos(6000 * t + 0.3), -36e6 * sin(6000 * t + 0.3)},
        {"cos(3*t)", t, -3 * sin(3 * t), -9 * cos(3 * t)},
        {"tan(t)", t, 1 / (cos(t) * cos(t)), 2 * tan(t) / (cos(t) * cos(t))},
        {"asin(t)", t, 1 / sqrt(s), t / (s * sqrt(s))},
        {"acos(t)", t, -1 / sqrt(s), -t / (s * sqrt(s))},
        {"atan(t)", t, 1 / q, -2 * t / (q * q)},
        {"atan2(t, 0.5)", t, 0.5 * w, -t * w * w},
        {"atan2(0.5, t)", t, -0.5 * w, t * w * w},
        {"sinh(2*t)", t, 2 * cosh(2 * t), 4 * sinh(2 * t)},
        {"cosh(2*t)", t, 2 * sinh(2 * t), 4 * cosh(2 * t)},
        {"tanh(t)", t, 1 / (cosh(t) * cosh(t)), -2 * tanh(t) / (cosh(t) * cosh(t))},
        {"asinh(t)", t, 1 / sqrt(q), -t / (q * sqrt(q))},
        {"acosh(1 + t)", t, 1 / sqrt(t * (2 + t)), -(1 + t) / pow(t * (2 + t), 1.5)},
        {"atanh(t)", t, 1 / s, 2 * t / (s * s)},
        {"ln(t)", t, 1 / t, -1 / (t * t)},
        {"log(t)", t, 1 / t, -1 / (t * t)},
        {"log2(t)", t, 1 / (t * log(2)), -1 / (t * t * log(2))},
        {"log10(t)", t, 1 / (t * log(10)), -1 / (t * t * log(10))},
        {"exp(-40*t)", t, -40 * exp(-40 * t), 1600 * exp(-40 * t)},
        {"sqrt(t)", t, 0.5 / sqrt(t), -0.25 / (t * sqrt(t))},
        {"t^3 - 2*t^2", t, 3 * t * t - 4 * t, 6 * t - 4},
        {"t^-1.5", t, -1.5 * pow(t, -2.5), 3.75 * pow(t, -3.5)},
        {"2^t", t, log(2) * pow(2, t), log(2) * log(2) * pow(2, t)},
        {"t^t", t, pow(t, t) * (log(t) + 1), pow(t, t) * ((log(t) + 1) * (log(t) + 1) + 1 / t)},
        {"1/(1 + t^2)", t, -2 * t / (q * q), (6 * t * t - 2) / (q * q * q)},
        {"t*exp(-t)", t, (1 - t) * exp(-t), (t - 2) * exp(-t)},
        {"t <= 0.3 ? 2*t : t^2", t, t <= 0.3 ? 2 : 2 * t, t <= 0.3 ? 0 : 2},
        {"t > 0.4 ? sin(t) : t^2", t, t > 0.4 ? cos(t) : 2 * t, t > 0.4 ? -sin(t) : 2},
        {"t < 0.1 ? 3*t : t < 0.5 ? t^2 : exp(t)", t,
         t < 0.1   ? 3
         : t < 0.5 ? 2 * t
                   : exp(t),
         t < 0.1   ? 0
         : t < 0.5 ? 2
                   : exp(t)},
        {"min(t, 0.4, t^2 + 0.2)", t,
         t < 0.276           ? 1
         : t * t + 0.2 < 0.4 ? 2 * t
                             : 0,
         t < 0.276           ? 0
         : t * t + 0.2 < 0.4 ? 2
                             : 0},
        {"max(t^2, 0.1)", t, t * t > 0.1 ? 2 * t : 0, t * t > 0.1 ? 2 : 0},
        {"abs(0.5 - t)*t", t, t < 0.5 ? 0.5 - 2 * t : 2 * t - 0.5, t < 0.5 ? -2 : 2},
        {"sign(0.5 - t) + rint(t) + avg(t, 3*t) + sum(t, t^2, 1)", t, 3 + 2 * t, 2},
        {"(t > 0.1 && t < 0.5 || t == 0.7) * t^2", t, t > 0.1 ? 2 * t : 0, t > 0.1 ? 2 : 0},
        {"sqrt(4)^2 + pi*0", t, 0, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) check(&all[i]);
  }
  check(&(exact){"t^2", 0, 0, 2});
  check(&(exact){"t*sqrt(0)", 0, 0, 0});
}

/* Precedence: what the reader of derivatives makes of a text is what the parser makes of it, or it is refused. */
static void same_grammar(void **unused) {
  (void)unused;
  static const char *const texts[] = {"-t^2",
                                      "2^-t",
                                      "2^-t^2",
                                      "-2^2*t",
                                      "2^3^t",
                                      "1 - 2 - t",
                                      "8/4/t",
                                      "8/4*t",
                                      "1 < 2 == 1",
                                      "3 > 2 > 1",
                                      "1 + 2 < t * 4",
                                      "1 || 0 && 0",
                                      "t - -1",
                                      "2*-t",
                                      "t ? 1 : 0 + 2",
                                      "(1 ? 2 : 3)*t",
                                      "1e-3*t + .5",
                                      "5 != 4 + t*0",
                                      "1 ? 0 ? 3 : 4 : 5"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) { /* refused if they differ */
    fw_formula *formula = compile(texts[i]);
    fw_formula_release(&formula);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {IN_CONTEXT(functions), IN_CONTEXT(same_grammar)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
