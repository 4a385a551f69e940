/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decks: load, check, warnings. Mutations know XML, so that what comes out is mostly a deck: an attribute gets another
 * value or goes, an element is doubled, removed or moved. */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fw_context *ctx = fuzz_context();
  fw_deck *deck = NULL;
  char *warnings = NULL;
  fw_status status = fw_deck_load(ctx, fuzz_file(data, size), &deck);
  if (status == FW_OK) status = fw_deck_check(ctx, deck);
  if (status == FW_OK) status = fw_deck_warnings(ctx, deck, &warnings);
  if (status != FW_OK) fuzz_demand(fw_context_message(ctx)[0] != '\0', "a deck that is refused is told why");
  free(warnings);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return 0;
}

#ifdef FW_LIBFUZZER

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);

/* Elements in document order: counts to *n and returns that one. */
static xmlNode *element_at(xmlNode *node, long *n) {
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    if ((*n)-- == 0) return node;
    xmlNode *found = element_at(node->children, n);
    if (found) return found;
  }
  return NULL;
}

static long count_elements(const xmlNode *node) {
  long count = 0;
  for (; node; node = node->next)
    if (node->type == XML_ELEMENT_NODE) count += 1 + count_elements(node->children);
  return count;
}

static xmlNode *any_element(xmlDoc *doc) {
  long n = rand() % count_elements(doc->children);
  return element_at(doc->children, &n);
}

static xmlAttr *any_attribute(xmlNode *element) {
  long count = 0;
  for (xmlAttr *a = element->properties; a; a = a->next) count++;
  if (!count) return NULL;
  long n = rand() % count;
  xmlAttr *attribute = element->properties;
  while (n-- > 0) attribute = attribute->next;
  return attribute;
}

/* Values at the edges. Counts stay small: a deck may well ask for a million elements, and would get them. */
static const char *const values[] = {"0",   "-1",   "1",     "2",    "3",  "0.5",  "1e-300", "1e300", "-0",
                                     "1e9", "1e-9", "nan",   "inf",  "",   " ",    "0, 0",   "1, 2",  "1, 2, 3",
                                     "1/0", "pi",   "auto",  "none", "no", "yes",  "rigid",  "x",     "y",
                                     "a|b", "b.p",  "b.p.q", "#",    "..", "0:10", "3 4 5",  "sin(t)"};

static void change_value(xmlDoc *doc) {
  xmlAttr *attribute = any_attribute(any_element(doc)), *other = any_attribute(any_element(doc));
  if (!attribute) return;
  const char *value = values[(size_t)rand() % (sizeof values / sizeof *values)];
  xmlChar *taken = other && rand() % 2 ? xmlNodeListGetString(doc, other->children, 1) : NULL;
  xmlSetProp(attribute->parent, attribute->name, taken ? taken : (const xmlChar *)value);
  xmlFree(taken);
}

static void remove_attribute(xmlDoc *doc) {
  xmlAttr *attribute = any_attribute(any_element(doc));
  if (attribute) xmlRemoveProp(attribute);
}

/* A copy of one element below, or instead of, another. */
static void copy_element(xmlDoc *doc) {
  xmlNode *copy = xmlCopyNode(any_element(doc), 1), *place = any_element(doc);
  if (place->parent != (xmlNode *)doc && rand() % 2)
    xmlAddNextSibling(place, copy);
  else
    xmlAddChild(place, copy);
}

static void remove_element(xmlDoc *doc) {
  xmlNode *element = any_element(doc);
  if (element->parent == (xmlNode *)doc) return;
  xmlUnlinkNode(element);
  xmlFreeNode(element);
}

static size_t write_back(xmlDoc *doc, uint8_t *data, size_t size, size_t most) {
  xmlChar *text = NULL;
  int length = 0;
  xmlDocDumpMemory(doc, &text, &length);
  if (length > 0 && (size_t)length <= most) memcpy(data, text, size = (size_t)length);
  xmlFree(text);
  return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed) {
  static void (*const mutations[])(xmlDoc *) = {change_value, change_value, remove_attribute, copy_element,
                                                remove_element};
  srand(seed);
  xmlDoc *doc = rand() % 8 ? xmlReadMemory((const char *)data, (int)size, "deck.xml", NULL,
                                           XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET)
                           : NULL;
  if (!doc) return LLVMFuzzerMutate(data, size, most);
  for (int i = 1 + rand() % 3; i > 0; i--) mutations[(size_t)rand() % (sizeof mutations / sizeof *mutations)](doc);
  size = write_back(doc, data, size, most);
  xmlFreeDoc(doc);
  return size;
}

#endif
