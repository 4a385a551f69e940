/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "other_values.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void offer(candidates *c, const char *format, ...) FW_PRINTF(2, 3);
static void offer(candidates *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (c->count < CANDIDATES && vsnprintf(c->text[c->count], CANDIDATE, format, args) < CANDIDATE) c->count++;
  va_end(args);
}

static void offer_words(candidates *c, const char *choices, const char *current) {
  for (const char *at = choices; at && *at; at += strcspn(at, "|"), at += *at == '|') {
    int length = (int)strcspn(at, "|");
    if (!current || strncmp(at, current, (size_t)length) != 0 || current[length]) offer(c, "%.*s", length, at);
  }
}

static bool is_word(const char *choices, const char *text) { return choices && fw_choice_index(choices, text) >= 0; }

static void offer_numbers(candidates *c, const fw_param *param, const char *current) {
  if (current && *current && !is_word(param->choices, current)) {
    offer(c, "(%s)*1.01+1e-7", current);
    offer(c, "(%s)*0.98-1e-7", current);
    offer(c, "(%s)+0.001", current);
    offer(c, "(%s)-1", current);
    offer(c, "(%s)+1", current);
  }
  offer_words(c, param->choices, current);
  static const char *const plain[] = {"1e-6", "0.003", "0.3", "7", "150", "2e4", "1e8"};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) offer(c, "%s", plain[i]);
}

static void offer_whole(candidates *c, const fw_param *param, const char *current) {
  if (current && *current && !is_word(param->choices, current)) {
    offer(c, "(%s)+1", current);
    offer(c, "(%s)-1", current);
    offer(c, "(%s)*2", current);
  }
  offer_words(c, param->choices, current);
  offer(c, "2");
  offer(c, "3");
  offer(c, "64");
}

/* Whether a list begins with a number that does not follow. */
static bool is_of_unlike(const char *list) {
  const char *second = strchr(list, ',') + 1;
  second += strspn(second, " ");
  return strncmp(list, second, strcspn(list, ",")) != 0;
}

/* Another first number, another last one, one fewer. */
static void offer_lists(candidates *c, const fw_param *param, const char *current) {
  if (current && *current && !is_word(param->choices, current)) {
    const char *first = strchr(current, ','), *last = strrchr(current, ',');
    int length = (int)(first ? first - current : (long)strlen(current));
    offer(c, "(%.*s)*1.01+1e-7%s", length, current, first ? first : "");
    offer(c, "(%.*s)*0.98-1e-7%s", length, current, first ? first : "");
    offer(c, "(%.*s)+0.001%s", length, current, first ? first : "");
    if (first && is_of_unlike(current)) offer(c, "%s, %.*s", first + 1, length, current); /* the sum stays */
    if (last) offer(c, "%.*s, (%s)*1.01+1e-7", (int)(last - current), current, last + 1);
    if (last) offer(c, "%.*s, (%s)+0.001", (int)(last - current), current, last + 1);
  }
  offer_words(c, param->choices, current);
  static const char *const plain[] = {"0.003, 0.001", "0.003", "2", "1, 2", "100", "0.5, 0.25, 0.25"};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) offer(c, "%s", plain[i]);
}

/* A name, alone or beside the first of those that stand there. */
static void offer_name(candidates *c, const char *name, const char *current) {
  if (!current || !*current) offer(c, "%s", name);
  if (!current || !*current || strcmp(name, current) == 0) return;
  offer(c, "%s", name);
  int length = (int)strcspn(current, ", ");
  if (current[length] && strncmp(name, current, (size_t)length) != 0) offer(c, "%.*s, %s", length, current, name);
}

/* Points that bodies have without saying so, and sets. */
static void offer_parts(candidates *c, const char *kind, const char *body, const char *current) {
  static const char *const parts[][2] = {
      {"rigid", "centre"}, {"plane", "top"}, {"plane", "bottom"}, {"plane", "left"}, {"plane", "right"}};
  char name[CANDIDATE];
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    snprintf(name, sizeof name, "%s.%s", body, parts[i][1]);
    if (strcmp(kind, parts[i][0]) == 0) offer_name(c, name, current);
  }
}

/* Names that the deck has. */
static void offer_names(candidates *c, const xmlNode *node, const char *owner, const char *current) {
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    xmlChar *id = xmlGetProp(node, BAD_CAST "id"), *name = id ? NULL : xmlGetProp(node, BAD_CAST "name");
    const char *own = (const char *)(id ? id : name);
    char full[CANDIDATE] = "";
    if (own) snprintf(full, sizeof full, "%s%s%s", owner ? owner : "", owner ? "." : "", own);
    if (own) offer_name(c, full, current);
    bool body = own && node->parent && xmlStrEqual(node->parent->name, BAD_CAST "bodies");
    if (body) offer_parts(c, (const char *)node->name, own, current);
    offer_names(c, node->children, body ? own : NULL, current);
    xmlFree(id);
    xmlFree(name);
  }
}

static void offer_entries(candidates *c, const fw_tag *tag, const char *current) {
  for (int i = 0; tag->table->entries[i]; i++)
    if (fw_tag_admits(tag, tag->table->entries[i]) && (!current || strcmp(tag->table->entries[i]->name, current) != 0))
      offer(c, "%s", tag->table->entries[i]->name);
}

static void offer_texts(candidates *c, const fw_tag *tag, const fw_entry *entry, const fw_param *param,
                        const char *current) {
  if (!entry && tag->selector && strcmp(tag->selector, param->name) == 0)
    offer_entries(c, tag, current);
  else if (current && *current)
    offer(c, "(%s)*1.01+1e-7", current);
  offer(c, "another");
}

void offer_values(candidates *c, const fw_tag *tag, const fw_entry *entry, const fw_param *param, const xmlNode *root,
                  const char *current) {
  switch (param->kind) {
    case FW_PARAM_NUMBER:
      offer_numbers(c, param, current);
      break;
    case FW_PARAM_INTEGER:
      offer_whole(c, param, current);
      break;
    case FW_PARAM_NUMBERS:
      offer_lists(c, param, current);
      break;
    case FW_PARAM_CHOICE:
      offer_words(c, param->choices, current);
      break;
    case FW_PARAM_FLAG:
      offer_words(c, "yes|no", current);
      break;
    case FW_PARAM_ID:
      offer(c, "renamed");
      break;
    case FW_PARAM_REF:
    case FW_PARAM_REFS:
      offer_names(c, root, NULL, current);
      break;
    case FW_PARAM_FORMULA:
      offer(c, "(%s)*1.01+1e-7", current && *current ? current : "0.5");
      break;
    case FW_PARAM_TEXT:
      offer_texts(c, tag, entry, param, current);
      break;
  }
}
