/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/attribute.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/formula.h"
#include "input/source.h"
#include "input/units.h"

typedef struct reading {
  fw_context *ctx;
  fw_scope *scope;
  fw_place place;
  const fw_param *param;
  fw_value *value;
} reading;

/* Long texts are cut in messages. */
enum { SHOWN = 60 };

/* ---- numbers ----------------------------------------------------------------------------- */

static fw_status out_of_range(const reading *self, double number) {
  const fw_param *param = self->param;
  const char *blank = param->unit[0] ? " " : "";
  char limits[128];
  if (param->min > 0 && param->min <= DBL_MIN && param->max >= DBL_MAX)
    snprintf(limits, sizeof limits, "must be greater than 0%s%s", blank, param->unit);
  else if (param->max >= DBL_MAX)
    snprintf(limits, sizeof limits, "must be at least %g%s%s", param->min, blank, param->unit);
  else if (param->min <= -DBL_MAX)
    snprintf(limits, sizeof limits, "must be at most %g%s%s", param->max, blank, param->unit);
  else
    snprintf(limits, sizeof limits, "must be from %g to %g%s%s", param->min, param->max, blank, param->unit);
  return fw_fail_at(self->ctx, FW_ERR_DECK, self->place, "attribute '%s': %g is out of range: %s", param->name, number,
                    limits);
}

static fw_status check_number(const reading *self, double number) {
  const fw_param *param = self->param;
  if (isnan(number)) return FW_OK; /* it hangs on a parameter whose own mistake has been reported */
  if (param->kind == FW_PARAM_INTEGER && (number != nearbyint(number) || fabs(number) > 2147483647.0))
    return fw_fail_at(
        self->ctx, FW_ERR_DECK, self->place, "attribute '%s': %g is %s", param->name, number,
        number != nearbyint(number) ? "not a whole number: rint() rounds" : "too large a number to count with");
  bool bounded = param->min != 0.0 || param->max != 0.0;
  if (bounded && (number < param->min || number > param->max)) return out_of_range(self, number);
  return FW_OK;
}

/* Refuses what is known to have another dimension than the attribute's unit. */
static fw_status check_dimension(const reading *self, const char *expression) {
  fw_dimension wanted, found;
  double factor;
  char wrong[32], text[96];
  if (!self->param->unit[0] || !fw_unit_factor(self->param->unit, &factor, &wanted, wrong)) return FW_OK;
  if (fw_scope_dimension(self->scope, expression, &found) != FW_DIMENSION_KNOWN) return FW_OK;
  if (fw_dimension_equal(&wanted, &found)) return FW_OK;
  fw_dimension_text(&found, text, sizeof text);
  return fw_fail_at(self->ctx, FW_ERR_DECK, self->place,
                    "attribute '%s': '%.*s' is in %s by its parameters' units, not in %s", self->param->name, SHOWN,
                    expression, text, self->param->unit);
}

static fw_status add_number(const reading *self, const char *expression) {
  double number;
  char why[256];
  const char *words = self->param->choices;
  if (!fw_scope_evaluate(self->scope, expression, &number, why, sizeof why))
    return fw_fail_at(self->ctx, FW_ERR_DECK, self->place, "attribute '%s': '%.*s': %s%s%s%s", self->param->name, SHOWN,
                      expression, why, words ? " (a number or one of " : "", words ? words : "", words ? ")" : "");
  if (self->param->kind == FW_PARAM_INTEGER) number = fw_whole_but_rounding(number);
  FW_TRY(check_number(self, number));
  FW_TRY(check_dimension(self, expression));
  fw_value *value = self->value;
  if ((value->count & (value->count - 1)) == 0) { /* grows at powers of two */
    size_t room = value->count ? 2 * (size_t)value->count : 1;
    double *grown = realloc(value->numbers, room * sizeof *grown);
    if (!grown) return fw_fail(self->ctx, FW_ERR_MEMORY, "out of memory");
    value->numbers = grown;
  }
  value->numbers[value->count++] = number;
  return FW_OK;
}

/* Length of the expression at `text` up to a comma outside parentheses. */
static size_t expression_length(const char *text) {
  int depth = 0;
  const char *at = text;
  for (; *at && (*at != ',' || depth > 0); at++) depth += (*at == '(') - (*at == ')');
  return (size_t)(at - text);
}

static fw_status read_numbers(const reading *self, const char *text) {
  char *copy = strdup(text);
  if (!copy) return fw_fail(self->ctx, FW_ERR_MEMORY, "out of memory");
  fw_status status = FW_OK;
  for (char *at = copy; at && status == FW_OK;) {
    size_t length = expression_length(at);
    char *next = at[length] ? at + length + 1 : NULL;
    at[length] = '\0';
    status = add_number(self, at);
    at = next;
  }
  free(copy);
  return status;
}

/* ---- words ------------------------------------------------------------------------------- */

static fw_status set_number(const reading *self, double number) {
  FW_TRY(fw_alloc(self->ctx, 1, sizeof *self->value->numbers, &self->value->numbers));
  self->value->numbers[0] = number;
  self->value->count = 1;
  return FW_OK;
}

/* "a|b|c" as a list of names for fw_nearest; `room` names at most. */
static const char *nearest_choice(const char *choices, const char *text, char *copy, size_t size) {
  const char *names[65];
  int count = 0;
  snprintf(copy, size, "%s", choices);
  char *rest = NULL;
  for (char *name = strtok_r(copy, "|", &rest); name && count < 64; name = strtok_r(NULL, "|", &rest))
    names[count++] = name;
  names[count] = NULL;
  return fw_nearest(names, text);
}

static fw_status read_choice(const reading *self, const char *choices, const char *text) {
  int index = fw_choice_index(choices, text);
  if (index >= 0) return set_number(self, index);
  char copy[1024];
  const char *near = nearest_choice(choices, text, copy, sizeof copy);
  return fw_fail_at(self->ctx, FW_ERR_DECK, self->place, "attribute '%s': '%.*s' is not one of %s%s%s%s",
                    self->param->name, SHOWN, text, choices, near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
}

static bool is_name(const char *text) {
  static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  size_t length = strlen(text);
  return length > 0 && length <= 100 && strchr(first, text[0]) &&
         strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-") == length;
}

static fw_status read_id(const reading *self, const char *text) {
  if (is_name(text)) return FW_OK;
  return fw_fail_at(self->ctx, FW_ERR_DECK, self->place,
                    "attribute '%s': '%.*s' is not a name: begin with a letter; letters, digits, - and _ may follow",
                    self->param->name, SHOWN, text);
}

bool fw_attribute_is_file(const char *name) {
  size_t length = strlen(name);
  return strcmp(name, "file") == 0 || (length > 5 && strcmp(name + length - 5, "-file") == 0);
}

/* A file must be there; the value's text becomes its path. */
static fw_status read_text(const reading *self, const char *text) {
  if (!text[strspn(text, " \t\r\n")])
    return fw_fail_at(self->ctx, FW_ERR_DECK, self->place, "attribute '%s': is empty", self->param->name);
  if (!fw_attribute_is_file(self->param->name)) return FW_OK;
  char *path = fw_source_join(self->place.file, text);
  if (!path) return fw_fail(self->ctx, FW_ERR_MEMORY, "out of memory");
  free(self->value->text);
  self->value->text = path;
  struct stat about;
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) /* a pipe or device may never end */
    return fw_fail_at(self->ctx, FW_ERR_DECK, self->place, "attribute '%s': %s is not a file", self->param->name, path);
  if (access(path, R_OK) == 0) return FW_OK;
  return fw_fail_at(self->ctx, FW_ERR_DECK, self->place, "attribute '%s': there is no readable file %s",
                    self->param->name, path);
}

/* A formula keeps the deck's parameters as they are now. */
static fw_status read_formula(const reading *self, const char *text) {
  char why[256] = "";
  FW_TRY(
      fw_formula_of_scope(self->ctx, self->scope, text, self->param->choices, &self->value->formula, why, sizeof why));
  if (!why[0]) return FW_OK;
  return fw_fail_at(self->ctx, FW_ERR_DECK, self->place, "attribute '%s': '%.*s': %s", self->param->name, SHOWN, text,
                    why);
}

/* A name given twice in a list would count twice. */
static fw_status read_names(const reading *self, const char *text) {
  static const char separators[] = " \t\r\n,";
  const char *name = text + strspn(text, separators);
  if (!*name) return fw_fail_at(self->ctx, FW_ERR_DECK, self->place, "attribute '%s': is empty", self->param->name);
  for (size_t length; (length = strcspn(name, separators)) > 0; name += length, name += strspn(name, separators))
    for (const char *other = text + strspn(text, separators); other < name;) {
      size_t room = strcspn(other, separators);
      if (room == length && strncmp(other, name, length) == 0)
        return fw_fail_at(self->ctx, FW_ERR_DECK, self->place, "attribute '%s': '%.*s' is named twice",
                          self->param->name, (int)length, name);
      other += room;
      other += strspn(other, separators);
    }
  return FW_OK;
}

/* ---- any attribute ----------------------------------------------------------------------- */

static fw_status read_kind(const reading *self, const char *text) {
  const fw_param *param = self->param;
  switch (param->kind) {
    case FW_PARAM_NUMBER:
    case FW_PARAM_INTEGER:
      if (param->choices && fw_choice_index(param->choices, text) >= 0) return FW_OK;
      return add_number(self, text);
    case FW_PARAM_NUMBERS:
      if (param->choices && fw_choice_index(param->choices, text) >= 0) return FW_OK;
      return read_numbers(self, text);
    case FW_PARAM_CHOICE:
      return read_choice(self, param->choices, text);
    case FW_PARAM_FLAG:
      return read_choice(self, "no|yes", text);
    case FW_PARAM_ID:
      return read_id(self, text);
    case FW_PARAM_TEXT:
      return read_text(self, text);
    case FW_PARAM_FORMULA:
      return read_formula(self, text);
    case FW_PARAM_REF:
    case FW_PARAM_REFS:
      return read_names(self, text);
  }
  return FW_OK;
}

fw_status fw_attribute_read(fw_context *ctx, fw_scope *scope, fw_place place, const fw_param *param, const char *text,
                            fw_value *value) {
  *value = (fw_value){.given = text != NULL, .line = text ? place.line : 0};
  if (!text && !param->fallback)
    return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute '%s': missing (%s%s%s)", param->name, param->meaning,
                      param->unit[0] ? ", " : "", param->unit);
  if (!text && !param->fallback[0]) return FW_OK;
  const char *used = text ? text : param->fallback;
  value->text = strdup(used);
  if (!value->text) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  reading self = {ctx, scope, place, param, value};
  return read_kind(&self, used);
}
