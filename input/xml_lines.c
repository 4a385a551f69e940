/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/xml_lines.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdint.h>
#include <string.h>

typedef struct lines {
  fw_context *ctx;
  const char *name;
  const char *text;
  size_t size;
  fw_status status;
} lines;

/* ---- errors ------------------------------------------------------------------------------ */

static void on_error(void *data, xmlErrorPtr error) {
  lines *self = ((xmlParserCtxt *)data)->_private;
  if (self->status != FW_OK || error->level < XML_ERR_ERROR) return; /* the first says it, the rest follow from it */
  size_t length = error->message ? strcspn(error->message, "\n") : 0;
  fw_place place = {self->name, error->line, NULL};
  self->status = fw_fail_at(self->ctx, FW_ERR_DECK, place, "not well-formed XML: %.*s", (int)length, error->message);
}

static void on_doctype(void *data, const xmlChar *root, const xmlChar *public_id, const xmlChar *system_id) {
  (void)root, (void)public_id, (void)system_id;
  xmlParserCtxt *parser = data;
  lines *self = parser->_private;
  fw_place place = {self->name, parser->input->line, NULL};
  if (self->status == FW_OK)
    self->status = fw_fail_at(self->ctx, FW_ERR_DECK, place, "a DOCTYPE (and any entity) is refused: remove it");
  xmlStopParser(parser);
}

/* ---- lines ------------------------------------------------------------------------------- */

static int newlines(const char *from, const char *to) {
  int count = 0;
  while ((from = memchr(from, '\n', (size_t)(to - from)))) {
    count++;
    from++;
  }
  return count;
}

/* Walks the attributes of a start tag, which is known to be well-formed, and notes their lines.
 * Namespace declarations are skipped as libxml2 does not list them as attributes. */
static void note_attributes(const char *tag, const char *end, int line, xmlNode *node) {
  static const char blank[] = " \t\r\n";
  xmlAttr *attribute = node->properties;
  const char *at = tag + strcspn(tag, " \t\r\n/>");
  while (attribute && at < end) {
    at += strspn(at, blank);
    const char *name = at;
    size_t length = strcspn(at, " \t\r\n=");
    at += length;
    const char *quote = at + strcspn(at, "\"'");
    if (quote >= end) return;
    const char *close = memchr(quote + 1, *quote, (size_t)(end - quote - 1));
    if (!close) return;
    at = close + 1;
    if (strncmp(name, "xmlns", 5) == 0 && (name[5] == ':' || length == 5)) continue;
    attribute->_private = (void *)(intptr_t)(line + newlines(tag, name));
    attribute = attribute->next;
  }
}

/* Where a start tag begins. '<' cannot stand within it, so the last one before its end is it. In a file
 * that is not UTF-8 offsets do not count bytes of the text; libxml2's own line must do there. */
static void note_lines(lines *self, xmlParserCtxt *parser, xmlNode *node) {
  node->_private = (void *)(uintptr_t)self->name;
  int line = parser->input->line;
  long consumed = parser->input->buf && parser->input->buf->encoder ? -1 : xmlByteConsumed(parser);
  const char *end = self->text + consumed, *tag = end;
  bool known = consumed > 0 && (size_t)consumed <= self->size;
  while (known && tag > self->text && *tag != '<') tag--;
  if (known && *tag == '<') {
    line -= newlines(tag, end);
    note_attributes(tag, end, line, node);
  } else {
    for (xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
      attribute->_private = (void *)(intptr_t)line;
  }
  node->line = line < 65535 ? (unsigned short)line : 65535;
}

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
                     const xmlChar **namespaces, int attribute_count, int defaulted, const xmlChar **attributes) {
  xmlParserCtxt *parser = data;
  xmlSAX2StartElementNs(data, name, prefix, uri, namespace_count, namespaces, attribute_count, defaulted, attributes);
  if (parser->node) note_lines(parser->_private, parser, parser->node);
}

/* ---- parsing ----------------------------------------------------------------------------- */

fw_status fw_xml_parse(fw_context *ctx, const char *name, const char *text, size_t size, xmlDoc **doc) {
  lines self = {ctx, name, text, size, FW_OK};
  *doc = NULL;
  xmlParserCtxt *parser = xmlNewParserCtxt();
  if (!parser) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  parser->_private = &self;
  parser->sax->serror = on_error;
  parser->sax->internalSubset = on_doctype;
  parser->sax->startElementNs = on_start;
  /* Names are not shared in a dictionary, so that nodes can move between documents. */
  int options = XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NODICT | XML_PARSE_NOCDATA;
  xmlDoc *parsed = xmlCtxtReadMemory(parser, text, (int)size, name, NULL, options);
  if (self.status == FW_OK && (!parsed || !parser->wellFormed))
    self.status = fw_fail(ctx, FW_ERR_DECK, "%s: not well-formed XML", name);
  xmlFreeParserCtxt(parser);
  if (self.status != FW_OK) {
    if (parsed) xmlFreeDoc(parsed);
    parsed = NULL;
  }
  *doc = parsed;
  return self.status;
}
