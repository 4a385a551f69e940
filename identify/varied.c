/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/varied.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memo.h"

static fw_status limit_of(const fw_identify_job *job, const fw_parameters *all, const fw_parameter *one,
                          const char *text, const char *which, double *limit) {
  char why[256];
  if (!text || !text[0])
    return fw_fail_at(job->ctx, FW_ERR_DECK, one->place, "attribute '%s': is needed where a fit varies '%s'", which,
                      one->name);
  if (fw_scope_evaluate(all->scope, text, limit, why, sizeof why)) return FW_OK;
  return fw_fail_at(job->ctx, FW_ERR_DECK, one->place, "attribute '%s': '%s': %s", which, text, why);
}

static fw_status take_parameter(const fw_identify_job *job, const fw_parameters *all, const fw_parameter *one,
                                fw_fit_parameter *to) {
  *to = (fw_fit_parameter){.start = one->value / one->factor};
  FW_TRY(limit_of(job, all, one, one->min, "min", &to->low));
  FW_TRY(limit_of(job, all, one, one->max, "max", &to->high));
  if (!(to->low < to->high)) return fw_fail_at(job->ctx, FW_ERR_DECK, one->place, "attribute 'min': is not below max");
  snprintf(to->name, sizeof to->name, "%s", one->name);
  snprintf(to->unit, sizeof to->unit, "%s", one->unit ? one->unit : "");
  to->logarithmic = to->low > 0.0 && to->high > 20.0 * to->low;
  return FW_OK;
}

static const fw_parameter *find(const fw_parameters *all, const char *name) {
  for (int i = 0; i < all->count; i++)
    if (strcmp(all->list[i].name, name) == 0) return &all->list[i];
  return NULL;
}

static fw_status take_parameters(const fw_identify_job *job, const char *names, fw_varied_deck *v) {
  fw_parameters all = {0};
  char *copy = NULL, *rest = NULL;
  fw_status status;
  FW_TRY_DONE(fw_copy_text(job->ctx, names, &copy));
  FW_TRY_DONE(fw_parameters_copy(job->ctx, fw_deck_parameters(job->deck), &all));
  FW_TRY_DONE(fw_parameters_evaluate(job->ctx, &all));
  for (char *one = strtok_r(copy, ", \t\r\n", &rest); one; one = strtok_r(NULL, ", \t\r\n", &rest)) {
    const fw_parameter *found = find(&all, one);
    if (!found || v->count == FW_VARIED_MOST)
      status = fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place, "attribute 'parameters': at most %d of the deck's",
                          FW_VARIED_MOST);
    else
      status = take_parameter(job, &all, found, &v->list[v->count++]);
    if (status != FW_OK) goto done;
  }
done:
  fw_parameters_clear(&all);
  free(copy);
  return status;
}

fw_status fw_varied_deck_open(const fw_identify_job *job, const char *names, fw_varied_deck *v) {
  fw_status status;
  *v = (fw_varied_deck){.job = job};
  FW_TRY_DONE(take_parameters(job, names ? names : "", v));
  FW_TRY_DONE(fw_context_fork(job->ctx, &v->aside));
  FW_TRY_DONE(fw_context_remember(v->aside));
  FW_TRY_DONE(fw_deck_copy(job->ctx, job->deck, &v->deck));
done:
  if (status != FW_OK) fw_varied_deck_close(v);
  return status;
}

void fw_varied_deck_close(fw_varied_deck *v) {
  fw_deck_destroy(&v->deck);
  fw_context_destroy(&v->aside);
  *v = (fw_varied_deck){0};
}

fw_status fw_varied_deck_set(fw_varied_deck *v, const double *p) {
  char text[40];
  for (int k = 0; k < v->count; k++) {
    snprintf(text, sizeof text, "%.17g", p[k]);
    FW_TRY(fw_deck_set(v->aside, v->deck, v->list[k].name, text));
  }
  return FW_OK;
}

/* What numbers out of place make of a deck is a failure of that run, not of the fit. */
static fw_status soften(fw_status status) {
  return status == FW_ERR_DECK || status == FW_ERR_SINGULAR || status == FW_ERR_LIBRARY ? FW_ERR_ANALYSIS : status;
}

fw_status fw_varied_deck_run(fw_varied_deck *v, const double *p, const char *analysis, fw_read_fn read, void *user) {
  fw_context_clear(v->aside);
  FW_TRY(fw_varied_deck_set(v, p));
  return soften(v->job->run(v->aside, v->deck, analysis, read, user));
}

fw_status fw_varied_deck_reach(fw_varied_deck *v, const double *p, const char *analysis, fw_use_reached_fn use,
                               void *user) {
  fw_context_clear(v->aside);
  FW_TRY(fw_varied_deck_set(v, p));
  return soften(v->job->reach(v->aside, v->deck, analysis, use, user));
}

fw_status fw_varied_deck_chains(fw_varied_deck *v, const double *p, fw_law_chains *chains, bool *only) {
  const double step = 1e-4; /* of the value: expressions of the deck are smooth */
  char text[40];
  for (int k = 0; k < v->count; k++) {
    const fw_fit_parameter *x = &v->list[k];
    double size = step * (p[k] != 0.0 ? fabs(p[k]) : x->high - x->low);
    fw_context_clear(v->aside);
    FW_TRY(fw_varied_deck_set(v, p));
    fw_status status = fw_law_chains_find(v->aside, v->deck, x->name, k, fmax(p[k] - size, x->low),
                                          fmin(p[k] + size, x->high), chains, &only[k]);
    if (status == FW_ERR_DECK) only[k] = false; /* no neighbours: differences will tell */
    if (status != FW_OK && status != FW_ERR_DECK) return status;
    snprintf(text, sizeof text, "%.17g", p[k]);
    FW_TRY(fw_deck_set(v->aside, v->deck, x->name, text));
  }
  return FW_OK;
}
