/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions: a value that is accepted is finite, one that is refused is told why; the same text as a formula. */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "input/formula.h"

static void as_formula(fw_context *ctx, fw_scope *scope, const char *text) {
  fw_formula *formula = NULL;
  char why[256];
  if (fw_formula_of_scope(ctx, scope, text, "x|v", &formula, why, sizeof why) != FW_OK || !formula) return;
  double at[2] = {1e-3, 0}, slope[2];
  static volatile double value;
  value = formula->value(formula, at, slope);
  (void)value;
  fw_formula_release(&formula);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fw_context *ctx = fuzz_context();
  fw_scope *scope = NULL;
  char *text = fuzz_text(data, size), why[256] = "";
  double a = 2, length = 0.3, value = 0;
  fw_dimension dimension;
  fuzz_demand(fw_scope_create(ctx, &scope) == FW_OK, "a scope");
  fw_scope_define(scope, "a", &a);
  fw_scope_define(scope, "length", &length);
  if (fw_scope_evaluate(scope, text, &value, why, sizeof why)) {
    fuzz_demand(isfinite(value), "an expression that is accepted has a finite value");
    fw_scope_dimension(scope, text, &dimension);
  } else {
    fuzz_demand(why[0] != '\0', "an expression that is refused is told why");
  }
  as_formula(ctx, scope, text);
  fw_scope_destroy(&scope);
  free(text);
  fw_context_destroy(&ctx);
  return 0;
}
