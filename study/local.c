/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/local.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/figures.h"
#include "core/unknown.h"
#include "study/law_chain.h"

/* Over which d number / d parameter is taken: expressions of the deck are smooth. */
static const double relative_step = 1e-4;

/* ---- figures ----------------------------------------------------------------------------- */

/* What a figure's derivatives are called below sensitivity.PAIR.NUMBER; NULL: harmonic balance gives none. pair: whose
 * numbers only, or "" for those of all pairs. */
static const char *derivative_name(const char *path, char *pair, size_t room) {
  static const char *const of_resonance[] = {"frequency", "amplitude", "damping"};
  pair[0] = '\0';
  if (strncmp(path, "resonance.", 10) == 0)
    for (size_t i = 0; i < sizeof of_resonance / sizeof *of_resonance; i++)
      if (strcmp(path + 10, of_resonance[i]) == 0) return of_resonance[i];
  const char *dot = strrchr(path, '.');
  if (strncmp(path, "contact.", 8) != 0 || dot < path + 8) return NULL;
  snprintf(pair, room, "%.*s", (int)(dot - path - 8), path + 8);
  int figure = fw_contact_figure_named(dot + 1);
  return figure >= 0 && fw_contact_figures[figure].derivative ? fw_contact_figures[figure].name : NULL;
}

/* True if the chain's number is one of that pair's. */
static bool is_of_pair(const fw_local_chain *chain, const char *pair) {
  size_t length = strlen(pair);
  const char *at = chain->path + strlen("sensitivity.");
  return length == 0 || (strncmp(at, pair, length) == 0 && at[length] == '.');
}

static bool has_derivative(const fw_local_study *local, const fw_figure *figure, const char *run, int factor) {
  char pair[128];
  if (figure->expression) return true; /* from those of earlier figures */
  if (!figure->at_level || strcmp(figure->analysis, run) != 0 || !derivative_name(figure->path, pair, sizeof pair))
    return false;
  for (int i = 0; i < local->count; i++)
    if (local->chains[i].factor == factor && !is_of_pair(&local->chains[i], pair)) return false;
  return true;
}

double fw_local_derivative(const fw_local_study *local, const fw_record *summary, const char *prefix,
                           const fw_figure *figure, int factor) {
  char pair[128], path[512];
  const char *name = derivative_name(figure->path, pair, sizeof pair);
  double sum = 0, value;
  for (int i = 0; i < local->count; i++) {
    const fw_local_chain *chain = &local->chains[i];
    if (chain->factor != factor) continue;
    snprintf(path, sizeof path, "%s%s.%s", prefix, chain->path, name);
    sum += fw_record_number(summary, path, &value) == FW_OK ? chain->rate * value : fw_unknown();
  }
  return sum;
}

/* ---- parameters -------------------------------------------------------------------------- */

/* Takes a chain with the path that its derivatives have in a summary. */
static fw_status take_chain(fw_context *ctx, const fw_model *model, const fw_law_chain *chain, fw_local_study *local) {
  const fw_law_place *at = &chain->place;
  const fw_pair *pair = model->pairs[at->pair];
  int laws;
  fw_law_number number;
  char path[256], of_law[16] = "";
  if (at->law > 0) snprintf(of_law, sizeof of_law, "law%d.", at->law + 1);
  fw_law_number_get(fw_friction_parts(&pair->friction, &laws) + at->law, at->number, &number);
  snprintf(path, sizeof path, "sensitivity.%s.%s%s", pair->id, of_law, number.name);
  FW_TRY(fw_grow(ctx, local->count, &local->room, sizeof *local->chains, &local->chains));
  fw_local_chain *to = &local->chains[local->count];
  *to = (fw_local_chain){.factor = chain->parameter, .rate = chain->rate};
  FW_TRY(fw_copy_text(ctx, path, &to->path));
  local->count++;
  return FW_OK;
}

/* Decides about one parameter. FW_ERR_DECK: it has no neighbours on both sides. */
static fw_status try_factor(fw_context *ctx, const fw_deck *deck, const fw_study *study, int k, fw_local_study *local) {
  const fw_varied *factor = &study->factors[k];
  double size = factor->nominal != 0 ? fabs(factor->nominal) : 1, step = relative_step * size;
  fw_deck *own = NULL;
  fw_built *built = NULL;
  fw_law_chains chains = {0};
  fw_status status;
  FW_TRY_DONE(fw_deck_copy(ctx, deck, &own));
  FW_TRY_DONE(fw_deck_build(ctx, own, &built));
  FW_TRY_DONE(fw_law_chains_find(ctx, own, factor->name, k, factor->nominal - step, factor->nominal + step, &chains,
                                 &local->known[k]));
  for (int i = 0; i < chains.count; i++) FW_TRY_DONE(take_chain(ctx, built->model, &chains.list[i], local));
  for (int i = 0; i < study->figure_count; i++)
    local->known[k] = local->known[k] && has_derivative(local, &study->figures[i], study->run, k);
done:
  fw_law_chains_clear(&chains);
  fw_built_destroy(&built);
  fw_deck_destroy(&own);
  return status;
}

/* A parameter at the end of its range is not known: differences of whole runs, to one side, will tell. */
static fw_status try_quietly(fw_context *ctx, const fw_deck *deck, const fw_study *study, int k,
                             fw_local_study *local) {
  fw_context *quiet;
  FW_TRY(fw_context_fork(ctx, &quiet));
  fw_status status = try_factor(quiet, deck, study, k, local);
  if (status != FW_OK && status != FW_ERR_DECK) fw_fail(ctx, status, "%s", fw_context_message(quiet));
  fw_context_destroy(&quiet);
  return status == FW_ERR_DECK ? FW_OK : status;
}

/* True if the analysis that is run gives derivatives. */
static fw_status gives_derivatives(fw_context *ctx, const fw_deck *deck, const char *run, bool *gives) {
  fw_built *built;
  *gives = false;
  if (!run) return FW_OK;
  FW_TRY(fw_deck_build(ctx, deck, &built));
  for (int i = 0; built->analyses && i < built->analyses->child_count; i++) {
    const fw_item *item = &built->analyses->children[i];
    if (strcmp(fw_args_text(&item->args, "id"), run) == 0 && strcmp(item->entry->name, "frf") == 0)
      *gives = fw_args_flag(&item->entry_args, "sensitivities");
  }
  fw_built_destroy(&built);
  return FW_OK;
}

/* ---- life -------------------------------------------------------------------------------- */

fw_status fw_local_create(fw_context *ctx, const fw_deck *deck, const fw_study *study, fw_local_study **local) {
  bool gives;
  fw_status status;
  FW_TRY(fw_alloc(ctx, 1, sizeof **local, local));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)study->factor_count, sizeof *(*local)->known, &(*local)->known));
  FW_TRY_DONE(gives_derivatives(ctx, deck, study->run, &gives));
  for (int k = 0; k < study->factor_count && gives; k++) FW_TRY_DONE(try_quietly(ctx, deck, study, k, *local));
done:
  if (status != FW_OK) fw_local_destroy(local);
  return status;
}

void fw_local_destroy(fw_local_study **local) {
  if (!local || !*local) return;
  for (int i = 0; i < (*local)->count; i++) free((*local)->chains[i].path);
  free((*local)->chains);
  free((*local)->known);
  free(*local);
  *local = NULL;
}
