/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/friction/plugin.h"
#include "input/attribute.h"

typedef struct evaluation {
  fw_context *ctx;
  fw_scope *scope;
  fw_status worst;
} evaluation;

static void note(evaluation *self, fw_status status) { self->worst = fw_worse(self->worst, status); }

/* ---- messages ---------------------------------------------------------------------------- */

/* "one of a, b, c" with a suggestion in front if one is near. */
static void describe_allowed(const char *const *names, const char *misspelt, char *text, size_t room) {
  const char *near = fw_nearest(names, misspelt);
  size_t at = 0;
  if (near) at = (size_t)snprintf(text, room, "did you mean '%s'? ", near);
  at += (size_t)snprintf(text + at, room - at, names[0] ? "allowed: " : "none is allowed");
  for (; *names && at + 80 < room; names++)
    at += (size_t)snprintf(text + at, room - at, "%s%s", *names, names[1] ? ", " : "");
  if (*names) snprintf(text + at, room - at, "...");
}

static fw_status out_of_memory(fw_context *ctx) { return fw_fail(ctx, FW_ERR_MEMORY, "out of memory"); }

static fw_status unknown_attribute(fw_context *ctx, fw_place place, const char *name, const fw_param *own,
                                   const fw_param *entry) {
  int n = fw_param_count(own), m = fw_param_count(entry);
  const char **names;
  FW_TRY(fw_alloc(ctx, (size_t)(n + m + 1), sizeof *names, &names));
  for (int i = 0; i < n; i++) names[i] = own[i].name;
  for (int i = 0; entry && i < m; i++) names[n + i] = entry[i].name;
  char allowed[1024];
  describe_allowed(names, name, allowed, sizeof allowed);
  free(names);
  return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute '%s': unknown; %s", name, allowed);
}

static fw_status unknown_element(fw_context *ctx, fw_place parent, fw_place place, const fw_tag *tag) {
  const char **names = fw_tag_child_names(tag);
  if (!names) return out_of_memory(ctx);
  char allowed[1024];
  describe_allowed(names, place.element, allowed, sizeof allowed);
  free(names);
  return fw_fail_at(ctx, FW_ERR_DECK, place, "not allowed in <%s>; %s", parent.element, allowed);
}

static fw_status unknown_entry(fw_context *ctx, fw_place place, const fw_tag *tag, const char *name) {
  const char **names = fw_tag_entry_names(tag);
  if (!names) return out_of_memory(ctx);
  char allowed[1024];
  describe_allowed(names, name, allowed, sizeof allowed);
  free(names);
  return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute '%s': there is no '%s' among the %s; %s", tag->selector, name,
                    tag->table->name, allowed);
}

/* ---- attributes -------------------------------------------------------------------------- */

static const xmlAttr *find_attribute(const xmlNode *node, const char *name) {
  for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
    if (!attribute->ns && strcmp((const char *)attribute->name, name) == 0) return attribute;
  return NULL;
}

static bool is_param(const fw_param *params, const char *name) {
  for (; params && params->name; params++)
    if (strcmp(params->name, name) == 0) return true;
  return false;
}

/* Reads a parameter list from an element's attributes. */
static void read_args(evaluation *self, const xmlNode *node, const fw_param *params, fw_args *args) {
  args->place = fw_source_place(node);
  args->params = params;
  if (!params) return;
  fw_status status = fw_alloc(self->ctx, (size_t)fw_param_count(params) + 1, sizeof *args->values, &args->values);
  note(self, status);
  for (int i = 0; status == FW_OK && params[i].name; i++) {
    const xmlAttr *attribute = find_attribute(node, params[i].name);
    xmlChar *text = attribute ? xmlNodeListGetString(node->doc, attribute->children, 1) : NULL;
    fw_place place = args->place;
    if (attribute && fw_source_line(attribute)) place.line = fw_source_line(attribute);
    const char *given = attribute ? (text ? (const char *)text : "") : NULL;
    note(self, fw_attribute_read(self->ctx, self->scope, place, &params[i], given, &args->values[i]));
    xmlFree(text);
  }
}

static void refuse_unknown_attributes(evaluation *self, const xmlNode *node, const fw_tag *tag, const fw_entry *entry) {
  static const char xsi[] = "http://www.w3.org/2001/XMLSchema-instance";
  const fw_param *more = entry ? entry->params : NULL;
  for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next) {
    const char *name = (const char *)attribute->name;
    if (attribute->ns && xmlStrEqual(attribute->ns->href, BAD_CAST xsi)) continue;
    if (!attribute->ns && (is_param(tag->params, name) || is_param(more, name))) continue;
    fw_place place = fw_source_place(node);
    if (fw_source_line(attribute)) place.line = fw_source_line(attribute);
    note(self, unknown_attribute(self->ctx, place, name, tag->params, more));
  }
}

static void pass_on(void *user, const char *text) { fw_log(user, "%s", text); }

/* A law from a shared object beside the deck. Its loader knows no deck: what it says is told again with a place. */
static fw_status load_plugin(fw_context *ctx, fw_place place, const fw_tag *tag, const char *name,
                             const fw_entry **entry) {
  if (!fw_plugins_allowed(ctx))
    return fw_fail_at(ctx, FW_ERR_DECK, place,
                      "attribute '%s': 'plugin:%s' is code from outside: it needs --allow-plugins", tag->selector,
                      name);
  fw_context *aside;
  const fw_friction_ops *ops = NULL;
  FW_TRY(fw_context_create(&aside));
  fw_context_on_log(aside, pass_on, ctx);
  fw_plugins_ask_for(aside, ctx);
  char *folder = fw_source_join(place.file, ".");
  fw_status status = folder ? fw_plugin_load(aside, name, folder, &ops) : out_of_memory(aside);
  free(folder);
  if (status == FW_OK)
    *entry = &ops->entry;
  else
    status = fw_fail_at(ctx, FW_ERR_DECK, place, "attribute '%s': %s", tag->selector, fw_context_message(aside));
  fw_context_destroy(&aside);
  return status;
}

/* The table entry an element's selector names; NULL after an error. */
static const fw_entry *select_entry(evaluation *self, const xmlNode *node, const fw_tag *tag) {
  const xmlAttr *attribute = find_attribute(node, tag->selector);
  if (!attribute) return tag->fallback ? fw_table_find(tag->table, tag->fallback) : NULL;
  xmlChar *name = xmlNodeListGetString(node->doc, attribute->children, 1);
  const char *text = name ? (const char *)name : "";
  fw_place place = fw_source_place(node);
  if (fw_source_line(attribute)) place.line = fw_source_line(attribute);
  const fw_entry *entry = fw_table_find(tag->table, text);
  if (entry && !fw_tag_admits(tag, entry)) entry = NULL;
  if (!entry && tag->table == &fw_laws && fw_plugin_name(text))
    note(self, load_plugin(self->ctx, place, tag, fw_plugin_name(text), &entry));
  else if (!entry && text[0])
    note(self, unknown_entry(self->ctx, place, tag, text));
  xmlFree(name);
  return entry;
}

/* ---- elements ---------------------------------------------------------------------------- */

static void evaluate_element(evaluation *self, const xmlNode *node, const fw_tag *tag, const fw_entry *entry,
                             fw_item *item);

static int count_elements(const xmlNode *node) {
  int count = 0;
  for (const xmlNode *child = node->children; child; child = child->next) count += child->type == XML_ELEMENT_NODE;
  return count;
}

static void check_occurrence(evaluation *self, const xmlNode *node, const fw_tag *tag, const fw_item *item) {
  fw_place place = fw_source_place(node);
  for (const fw_child *child = tag->children; child && child->tag; child++) {
    if (!child->tag->name || (child->min == 0 && child->max == 0)) continue;
    int count = 0;
    for (int i = 0; i < item->child_count; i++) {
      if (strcmp(item->children[i].name, child->tag->name) != 0) continue;
      count++;
      if (child->max && count == child->max + 1)
        note(self, fw_fail_at(self->ctx, FW_ERR_DECK, item->children[i].args.place, "occurs twice in <%s>", tag->name));
    }
    if (count < child->min && count == 0)
      note(self, fw_fail_at(self->ctx, FW_ERR_DECK, place, "<%s> is missing", child->tag->name));
    else if (count < child->min)
      note(self, fw_fail_at(self->ctx, FW_ERR_DECK, place, "%d <%s> are needed, there is %d", child->min,
                            child->tag->name, count));
  }
}

static void evaluate_children(evaluation *self, const xmlNode *node, const fw_tag *tag, fw_item *item) {
  fw_place place = fw_source_place(node);
  fw_status status = fw_alloc(self->ctx, (size_t)count_elements(node), sizeof *item->children, &item->children);
  note(self, status);
  if (status != FW_OK) return;
  for (const xmlNode *child = node->children; child; child = child->next) {
    if (child->type == XML_TEXT_NODE && !xmlIsBlankNode(child)) {
      xmlChar *text = xmlNodeGetContent(child);
      const char *at = text ? (const char *)text + strspn((const char *)text, " \t\r\n") : "";
      note(self,
           fw_fail_at(self->ctx, FW_ERR_DECK, place, "text is not allowed here: '%.*s'", (int)strcspn(at, "\r\n"), at));
      xmlFree(text);
    }
    if (child->type != XML_ELEMENT_NODE) continue;
    const fw_entry *entry;
    const fw_tag *found = child->ns ? NULL : fw_tag_find(tag, (const char *)child->name, &entry);
    if (found)
      evaluate_element(self, child, found, entry, &item->children[item->child_count++]);
    else
      note(self, unknown_element(self->ctx, place, fw_source_place(child), tag));
  }
  check_occurrence(self, node, tag, item);
}

static void evaluate_text(evaluation *self, const xmlNode *node, fw_item *item) {
  xmlChar *text = xmlNodeGetContent(node);
  item->text = text ? strdup((const char *)text) : NULL;
  xmlFree(text);
  if (!item->text) note(self, out_of_memory(self->ctx));
  if (count_elements(node) > 0)
    note(self, fw_fail_at(self->ctx, FW_ERR_DECK, fw_source_place(node), "takes text only"));
}

static void evaluate_element(evaluation *self, const xmlNode *node, const fw_tag *tag, const fw_entry *entry,
                             fw_item *item) {
  item->name = (const char *)node->name;
  item->entry = tag->selector ? select_entry(self, node, tag) : entry;
  read_args(self, node, tag->params, &item->args);
  if (item->entry) read_args(self, node, item->entry->params, &item->entry_args);
  if (!tag->selector || item->entry) refuse_unknown_attributes(self, node, tag, item->entry);
  if (tag->text)
    evaluate_text(self, node, item);
  else
    evaluate_children(self, node, tag, item);
}

fw_status fw_evaluate(fw_context *ctx, const fw_source *source, const fw_parameters *parameters, fw_item *root) {
  evaluation self = {ctx, parameters->scope, FW_OK};
  *root = (fw_item){0};
  const xmlNode *node = xmlDocGetRootElement(source->doc);
  if (node->ns || strcmp((const char *)node->name, fw_deck_tag.name) != 0)
    return fw_fail_at(ctx, FW_ERR_DECK, fw_source_place(node), "a deck begins with <fretwork version=\"1\">");
  evaluate_element(&self, node, &fw_deck_tag, NULL, root);
  return self.worst;
}

void fw_item_clear(fw_item *item) {
  for (int i = 0; i < item->child_count; i++) fw_item_clear(&item->children[i]);
  free(item->children);
  free(item->text);
  fw_args_clear(&item->args);
  fw_args_clear(&item->entry_args);
  *item = (fw_item){0};
}
