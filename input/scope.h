/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions over named numbers (muParser). */
#ifndef FW_INPUT_SCOPE_H
#define FW_INPUT_SCOPE_H

#include "core/context.h"
#include "input/units.h"

typedef struct fw_scope fw_scope;

/* A scope with nothing but pi and the functions. Destroy is NULL-safe. */
fw_status fw_scope_create(fw_context *ctx, fw_scope **scope);
void fw_scope_destroy(fw_scope **scope);

/* Adds a variable that reads *value. NULL, or why the name cannot be used (static text; this one for want of memory). */
extern const char fw_scope_no_memory[];
const char *fw_scope_define(fw_scope *scope, const char *name, double *value);

/* The value of a variable that could not be evaluated: expressions that use it count as right, so that one mistake
 * is reported once. */
double fw_scope_unknown(fw_scope *scope);

/* Evaluates an expression. False if it is wrong; `why` then says so, with a suggestion for a misspelt name. The value
 * may be anything. */
bool fw_scope_compile(fw_scope *scope, const char *expression, double *value, char *why, size_t room);
/* The same, but a value that is not finite is wrong. */
bool fw_scope_evaluate(fw_scope *scope, const char *expression, double *value, char *why, size_t room);

/* Where the dimensions of variables are found; `of` returns NULL for one that is not known. */
void fw_scope_measure(fw_scope *scope, const fw_dimension *(*of)(const void *user, const double *variable),
                      const void *user);

/* The dimension of an expression that can be evaluated. Bare: it has no variables. Unknown: a variable is, or a number
 * in it may well have a dimension of its own (9.81, 210e9; small whole numbers, their halves to eighths and powers of
 * ten have none), or it is no product of powers: a sum of unlikes, a function of something that is no number. */
typedef enum fw_dimension_known { FW_DIMENSION_UNKNOWN, FW_DIMENSION_BARE, FW_DIMENSION_KNOWN } fw_dimension_known;
fw_dimension_known fw_scope_dimension(fw_scope *scope, const char *expression, fw_dimension *dimension);

/* The expression evaluated last, with the variables as they are now: it is not parsed again. */
double fw_scope_again(fw_scope *scope);

/* The variables an expression uses: calls `use` with each one's name (lent for the call) and pointer. */
void fw_scope_uses(fw_scope *scope, const char *expression,
                   void (*use)(void *user, const char *name, const double *variable), void *user);

#endif
