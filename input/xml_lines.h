/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libxml2 with exact lines: it notes the end of a start tag, people want its beginning and the
 * line of each attribute. */
#ifndef FW_INPUT_XML_LINES_H
#define FW_INPUT_XML_LINES_H

#include <libxml/tree.h>

#include "core/context.h"

/* Parses text; no network, no entities, no DOCTYPE. Elements carry `name` (lent) in _private and the line
 * of their '<'; attributes carry their line in _private. The first error is reported. */
fw_status fw_xml_parse(fw_context *ctx, const char *name, const char *text, size_t size, xmlDoc **doc);

#endif
