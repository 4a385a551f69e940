/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/setting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula.h"
#include "core/table.h"

#define ELASTIC_SLIP 4e-6 /* m, as found on the rig */

/* Numbers separated by commas; false if the text is anything else. */
static bool read_numbers(const char *text, double *numbers, int room, int *count) {
  *count = 0;
  for (const char *at = text; *count < room;) {
    char *end;
    numbers[(*count)++] = strtod(at, &end);
    if (end == at) return false;
    end += strspn(end, " ");
    if (!*end) return true;
    if (*end != ',') return false;
    at = end + 1;
  }
  return false;
}

static bool in_range(const fw_param *param, const fw_value *value) {
  for (int i = 0; i < value->count; i++) {
    double x = value->numbers[i];
    if (!isfinite(x) || (param->kind == FW_PARAM_INTEGER && x != floor(x))) return false;
    if ((param->min != 0.0 || param->max != 0.0) && (x < param->min || x > param->max)) return false;
  }
  return true;
}

static bool read_value(const fw_param *param, const char *text, int room, fw_value *value) {
  value->count = 1;
  switch (param->kind) {
    case FW_PARAM_FLAG:
      value->numbers[0] = fw_choice_index("no|yes", text);
      return value->numbers[0] >= 0.0;
    case FW_PARAM_CHOICE:
      value->numbers[0] = fw_choice_index(param->choices, text);
      return value->numbers[0] >= 0.0;
    case FW_PARAM_NUMBER:
    case FW_PARAM_INTEGER:
      return read_numbers(text, value->numbers, 1, &value->count) && in_range(param, value);
    case FW_PARAM_NUMBERS:
      return read_numbers(text, value->numbers, room, &value->count) && in_range(param, value);
    default:
      value->count = 0;
      return true;
  }
}

static fw_status set_value(fw_context *ctx, const char *subject, const fw_param *param, const char *text,
                           fw_value *value) {
  int room = 1;
  for (const char *at = text; *at; at++) room += *at == ',';
  free(value->numbers);
  free(value->text);
  fw_formula_release(&value->formula);
  *value = (fw_value){0};
  if (!*text) return FW_OK;
  FW_TRY(fw_alloc(ctx, (size_t)room, sizeof(double), &value->numbers));
  FW_TRY(fw_alloc(ctx, strlen(text) + 1, 1, &value->text));
  memcpy(value->text, text, strlen(text));
  if (param->kind == FW_PARAM_FORMULA) return fw_formula_compile(ctx, text, param->choices, &value->formula);
  if (read_value(param, text, room, value)) return FW_OK;
  return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: %s=%s is not allowed (%s%s%s)", subject, param->name, text, param->meaning,
                 param->choices ? ": " : "", param->choices ? param->choices : "");
}

/* Number of the parameter a setting "name=value" is for, or -1. */
static int setting_index(const fw_param *params, const char *setting) {
  size_t length = strcspn(setting, "=");
  for (int i = 0; params && params[i].name; i++)
    if (strlen(params[i].name) == length && strncmp(params[i].name, setting, length) == 0) return i;
  return -1;
}

static fw_status unknown_setting(fw_context *ctx, const char *subject, const char *setting, const fw_param *params) {
  enum { MOST = 63 };
  const char *names[MOST + 1] = {NULL};
  char given[64], all[512] = "none";
  snprintf(given, sizeof given, "%.*s", (int)strcspn(setting, "="), setting);
  for (size_t i = 0, at = 0; i < MOST && params[i].name && at < sizeof all; i++) {
    names[i] = params[i].name;
    int n = snprintf(all + at, sizeof all - at, "%s%s", i ? ", " : "", names[i]);
    if (n > 0) at += (size_t)n;
  }
  const char *near = fw_nearest(names, given);
  return fw_fail(ctx, FW_ERR_ARGUMENT, "%s has no parameter as in '%s'%s%s%s; there are: %s", subject, setting,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", all);
}

static fw_status apply_setting(fw_context *ctx, const char *subject, const char *setting, fw_args *args) {
  int i = setting_index(args->params, setting);
  const char *equals = strchr(setting, '=');
  if (i < 0 || !equals) return unknown_setting(ctx, subject, setting, args->params);
  FW_TRY(set_value(ctx, subject, &args->params[i], equals + 1, &args->values[i]));
  args->values[i].given = true;
  return FW_OK;
}

static const fw_param no_params[] = {{NULL, 0, NULL, NULL, 0, 0, NULL, NULL}};

fw_status fw_setting_args(fw_context *ctx, const char *subject, const fw_param *list, const char *const *settings,
                          int count, fw_args *args) {
  fw_status status;
  *args = (fw_args){.params = list ? list : no_params};
  int params = fw_param_count(args->params);
  FW_TRY(fw_alloc(ctx, (size_t)params, sizeof *args->values, &args->values));
  for (int i = 0; i < params; i++) {
    const char *fallback = args->params[i].fallback;
    FW_TRY_DONE(set_value(ctx, subject, &args->params[i], fallback ? fallback : "", &args->values[i]));
  }
  for (int k = 0; k < count; k++) FW_TRY_DONE(apply_setting(ctx, subject, settings[k], args));
  for (int i = 0; i < params; i++)
    if (!args->params[i].fallback && !args->values[i].given)
      FW_TRY_DONE(fw_fail(ctx, FW_ERR_ARGUMENT, "%s needs %s", subject, args->params[i].name));
  return FW_OK;
done:
  fw_args_clear(args);
  return status;
}

fw_status fw_law_args(fw_context *ctx, const fw_friction_ops *ops, const char *const *settings, int count,
                      fw_args *args) {
  char subject[128];
  snprintf(subject, sizeof subject, "friction law '%s'", ops->entry.name);
  return fw_setting_args(ctx, subject, ops->entry.params, settings, count, args);
}

/* A setting of stick beside the law's own: true if it is one. */
static bool is_of_stick(const char *setting) {
  return strncmp(setting, "u-crit=", 7) == 0 || strncmp(setting, "stick-limit=", 12) == 0;
}

static fw_status set_stick(fw_context *ctx, const char *setting, fw_stick *stick) {
  const char *value = strchr(setting, '=') + 1;
  char *end;
  if (setting[0] == 'u') {
    stick->u_crit = strtod(value, &end);
    return stick->u_crit > 0.0 && !*end ? FW_OK : fw_fail(ctx, FW_ERR_ARGUMENT, "'%s' is not a length", setting);
  }
  int choice = fw_choice_index(FW_STICK_LIMITS, value);
  stick->clipped = choice == 1;
  return choice >= 0 ? FW_OK : fw_fail(ctx, FW_ERR_ARGUMENT, "'%s' is not one of " FW_STICK_LIMITS, setting);
}

fw_status fw_law_create(fw_context *ctx, const fw_friction_ops *ops, const char *const *settings, int count,
                        fw_friction *friction) {
  const char *own[64];
  int own_count = 0;
  fw_stick stick = {.enforcement = FW_PENALTY, .u_crit = ELASTIC_SLIP};
  fw_args args;
  for (int k = 0; k < count; k++) {
    if (is_of_stick(settings[k]))
      FW_TRY(set_stick(ctx, settings[k], &stick));
    else if (own_count == 64)
      return fw_fail(ctx, FW_ERR_ARGUMENT, "more than 64 settings");
    else
      own[own_count++] = settings[k];
  }
  FW_TRY(fw_law_args(ctx, ops, own, own_count, &args));
  fw_status status = fw_friction_create(ctx, ops, &args, stick, friction);
  fw_args_clear(&args);
  return status;
}
