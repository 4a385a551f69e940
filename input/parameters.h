/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deck's parameters: expressions of each other in any order, with units and ranges. */
#ifndef FW_INPUT_PARAMETERS_H
#define FW_INPUT_PARAMETERS_H

#include "input/scope.h"
#include "input/units.h"

typedef struct fw_parameter {
  char *name, *expression, *unit;
  char *min, *max; /* expressions in the same unit; NULL: none */
  fw_place place;
  double factor; /* unit to SI */
  double value;  /* SI */
  fw_dimension dimension;
  bool measured; /* the dimension is known */
  enum { FW_PARAMETER_WAITS, FW_PARAMETER_RUNS, FW_PARAMETER_DONE } progress;
} fw_parameter;

typedef struct fw_parameters {
  fw_parameter *list;
  int count, room;
  fw_scope *scope;
} fw_parameters;

/* Adds one; the texts are copied, unit, min and max may be NULL. All are added before the first
 * evaluation. */
fw_status fw_parameters_add(fw_context *ctx, fw_parameters *parameters, fw_place place, const char *name,
                            const char *expression, const char *unit, const char *min, const char *max);

/* Replaces the expression of one; unknown names get a suggestion. */
fw_status fw_parameters_set(fw_context *ctx, fw_parameters *parameters, const char *name, const char *expression);

/* A copy that can be evaluated on its own; its places are lent by the same deck. */
fw_status fw_parameters_copy(fw_context *ctx, const fw_parameters *from, fw_parameters *to);

/* Evaluates all and checks their ranges; every error is reported. */
fw_status fw_parameters_evaluate(fw_context *ctx, fw_parameters *parameters);

/* The least and greatest value that an evaluated one may have, in its own unit; infinite where none is given. */
fw_status fw_parameter_limits(fw_context *ctx, const fw_parameters *parameters, const fw_parameter *one,
                              double limits[2]);

void fw_parameters_clear(fw_parameters *parameters);

#endif
