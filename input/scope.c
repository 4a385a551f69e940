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
  mupDefineConst(self->parser, "pi", 3.14159265358979323846);
  return FW_OK;
}

void fw_scope_destroy(fw_scope **scope) {
  if (!scope || !*scope) return;
  if ((*scope)->parser) mupRelease((*scope)->parser);
  free((*scope)->names);
  free(*scope);
  *scope = NULL;
}

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
  if (!names) return "finds no memory";
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

static void explain(fw_scope *scope, char *why, size_t room) {
  pthread_mutex_lock(&text_lock);
  char token[64];
  snprintf(token, sizeof token, "%s", mupGetErrorToken(scope->parser));
  if (isdigit((unsigned char)token[0]) && isinf(strtod(token, NULL))) {
    snprintf(why, room, "%s is too large a number", token);
  } else if (mupGetErrorCode(scope->parser) == 1 /* unassignable token */) {
    const char *near = fw_nearest(scope->names, token);
    snprintf(why, room, "there is no parameter or function '%s'%s%s%s", token, near ? "; did you mean '" : "",
             near ? near : "", near ? "'?" : "");
  } else {
    snprintf(why, room, "%s", mupGetErrorMsg(scope->parser));
  }
  pthread_mutex_unlock(&text_lock);
}

bool fw_scope_evaluate(fw_scope *scope, const char *expression, double *value, char *why, size_t room) {
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
