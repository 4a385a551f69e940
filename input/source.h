/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deck files as a tree: read with libxml2, refused where they are unsafe, parts included.
 *
 * Refused: anything but a regular file, more than 64 MB, a DOCTYPE (and with it every entity), what
 * libxml2's own limits refuse (10 MB in one attribute, 256 levels). <xi:include href="part.xml"/>
 * puts the root element of another file in its place; that file must lie in or below the folder of
 * the deck. */
#ifndef FW_INPUT_SOURCE_H
#define FW_INPUT_SOURCE_H

#include <libxml/tree.h>

#include "core/context.h"

typedef struct fw_source {
  xmlDoc *doc;  /* all parts merged; every element's _private is the name of its file */
  char *folder; /* where the deck lies; relative files are looked for there */
  char **files; /* names lent to the tree and to messages */
  int file_count;
} fw_source;

/* *source is NULL on failure; destroy is NULL-safe. */
fw_status fw_source_read(fw_context *ctx, const char *path, fw_source **source);
/* The same of text in memory, as if it were the file `name`. */
fw_status fw_source_parse(fw_context *ctx, const char *text, size_t size, const char *name, fw_source **source);
void fw_source_destroy(fw_source **source);

/* One text as a tree: no network, no entities, no DOCTYPE, nothing included. Elements carry `name` (lent: it must
 * outlive the tree) in _private and the line of their '<'; attributes carry their line in _private. `options` of
 * libxml2 beside those of decks. To be freed with xmlFreeDoc; NULL on failure. */
fw_status fw_source_tree(fw_context *ctx, const char *name, const char *text, size_t size, int options, xmlDoc **doc);

/* Where an element and an attribute stand. Start tags may span lines: both are exact. */
fw_place fw_source_place(const xmlNode *element);
int fw_source_line(const xmlAttr *attribute);

/* Joins a file name to the folder of `beside` (unless it is absolute). To be freed; NULL without memory. */
char *fw_source_join(const char *beside, const char *name);

#endif
