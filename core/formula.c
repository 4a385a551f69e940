/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/formula.h"

static fw_shared_formula *owner_of(fw_formula *formula) { return (fw_shared_formula *)(void *)formula; }

fw_formula *fw_formula_share(fw_formula *formula) {
  if (formula) atomic_fetch_add(&owner_of(formula)->shares, 1);
  return formula;
}

void fw_formula_release(fw_formula **formula) {
  if (!formula || !*formula) return;
  fw_shared_formula *owner = owner_of(*formula);
  if (atomic_fetch_sub(&owner->shares, 1) == 1) owner->destroy(owner);
  *formula = NULL;
}

void fw_formula_rates(const fw_formula *formula, double t, double *first, double *second) {
  double found[2];
  const fw_shared_formula *owner = (const fw_shared_formula *)(const void *)formula;
  owner->rates(owner, t, found);
  if (first) *first = found[0];
  if (second) *second = found[1];
}

bool fw_formula_uses(const fw_formula *formula, int variable) {
  return ((const fw_shared_formula *)(const void *)formula)->uses >> variable & 1;
}

uint64_t fw_formula_mark(const fw_formula *formula) { return ((const fw_shared_formula *)(const void *)formula)->mark; }
