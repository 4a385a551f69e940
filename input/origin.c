/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/origin.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/friction/plugin.h"
#include "contact/model_mark.h"
#include "core/formula.h"
#include "core/hash.h"
#include "input/attribute.h"
#include "input/evaluate.h"
#include "input/source.h"
#include "output/files.h"
#include "output/manifest.h"

/* ---- marks of elements ------------------------------------------------------------------- */

static bool counts(const fw_item *item) {
  static const char *const aside[] = {"title", "parameters", "studies", "data", "identification", "compare"};
  for (size_t i = 0; i < sizeof aside / sizeof *aside; i++)
    if (strcmp(item->name, aside[i]) == 0) return false;
  return true;
}

static uint64_t mark_value(uint64_t h, const fw_param *param, const fw_value *value) {
  bool words = !value->numbers && !value->formula && !fw_attribute_is_file(param->name);
  h = fw_hash_integer(fw_hash_text(h, param->name), value->given);
  h = fw_hash_text(h, words ? value->text : NULL);
  h = fw_hash_numbers(h, value->numbers, (size_t)value->count);
  return fw_hash_integer(h, value->formula ? (long)fw_formula_mark(value->formula) : 0);
}

static uint64_t mark_args(uint64_t h, const fw_args *args) {
  for (int i = 0; args->values && args->params[i].name; i++) h = mark_value(h, &args->params[i], &args->values[i]);
  return h;
}

static uint64_t mark_item(uint64_t h, const fw_item *item) {
  h = fw_hash_text(h, item->name);
  h = fw_hash_text(h, item->entry ? item->entry->name : NULL);
  h = mark_args(mark_args(h, &item->args), &item->entry_args);
  for (int i = 0; i < item->child_count; i++)
    if (counts(&item->children[i])) h = mark_item(h, &item->children[i]);
  return fw_hash_text(h, "/");
}

uint64_t fw_item_mark(const fw_item *item) { return mark_item(FW_HASH_START, item); }

/* ---- files ------------------------------------------------------------------------------- */

typedef struct files {
  fw_context *ctx;
  fw_record *record; /* gets files[i].name and .mark; NULL: none */
  int count;
  uint64_t mark;
} files;

static fw_status add_file(files *all, const char *path) {
  char *bytes, text[24];
  size_t length;
  FW_TRY(fw_file_read(all->ctx, path, &bytes, &length));
  uint64_t mark = fw_hash(FW_HASH_START, bytes, length);
  free(bytes);
  all->mark = fw_hash(all->mark, &mark, sizeof mark);
  snprintf(text, sizeof text, "%016" PRIx64, mark);
  int i = all->count++;
  if (!all->record) return FW_OK;
  FW_TRY(fw_record_set_text(all->record, path, "files[%d].name", i));
  return fw_record_set_text(all->record, text, "files[%d].mark", i);
}

static fw_status add_plugin(files *all, const fw_args *args, const char *name) {
  char path[4096];
  char *folder = fw_source_join(args->place.file, ".");
  if (!folder) return fw_fail(all->ctx, FW_ERR_MEMORY, "out of memory");
  fw_status status = fw_plugin_path(all->ctx, name, folder, path, sizeof path);
  free(folder);
  return status == FW_OK ? add_file(all, path) : status;
}

static fw_status add_files_of(files *all, const fw_args *args) {
  for (int i = 0; args->values && args->params[i].name; i++) {
    const char *text = args->values[i].text, *name = args->params[i].name;
    if (!text) continue;
    if (fw_attribute_is_file(name)) FW_TRY(add_file(all, text));
    if (strcmp(name, "law") == 0 && fw_plugin_name(text)) FW_TRY(add_plugin(all, args, fw_plugin_name(text)));
  }
  return FW_OK;
}

static fw_status add_files(files *all, const fw_item *item) {
  FW_TRY(add_files_of(all, &item->args));
  FW_TRY(add_files_of(all, &item->entry_args));
  for (int i = 0; i < item->child_count; i++)
    if (counts(&item->children[i])) FW_TRY(add_files(all, &item->children[i]));
  return FW_OK;
}

/* ---- origins ----------------------------------------------------------------------------- */

static fw_status mark_root(fw_context *ctx, const fw_item *root, fw_record *record, uint64_t *mark) {
  files all = {.ctx = ctx, .record = record, .mark = fw_hash_text(FW_HASH_START, fw_version())};
  FW_TRY(add_files(&all, root));
  *mark = mark_item(all.mark, root);
  return FW_OK;
}

fw_status fw_deck_mark(fw_context *ctx, const fw_deck *deck, uint64_t *mark) {
  fw_item root = {0};
  fw_status status = fw_deck_evaluate(ctx, deck, &root);
  if (status == FW_OK) status = mark_root(ctx, &root, NULL, mark);
  fw_item_clear(&root);
  return status;
}

static fw_status describe_parameters(fw_context *ctx, const fw_deck *deck, fw_record *to) {
  fw_parameters own = {0};
  fw_status status;
  FW_TRY_DONE(fw_parameters_copy(ctx, fw_deck_parameters(deck), &own));
  FW_TRY_DONE(fw_parameters_evaluate(ctx, &own));
  for (int i = 0; i < own.count; i++) {
    const fw_parameter *p = &own.list[i];
    FW_TRY_DONE(fw_record_set_number(to, p->value / p->factor, "parameters.%s.value", p->name));
    if (p->unit) FW_TRY_DONE(fw_record_set_text(to, p->unit, "parameters.%s.unit", p->name));
  }
done:
  fw_parameters_clear(&own);
  return status;
}

static fw_status describe(fw_context *ctx, const fw_deck *deck, const fw_built *built, fw_record *to, uint64_t *mark) {
  char text[24];
  uint64_t model = fw_model_mark(built->model);
  FW_TRY(fw_record_set_text(to, fw_version(), "version"));
  FW_TRY(fw_record_set_text(to, fw_deck_path(deck), "deck"));
  FW_TRY(describe_parameters(ctx, deck, to));
  FW_TRY(mark_root(ctx, &built->root, to, mark));
  *mark = fw_hash(*mark, &model, sizeof model);
  snprintf(text, sizeof text, "%016" PRIx64, model);
  FW_TRY(fw_record_set_text(to, text, "model"));
  snprintf(text, sizeof text, "%016" PRIx64, *mark);
  return fw_record_set_text(to, text, "mark");
}

fw_status fw_origin_create(fw_context *ctx, const fw_deck *deck, const fw_built *built, fw_record **origin,
                           uint64_t *mark) {
  if (fw_record_create(origin) != FW_OK) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fw_status status = describe(ctx, deck, built, *origin, mark);
  if (status != FW_OK) fw_record_destroy(origin);
  return status;
}

/* ---- what differs ------------------------------------------------------------------------ */

/* A list of differences, each ", "-separated; what does not fit is left out. */
typedef struct differences {
  char text[2048];
  size_t used;
  int count;
} differences;

static void differ(differences *d, const char *format, ...) FW_PRINTF(2, 3);
static void differ(differences *d, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  d->count++;
  if (d->used + strlen(text) + 3 > sizeof d->text) return;
  d->used += (size_t)snprintf(d->text + d->used, sizeof d->text - d->used, "%s%s", d->used ? "; " : "", text);
}

static const char *text_at(const fw_record *record, const char *path) {
  const char *text;
  return fw_record_text(record, path, &text) == FW_OK ? text : "";
}

static void compare_versions(const fw_record *then, const fw_record *now, differences *d) {
  const char *a = text_at(then, "version"), *b = text_at(now, "version");
  if (strcmp(a, b) != 0) differ(d, "version %s of fretwork then, %s now", a, b);
}

static void compare_parameters(const fw_record *then, const fw_record *now, differences *d) {
  for (int i = 0; i < fw_record_count(now, "parameters"); i++) {
    const char *name = fw_record_key(now, "parameters", i);
    char path[256];
    double a, b;
    snprintf(path, sizeof path, "parameters.%s.value", name);
    bool known = fw_record_number(then, path, &a) == FW_OK;
    if (fw_record_number(now, path, &b) != FW_OK || (known && a == b)) continue;
    if (known)
      differ(d, "parameter %s: %.12g then, %.12g now", name, a, b);
    else
      differ(d, "parameter %s is new", name);
  }
}

/* Files are told by their order: the same element may name another file. */
static void compare_files(const fw_record *then, const fw_record *now, differences *d) {
  int count = fw_record_count(now, "files"), before = fw_record_count(then, "files");
  if (count != before) differ(d, "%d files read then, %d now", before, count);
  for (int i = 0; i < count && i < before; i++) {
    char mark[64], name[64];
    snprintf(mark, sizeof mark, "files[%d].mark", i);
    snprintf(name, sizeof name, "files[%d].name", i);
    if (strcmp(text_at(then, mark), text_at(now, mark)) != 0)
      differ(d, "the contents of %s, then of %s", text_at(now, name), text_at(then, name));
  }
}

static void compare_args(const fw_args *then, const fw_args *now, const char *element, differences *d) {
  if (!then->values || !now->values || then->params != now->params) return;
  for (int i = 0; now->params[i].name; i++) {
    const fw_value *a = &then->values[i], *b = &now->values[i];
    if (mark_value(0, &now->params[i], a) == mark_value(0, &now->params[i], b)) continue;
    differ(d, "%s:%d: <%s> %s: %s then, %s now", now->place.file, b->given ? b->line : now->place.line, element,
           now->params[i].name, a->text ? a->text : "absent", b->text ? b->text : "absent");
  }
}

static void compare_items(const fw_item *then, const fw_item *now, differences *d) {
  if (fw_item_mark(then) == fw_item_mark(now)) return;
  if (strcmp(then->name, now->name) != 0 || then->entry != now->entry || then->child_count != now->child_count) {
    differ(d, "%s:%d: <%s> is another or has other parts", now->args.place.file, now->args.place.line, now->name);
    return;
  }
  compare_args(&then->args, &now->args, now->name, d);
  compare_args(&then->entry_args, &now->entry_args, now->name, d);
  for (int i = 0; i < now->child_count; i++)
    if (counts(&now->children[i])) compare_items(&then->children[i], &now->children[i], d);
}

/* The deck as it ran then lies in the folder. */
static void compare_decks(fw_context *ctx, const fw_deck *deck, const char *folder, differences *d) {
  fw_context *aside = NULL;
  fw_deck *before = NULL;
  fw_item then = {0}, now = {0};
  char *path = NULL;
  fw_status status;
  FW_TRY_DONE(fw_context_fork(ctx, &aside));
  FW_TRY_DONE(fw_path_join(aside, folder, "deck.xml", &path));
  FW_TRY_DONE(fw_deck_load(aside, path, &before));
  FW_TRY_DONE(fw_deck_evaluate(aside, before, &then));
  FW_TRY_DONE(fw_deck_evaluate(aside, deck, &now));
  compare_items(&then, &now, d);
done:
  if (status != FW_OK) differ(d, "the deck");
  fw_item_clear(&then);
  fw_item_clear(&now);
  fw_deck_destroy(&before);
  free(path);
  fw_context_destroy(&aside);
}

fw_status fw_origin_check(fw_context *ctx, const fw_deck *deck, const fw_record *origin, const char *folder) {
  fw_record *then;
  differences d = {.count = 0};
  FW_TRY(fw_manifest_read(ctx, folder, &then));
  if (!then || strcmp(text_at(then, "mark"), text_at(origin, "mark")) == 0) {
    fw_record_destroy(&then);
    return FW_OK;
  }
  compare_versions(then, origin, &d);
  compare_parameters(then, origin, &d);
  compare_files(then, origin, &d);
  if (d.count == 0) compare_decks(ctx, deck, folder, &d);
  fw_record_destroy(&then);
  return fw_fail(ctx, FW_ERR_ARGUMENT,
                 "%s: cannot be continued, what it holds was computed from something else: %s; "
                 "--force begins again",
                 folder, d.count ? d.text : "the model");
}
