/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/vary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_real(const fw_param *param) { return param->kind == FW_PARAM_NUMBER || param->kind == FW_PARAM_NUMBERS; }

/* Where number i stands: parameter and place in its list; false behind the last (the elastic slip). */
static bool find(const fw_friction *friction, int i, int *param, int *place) {
  const fw_args *args = friction->args;
  for (*param = 0; args->params && args->params[*param].name; (*param)++) {
    int count = is_real(&args->params[*param]) ? args->values[*param].count : 0;
    *place = i;
    if (i < count) return true;
    i -= count;
  }
  return false;
}

int fw_law_number_count(const fw_friction *friction) {
  const fw_args *args = friction->args;
  if (!args) return 0;
  int count = fw_friction_is_elastic(friction);
  for (int p = 0; args->params && args->params[p].name; p++)
    count += is_real(&args->params[p]) ? args->values[p].count : 0;
  return count;
}

void fw_law_number_get(const fw_friction *friction, int i, fw_law_number *number) {
  int p, place;
  if (!find(friction, i, &p, &place)) {
    *number = (fw_law_number){.name = "u-crit", .unit = "m", .value = friction->stick.u_crit, .min = 0, .max = 1};
    return;
  }
  const fw_param *param = &friction->args->params[p];
  const fw_value *value = &friction->args->values[p];
  *number = (fw_law_number){.unit = param->unit, .value = value->numbers[place], .min = param->min, .max = param->max};
  snprintf(number->name, sizeof number->name, param->kind == FW_PARAM_NUMBERS ? "%s[%d]" : "%s", param->name, place);
}

fw_status fw_law_vary(fw_context *ctx, const fw_friction *friction, int i, double value, fw_friction *varied) {
  const fw_args *from = friction->args;
  int p, place;
  *varied = (fw_friction){0};
  fw_stick stick = friction->stick;
  if (!find(friction, i, &p, &place)) {
    stick.u_crit = value;
    return fw_friction_create(ctx, friction->ops, from, stick, varied);
  }
  fw_args args = *from;
  double *numbers = NULL;
  size_t params = (size_t)fw_param_count(from->params), count = (size_t)from->values[p].count;
  fw_status status;
  args.values = NULL;
  FW_TRY_DONE(fw_alloc(ctx, params, sizeof *args.values, &args.values));
  FW_TRY_DONE(fw_alloc(ctx, count, sizeof *numbers, &numbers));
  memcpy(args.values, from->values, params * sizeof *args.values);
  memcpy(numbers, from->values[p].numbers, count * sizeof *numbers);
  numbers[place] = value;
  args.values[p].numbers = numbers;
  status = fw_friction_create(ctx, friction->ops, &args, stick, varied);
done:
  free(args.values);
  free(numbers);
  return status;
}

fw_status fw_friction_vary(fw_context *ctx, const fw_friction *friction, int law, int i, double value,
                           fw_friction *varied) {
  *varied = (fw_friction){0};
  int count;
  const fw_friction *laws = fw_friction_parts(friction, &count);
  fw_friction *parts;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *parts, &parts));
  memcpy(parts, laws, (size_t)count * sizeof *parts);
  fw_status status = fw_law_vary(ctx, &laws[law], i, value, &parts[law]);
  if (status == FW_OK) status = fw_friction_join(ctx, parts, count, varied);
  fw_friction_clear(&parts[law]); /* empty where it was joined */
  free(parts);
  return status;
}

void fw_friction_unvary(fw_friction *varied, int law) {
  for (int i = 0; i < varied->part_count; i++)
    if (i != law) varied->parts[i] = (fw_friction){0};
  fw_friction_clear(varied);
}
