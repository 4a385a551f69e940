/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/deck.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/plain_locale.h"
#include "input/attribute.h"
#include "input/builder.h"
#include "input/evaluate.h"
#include "input/schema.h"
#include "input/source.h"
#include "output/files.h"

struct fw_deck {
  fw_source *source;
  bool lent; /* the source belongs to another deck */
  fw_parameters parameters;
};

/* ---- parameters -------------------------------------------------------------------------- */

/* The first node from `node` on among its siblings that is an element of this name. */
static xmlNode *named_from(xmlNode *node, const char *name) {
  while (node && (node->type != XML_ELEMENT_NODE || strcmp((const char *)node->name, name) != 0)) node = node->next;
  return node;
}

/* The <parameter> after `last` (NULL: the first) in all <parameters> of a deck. */
static xmlNode *next_parameter(const xmlDoc *doc, const xmlNode *last) {
  xmlNode *list, *found = last ? named_from(last->next, "parameter") : NULL;
  list = last ? named_from(last->parent->next, "parameters")
              : named_from(xmlDocGetRootElement(doc)->children, "parameters");
  for (; !found && list; list = named_from(list->next, "parameters")) found = named_from(list->children, "parameter");
  return found;
}

/* One <parameter>. What is missing is reported by the evaluation; here it is passed over. */
static fw_status add_parameter(fw_context *ctx, fw_parameters *parameters, const xmlNode *node) {
  static const char *const names[] = {"name", "value", "unit", "min", "max"};
  xmlChar *texts[5];
  for (int i = 0; i < 5; i++) texts[i] = xmlGetNoNsProp(node, BAD_CAST names[i]);
  const char *name = (const char *)texts[0], *value = (const char *)texts[1];
  fw_status status = FW_OK;
  if (name && value)
    status = fw_parameters_add(ctx, parameters, fw_source_place(node), name, value, (const char *)texts[2],
                               (const char *)texts[3], (const char *)texts[4]);
  for (int i = 0; i < 5; i++) xmlFree(texts[i]);
  return status;
}

static fw_status add_parameters(fw_context *ctx, fw_deck *deck) {
  fw_status worst = FW_OK;
  for (const xmlNode *node = NULL; (node = next_parameter(deck->source->doc, node));) {
    fw_status status = add_parameter(ctx, &deck->parameters, node);
    worst = fw_worse(worst, status);
  }
  return worst;
}

/* ---- loading ----------------------------------------------------------------------------- */

fw_status fw_deck_evaluate(fw_context *ctx, const fw_deck *deck, fw_item *root) {
  fw_parameters parameters = {0};
  fw_status first = fw_parameters_copy(ctx, &deck->parameters, &parameters);
  if (first == FW_OK) first = fw_parameters_evaluate(ctx, &parameters);
  fw_status second = FW_OK;
  if (parameters.scope) second = fw_evaluate(ctx, deck->source, &parameters, root);
  fw_parameters_clear(&parameters);
  fw_status third = root->name ? fw_names_check(ctx, root) : FW_OK;
  return fw_worse(fw_worse(third, second), first);
}

/* A deck whose source was read: parameters, names, form. */
static fw_status take_source(fw_context *ctx, fw_deck *deck) {
  fw_status status = add_parameters(ctx, deck);
  if (status == FW_ERR_MEMORY) return status;
  fw_item root = {0};
  fw_status evaluated = fw_deck_evaluate(ctx, deck, &root);
  fw_item_clear(&root);
  FW_TRY(status);
  FW_TRY(evaluated);
  return fw_schema_validate(ctx, deck->source);
}

static fw_status load_new(fw_context *ctx, const char *path, fw_deck **deck) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **deck, deck));
  fw_status status = fw_source_read(ctx, path, &(*deck)->source);
  if (status == FW_OK) status = take_source(ctx, *deck);
  if (status != FW_OK) fw_deck_destroy(deck);
  return status;
}

static fw_status parse_new(fw_context *ctx, const char *text, size_t size, const char *name, fw_deck **deck) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **deck, deck));
  fw_status status = fw_source_parse(ctx, text, size, name, &(*deck)->source);
  if (status == FW_OK) status = take_source(ctx, *deck);
  if (status != FW_OK) fw_deck_destroy(deck);
  return status;
}

fw_status fw_deck_load(fw_context *ctx, const char *path, fw_deck **deck) {
  if (deck) *deck = NULL;
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, path);
  FW_NEED(ctx, deck);
  FW_RETURN_PLAIN(ctx, load_new(ctx, path, deck));
}

fw_status fw_deck_parse(fw_context *ctx, const char *text, size_t size, const char *name, fw_deck **deck) {
  if (deck) *deck = NULL;
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, text);
  FW_NEED(ctx, deck);
  FW_RETURN_PLAIN(ctx, parse_new(ctx, text, size, name ? name : "deck.xml", deck));
}

void fw_deck_destroy(fw_deck **deck) {
  if (!deck || !*deck) return;
  if (!(*deck)->lent) fw_source_destroy(&(*deck)->source);
  fw_parameters_clear(&(*deck)->parameters);
  free(*deck);
  *deck = NULL;
}

fw_status fw_deck_copy(fw_context *ctx, const fw_deck *deck, fw_deck **copy) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **copy, copy));
  (*copy)->source = deck->source;
  (*copy)->lent = true;
  fw_status status = fw_parameters_copy(ctx, &deck->parameters, &(*copy)->parameters);
  if (status != FW_OK) fw_deck_destroy(copy);
  return status;
}

fw_status fw_deck_set(fw_context *ctx, fw_deck *deck, const char *name, const char *expression) {
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, deck);
  FW_NEED(ctx, name);
  FW_NEED(ctx, expression);
  return fw_parameters_set(ctx, &deck->parameters, name, expression);
}

/* ---- what is in it ----------------------------------------------------------------------- */

int fw_deck_parameter_count(const fw_deck *deck) { return deck ? deck->parameters.count : 0; }

fw_status fw_deck_parameter(const fw_deck *deck, int index, const char **name, const char **expression,
                            const char **unit) {
  if (index < 0 || index >= fw_deck_parameter_count(deck)) return FW_ERR_ARGUMENT;
  const fw_parameter *parameter = &deck->parameters.list[index];
  if (name) *name = parameter->name;
  if (expression) *expression = parameter->expression;
  if (unit) *unit = parameter->unit ? parameter->unit : "";
  return FW_OK;
}

/* What runs by its number, in the order of the run; NULL and in *index how many there are beyond the last. */
static const xmlNode *find_task(const fw_deck *deck, int *index) {
  static const char *const parts[] = {"analyses", "identification", "studies"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (const xmlNode *part = named_from(xmlDocGetRootElement(deck->source->doc)->children, parts[i]); part;
         part = named_from(part->next, parts[i]))
      for (const xmlNode *task = part->children; task; task = task->next)
        if (task->type == XML_ELEMENT_NODE && (*index)-- == 0) return task;
  return NULL;
}

int fw_deck_task_count(const fw_deck *deck) {
  int left = INT_MAX;
  if (deck) find_task(deck, &left);
  return INT_MAX - left;
}

fw_status fw_deck_task(const fw_deck *deck, int index, const char **id, const char **kind) {
  const xmlNode *task = deck && index >= 0 ? find_task(deck, &index) : NULL;
  const xmlAttr *attribute = task ? xmlHasProp(task, BAD_CAST "id") : NULL;
  if (!attribute || !attribute->children) return FW_ERR_ARGUMENT;
  if (id) *id = (const char *)attribute->children->content;
  if (kind) *kind = (const char *)task->name;
  return FW_OK;
}

const char *fw_deck_path(const fw_deck *deck) { return deck->source->files[0]; }

const fw_parameters *fw_deck_parameters(const fw_deck *deck) { return &deck->parameters; }

/* ---- building ---------------------------------------------------------------------------- */

static fw_status build(fw_context *ctx, const fw_deck *deck, bool whole, fw_built *built) {
  FW_TRY(fw_deck_evaluate(ctx, deck, &built->root));
  built->analyses = fw_item_child(&built->root, "analyses");
  built->outputs = fw_item_child(&built->root, "outputs");
  built->studies = fw_item_child(&built->root, "studies");
  built->data = fw_item_child(&built->root, "data");
  built->identification = fw_item_child(&built->root, "identification");
  return fw_build_model(ctx, &built->root, whole, &built->model);
}

static fw_status create_built(fw_context *ctx, const fw_deck *deck, bool whole, fw_built **built) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **built, built));
  fw_status status = build(ctx, deck, whole, *built);
  if (status != FW_OK) fw_built_destroy(built);
  return status;
}

fw_status fw_deck_build(fw_context *ctx, const fw_deck *deck, fw_built **built) {
  return create_built(ctx, deck, false, built);
}

fw_status fw_deck_build_whole(fw_context *ctx, const fw_deck *deck, fw_built **built) {
  return create_built(ctx, deck, true, built);
}

void fw_built_destroy(fw_built **built) {
  if (!built || !*built) return;
  fw_model_destroy(&(*built)->model);
  fw_item_clear(&(*built)->root);
  free(*built);
  *built = NULL;
}

/* ---- writing ----------------------------------------------------------------------------- */

/* A copy of the tree with the parameters as they are set; NULL without memory. */
static xmlDoc *copy_as_set(const fw_deck *deck) {
  xmlDoc *copy = xmlCopyDoc(deck->source->doc, 1);
  int i = 0;
  for (xmlNode *node = NULL; copy && (node = next_parameter(copy, node)) && i < deck->parameters.count;)
    xmlSetProp(node, BAD_CAST "value", BAD_CAST deck->parameters.list[i++].expression);
  return copy;
}

/* Gives an attribute of the copy that names a file its full path, so that the copy can be read from any folder. */
static bool resolve_file(const xmlNode *original, xmlNode *copy, const xmlAttr *attribute) {
  xmlChar *name = xmlNodeListGetString(original->doc, attribute->children, 1);
  char *joined = name ? fw_source_join(fw_source_place(original).file, (const char *)name) : NULL;
  char *path = joined ? realpath(joined, NULL) : NULL;
  if (path) xmlSetProp(copy, attribute->name, BAD_CAST path);
  free(path);
  free(joined);
  xmlFree(name);
  return joined != NULL;
}

/* The same in a whole tree. Only the original knows which file each of its elements came from. */
static bool resolve_files(const xmlNode *original, xmlNode *copy) {
  for (const xmlAttr *attribute = original->properties; attribute; attribute = attribute->next)
    if (fw_attribute_is_file((const char *)attribute->name) && !resolve_file(original, copy, attribute)) return false;
  const xmlNode *from = original->children;
  for (xmlNode *to = copy->children; from && to; from = from->next, to = to->next)
    if (from->type == XML_ELEMENT_NODE && !resolve_files(from, to)) return false;
  return true;
}

/* The deck as it would run now, as text of libxml2's; to be freed with xmlFree. */
static fw_status dump(fw_context *ctx, const fw_deck *deck, xmlChar **text, int *length) {
  xmlDoc *copy = copy_as_set(deck);
  *text = NULL;
  if (copy && resolve_files(xmlDocGetRootElement(deck->source->doc), xmlDocGetRootElement(copy)))
    xmlDocDumpMemoryEnc(copy, text, length, "UTF-8");
  if (copy) xmlFreeDoc(copy);
  return *text ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
}

fw_status fw_deck_write(fw_context *ctx, const fw_deck *deck, const char *path) {
  xmlChar *text;
  int length = 0;
  FW_TRY(dump(ctx, deck, &text, &length));
  fw_status status = fw_file_write(ctx, path, text, (size_t)length);
  xmlFree(text);
  return status;
}

fw_status fw_deck_text(fw_context *ctx, const fw_deck *deck, char **text) {
  if (text) *text = NULL;
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, deck);
  FW_NEED(ctx, text);
  xmlChar *dumped;
  int length = 0;
  FW_TRY(dump(ctx, deck, &dumped, &length));
  fw_status status = fw_copy_text(ctx, (const char *)dumped, text);
  xmlFree(dumped);
  return status;
}
