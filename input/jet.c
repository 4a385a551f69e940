/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/derivative.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- operators --------------------------------------------------------------------------- */

static bool is_constant(fw_jet a) { return a.first == 0.0 && a.second == 0.0; }

/* f(a) with f, f' and f'' at a. */
static fw_jet chain(fw_jet a, double f, double f_a, double f_aa) {
  if (is_constant(a)) return fw_jet_constant(f);
  return (fw_jet){f, f_a * a.first, f_aa * a.first * a.first + f_a * a.second};
}

fw_jet fw_jet_sum(fw_jet a, fw_jet b) { return (fw_jet){a.value + b.value, a.first + b.first, a.second + b.second}; }

fw_jet fw_jet_negative(fw_jet a) { return (fw_jet){-a.value, -a.first, -a.second}; }

static fw_jet scaled(fw_jet a, double factor) { return chain(a, factor * a.value, factor, 0.0); }

fw_jet fw_jet_product(fw_jet a, fw_jet b) {
  if (is_constant(a)) return scaled(b, a.value);
  if (is_constant(b)) return scaled(a, b.value);
  return (fw_jet){a.value * b.value, a.first * b.value + a.value * b.first,
                  a.second * b.value + 2.0 * a.first * b.first + a.value * b.second};
}

static fw_jet inverse(fw_jet a) {
  double x = 1.0 / a.value;
  return chain(a, x, -x * x, 2.0 * x * x * x);
}

fw_jet fw_jet_quotient(fw_jet a, fw_jet b) {
  fw_jet q = fw_jet_product(a, inverse(b));
  q.value = a.value / b.value;
  return q;
}

/* c x^n; where c is 0 whatever x^n is. */
static double term(double c, double x, double n) { return c == 0.0 ? 0.0 : c * pow(x, n); }

fw_jet fw_jet_power(fw_jet a, fw_jet b) {
  double n = b.value;
  if (is_constant(b))
    return chain(a, pow(a.value, n), term(n, a.value, n - 1.0), term(n * (n - 1.0), a.value, n - 2.0));
  double x = a.value;
  fw_jet exponent = fw_jet_product(b, chain(a, log(x), 1.0 / x, -1.0 / (x * x))); /* a^b = exp(b ln a) */
  double power = pow(x, n);
  return chain(exponent, power, power, power);
}

/* ---- functions --------------------------------------------------------------------------- */

static fw_jet jet_sin(fw_jet a) { return chain(a, sin(a.value), cos(a.value), -sin(a.value)); }
static fw_jet jet_cos(fw_jet a) { return chain(a, cos(a.value), -sin(a.value), -cos(a.value)); }
static fw_jet jet_sinh(fw_jet a) { return chain(a, sinh(a.value), cosh(a.value), sinh(a.value)); }
static fw_jet jet_cosh(fw_jet a) { return chain(a, cosh(a.value), sinh(a.value), cosh(a.value)); }
static fw_jet jet_exp(fw_jet a) { return chain(a, exp(a.value), exp(a.value), exp(a.value)); }

static fw_jet jet_tan(fw_jet a) {
  double f = tan(a.value), slope = 1.0 + f * f;
  return chain(a, f, slope, 2.0 * f * slope);
}

static fw_jet jet_tanh(fw_jet a) {
  double f = tanh(a.value), slope = 1.0 - f * f;
  return chain(a, f, slope, -2.0 * f * slope);
}

/* A function whose derivative is s^n, s = p + q x^2: the second is 2 n q x s^(n - 1). */
static fw_jet of_square(fw_jet a, double f, double p, double q, double n) {
  double x = a.value, s = p + q * x * x;
  return chain(a, f, pow(s, n), 2.0 * n * q * x * pow(s, n - 1.0));
}

static fw_jet jet_asin(fw_jet a) { return of_square(a, asin(a.value), 1.0, -1.0, -0.5); }
static fw_jet jet_atan(fw_jet a) { return of_square(a, atan(a.value), 1.0, 1.0, -1.0); }
static fw_jet jet_asinh(fw_jet a) { return of_square(a, asinh(a.value), 1.0, 1.0, -0.5); }
static fw_jet jet_acosh(fw_jet a) { return of_square(a, acosh(a.value), -1.0, 1.0, -0.5); }
static fw_jet jet_atanh(fw_jet a) { return of_square(a, atanh(a.value), 1.0, -1.0, -1.0); }

static fw_jet jet_acos(fw_jet a) {
  fw_jet other = fw_jet_negative(jet_asin(a));
  other.value = acos(a.value);
  return other;
}

/* log(x)/log(base). */
static fw_jet logarithm(fw_jet a, double f, double base) {
  double slope = 1.0 / (a.value * base);
  return chain(a, f, slope, -slope / a.value);
}

static fw_jet jet_ln(fw_jet a) { return logarithm(a, log(a.value), 1.0); }
static fw_jet jet_log2(fw_jet a) { return logarithm(a, log2(a.value), log(2.0)); }
static fw_jet jet_log10(fw_jet a) { return logarithm(a, log10(a.value), log(10.0)); }

static fw_jet jet_sqrt(fw_jet a) {
  double f = sqrt(a.value);
  return chain(a, f, 0.5 / f, -0.25 / (f * a.value));
}

static double sign_of(double x) { return (x > 0.0) - (x < 0.0); }

static fw_jet jet_sign(fw_jet a) { return fw_jet_constant(sign_of(a.value)); }
static fw_jet jet_rint(fw_jet a) { return fw_jet_constant(floor(a.value + 0.5)); }
static fw_jet jet_abs(fw_jet a) { return chain(a, fabs(a.value), sign_of(a.value), 0.0); }

/* The angle of (x, y): its rate is (x y' - y x')/r^2, and with u = x y' - y x', w = r^2 the second u'/w - u w'/w^2. */
static fw_jet jet_atan2(fw_jet y, fw_jet x) {
  double w = x.value * x.value + y.value * y.value, u = x.value * y.first - y.value * x.first;
  double u_t = x.value * y.second - y.value * x.second, w_t = 2.0 * (x.value * x.first + y.value * y.first);
  if (is_constant(x) && is_constant(y)) return fw_jet_constant(atan2(y.value, x.value));
  return (fw_jet){atan2(y.value, x.value), u / w, u_t / w - u * w_t / (w * w)};
}

static fw_jet jet_of_many(const char *name, const fw_jet *a, int count) {
  fw_jet result = a[0];
  bool adds = strcmp(name, "sum") == 0 || strcmp(name, "avg") == 0, least = strcmp(name, "min") == 0;
  for (int i = 1; i < count; i++) {
    if (adds)
      result = fw_jet_sum(result, a[i]);
    else if (least ? a[i].value < result.value : a[i].value > result.value)
      result = a[i];
  }
  return strcmp(name, "avg") == 0 ? fw_jet_quotient(result, fw_jet_constant(count)) : result;
}

static const struct {
  const char *name;
  fw_jet (*of)(fw_jet a);
} functions[] = {{"sin", jet_sin},   {"cos", jet_cos},     {"tan", jet_tan},     {"asin", jet_asin},
                 {"acos", jet_acos}, {"atan", jet_atan},   {"sinh", jet_sinh},   {"cosh", jet_cosh},
                 {"tanh", jet_tanh}, {"asinh", jet_asinh}, {"acosh", jet_acosh}, {"atanh", jet_atanh},
                 {"ln", jet_ln},     {"log", jet_ln},      {"log2", jet_log2},   {"log10", jet_log10},
                 {"exp", jet_exp},   {"sqrt", jet_sqrt},   {"sign", jet_sign},   {"rint", jet_rint},
                 {"abs", jet_abs}};

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; names++)
    if (strcmp(name, *names) == 0) return true;
  return false;
}

bool fw_jet_function(const char *name, const fw_jet *arguments, int count, fw_jet *result) {
  static const char *const of_many[] = {"min", "max", "sum", "avg", NULL};
  if (count < 1) return false;
  if (is_one_of(name, of_many)) {
    *result = jet_of_many(name, arguments, count);
    return true;
  }
  if (count == 2 && strcmp(name, "atan2") == 0) {
    *result = jet_atan2(arguments[0], arguments[1]);
    return true;
  }
  for (size_t i = 0; count == 1 && i < sizeof functions / sizeof *functions; i++)
    if (strcmp(name, functions[i].name) == 0) {
      *result = functions[i].of(arguments[0]);
      return true;
    }
  return false;
}
