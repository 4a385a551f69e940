/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/attribute_limit.h"

/* ---- libxml2 with exact lines ------------------------------------------------------------
 *
 * It notes the end of a start tag, people want its beginning and the line of each attribute. */

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

/* The first error is reported. */
static fw_status parse_xml(fw_context *ctx, const char *name, const char *text, size_t size, int more, xmlDoc **doc) {
  lines self = {ctx, name, text, size, FW_OK};
  *doc = NULL;
  FW_TRY(fw_attribute_limit(ctx, name, text, size));
  xmlParserCtxt *parser = xmlNewParserCtxt();
  if (!parser) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  parser->_private = &self;
  parser->sax->serror = on_error;
  parser->sax->internalSubset = on_doctype;
  parser->sax->startElementNs = on_start;
  /* Names are not shared in a dictionary, so that nodes can move between documents. */
  int options = XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NODICT | XML_PARSE_NOCDATA | more;
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

enum { SOURCE_BYTES = 64 << 20, SOURCE_PARTS = 256, SOURCE_DEPTH = 16 };

static const char too_large[] = "is larger than 64 MB: put long tables in data files";
static const char xinclude[] = "http://www.w3.org/2001/XInclude";

/* ---- one file ---------------------------------------------------------------------------- */

static fw_status refuse(fw_context *ctx, fw_status status, const fw_place *from, const char *path, const char *why) {
  if (from) return fw_fail_at(ctx, status, *from, "attribute 'href': %s %s", path, why);
  return fw_fail(ctx, status, "%s: %s", path, why);
}

static fw_status check_kind(fw_context *ctx, const fw_place *from, const char *path, int fd, size_t *size) {
  struct stat info;
  if (fstat(fd, &info) != 0) return refuse(ctx, FW_ERR_IO, from, path, strerror(errno));
  if (S_ISDIR(info.st_mode)) return refuse(ctx, FW_ERR_DECK, from, path, "is a directory, not a deck");
  if (!S_ISREG(info.st_mode)) return refuse(ctx, FW_ERR_DECK, from, path, "is not a regular file");
  if (info.st_size == 0) return refuse(ctx, FW_ERR_DECK, from, path, "is empty");
  if (info.st_size > SOURCE_BYTES) return refuse(ctx, FW_ERR_DECK, from, path, too_large);
  *size = (size_t)info.st_size;
  return FW_OK;
}

/* The whole file in memory, with a final '\0'. */
static fw_status slurp(fw_context *ctx, const fw_place *from, const char *path, char **text, size_t *size) {
  *text = NULL;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return refuse(ctx, errno == EACCES ? FW_ERR_IO : FW_ERR_DECK, from, path, strerror(errno));
  fw_status status;
  FW_TRY_DONE(check_kind(ctx, from, path, fd, size));
  FW_TRY_DONE(fw_alloc(ctx, *size + 1, 1, text));
  size_t have = 0;
  while (have < *size) {
    ssize_t got = read(fd, *text + have, *size - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) status = refuse(ctx, FW_ERR_IO, from, path, strerror(errno));
    if (got <= 0) break;
    have += (size_t)got;
  }
  *size = have;
done:
  close(fd);
  if (status != FW_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}

static pthread_once_t libxml_once = PTHREAD_ONCE_INIT;

fw_status fw_source_tree(fw_context *ctx, const char *name, const char *text, size_t size, int options, xmlDoc **doc) {
  pthread_once(&libxml_once, xmlInitParser);
  *doc = NULL;
  return parse_xml(ctx, name, text, size, options, doc);
}

static fw_status parse(fw_context *ctx, const fw_place *from, const char *path, const char *name, xmlDoc **doc) {
  char *text;
  size_t size = 0;
  *doc = NULL;
  FW_TRY(slurp(ctx, from, path, &text, &size));
  fw_status status = fw_source_tree(ctx, name, text, size, 0, doc);
  free(text);
  return status;
}

/* ---- parts ------------------------------------------------------------------------------- */

char *fw_source_join(const char *beside, const char *name) {
  const char *slash = strrchr(beside, '/');
  int folder = name[0] != '/' && slash ? (int)(slash - beside) + 1 : 0;
  size_t room = (size_t)folder + strlen(name) + 1;
  char *joined = malloc(room);
  if (joined) snprintf(joined, room, "%.*s%s", folder, beside, name);
  return joined;
}

/* Keeps a file name for as long as the source lives. Takes ownership of `name`. */
static fw_status keep_name(fw_context *ctx, fw_source *source, char *name) {
  char **files = name ? realloc(source->files, (size_t)(source->file_count + 1) * sizeof *files) : NULL;
  if (!files) {
    free(name);
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  }
  source->files = files;
  source->files[source->file_count++] = name;
  return FW_OK;
}

/* True if `path` lies in or below the deck's folder, symbolic links resolved. */
static bool is_inside(const char *folder, const char *path) {
  char *real_folder = realpath(folder, NULL), *real = realpath(path, NULL);
  bool inside = false;
  if (real_folder && real) {
    size_t length = strcmp(real_folder, "/") == 0 ? 0 : strlen(real_folder);
    inside = strncmp(real, real_folder, length) == 0 && real[length] == '/';
  }
  free(real_folder);
  free(real);
  return inside;
}

/* A chain of files that include each other, to find circles. */
typedef struct chain {
  const char *path;
  const struct chain *outer;
  int depth;
} chain;

static bool is_circular(const chain *link, const char *path) {
  struct stat a, b;
  if (stat(path, &a) != 0) return false;
  for (; link; link = link->outer)
    if (stat(link->path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino) return true;
  return false;
}

static bool is_include(const xmlNode *node) {
  return node->type == XML_ELEMENT_NODE && node->ns && xmlStrEqual(node->ns->href, BAD_CAST xinclude);
}

static fw_status check_include(fw_context *ctx, const xmlNode *node, fw_place place) {
  if (!xmlStrEqual(node->name, BAD_CAST "include"))
    return fw_fail_at(ctx, FW_ERR_DECK, place, "only xi:include href=\"...\" is known of XInclude");
  for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
    if (!xmlStrEqual(attribute->name, BAD_CAST "href")) {
      place.line = fw_source_line(attribute);
      return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute '%s': not allowed; xi:include takes href only",
                        (const char *)attribute->name);
    }
  for (const xmlNode *child = node->children; child; child = child->next)
    if (child->type == XML_ELEMENT_NODE)
      return fw_fail_at(ctx, FW_ERR_DECK, place, "takes no children: the part must be there");
  if (!xmlHasProp(node, BAD_CAST "href")) return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'href': missing");
  return FW_OK;
}

static fw_status include_all(fw_context *ctx, fw_source *source, xmlNode *node, const chain *link);

/* Reads the part `path` and puts its root in the place of `node`. */
static fw_status include_file(fw_context *ctx, fw_source *source, xmlNode *node, const chain *link, const char *path) {
  fw_place place = fw_source_place(node);
  if (access(path, F_OK) != 0)
    return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'href': there is no file %s", path);
  if (!is_inside(source->folder, path))
    return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'href': %s is outside the deck's folder", path);
  if (is_circular(link, path)) return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'href': %s includes itself", path);
  if (link->depth >= SOURCE_DEPTH || source->file_count >= SOURCE_PARTS)
    return fw_fail_at(ctx, FW_ERR_DECK, place, "too many parts (%d levels, %d files at most)", SOURCE_DEPTH,
                      SOURCE_PARTS);
  xmlDoc *part;
  FW_TRY(parse(ctx, &place, path, path, &part));
  xmlNode *root = xmlDocGetRootElement(part);
  xmlUnlinkNode(root);
  xmlFreeNode(xmlReplaceNode(node, root));
  xmlFreeDoc(part);
  return include_all(ctx, source, root, &(chain){path, link, link->depth + 1});
}

static fw_status include_one(fw_context *ctx, fw_source *source, xmlNode *node, const chain *link) {
  FW_TRY(check_include(ctx, node, fw_source_place(node)));
  xmlChar *href = xmlGetNoNsProp(node, BAD_CAST "href");
  char *path = href ? fw_source_join(link->path, (const char *)href) : NULL;
  xmlFree(href);
  FW_TRY(keep_name(ctx, source, path));
  return include_file(ctx, source, node, link, path);
}

/* Resolves every xi:include at or below `node`; goes on after a failure to report them all. */
static fw_status include_all(fw_context *ctx, fw_source *source, xmlNode *node, const chain *link) {
  if (is_include(node)) return include_one(ctx, source, node, link);
  fw_status worst = FW_OK;
  for (xmlNode *child = node->children, *next; child; child = next) {
    next = child->next;
    if (child->type != XML_ELEMENT_NODE) continue;
    fw_status status = include_all(ctx, source, child, link);
    worst = fw_worse(worst, status);
  }
  return worst;
}

/* ---- the whole --------------------------------------------------------------------------- */

/* Keeps the name and folder of the deck itself. */
static fw_status begin(fw_context *ctx, fw_source *source, const char *path) {
  FW_TRY(keep_name(ctx, source, strdup(path)));
  const char *name = source->files[0], *slash = strrchr(name, '/');
  source->folder = slash ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
  return source->folder ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
}

static fw_status include_parts(fw_context *ctx, fw_source *source) {
  return include_all(ctx, source, xmlDocGetRootElement(source->doc), &(chain){source->files[0], NULL, 0});
}

fw_status fw_source_read(fw_context *ctx, const char *path, fw_source **source) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **source, source));
  fw_status status = begin(ctx, *source, path);
  if (status == FW_OK) status = parse(ctx, NULL, path, (*source)->files[0], &(*source)->doc);
  if (status == FW_OK) status = include_parts(ctx, *source);
  if (status != FW_OK) fw_source_destroy(source);
  return status;
}

static fw_status check_size(fw_context *ctx, const char *name, size_t size) {
  if (size == 0) return refuse(ctx, FW_ERR_DECK, NULL, name, "is empty");
  return size <= SOURCE_BYTES ? FW_OK : refuse(ctx, FW_ERR_DECK, NULL, name, too_large);
}

fw_status fw_source_parse(fw_context *ctx, const char *text, size_t size, const char *name, fw_source **source) {
  FW_TRY(check_size(ctx, name, size));
  FW_TRY(fw_alloc(ctx, 1, sizeof **source, source));
  fw_status status = begin(ctx, *source, name);
  if (status == FW_OK) status = fw_source_tree(ctx, (*source)->files[0], text, size, 0, &(*source)->doc);
  if (status == FW_OK) status = include_parts(ctx, *source);
  if (status != FW_OK) fw_source_destroy(source);
  return status;
}

void fw_source_destroy(fw_source **source) {
  if (!source || !*source) return;
  if ((*source)->doc) xmlFreeDoc((*source)->doc);
  for (int i = 0; i < (*source)->file_count; i++) free((*source)->files[i]);
  free((*source)->files);
  free((*source)->folder);
  free(*source);
  *source = NULL;
}

fw_place fw_source_place(const xmlNode *element) {
  return (fw_place){element->_private, (int)xmlGetLineNo(element), (const char *)element->name};
}

int fw_source_line(const xmlAttr *attribute) { return (int)(intptr_t)attribute->_private; }
