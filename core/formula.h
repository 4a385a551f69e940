/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who owns a formula (fretwork_law.h): it is shared by all that hold it and goes with the last. */
#ifndef FW_CORE_FORMULA_H
#define FW_CORE_FORMULA_H

#include <stdatomic.h>
#include <stdint.h>

#include "core/context.h"
#include "fretwork_law.h"

/* How those who make formulas begin their struct. */
typedef struct fw_shared_formula {
  fw_formula face; /* first: a fw_formula * is a fw_shared_formula * */
  atomic_int shares;
  uint64_t mark; /* of its text and of the numbers that names in it stand for */
  unsigned uses; /* bit i: its variable i occurs */
  /* First and second derivative with respect to its first variable at t, the others 0. */
  void (*rates)(const struct fw_shared_formula *self, double t, double rates[2]);
  void (*destroy)(struct fw_shared_formula *self);
} fw_shared_formula;

/* One more share (NULL: NULL), and one less (NULL-safe). */
fw_formula *fw_formula_share(fw_formula *formula);
void fw_formula_release(fw_formula **formula);

/* Equal for formulas that are written alike and whose names stand for the same numbers. */
uint64_t fw_formula_mark(const fw_formula *formula);

/* Whether the variable of that place occurs in it. */
bool fw_formula_uses(const fw_formula *formula, int variable);

/* First and second derivative of a formula of one variable, the time (s), at t. Either may be NULL. */
void fw_formula_rates(const fw_formula *formula, double t, double *first, double *second);

/* A formula of "a|b|c" without any other names. What is wrong with the text is FW_ERR_ARGUMENT with a message. Lives
 * in input/, where expressions are read. */
fw_status fw_formula_compile(fw_context *ctx, const char *text, const char *variables, fw_formula **formula);

#endif
