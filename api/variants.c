/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/prepared.h"

/* Of a parameter, or of its unit where it is 0: central differences are then exact to 1e-8 of their size, and what an
 * equilibrium is off by counts ten thousand times. */
static const double relative_step = 1e-4;
static const char separators[] = ", \t\r\n";

typedef struct fw_variant_side {
  fw_deck *deck;
  fw_prepared prepared;
} fw_variant_side;

static fw_status side_open(fw_context *ctx, const fw_deck *deck, const char *parameter, double value, const char *id,
                           int threads, fw_variant_side *side) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  FW_TRY(fw_deck_copy(ctx, deck, &side->deck));
  FW_TRY(fw_deck_set(ctx, side->deck, parameter, text));
  return fw_prepare(ctx, side->deck, id, threads, &side->prepared);
}

static void side_close(fw_variant_side *side) {
  fw_prepared_clear(&side->prepared);
  fw_deck_destroy(&side->deck);
}

static const fw_parameter *find_parameter(const fw_parameters *parameters, const char *name, size_t length) {
  for (int i = 0; i < parameters->count; i++)
    if (strlen(parameters->list[i].name) == length && strncmp(parameters->list[i].name, name, length) == 0)
      return &parameters->list[i];
  return NULL;
}

static fw_status add_variant(fw_context *ctx, const fw_deck *deck, const fw_parameter *parameter, const char *id,
                             int threads, fw_variants *variants) {
  fw_variant *variant = &variants->list[variants->count];
  fw_variant_side *sides = &variants->sides[2 * variants->count++];
  double value = parameter->value / parameter->factor, scale = value != 0.0 ? fabs(value) : 1.0;
  *variant = (fw_variant){.step = relative_step * scale * parameter->factor, .scale = scale * parameter->factor};
  for (int k = 0; k < 2; k++) {
    FW_TRY(side_open(ctx, deck, parameter->name, value + (k ? 1.0 : -1.0) * relative_step * scale, id, threads,
                     &sides[k]));
    variant->side[k] = &sides[k].prepared.job;
  }
  variant->parameter = find_parameter(fw_deck_parameters(deck), parameter->name, strlen(parameter->name))->name;
  return FW_OK;
}

/* The attribute, of an analysis that takes a list of parameters by that name (a response has a flag). */
static const char *find_names(const fw_args *args) {
  for (int i = 0; i < fw_param_count(args->params); i++)
    if (args->params[i].kind == FW_PARAM_REFS && strcmp(args->params[i].name, "sensitivities") == 0)
      return args->values[i].text;
  return NULL;
}

fw_status fw_variants_make(fw_context *ctx, const fw_deck *deck, const fw_task *task, int threads,
                           fw_variants *variants) {
  *variants = (fw_variants){0};
  const fw_args *args = &task->item->entry_args;
  const char *names = find_names(args);
  if (!names || !*names) return FW_OK;
  fw_status status = FW_OK;
  fw_parameters parameters = {0};
  FW_TRY_DONE(fw_parameters_copy(ctx, fw_deck_parameters(deck), &parameters));
  FW_TRY_DONE(fw_parameters_evaluate(ctx, &parameters));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)parameters.count, sizeof *variants->list, &variants->list));
  FW_TRY_DONE(fw_alloc(ctx, 2 * (size_t)parameters.count, sizeof *variants->sides, &variants->sides));
  for (size_t length; *(names += strspn(names, separators)); names += length) {
    length = strcspn(names, separators);
    const fw_parameter *parameter = find_parameter(&parameters, names, length);
    if (!parameter || variants->count == parameters.count)
      status = fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'sensitivities': name each parameter once");
    FW_TRY_DONE(status);
    FW_TRY_DONE(add_variant(ctx, deck, parameter, task->id, threads, variants));
  }
done:
  fw_parameters_clear(&parameters);
  return status;
}

void fw_variants_clear(fw_variants *variants) {
  for (int i = 0; i < 2 * variants->count; i++) side_close(&variants->sides[i]);
  free(variants->sides);
  free(variants->list);
  *variants = (fw_variants){0};
}
