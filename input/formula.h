/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas compiled from text. */
#ifndef FW_INPUT_FORMULA_H
#define FW_INPUT_FORMULA_H

#include "core/formula.h"
#include "input/scope.h"

/* A formula of `variables` ("a|b|c") and, as constants with the values they have now, the names of a scope; a variable
 * hides a name of the scope. `why` is empty or says what is wrong with the text; then, and if a name's value is
 * unknown, *formula is NULL. The status tells of memory only.
 *
 * Derivatives are exact; at a corner those of one side. Where one has no bounds (sqrt(v) at 0) it is that a trace
 * beside, 1e-5 of the variable, at least 1e-12. */
fw_status fw_formula_of_scope(fw_context *ctx, fw_scope *scope, const char *text, const char *variables,
                              fw_formula **formula, char *why, size_t room);

#endif
