/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/scope.h"

#include <ctype.h>
#include <math.h>
#include <muParserDLL.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/table.h"

struct fw_scope {
  muParserHandle_t parser;
  const char **names; /* NULL-terminated: functions, pi, then the variables (owned by the caller) */
  int count;
  bool unknowns; /* some variable is unknown (NaN) */
  const fw_dimension *(*dimension_of)(const void *user, const double *variable);
  const void *dimension_user;
};

enum { EXPRESSION_LENGTH = 2000 }; /* the parser of expressions nests as deep as they do */

/* muParser returns texts in one static buffer. */
static pthread_mutex_t text_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *const functions[] = {"sin",  "cos",   "tan",   "asin",  "acos", "atan", "atan2", "sinh", "cosh",
                                        "tanh", "asinh", "acosh", "atanh", "log",  "log2", "log10", "ln",   "exp",
                                        "sqrt", "sign",  "rint",  "abs",   "min",  "max",  "sum",   "avg",  "pi"};

fw_status fw_scope_create(fw_context *ctx, fw_scope **scope) {
  size_t known = sizeof functions / sizeof *functions;
  FW_TRY(fw_alloc(ctx, 1, sizeof **scope, scope));
  fw_scope *self = *scope;
  self->parser = mupCreate(muBASETYPE_FLOAT);
  self->names = calloc(known + 1, sizeof *self->names);
  if (!self->parser || !self->names) {
    fw_scope_destroy(scope);
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  }
  memcpy(self->names, functions, sizeof functions);
  self->count = (int)known;
  mupDefineConst(self->parser, "pi", M_PI);
  return FW_OK;
}

void fw_scope_destroy(fw_scope **scope) {
  if (!scope || !*scope) return;
  if ((*scope)->parser) mupRelease((*scope)->parser);
  free((*scope)->names);
  free(*scope);
  *scope = NULL;
}

const char fw_scope_no_memory[] = "finds no memory";

const char *fw_scope_define(fw_scope *scope, const char *name, double *value) {
  if (isdigit((unsigned char)name[0]) || name[strspn(name,
                                                     "abcdefghijklmnopqrstuvwxyz"
                                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")])
    return "is not a name for expressions: use letters, digits and _";
  for (int i = 0; i < (int)(sizeof functions / sizeof *functions); i++)
    if (strcmp(functions[i], name) == 0) return "is the name of a function or constant";
  mupDefineVar(scope->parser, name, value);
  if (mupError(scope->parser)) return "cannot be used as a name";
  const char **names = realloc(scope->names, (size_t)(scope->count + 2) * sizeof *names);
  if (!names) return fw_scope_no_memory;
  scope->names = names;
  names[scope->count++] = name;
  names[scope->count] = NULL;
  return NULL;
}

double fw_scope_unknown(fw_scope *scope) {
  scope->unknowns = true;
  return NAN;
}

/* muParser can assign to variables; decks cannot. */
static bool assigns(const char *expression) {
  for (const char *at = expression; (at = strchr(at, '=')); at++) {
    if (at[1] == '=') {
      at++;
      continue;
    }
    if (at == expression || !strchr("!<>", at[-1])) return true;
  }
  return false;
}

/* What muParser cannot read: a misspelt name, a unit, or something else. */
static void explain_token(const fw_scope *scope, const char *token, char *why, size_t room) {
  const char *near = fw_nearest(scope->names, token);
  double factor;
  fw_dimension dimension;
  char wrong[32];
  if (!isalpha((unsigned char)token[0]) && token[0] != '_')
    snprintf(why, room, "'%s' is not understood; numbers are separated by commas", token);
  else if (strcmp(token, "t") == 0 || strcmp(token, "time") == 0)
    snprintf(why, room,
             "there is no parameter '%s': numbers here are constants; what changes in time are loads (harmonic, ramp, "
             "expression ...) and prescribed motions with an amplitude and a frequency",
             token);
  else if (fw_unit_factor(token, &factor, &dimension, wrong))
    snprintf(why, room,
             "there is no parameter or function '%s'; units belong to parameters, in their attribute unit: numbers "
             "elsewhere are in SI units",
             token);
  else
    snprintf(why, room, "there is no parameter or function '%s'%s%s%s", token, near ? "; did you mean '" : "",
             near ? near : "", near ? "'?" : "");
}

/* muParser's ecUNASSIGNABLE_TOKEN, ecUNEXPECTED_VAL, ecUNEXPECTED_VAR; their header is for C++. */
enum { UNKNOWN_TOKEN = 1, UNEXPECTED_VALUE = 5, UNEXPECTED_VARIABLE = 6 };

static void explain(fw_scope *scope, char *why, size_t room) {
  pthread_mutex_lock(&text_lock);
  char token[64];
  int code = mupGetErrorCode(scope->parser);
  snprintf(token, sizeof token, "%s", mupGetErrorToken(scope->parser));
  if (isdigit((unsigned char)token[0]) && isinf(strtod(token, NULL))) {
    snprintf(why, room, "%s is too large a number", token);
  } else if (code == UNKNOWN_TOKEN) {
    explain_token(scope, token, why, room);
  } else if (code == UNEXPECTED_VALUE || code == UNEXPECTED_VARIABLE) {
    snprintf(why, room, "an operator is missing before '%s', or a comma between two numbers", token);
  } else {
    snprintf(why, room, "%s", mupGetErrorMsg(scope->parser));
  }
  pthread_mutex_unlock(&text_lock);
}

bool fw_scope_compile(fw_scope *scope, const char *expression, double *value, char *why, size_t room) {
  *value = 0.0;
  if (!expression[strspn(expression, " \t\r\n")]) {
    snprintf(why, room, "a number is missing");
    return false;
  }
  if (strlen(expression) > EXPRESSION_LENGTH) {
    snprintf(why, room, "the expression is longer than %d characters", EXPRESSION_LENGTH);
    return false;
  }
  if (assigns(expression)) {
    snprintf(why, room, "'=' is not allowed in an expression");
    return false;
  }
  mupSetExpr(scope->parser, expression);
  int results = 0;
  const double *result = mupError(scope->parser) ? NULL : mupEvalMulti(scope->parser, &results);
  if (mupError(scope->parser)) {
    explain(scope, why, room);
    return false;
  }
  if (!result || results != 1) {
    snprintf(why, room, "one number is expected, not %d", results);
    return false;
  }
  *value = result[0];
  return true;
}

bool fw_scope_evaluate(fw_scope *scope, const char *expression, double *value, char *why, size_t room) {
  if (!fw_scope_compile(scope, expression, value, why, room)) return false;
  if (isfinite(*value) || (isnan(*value) && scope->unknowns)) return true;
  snprintf(why, room, "the value is not finite");
  return false;
}

double fw_scope_again(fw_scope *scope) { return mupEval(scope->parser); }

void fw_scope_uses(fw_scope *scope, const char *expression,
                   void (*use)(void *user, const char *name, const double *variable), void *user) {
  pthread_mutex_lock(&text_lock);
  mupSetExpr(scope->parser, expression);
  int count = mupError(scope->parser) ? 0 : mupGetExprVarNum(scope->parser);
  for (int i = 0; i < count; i++) {
    const char *name = NULL;
    double *variable = NULL;
    mupGetExprVar(scope->parser, (unsigned)i, &name, &variable);
    if (variable) use(user, name, variable);
  }
  mupError(scope->parser); /* clears an error; evaluation reports it */
  pthread_mutex_unlock(&text_lock);
}

/* ---- dimensions --------------------------------------------------------------------------- */

void fw_scope_measure(fw_scope *scope, const fw_dimension *(*of)(const void *user, const double *variable),
                      const void *user) {
  scope->dimension_of = of;
  scope->dimension_user = user;
}

enum { VARIABLES_MOST = 32 };

typedef struct measured {
  const fw_scope *scope;
  double *variable[VARIABLES_MOST], value[VARIABLES_MOST];
  const fw_dimension *dimension[VARIABLES_MOST];
  int count;
  bool unknown;
} measured;

static void note_measured(void *user, const char *name, const double *variable) {
  measured *m = user;
  (void)name;
  if (m->count == VARIABLES_MOST) m->unknown = true;
  if (m->unknown) return;
  m->dimension[m->count] = m->scope->dimension_of(m->scope->dimension_user, variable);
  m->unknown = !m->dimension[m->count];
  m->value[m->count] = *variable;
  m->variable[m->count++] = (double *)variable; /* they are the scope's to read; each is put back below */
}

/* Whether a number is likely to be no more than that. */
static bool is_plain(double number) {
  double size = fabs(number), ten = size > 0.0 ? size / pow(10.0, floor(log10(size) + 1e-12)) : 0.0;
  if (fabs(ten - nearbyint(ten)) < 1e-9) return true;
  return size <= 100.0 && 8.0 * size == nearbyint(8.0 * size);
}

static bool has_plain_numbers(const char *text) {
  for (const char *at = text; *at;) {
    char *end;
    if (isdigit((unsigned char)*at) || *at == '.') {
      if (!is_plain(strtod(at, &end))) return false;
      at = end > at ? end : at + 1;
    } else if (isalpha((unsigned char)*at) || *at == '_') {
      while (isalnum((unsigned char)*at) || *at == '_') at++;
    } else {
      at++;
    }
  }
  return true;
}

/* Value of the expression set last if one base unit were smaller by this factor. */
static double in_other_units(const measured *m, int base, double factor) {
  for (int i = 0; i < m->count; i++) *m->variable[i] = m->value[i] * pow(factor, m->dimension[i]->power[base]);
  double value = mupEval(m->scope->parser);
  for (int i = 0; i < m->count; i++) *m->variable[i] = m->value[i];
  return mupError(m->scope->parser) ? NAN : value;
}

/* A product of powers grows by a power of the factor, the same one for any: that is what a dimension is. */
static bool find_power(const measured *m, double value, int base, double *power) {
  double one = log(in_other_units(m, base, 2.0) / value) / log(2.0);
  double other = log(in_other_units(m, base, 7.3) / value) / log(7.3);
  *power = 0.25 * nearbyint(4.0 * one);
  return fabs(one - *power) < 1e-9 && fabs(other - *power) < 1e-9;
}

fw_dimension_known fw_scope_dimension(fw_scope *scope, const char *expression, fw_dimension *dimension) {
  measured m = {.scope = scope};
  double value;
  char why[64]; /* nobody reads it */
  if (!scope->dimension_of) return FW_DIMENSION_UNKNOWN;
  fw_scope_uses(scope, expression, note_measured, &m);
  if (m.unknown) return FW_DIMENSION_UNKNOWN;
  if (m.count == 0) return FW_DIMENSION_BARE;
  if (!has_plain_numbers(expression) || !fw_scope_evaluate(scope, expression, &value, why, sizeof why) || value == 0.0)
    return FW_DIMENSION_UNKNOWN;
  for (int base = 0; base < FW_BASES; base++)
    if (!find_power(&m, value, base, &dimension->power[base])) return FW_DIMENSION_UNKNOWN;
  return FW_DIMENSION_KNOWN;
}
