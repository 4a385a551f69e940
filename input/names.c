/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names: what is defined, and whether references find something of the right kind. */
#include <libxml/hash.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/evaluate.h"
#include "input/tube_support.h"

typedef struct name {
  const char *kind;
  char *text; /* points: "body.point" */
  fw_place place;
} name;

typedef struct registry {
  fw_context *ctx;
  name *names;
  int count, room;
  xmlHashTable *table; /* (text, kind) to its number in names, from 1 */
  fw_status worst;
} registry;

static void note(registry *self, fw_status status) { self->worst = fw_worse(self->worst, status); }

/* ---- defining ---------------------------------------------------------------------------- */

/* The name of a kind (of the first `kind_length` characters of `kind`), or NULL. */
static const name *find(const registry *self, const char *kind, size_t kind_length, const char *text) {
  char wanted[32];
  snprintf(wanted, sizeof wanted, "%.*s", (int)kind_length, kind);
  const void *found = xmlHashLookup2(self->table, BAD_CAST text, BAD_CAST wanted);
  return found ? &self->names[(intptr_t)found - 1] : NULL;
}

/* A name of whatever kind, or NULL; for messages. */
static const name *find_any(const registry *self, const char *text) {
  for (int i = 0; i < self->count; i++)
    if (strcmp(self->names[i].text, text) == 0) return &self->names[i];
  return NULL;
}

/* The name of a kind that a new one must not have: of its own kind, and what runs has a folder of that name each. */
static const name *find_clash(const registry *self, const char *kind, const char *text) {
  static const char *const with_folder[] = {"analysis", "identification", "study", NULL};
  bool has_folder = false;
  for (int i = 0; with_folder[i]; i++) has_folder = has_folder || strcmp(kind, with_folder[i]) == 0;
  const name *found = find(self, kind, strlen(kind), text);
  for (int i = 0; has_folder && !found && with_folder[i]; i++)
    found = find(self, with_folder[i], strlen(with_folder[i]), text);
  return found;
}

static fw_status define(registry *self, const char *kind, const char *attribute, const char *owner, const char *text,
                        fw_place place) {
  FW_TRY(fw_grow(self->ctx, self->count, &self->room, sizeof *self->names, &self->names));
  size_t size = strlen(text) + (owner ? strlen(owner) + 1 : 0) + 1;
  char *full;
  FW_TRY(fw_alloc(self->ctx, size, 1, &full));
  snprintf(full, size, "%s%s%s", owner ? owner : "", owner ? "." : "", text);
  const name *earlier = find_clash(self, kind, full);
  if (earlier) {
    fw_status status =
        fw_fail_at(self->ctx, FW_ERR_DECK, place, "attribute '%s': the %s '%s' is already defined in line %d",
                   attribute, earlier->kind, full, earlier->place.line);
    free(full);
    return status;
  }
  self->names[self->count++] = (name){kind, full, place};
  int added = xmlHashAddEntry2(self->table, BAD_CAST full, BAD_CAST kind, (void *)(intptr_t)self->count);
  return added == 0 ? FW_OK : fw_fail(self->ctx, FW_ERR_MEMORY, "out of memory");
}

/* Which attribute of an item defines its name, or -1. */
static int id_of(const fw_args *args) {
  for (int i = 0; args->values && args->params[i].name; i++)
    if (args->params[i].kind == FW_PARAM_ID) return i;
  return -1;
}

/* The points that a <tube-support> makes at each face. */
static void define_faces(registry *self, const fw_item *item, const char *id) {
  for (int face = 0; face < fw_tube_support_faces(item); face++) {
    note(self, define(self, "point", "id", id, fw_tube_support_point(face), item->args.place));
    note(self, define(self, "point", "id", id, fw_tube_support_ring(face), item->args.place));
  }
}

static void define_all(registry *self, const fw_item *item, const fw_tag *tag, const char *owner) {
  int attribute = tag->kind ? id_of(&item->args) : -1;
  const fw_value *id = attribute >= 0 ? &item->args.values[attribute] : NULL;
  bool named = id && id->text;
  if (named) {
    fw_place place = item->args.place;
    place.line = id->line;
    const char *prefix = strcmp(tag->kind, "point") == 0 ? owner : NULL;
    note(self, define(self, tag->kind, item->args.params[attribute].name, prefix, id->text, place));
  }
  if (named && strcmp(item->name, "rigid") == 0)
    note(self, define(self, "point", "id", id->text, "centre", item->args.place));
  if (named && strcmp(item->name, "support-plane") == 0)
    note(self, define(self, "point", "id", id->text, "ring", item->args.place));
  if (named && strcmp(item->name, "tube-support") == 0) define_faces(self, item, id->text);
  for (int i = 0; i < item->child_count; i++) {
    const fw_entry *entry;
    const fw_tag *child = fw_tag_find(tag, item->children[i].name, &entry);
    if (child) define_all(self, &item->children[i], child, named ? id->text : owner);
  }
}

/* ---- referring --------------------------------------------------------------------------- */

/* First name of one of the kinds "a|b", or NULL. */
static const name *find_of_kinds(const registry *self, const char *kinds, const char *text) {
  for (const char *at = kinds; *at;) {
    size_t length = strcspn(at, "|");
    const name *found = find(self, at, length, text);
    if (found) return found;
    at += length + (at[length] == '|');
  }
  return NULL;
}

static bool is_kind(const char *kinds, const char *kind) { return fw_choice_index(kinds, kind) >= 0; }

/* What there is of the right kinds, and which of it is near. */
static void suggest(const registry *self, const char *kinds, const char *text, char *out, size_t room) {
  const char **names = calloc((size_t)self->count + 1, sizeof *names);
  int count = 0;
  for (int i = 0; names && i < self->count; i++)
    if (is_kind(kinds, self->names[i].kind)) names[count++] = self->names[i].text;
  const char *near = names ? fw_nearest(names, text) : NULL;
  size_t at = near ? (size_t)snprintf(out, room, "; did you mean '%s'?", near) : 0;
  at += (size_t)snprintf(out + at, room - at, count ? " (defined: " : " (none is defined)");
  for (int i = 0; i < count && at + 110 < room; i++)
    at += (size_t)snprintf(out + at, room - at, "%s%s", names[i], i + 1 < count ? ", " : ")");
  free(names);
}

/* "a|b" as "a or b". */
static void list_kinds(const char *choices, char *text, size_t room) {
  size_t at = 0;
  for (; *choices && at + 5 < room; choices++)
    at += (size_t)snprintf(text + at, room - at, *choices == '|' ? " or " : "%c", *choices);
}

/* A set belongs to a body's mesh, which only the builder knows. */
static bool may_be_set(const registry *self, const char *kinds, const char *text) {
  const char *dot = strchr(text, '.');
  char body[128];
  if (!dot || !is_kind(kinds, "set")) return false;
  snprintf(body, sizeof body, "%.*s", (int)(dot - text), text);
  const name *found = find(self, "body", strlen("body"), body);
  return found && strcmp(found->place.element, "plane") == 0;
}

static void check_reference(registry *self, fw_place place, const fw_param *param, const char *text) {
  if (find_of_kinds(self, param->choices, text) || may_be_set(self, param->choices, text)) return;
  char more[512] = "", kinds[128];
  const name *other = find_any(self, text);
  list_kinds(param->choices, kinds, sizeof kinds);
  suggest(self, param->choices, text, more, sizeof more);
  if (other)
    note(self, fw_fail_at(self->ctx, FW_ERR_DECK, place, "attribute '%s': '%s' is a %s, not a %s%s", param->name, text,
                          other->kind, kinds, more));
  else
    note(self, fw_fail_at(self->ctx, FW_ERR_DECK, place, "attribute '%s': there is no %s '%.60s'%s", param->name, kinds,
                          text, more));
}

static void check_args(registry *self, const fw_args *args) {
  for (int i = 0; args->values && args->params[i].name; i++) {
    const fw_param *param = &args->params[i];
    const fw_value *value = &args->values[i];
    if ((param->kind != FW_PARAM_REF && param->kind != FW_PARAM_REFS) || !value->given || !value->text) continue;
    fw_place place = args->place;
    place.line = value->line;
    char *copy = strdup(value->text), *rest = NULL;
    const char *separators = param->kind == FW_PARAM_REFS ? ", \t\r\n" : "\n";
    if (!copy) note(self, fw_fail(self->ctx, FW_ERR_MEMORY, "out of memory"));
    for (char *one = copy ? strtok_r(copy, separators, &rest) : NULL; one; one = strtok_r(NULL, separators, &rest))
      check_reference(self, place, param, one);
    free(copy);
  }
}

static void check_all(registry *self, const fw_item *item) {
  check_args(self, &item->args);
  check_args(self, &item->entry_args);
  for (int i = 0; i < item->child_count; i++) check_all(self, &item->children[i]);
}

static int count_items(const fw_item *item) {
  int count = 1;
  for (int i = 0; i < item->child_count; i++) count += count_items(&item->children[i]);
  return count;
}

/* The table has room for all from the beginning: by itself it does not grow beyond 16384 chains. */
fw_status fw_names_check(fw_context *ctx, const fw_item *root) {
  registry self = {.ctx = ctx, .table = xmlHashCreate(count_items(root))};
  if (!self.table) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  define_all(&self, root, &fw_deck_tag, NULL);
  check_all(&self, root);
  for (int i = 0; i < self.count; i++) free(self.names[i].text);
  free(self.names);
  xmlHashFree(self.table, NULL);
  return self.worst;
}
