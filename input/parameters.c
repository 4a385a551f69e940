/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/parameters.h"

#include <libxml/hash.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/table.h"
#include "input/units.h"

static int find(const fw_parameters *parameters, const char *name) {
  for (int i = 0; i < parameters->count; i++)
    if (strcmp(parameters->list[i].name, name) == 0) return i;
  return -1;
}

/* ---- filling ----------------------------------------------------------------------------- */

static fw_status copy(fw_context *ctx, const char *text, char **copied) {
  return text ? fw_copy_text(ctx, text, copied) : FW_OK;
}

static void list_units(char *text, size_t room) {
  size_t at = 0;
  for (const fw_unit *unit = fw_units; unit->name && at + 16 < room; unit++)
    at += (size_t)snprintf(text + at, room - at, "%s%s", at ? " " : "", unit->name);
}

static fw_status check_unit(fw_context *ctx, fw_parameter *parameter) {
  char wrong[32];
  parameter->factor = 1.0;
  parameter->dimension = (fw_dimension){{0.0}};
  parameter->measured = false;
  if (!parameter->unit || fw_unit_factor(parameter->unit, &parameter->factor, &parameter->dimension, wrong))
    return FW_OK;
  const char *near = fw_unit_nearest(wrong);
  char known[512];
  list_units(known, sizeof known);
  return fw_fail_at(ctx, FW_ERR_DECK, parameter->place,
                    "attribute 'unit': unknown unit '%s'%s%s%s (known: %s, and products and powers such as N/mm^2)",
                    wrong, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", known);
}

fw_status fw_parameters_add(fw_context *ctx, fw_parameters *parameters, fw_place place, const char *name,
                            const char *expression, const char *unit, const char *min, const char *max) {
  FW_TRY(fw_grow(ctx, parameters->count, &parameters->room, sizeof *parameters->list, &parameters->list));
  fw_parameter *added = &parameters->list[parameters->count++];
  *added = (fw_parameter){.place = place, .factor = 1.0};
  FW_TRY(copy(ctx, name, &added->name));
  FW_TRY(copy(ctx, expression, &added->expression));
  FW_TRY(copy(ctx, unit, &added->unit));
  FW_TRY(copy(ctx, min, &added->min));
  return copy(ctx, max, &added->max);
}

fw_status fw_parameters_set(fw_context *ctx, fw_parameters *parameters, const char *name, const char *expression) {
  int i = find(parameters, name);
  if (i >= 0) {
    char *replaced;
    FW_TRY(fw_copy_text(ctx, expression, &replaced));
    free(parameters->list[i].expression);
    parameters->list[i].expression = replaced;
    return FW_OK;
  }
  const char **names;
  FW_TRY(fw_alloc(ctx, (size_t)parameters->count + 1, sizeof *names, &names));
  for (int k = 0; k < parameters->count; k++) names[k] = parameters->list[k].name;
  const char *near = fw_nearest(names, name);
  fw_status status = fw_fail(ctx, FW_ERR_ARGUMENT, "the deck has no parameter '%s'%s%s%s", name,
                             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  free(names);
  return status;
}

fw_status fw_parameters_copy(fw_context *ctx, const fw_parameters *from, fw_parameters *to) {
  *to = (fw_parameters){0};
  for (int i = 0; i < from->count; i++) {
    const fw_parameter *one = &from->list[i];
    FW_TRY(fw_parameters_add(ctx, to, one->place, one->name, one->expression, one->unit, one->min, one->max));
  }
  return FW_OK;
}

void fw_parameters_clear(fw_parameters *parameters) {
  for (int i = 0; i < parameters->count; i++) {
    fw_parameter *one = &parameters->list[i];
    free(one->name);
    free(one->expression);
    free(one->unit);
    free(one->min);
    free(one->max);
  }
  free(parameters->list);
  fw_scope_destroy(&parameters->scope);
  *parameters = (fw_parameters){0};
}

/* ---- evaluating -------------------------------------------------------------------------- */

/* The dimension of the parameter that a variable of the scope is; NULL: not known. */
static const fw_dimension *dimension_of(const void *user, const double *variable) {
  const fw_parameters *parameters = user;
  size_t at = (size_t)((const char *)variable - (const char *)&parameters->list[0].value);
  const fw_parameter *one = &parameters->list[at / sizeof *one];
  return one->measured ? &one->dimension : NULL;
}

/* The scope is made at the first evaluation, when the list no longer moves. */
static fw_status make_scope(fw_context *ctx, fw_parameters *parameters) {
  if (parameters->scope) return FW_OK;
  FW_TRY(fw_scope_create(ctx, &parameters->scope));
  fw_scope_measure(parameters->scope, dimension_of, parameters);
  fw_status worst = FW_OK;
  xmlHashTable *names = xmlHashCreate(parameters->count + 1); /* does not grow beyond 16384 chains */
  if (!names) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  for (int i = 0; i < parameters->count; i++) {
    fw_parameter *one = &parameters->list[i];
    if (xmlHashAddEntry(names, BAD_CAST one->name, one) != 0) continue; /* twice: the check of names says so */
    const char *why = fw_scope_define(parameters->scope, one->name, &one->value);
    fw_status status = why == fw_scope_no_memory ? FW_ERR_MEMORY : FW_ERR_DECK;
    if (why) worst = fw_worse(worst, fw_fail_at(ctx, status, one->place, "attribute 'name': '%s' %s", one->name, why));
  }
  xmlHashFree(names, NULL);
  return worst;
}

typedef struct uses {
  const fw_parameters *parameters;
  int *list;
  int count;
} uses;

static void note_use(void *user, const char *name, const double *variable) {
  (void)name;
  uses *self = user;
  const fw_parameter *one =
      (const fw_parameter *)(const void *)((const char *)variable - offsetof(fw_parameter, value));
  self->list[self->count++] = (int)(one - self->parameters->list);
}

static fw_status evaluate_text(fw_context *ctx, const fw_parameters *parameters, const fw_parameter *one,
                               const char *attribute, const char *text, double *value) {
  char why[256];
  if (fw_scope_evaluate(parameters->scope, text, value, why, sizeof why)) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, one->place, "attribute '%s': '%s': %s", attribute, text, why);
}

fw_status fw_parameter_limits(fw_context *ctx, const fw_parameters *parameters, const fw_parameter *one,
                              double limits[2]) {
  limits[0] = -INFINITY;
  limits[1] = INFINITY;
  if (one->min) FW_TRY(evaluate_text(ctx, parameters, one, "min", one->min, &limits[0]));
  return one->max ? evaluate_text(ctx, parameters, one, "max", one->max, &limits[1]) : FW_OK;
}

/* Compares a value with its range; both are in the parameter's own unit. */
static fw_status check_range(fw_context *ctx, const fw_parameters *parameters, const fw_parameter *one, double own) {
  double limits[2];
  FW_TRY(fw_parameter_limits(ctx, parameters, one, limits));
  if (own < limits[0])
    return fw_fail_at(ctx, FW_ERR_DECK, one->place, "attribute 'value': %s = %g is below its min %g", one->name, own,
                      limits[0]);
  if (own > limits[1])
    return fw_fail_at(ctx, FW_ERR_DECK, one->place, "attribute 'value': %s = %g is above its max %g", one->name, own,
                      limits[1]);
  return FW_OK;
}

static fw_status evaluate_one(fw_context *ctx, fw_parameters *parameters, int i);

/* Evaluates those that parameter i needs. */
static fw_status evaluate_needs(fw_context *ctx, fw_parameters *parameters, int i) {
  uses needs = {parameters, NULL, 0};
  const char *expression = parameters->list[i].expression; /* has no more names than characters */
  FW_TRY(fw_alloc(ctx, strlen(expression) + 1, sizeof *needs.list, &needs.list));
  fw_scope_uses(parameters->scope, expression, note_use, &needs);
  fw_status status = FW_OK;
  for (int k = 0; k < needs.count && status == FW_OK; k++) {
    fw_parameter *need = &parameters->list[needs.list[k]];
    if (need->progress == FW_PARAMETER_RUNS)
      status = fw_fail_at(ctx, FW_ERR_DECK, parameters->list[i].place,
                          "attribute 'value': %s depends on itself through %s", need->name, parameters->list[i].name);
    else
      status = evaluate_one(ctx, parameters, needs.list[k]);
  }
  free(needs.list);
  return status;
}

/* A bare number has the dimension of its unit; what depends on others that of its expression times the unit. Without
 * either nothing is known. */
static void find_dimension(fw_parameters *parameters, fw_parameter *one) {
  fw_dimension own;
  switch (fw_scope_dimension(parameters->scope, one->expression, &own)) {
    case FW_DIMENSION_UNKNOWN:
      return;
    case FW_DIMENSION_BARE:
      one->measured = one->unit != NULL;
      return;
    case FW_DIMENSION_KNOWN:
      for (int k = 0; k < FW_BASES; k++) one->dimension.power[k] += own.power[k];
      one->measured = true;
  }
}

static fw_status evaluate_one(fw_context *ctx, fw_parameters *parameters, int i) {
  fw_parameter *one = &parameters->list[i];
  if (one->progress == FW_PARAMETER_DONE) return FW_OK;
  one->progress = FW_PARAMETER_RUNS;
  double own = 0.0;
  fw_status status = check_unit(ctx, one);
  if (status == FW_OK) status = evaluate_needs(ctx, parameters, i);
  if (status == FW_OK) status = evaluate_text(ctx, parameters, one, "value", one->expression, &own);
  if (status == FW_OK) status = check_range(ctx, parameters, one, own);
  one->value = status == FW_OK ? own * one->factor : fw_scope_unknown(parameters->scope);
  if (status == FW_OK) find_dimension(parameters, one);
  one->progress = FW_PARAMETER_DONE; /* an error is reported once, at its own place */
  return status;
}

fw_status fw_parameters_evaluate(fw_context *ctx, fw_parameters *parameters) {
  fw_status worst = make_scope(ctx, parameters);
  if (!parameters->scope) return worst;
  for (int i = 0; i < parameters->count; i++) parameters->list[i].progress = FW_PARAMETER_WAITS;
  for (int i = 0; i < parameters->count; i++) {
    fw_status status = evaluate_one(ctx, parameters, i);
    worst = fw_worse(worst, status);
  }
  return worst;
}
