/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/record.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"

enum { RECORD_PATH = 512 };

struct fw_record {
  json_t *root;
  char flaw[RECORD_PATH]; /* path of the first number that was not finite; "": none */
};

fw_status fw_record_create(fw_record **record) {
  *record = calloc(1, sizeof **record);
  if (!*record) return FW_ERR_MEMORY;
  (*record)->root = json_object();
  if ((*record)->root) return FW_OK;
  free(*record);
  *record = NULL;
  return FW_ERR_MEMORY;
}

void fw_record_destroy(fw_record **record) {
  if (!record || !*record) return;
  json_decref((*record)->root);
  free(*record);
  *record = NULL;
}

/* ---- paths ------------------------------------------------------------------------------- */

/* One step of a path: a key of an object, or an index of a list. */
typedef struct path_step {
  bool is_index;
  char key[RECORD_PATH];
  size_t index;
} path_step;

/* Takes the next step off *path; false at the end or where the path is malformed (*bad). */
static bool path_next(const char **path, path_step *step, bool *bad) {
  const char *at = *path;
  if (!*at) return false;
  if (*at == '[') {
    char *end;
    step->is_index = true;
    step->index = strtoul(at + 1, &end, 10);
    *bad = end == at + 1 || *end != ']';
    *path = end + 1;
    return !*bad;
  }
  if (*at == '.') at++;
  size_t length = strcspn(at, ".[");
  step->is_index = false;
  *bad = length == 0 || length >= sizeof step->key;
  if (*bad) return false;
  memcpy(step->key, at, length);
  step->key[length] = '\0';
  *path = at + length;
  return true;
}

static json_t *step_child(const json_t *node, const path_step *step) {
  return step->is_index ? json_array_get(node, step->index) : json_object_get(node, step->key);
}

/* The node at a path, or NULL. */
static json_t *record_at(const fw_record *record, const char *path) {
  json_t *node = record->root;
  path_step step;
  bool bad = false;
  while (node && path_next(&path, &step, &bad)) node = step_child(node, &step);
  return bad ? NULL : node;
}

/* Puts `value` (whose reference is taken) below `node`. */
static fw_status step_put(json_t *node, const path_step *step, json_t *value) {
  int failed = -1;
  if (!step->is_index) {
    failed = json_object_set_new(node, step->key, value);
  } else if (json_is_array(node) && step->index < json_array_size(node)) {
    failed = json_array_set_new(node, step->index, value);
  } else if (json_is_array(node) && step->index == json_array_size(node)) {
    failed = json_array_append_new(node, value);
  } else {
    json_decref(value);
  }
  return failed ? FW_ERR_ARGUMENT : FW_OK;
}

/* Sets `value` (whose reference is taken) at a path, making objects and lists on the way. */
static fw_status record_put(fw_record *record, const char *path, json_t *value) {
  if (!value) return FW_ERR_MEMORY;
  json_t *node = record->root;
  path_step step;
  bool bad = false;
  if (!path_next(&path, &step, &bad)) goto refuse;
  while (*path) {
    json_t *child = step_child(node, &step);
    if (!child || json_is_null(child)) {
      child = *path == '[' ? json_array() : json_object();
      if (!child || step_put(node, &step, child) != FW_OK) goto refuse;
    }
    node = child;
    if (!path_next(&path, &step, &bad)) goto refuse;
  }
  return step_put(node, &step, value);
refuse:
  json_decref(value);
  return FW_ERR_ARGUMENT;
}

/* ---- units ------------------------------------------------------------------------------- */

static const char units_key[] = "units";

/* The name of a figure: the last key of its path, of a list that of the list. */
static void figure_name(const char *path, char name[RECORD_PATH]) {
  path_step step;
  bool bad = false;
  name[0] = '\0';
  while (path_next(&path, &step, &bad))
    if (!step.is_index) memcpy(name, step.key, sizeof step.key);
}

static json_t *unit_in(const json_t *object, const char *name) {
  return json_object_get(json_object_get(object, units_key), name);
}

/* How many figures of that name stand in an object, at any depth. */
static int count_named(json_t *node, const char *name) {
  const char *key;
  json_t *child;
  size_t i;
  int count = 0;
  json_array_foreach(node, i, child) count += count_named(child, name);
  json_object_foreach(node, key, child) {
    if (strcmp(key, units_key) == 0) continue;
    count += strcmp(key, name) == 0 && !json_is_object(child) ? 1 : count_named(child, name);
  }
  return count;
}

/* Down the path: where an object around the figure tells no unit of that name and has no other figure of it, or else in
 * the innermost. */
static fw_status tell_unit(fw_record *record, const char *path, const char *unit) {
  char name[RECORD_PATH];
  json_t *node = record->root, *owner = NULL;
  path_step step;
  bool bad = false;
  figure_name(path, name);
  while (node && path_next(&path, &step, &bad)) {
    if (json_is_object(node) && (!owner || unit_in(owner, name) || count_named(owner, name) > 1)) owner = node;
    node = step_child(node, &step);
  }
  json_t *units = json_object_get(owner, units_key);
  if (!units && json_object_set_new(owner, units_key, units = json_object()) != 0) return FW_ERR_MEMORY;
  return json_object_set_new(units, name, json_string(unit)) == 0 ? FW_OK : FW_ERR_MEMORY;
}

const char *fw_record_unit(const fw_record *record, const char *path) {
  char name[RECORD_PATH];
  const json_t *node = record->root;
  const char *unit = "";
  path_step step;
  bool bad = false;
  figure_name(path, name);
  for (; node && path_next(&path, &step, &bad); node = step_child(node, &step)) {
    const json_t *told = unit_in(node, name);
    if (told) unit = json_string_value(told);
  }
  return unit ? unit : "";
}

/* ---- setting ----------------------------------------------------------------------------- */

/* Formats the path of a setter's variable arguments into `text`; one that is too long becomes empty, which is refused.
 */
#define RECORD_PATH_TEXT(text, path)                         \
  do {                                                       \
    va_list args;                                            \
    va_start(args, path);                                    \
    int length = vsnprintf(text, sizeof text, path, args);   \
    va_end(args);                                            \
    if (length < 0 || length >= RECORD_PATH) text[0] = '\0'; \
  } while (0)

/* Whole numbers are stored as integers, so that counts read as 4 and not 4.0. */
static json_t *number_json(double value) {
  if (!isfinite(value)) return json_null();
  if (value == floor(value) && fabs(value) < 1e15) return json_integer((json_int_t)value);
  return json_real(value);
}

static void note_flaw(fw_record *record, const char *owner, const char *path) {
  if (!record->flaw[0]) snprintf(record->flaw, sizeof record->flaw, "%.250s%s%.250s", owner, *owner ? "." : "", path);
}

static fw_status put_number(fw_record *record, double value, const char *text) {
  size_t length = strlen(text);
  if (fw_is_unknown(value) && length && text[length - 1] != ']') return FW_OK; /* items of a list keep their places */
  if (!fw_is_figure(value)) {
    note_flaw(record, "", text);
    return FW_ERR_ANALYSIS;
  }
  return record_put(record, text, number_json(value));
}

fw_status fw_record_set_number(fw_record *record, double value, const char *path, ...) {
  char text[RECORD_PATH];
  RECORD_PATH_TEXT(text, path);
  return put_number(record, value, text);
}

fw_status fw_record_set_figure(fw_record *record, double value, const char *unit, const char *path, ...) {
  char text[RECORD_PATH];
  RECORD_PATH_TEXT(text, path);
  FW_TRY(put_number(record, value, text));
  if (fw_is_unknown(value) || strcmp(fw_record_unit(record, text), unit) == 0) return FW_OK;
  return tell_unit(record, text, unit);
}

fw_status fw_record_set_text(fw_record *record, const char *value, const char *path, ...) {
  char text[RECORD_PATH];
  RECORD_PATH_TEXT(text, path);
  return record_put(record, text, json_string(value));
}

fw_status fw_record_set_record(fw_record *record, const fw_record *part, const char *path, ...) {
  char text[RECORD_PATH];
  RECORD_PATH_TEXT(text, path);
  if (part->flaw[0]) note_flaw(record, text, part->flaw);
  return record_put(record, text, json_deep_copy(part->root));
}

const char *fw_record_flaw(const fw_record *record) { return record->flaw[0] ? record->flaw : NULL; }

/* ---- reading ----------------------------------------------------------------------------- */

fw_status fw_record_number(const fw_record *record, const char *path, double *value) {
  const json_t *node = record_at(record, path);
  if (!json_is_number(node)) return FW_ERR_ARGUMENT;
  *value = json_number_value(node);
  return FW_OK;
}

fw_status fw_record_text(const fw_record *record, const char *path, const char **value) {
  const json_t *node = record_at(record, path);
  if (!json_is_string(node)) return FW_ERR_ARGUMENT;
  *value = json_string_value(node);
  return FW_OK;
}

fw_record_kind fw_record_kind_at(const fw_record *record, const char *path) {
  const json_t *node = record_at(record, path);
  if (!node) return FW_RECORD_ABSENT;
  switch (json_typeof(node)) {
    case JSON_OBJECT:
      return FW_RECORD_OBJECT;
    case JSON_ARRAY:
      return FW_RECORD_LIST;
    case JSON_STRING:
      return FW_RECORD_TEXT;
    case JSON_INTEGER:
    case JSON_REAL:
      return FW_RECORD_NUMBER;
    default:
      return FW_RECORD_NULL;
  }
}

int fw_record_count(const fw_record *record, const char *path) {
  const json_t *node = record_at(record, path);
  return (int)(json_is_array(node) ? json_array_size(node) : json_object_size(node));
}

const char *fw_record_key(const fw_record *record, const char *path, int i) {
  json_t *node = record_at(record, path);
  if (!json_is_object(node)) return NULL;
  void *member = json_object_iter(node);
  for (; member && i > 0; i--) member = json_object_iter_next(node, member);
  return member ? json_object_iter_key(member) : NULL;
}

char *fw_record_json(const fw_record *record) { return json_dumps(record->root, JSON_INDENT(2)); }

fw_status fw_record_parse(fw_context *ctx, const char *json, fw_record **record) {
  *record = NULL;
  json_error_t error;
  json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, &error);
  if (!root) return fw_fail(ctx, FW_ERR_IO, "JSON line %d: %s", error.line, error.text);
  *record = calloc(1, sizeof **record);
  if (!*record) {
    json_decref(root);
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  }
  (*record)->root = root;
  return FW_OK;
}
