/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "input/origin.h"
#include "study/collected.h"
#include "study/local.h"

static int count_children(const fw_item *item, const char *name) {
  int count = 0;
  for (int i = 0; i < item->child_count; i++) count += strcmp(item->children[i].name, name) == 0;
  return count;
}

/* ---- what is varied ---------------------------------------------------------------------- */

static fw_status read_factor(fw_context *ctx, fw_study *study, const fw_parameters *parameters, const fw_args *vary) {
  const char *name = fw_args_text(vary, "parameter");
  if (fw_study_factor(study, name) >= 0)
    return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(vary, "parameter"), "attribute 'parameter': %s is varied twice",
                      name);
  fw_varied *factor = &study->factors[study->factor_count];
  FW_TRY(fw_distribution_read(ctx, vary, study->sampling->corners, &factor->distribution));
  for (int i = 0; i < parameters->count; i++) {
    const fw_parameter *one = &parameters->list[i];
    if (strcmp(one->name, name) != 0) continue;
    factor->nominal = one->value / one->factor;
  }
  factor->name = name;
  study->factor_count++;
  return FW_OK;
}

/* The deck's own list outlives the study, the evaluated copy does not: units are lent by the former. */
static void lend_units(fw_study *study, const fw_deck *deck) {
  const fw_parameters *own = fw_deck_parameters(deck);
  for (int k = 0; k < study->factor_count; k++) {
    study->factors[k].unit = "";
    for (int i = 0; i < own->count; i++)
      if (strcmp(own->list[i].name, study->factors[k].name) == 0 && own->list[i].unit)
        study->factors[k].unit = own->list[i].unit;
  }
}

static fw_status read_factors(fw_context *ctx, fw_study *study, const fw_deck *deck, const fw_item *item) {
  fw_parameters parameters = {0};
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count_children(item, "vary"), sizeof *study->factors, &study->factors));
  FW_TRY_DONE(fw_parameters_copy(ctx, fw_deck_parameters(deck), &parameters));
  FW_TRY_DONE(fw_parameters_evaluate(ctx, &parameters));
  for (int i = 0; i < item->child_count; i++)
    if (strcmp(item->children[i].name, "vary") == 0)
      FW_TRY_DONE(read_factor(ctx, study, &parameters, &item->children[i].args));
  lend_units(study, deck);
done:
  fw_parameters_clear(&parameters);
  return status;
}

/* ---- correlations ------------------------------------------------------------------------ */

static fw_status read_correlation(fw_context *ctx, const fw_study *study, const fw_args *args, double *matrix) {
  char *names, *rest = NULL;
  int found[3] = {-1, -1, -1}, count = 0;
  FW_TRY(fw_copy_text(ctx, fw_args_text(args, "parameters"), &names));
  for (char *one = strtok_r(names, ", \t\r\n", &rest); one && count < 3; one = strtok_r(NULL, ", \t\r\n", &rest))
    found[count++] = fw_study_factor(study, one);
  free(names);
  if (count != 2 || found[0] < 0 || found[1] < 0 || found[0] == found[1])
    return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(args, "parameters"),
                      "attribute 'parameters': two different parameters that this study varies");
  int d = study->factor_count;
  matrix[found[0] * d + found[1]] = matrix[found[1] * d + found[0]] = fw_args_number(args, "coefficient");
  return FW_OK;
}

static fw_status correlate(fw_context *ctx, fw_study *study, const fw_item *item) {
  int d = study->factor_count;
  if (count_children(item, "correlate") == 0) return FW_OK;
  if (study->sampling->corners || study->sampling->effects == FW_EFFECT_SOBOL)
    return fw_fail_at(ctx, FW_ERR_DECK, item->args.place, "sampling '%s' needs parameters that are independent",
                      study->sampling->entry.name);
  double *matrix;
  fw_status status;
  FW_TRY(fw_alloc(ctx, (size_t)d * (size_t)d, sizeof *matrix, &matrix));
  for (int k = 0; k < d; k++) matrix[k * d + k] = 1.0;
  for (int i = 0; i < item->child_count; i++)
    if (strcmp(item->children[i].name, "correlate") == 0)
      FW_TRY_DONE(read_correlation(ctx, study, &item->children[i].args, matrix));
  status = fw_copula_factor(d, matrix)
               ? FW_OK
               : fw_fail_at(ctx, FW_ERR_DECK, item->args.place,
                            "no parameters can be correlated like this (not positive definite)");
  for (long i = 0; i < study->samples && status == FW_OK; i++) fw_copula_apply(d, matrix, study->u + i * d);
done:
  free(matrix);
  return status;
}

/* ---- the design -------------------------------------------------------------------------- */

static fw_status make_design(fw_context *ctx, fw_study *study, const fw_item *item) {
  int d = study->factor_count;
  double *nominal;
  fw_status status;
  FW_TRY(fw_alloc(ctx, (size_t)d, sizeof *nominal, &nominal));
  for (int k = 0; k < d; k++)
    nominal[k] = fw_distribution_place(&study->factors[k].distribution, study->factors[k].nominal);
  fw_sampling_options options = {d, study->seed, nominal, study->sampling_args,
                                 study->local ? study->local->known : NULL};
  FW_TRY_DONE(study->sampling->size(ctx, &options, &study->samples));
  if (study->samples > FW_MOST_SAMPLES) {
    status = fw_fail_at(ctx, FW_ERR_DECK, item->args.place, "more than %d samples", FW_MOST_SAMPLES);
    goto done;
  }
  size_t numbers = (size_t)study->samples * (size_t)d;
  FW_TRY_DONE(fw_alloc(ctx, numbers, sizeof *study->u, &study->u));
  FW_TRY_DONE(fw_alloc(ctx, numbers, sizeof *study->values, &study->values));
  FW_TRY_DONE(study->sampling->fill(ctx, &options, study->samples, study->u));
  FW_TRY_DONE(correlate(ctx, study, item));
  for (size_t i = 0; i < numbers; i++)
    study->values[i] = fw_distribution_value(&study->factors[i % (size_t)d].distribution, study->u[i]);
done:
  free(nominal);
  return status;
}

double fw_fan_x(const fw_fan *fan, int point) {
  return fan->from + (fan->to - fan->from) * point / (double)(fan->points - 1);
}

/* ---- the mark ---------------------------------------------------------------------------- */

/* Expressions of results may use any parameter: all are in it, as they are set. */
static uint64_t mark_parameters(uint64_t h, const fw_parameters *all) {
  for (int i = 0; i < all->count; i++) h = fw_hash_text(fw_hash_text(h, all->list[i].name), all->list[i].expression);
  return h;
}

static uint64_t mark_figure(uint64_t h, const fw_figure *figure) {
  const char *const texts[] = {figure->name, figure->analysis, figure->path, figure->expression};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) h = fw_hash_text(h, texts[k]);
  return fw_hash_number(h, figure->level);
}

static uint64_t mark_fan(uint64_t h, const fw_fan *fan) {
  const char *const texts[] = {fan->name, fan->analysis, fan->table, fan->x, fan->y};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) h = fw_hash_text(h, texts[k]);
  return fw_hash_numbers(h, (double[]){fan->from, fan->to, fan->points}, 3);
}

static fw_status take_mark(fw_context *ctx, fw_study *study, const fw_deck *deck) {
  uint64_t h;
  FW_TRY(fw_deck_mark(ctx, deck, &h));
  h = fw_hash_text(mark_parameters(h, fw_deck_parameters(deck)), study->run);
  for (int k = 0; k < study->factor_count; k++) h = fw_hash_text(h, study->factors[k].name);
  for (int i = 0; i < study->figure_count; i++) h = mark_figure(h, &study->figures[i]);
  for (int i = 0; i < study->fan_count; i++) h = mark_fan(h, &study->fans[i]);
  study->mark = h;
  return FW_OK;
}

/* ---- life -------------------------------------------------------------------------------- */

static fw_status prepare_derivatives(fw_context *ctx, fw_study *study, const fw_deck *deck) {
  if (study->sampling->effects != FW_EFFECT_LOCAL) return FW_OK;
  FW_TRY(fw_local_create(ctx, deck, study, &study->local));
  study->derivatives = study->columns;
  study->columns += study->figure_count * study->factor_count;
  return FW_OK;
}

static fw_status read_study(fw_context *ctx, const fw_deck *deck, const fw_item *analyses, const fw_item *item,
                            fw_study *study) {
  study->id = fw_args_text(&item->args, "id");
  study->run = fw_args_given(&item->args, "run") ? fw_args_text(&item->args, "run") : NULL;
  study->sampling = (const fw_sampling_ops *)(const void *)item->entry;
  study->sampling_args = &item->entry_args;
  study->seed = (unsigned long)fw_args_integer(&item->args, "seed");
  study->time_limit = fw_args_number(&item->args, "time-limit");
  FW_TRY(read_factors(ctx, study, deck, item));
  FW_TRY(fw_study_collect(ctx, deck, analyses, item, study));
  FW_TRY(prepare_derivatives(ctx, study, deck));
  FW_TRY(make_design(ctx, study, item));
  return take_mark(ctx, study, deck);
}

fw_status fw_study_create(fw_context *ctx, const fw_deck *deck, const fw_item *analyses, const fw_item *item,
                          fw_study **study) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **study, study));
  fw_status status = read_study(ctx, deck, analyses, item, *study);
  if (status != FW_OK) fw_study_destroy(study);
  return status;
}

void fw_study_destroy(fw_study **study) {
  if (!study || !*study) return;
  fw_local_destroy(&(*study)->local);
  free((*study)->factors);
  free((*study)->figures);
  free((*study)->fans);
  free((*study)->u);
  free((*study)->values);
  free(*study);
  *study = NULL;
}
