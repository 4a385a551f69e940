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

/* A sample beyond the range of its parameter could not be run. */
static fw_status check_limits(fw_context *ctx, const fw_parameters *parameters, const fw_parameter *one,
                              const fw_args *vary) {
  static const char *const ends[] = {"min", "max"};
  double limits[2];
  FW_TRY(fw_parameter_limits(ctx, parameters, one, limits));
  for (int k = 0; k < 2; k++) {
    double end = fw_args_number(vary, ends[k]);
    if (!fw_args_given(vary, ends[k]) || (end >= limits[0] && end <= limits[1])) continue;
    return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(vary, ends[k]),
                      "attribute '%s': %g is beyond what the parameter %s may be, %g to %g", ends[k], end, one->name,
                      limits[0], limits[1]);
  }
  return FW_OK;
}

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
    FW_TRY(check_limits(ctx, parameters, one, vary));
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

static fw_sampling_options options_of(const fw_study *study) {
  return (fw_sampling_options){study->factor_count, study->seed, study->nominal, study->sampling_args,
                               study->local ? study->local->known : NULL};
}

static void place_values(fw_study *study) {
  size_t d = (size_t)study->factor_count;
  for (size_t i = 0; i < (size_t)study->samples * d; i++)
    study->values[i] = fw_distribution_value(&study->factors[i % d].distribution, study->u[i]);
}

static fw_status make_design(fw_context *ctx, fw_study *study, const fw_item *item) {
  size_t d = (size_t)study->factor_count;
  FW_TRY(fw_alloc(ctx, d, sizeof *study->nominal, &study->nominal));
  for (size_t k = 0; k < d; k++)
    study->nominal[k] = fw_distribution_place(&study->factors[k].distribution, study->factors[k].nominal);
  fw_sampling_options options = options_of(study);
  FW_TRY(study->sampling->size(ctx, &options, &study->samples));
  if (study->samples > FW_MOST_SAMPLES)
    return fw_fail_at(ctx, FW_ERR_DECK, item->args.place, "more than %d samples", FW_MOST_SAMPLES);
  size_t count = (size_t)study->samples;
  FW_TRY(fw_alloc(ctx, count * d, sizeof *study->u, &study->u));
  FW_TRY(fw_alloc(ctx, count * d, sizeof *study->values, &study->values));
  if (study->sampling->extend) FW_TRY(fw_alloc(ctx, count, sizeof *study->wanted, &study->wanted));
  FW_TRY(study->sampling->fill(ctx, &options, study->samples, study->u));
  FW_TRY(correlate(ctx, study, item));
  place_values(study);
  return FW_OK;
}

fw_status fw_study_extend(fw_context *ctx, fw_study *study, const double *f) {
  fw_sampling_options options = options_of(study);
  memset(study->wanted, 0, (size_t)study->samples * sizeof *study->wanted);
  FW_TRY(study->sampling->extend(ctx, &options, study->samples, f, study->u, study->wanted));
  place_values(study);
  return FW_OK;
}

/* The figure that an extended design goes by: the one it names, or the first. */
static fw_status find_objective(fw_context *ctx, fw_study *study) {
  if (!study->sampling->extend) return FW_OK;
  if (study->figure_count == 0)
    return fw_fail_at(ctx, FW_ERR_DECK, study->sampling_args->place, "sampling '%s' needs a <result>",
                      study->sampling->entry.name);
  if (!fw_args_given(study->sampling_args, "result")) return FW_OK;
  const char *name = fw_args_text(study->sampling_args, "result");
  while (strcmp(study->figures[study->objective].name, name) != 0)
    if (++study->objective == study->figure_count)
      return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(study->sampling_args, "result"),
                        "attribute 'result': the study has no result '%s'", name);
  return FW_OK;
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
  FW_TRY(find_objective(ctx, study));
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
  free((*study)->wanted);
  free((*study)->nominal);
  free((*study)->u);
  free((*study)->values);
  free(*study);
  *study = NULL;
}
