/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/collected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char expression_mark[] = "expression:";

fw_place fw_study_place(const fw_args *args, const char *name) {
  fw_place place = args->place;
  if (fw_args_given(args, name)) place.line = fw_args_value(args, name)->line;
  return place;
}

int fw_study_factor(const fw_study *study, const char *name) {
  for (int k = 0; k < study->factor_count; k++)
    if (strcmp(study->factors[k].name, name) == 0) return k;
  return -1;
}

bool fw_level_equals(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b); }

static bool is_taken(const fw_study *study, const char *name) {
  for (int i = 0; i < study->figure_count; i++)
    if (strcmp(study->figures[i].name, name) == 0) return true;
  for (int i = 0; i < study->fan_count; i++)
    if (strcmp(study->fans[i].name, name) == 0) return true;
  return fw_study_factor(study, name) >= 0 || strcmp(name, "sample") == 0 || strcmp(name, "state") == 0;
}

static fw_status check_name(fw_context *ctx, const fw_study *study, const fw_args *args) {
  const char *name = fw_args_text(args, "name");
  if (!is_taken(study, name)) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(args, "name"),
                    "attribute 'name': %s is already a column of the study", name);
}

/* ---- of what the study runs --------------------------------------------------------------- */

static const fw_item *find_analysis(const fw_item *analyses, const char *id) {
  for (int i = 0; analyses && i < analyses->child_count; i++)
    if (strcmp(fw_args_text(&analyses->children[i].args, "id"), id) == 0) return &analyses->children[i];
  return NULL;
}

/* The analysis `of` if the study runs it: `run` or one of those that it starts from; else NULL. */
static const fw_item *find_run(const fw_study *study, const fw_item *analyses, const char *of) {
  const fw_item *item = find_analysis(analyses, study->run);
  for (int i = 0; item && strcmp(fw_args_text(&item->args, "id"), of) != 0 && i < analyses->child_count; i++) {
    const char *start = fw_args_text(&item->args, "start");
    item = start ? find_analysis(analyses, start) : NULL;
  }
  return item;
}

static fw_status check_of(fw_context *ctx, const fw_study *study, const fw_item *analyses, const fw_args *args) {
  const char *of = fw_args_text(args, "of");
  if (find_run(study, analyses, of)) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(args, "of"),
                    "attribute 'of': the study runs %s and what that starts from, not %s", study->run, of);
}

static bool has_level(const fw_item *analysis, double level) {
  const fw_args *args = &analysis->entry_args;
  for (int i = 0; args->params[i].name; i++) {
    const fw_value *levels = &args->values[i];
    if (strcmp(args->params[i].name, "levels") != 0) continue;
    for (int l = 0; l < levels->count; l++)
      if (fw_level_equals(levels->numbers[l], level)) return true;
    return false;
  }
  return false;
}

static fw_status check_level(fw_context *ctx, const fw_study *study, const fw_item *analyses, const fw_args *args) {
  const fw_item *analysis = find_run(study, analyses, fw_args_text(args, "of"));
  double level = fw_args_number(args, "level");
  if (analysis && has_level(analysis, level)) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(args, "level"), "attribute 'level': %s has no level %g",
                    fw_args_text(args, "of"), level);
}

/* ---- figures ------------------------------------------------------------------------------ */

static fw_status read_figure(fw_context *ctx, fw_study *study, const fw_item *analyses, const fw_args *args) {
  FW_TRY(check_name(ctx, study, args));
  fw_figure *figure = &study->figures[study->figure_count];
  const char *quantity = fw_args_text(args, "quantity");
  bool is_expression = strncmp(quantity, expression_mark, strlen(expression_mark)) == 0;
  *figure = (fw_figure){.name = fw_args_text(args, "name"),
                        .analysis = fw_args_given(args, "of") ? fw_args_text(args, "of") : NULL,
                        .at_level = fw_args_given(args, "level"),
                        .level = fw_args_number(args, "level"),
                        .place = fw_study_place(args, "quantity"),
                        .path = is_expression ? NULL : quantity,
                        .expression = is_expression ? quantity + strlen(expression_mark) : NULL};
  if (is_expression && figure->analysis)
    return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(args, "of"), "attribute 'of': an expression is of no analysis");
  if (!is_expression && !study->run)
    return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(args, "quantity"),
                      "attribute 'quantity': the study runs nothing (attribute run), so only expressions are known");
  if (figure->at_level && !figure->analysis)
    return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(args, "level"),
                      "attribute 'level': of which analysis? (attribute of)");
  if (figure->analysis) FW_TRY(check_of(ctx, study, analyses, args));
  if (figure->at_level) FW_TRY(check_level(ctx, study, analyses, args));
  study->figure_count++;
  return FW_OK;
}

static fw_status read_fan(fw_context *ctx, fw_study *study, const fw_item *analyses, const fw_args *args) {
  FW_TRY(check_name(ctx, study, args));
  if (!study->run) return fw_fail_at(ctx, FW_ERR_DECK, args->place, "the study runs nothing (attribute run)");
  FW_TRY(check_of(ctx, study, analyses, args));
  fw_fan *fan = &study->fans[study->fan_count];
  *fan = (fw_fan){.name = fw_args_text(args, "name"),
                  .analysis = fw_args_text(args, "of"),
                  .table = fw_args_text(args, "table"),
                  .x = fw_args_text(args, "x"),
                  .y = fw_args_text(args, "y"),
                  .from = fw_args_number(args, "from"),
                  .to = fw_args_number(args, "to"),
                  .points = fw_args_integer(args, "points"),
                  .column = study->columns};
  if (fan->from >= fan->to)
    return fw_fail_at(ctx, FW_ERR_DECK, fw_study_place(args, "to"), "attribute 'to': must be above from = %g",
                      fan->from);
  study->columns += fan->points;
  study->fan_count++;
  return FW_OK;
}

static fw_status read_collected(fw_context *ctx, const fw_item *analyses, const fw_item *item, fw_study *study) {
  FW_TRY(fw_alloc(ctx, (size_t)item->child_count, sizeof *study->figures, &study->figures));
  FW_TRY(fw_alloc(ctx, (size_t)item->child_count, sizeof *study->fans, &study->fans));
  for (int i = 0; i < item->child_count; i++)
    if (strcmp(item->children[i].name, "result") == 0)
      FW_TRY(read_figure(ctx, study, analyses, &item->children[i].args));
  study->columns = study->figure_count;
  for (int i = 0; i < item->child_count; i++)
    if (strcmp(item->children[i].name, "curve") == 0) FW_TRY(read_fan(ctx, study, analyses, &item->children[i].args));
  if (study->columns) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, item->args.place, "the study collects nothing: a <result> or <curve> is needed");
}

/* Expressions with the deck's own values and 1 for every figure of a run: finds misspelt names before anything runs. */
static fw_status check_expressions(fw_context *ctx, const fw_study *study, const fw_deck *deck) {
  fw_parameters parameters = {0};
  double *values = NULL;
  char why[256];
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)study->figure_count, sizeof *values, &values));
  FW_TRY_DONE(fw_parameters_copy(ctx, fw_deck_parameters(deck), &parameters));
  FW_TRY_DONE(fw_parameters_evaluate(ctx, &parameters));
  for (int i = 0; i < study->figure_count; i++) {
    const fw_figure *figure = &study->figures[i];
    if (figure->expression && !fw_scope_evaluate(parameters.scope, figure->expression, &values[i], why, sizeof why) &&
        isfinite(values[i])) {
      status = fw_fail_at(ctx, FW_ERR_DECK, figure->place, "attribute 'quantity': %s", why);
      goto done;
    }
    if (!figure->expression) values[i] = 1.0;
    fw_scope_define(parameters.scope, figure->name, &values[i]);
  }
done:
  fw_parameters_clear(&parameters);
  free(values);
  return status;
}

fw_status fw_study_collect(fw_context *ctx, const fw_deck *deck, const fw_item *analyses, const fw_item *item,
                           fw_study *study) {
  FW_TRY(read_collected(ctx, analyses, item, study));
  return check_expressions(ctx, study, deck);
}
