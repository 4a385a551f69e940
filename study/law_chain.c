/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/law_chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"

/* Attributes that were evaluated to the same. A formula may have parameters in it: it counts as different. */
static bool args_agree(const fw_args *a, const fw_args *b) {
  for (int i = 0; i < fw_param_count(a->params); i++) {
    const fw_value *x = &a->values[i], *y = &b->values[i];
    if (x->formula || x->count != y->count) return false;
    if (x->count && memcmp(x->numbers, y->numbers, (size_t)x->count * sizeof *x->numbers) != 0) return false;
  }
  return true;
}

/* True if the two decks differ in the numbers of friction laws at most. Studies, outputs and data are no part of the
 * model, parameters only through the others. */
static bool only_friction_differs(const fw_item *a, const fw_item *b) {
  static const char *const aside[] = {"parameters", "studies", "outputs", "data", "identification"};
  for (size_t i = 0; i < sizeof aside / sizeof *aside; i++)
    if (strcmp(a->name, aside[i]) == 0) return true;
  if (a->child_count != b->child_count || a->entry != b->entry) return false;
  bool laws = strcmp(a->name, "friction") == 0;
  if (!laws && (!args_agree(&a->args, &b->args) || !args_agree(&a->entry_args, &b->entry_args))) return false;
  for (int i = 0; i < a->child_count; i++)
    if (!only_friction_differs(&a->children[i], &b->children[i])) return false;
  return true;
}

/* Adds the numbers of one law that differ between two models a step apart; false: the law itself is another. */
static fw_status compare_law(fw_context *ctx, const fw_friction *from, const fw_friction *to, double step,
                             fw_law_chain chain, fw_law_chains *chains, bool *only) {
  int count = fw_law_number_count(from);
  *only = *only && fw_law_number_count(to) == count;
  for (int i = 0; *only && i < count; i++) {
    fw_law_number a, b;
    fw_law_number_get(from, i, &a);
    fw_law_number_get(to, i, &b);
    if (b.value == a.value) continue;
    chain.place.number = i;
    chain.rate = (b.value - a.value) / step;
    FW_TRY(fw_grow(ctx, chains->count, &chains->room, sizeof *chains->list, &chains->list));
    chains->list[chains->count++] = chain;
  }
  return FW_OK;
}

static fw_status compare_laws(fw_context *ctx, const fw_model *low, const fw_model *high, double step, int parameter,
                              fw_law_chains *chains, bool *only) {
  for (int p = 0; p < low->pair_count && *only; p++) {
    int laws, others;
    const fw_friction *from = fw_friction_parts(&low->pairs[p]->friction, &laws);
    const fw_friction *to = fw_friction_parts(&high->pairs[p]->friction, &others);
    *only = laws == others;
    for (int l = 0; l < laws && *only; l++)
      FW_TRY(compare_law(ctx, &from[l], &to[l], step, (fw_law_chain){parameter, {p, l, 0}, 0.0}, chains, only));
  }
  return FW_OK;
}

/* The deck with one parameter moved. */
static fw_status build_at(fw_context *ctx, fw_deck *deck, const char *parameter, double value, fw_built **built) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  FW_TRY(fw_deck_set(ctx, deck, parameter, text));
  return fw_deck_build(ctx, deck, built);
}

fw_status fw_law_chains_find(fw_context *ctx, fw_deck *deck, const char *name, int parameter, double low, double high,
                             fw_law_chains *chains, bool *only) {
  fw_built *less = NULL, *more = NULL;
  int before = chains->count;
  fw_status status;
  FW_TRY_DONE(build_at(ctx, deck, name, low, &less));
  FW_TRY_DONE(build_at(ctx, deck, name, high, &more));
  *only = only_friction_differs(&less->root, &more->root);
  status = compare_laws(ctx, less->model, more->model, high - low, parameter, chains, only);
  if (!*only) chains->count = before;
done:
  fw_built_destroy(&less);
  fw_built_destroy(&more);
  return status;
}

void fw_law_chains_clear(fw_law_chains *chains) {
  free(chains->list);
  *chains = (fw_law_chains){0};
}
