/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/derivative.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 600, ARGUMENTS_MOST = 32, NAME_MOST = 100 };

typedef struct reader {
  const char *at;
  fw_jet_of_name of;
  const void *user;
  int depth;
  bool failed;
} reader;

static fw_jet fail(reader *r) {
  r->failed = true;
  return fw_jet_constant(NAN);
}

static void skip_blanks(reader *r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

/* Takes the sign if it comes next. */
static bool take(reader *r, const char *sign) {
  size_t length = strlen(sign);
  skip_blanks(r);
  if (r->failed || strncmp(r->at, sign, length) != 0) return false;
  r->at += length;
  return true;
}

static fw_jet choice(reader *r);

/* ---- numbers, names, functions ----------------------------------------------------------- */

static fw_jet number(reader *r) {
  char *end;
  double value = strtod(r->at, &end);
  if (end == r->at) return fail(r);
  r->at = end;
  return fw_jet_constant(value);
}

static fw_jet call(reader *r, const char *name) {
  fw_jet arguments[ARGUMENTS_MOST], result;
  int count = 0;
  do {
    if (count == ARGUMENTS_MOST) return fail(r);
    arguments[count++] = choice(r);
  } while (take(r, ","));
  if (!take(r, ")") || !fw_jet_function(name, arguments, count, &result)) return fail(r);
  return result;
}

static fw_jet named(reader *r) {
  char name[NAME_MOST];
  size_t length = 0;
  fw_jet jet;
  while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_') length++;
  if (length == 0 || length >= NAME_MOST) return fail(r);
  memcpy(name, r->at, length);
  name[length] = '\0';
  r->at += length;
  if (take(r, "(")) return call(r, name);
  return r->of(r->user, name, &jet) ? jet : fail(r);
}

static fw_jet atom(reader *r) {
  skip_blanks(r);
  if (isdigit((unsigned char)*r->at) || *r->at == '.') return number(r);
  if (!take(r, "(")) return named(r);
  fw_jet inner = choice(r);
  return take(r, ")") ? inner : fail(r);
}

/* ---- operators, the strongest first ------------------------------------------------------ */

static fw_jet with_sign(reader *r);

static fw_jet power(reader *r) {
  fw_jet base = atom(r);
  return take(r, "^") ? fw_jet_power(base, with_sign(r)) : base;
}

static fw_jet with_sign(reader *r) {
  if (++r->depth > DEEPEST) return fail(r);
  fw_jet result = take(r, "-") ? fw_jet_negative(with_sign(r)) : take(r, "+") ? with_sign(r) : power(r);
  r->depth--;
  return result;
}

static fw_jet product(reader *r) {
  fw_jet left = with_sign(r);
  for (;;) {
    if (take(r, "*"))
      left = fw_jet_product(left, with_sign(r));
    else if (take(r, "/"))
      left = fw_jet_quotient(left, with_sign(r));
    else
      return left;
  }
}

static fw_jet sum(reader *r) {
  fw_jet left = product(r);
  for (;;) {
    if (take(r, "+"))
      left = fw_jet_sum(left, product(r));
    else if (take(r, "-"))
      left = fw_jet_sum(left, fw_jet_negative(product(r)));
    else
      return left;
  }
}

static fw_jet truth(bool is) { return fw_jet_constant(is ? 1.0 : 0.0); }

static fw_jet comparison(reader *r) {
  fw_jet left = sum(r);
  for (;;) {
    if (take(r, "<="))
      left = truth(left.value <= sum(r).value);
    else if (take(r, ">="))
      left = truth(left.value >= sum(r).value);
    else if (take(r, "!="))
      left = truth(left.value != sum(r).value);
    else if (take(r, "=="))
      left = truth(left.value == sum(r).value);
    else if (take(r, "<"))
      left = truth(left.value < sum(r).value);
    else if (take(r, ">"))
      left = truth(left.value > sum(r).value);
    else
      return left;
  }
}

static fw_jet both(reader *r) {
  fw_jet left = comparison(r);
  while (take(r, "&&")) {
    fw_jet right = comparison(r);
    left = truth(left.value != 0.0 && right.value != 0.0);
  }
  return left;
}

static fw_jet either(reader *r) {
  fw_jet left = both(r);
  while (take(r, "||")) {
    fw_jet right = both(r);
    left = truth(left.value != 0.0 || right.value != 0.0);
  }
  return left;
}

static fw_jet choice(reader *r) {
  if (++r->depth > DEEPEST) return fail(r);
  fw_jet asked = either(r);
  if (take(r, "?")) {
    fw_jet yes = choice(r);
    fw_jet no = take(r, ":") ? choice(r) : fail(r);
    asked = asked.value != 0.0 ? yes : no;
  }
  r->depth--;
  return asked;
}

bool fw_derivative(const char *text, fw_jet_of_name of, const void *user, fw_jet *result) {
  reader r = {.at = text, .of = of, .user = user};
  *result = choice(&r);
  skip_blanks(&r);
  return !r.failed && *r.at == '\0';
}
