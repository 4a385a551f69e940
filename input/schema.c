/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/schema.h"

#include <libxml/xmlschemas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/friction/friction.h"
#include "core/markup.h"
#include "input/grammar.h"
#include "input/source.h"

/* ---- text -------------------------------------------------------------------------------- */

static void put_documentation(FILE *out, const char *text) {
  fputs("<xs:annotation><xs:documentation>", out);
  fw_put_text(out, text);
  fputs("</xs:documentation></xs:annotation>\n", out);
}

/* ---- attributes -------------------------------------------------------------------------- */

static void put_names(FILE *out, const char *const *names) {
  fputs("<xs:simpleType><xs:restriction base=\"xs:token\">", out);
  for (; *names; names++) fprintf(out, "<xs:enumeration value=\"%s\"/>", *names);
  fputs("</xs:restriction></xs:simpleType>", out);
}

/* Friction laws: the names of the table, or a plug-in. */
static void put_law_attribute(FILE *out, const fw_param *param, const char *const *names) {
  fprintf(out, "<xs:attribute name=\"%s\" use=\"required\">\n", param->name);
  put_documentation(out, param->meaning);
  fputs("<xs:simpleType><xs:union>", out);
  put_names(out, names);
  fputs("<xs:simpleType><xs:restriction base=\"xs:token\"><xs:pattern value=\"plugin:.+\"/></xs:restriction>", out);
  fputs("</xs:simpleType></xs:union></xs:simpleType></xs:attribute>\n", out);
}

static void put_choices(FILE *out, const char *choices) {
  fputs("<xs:simpleType><xs:restriction base=\"xs:token\">", out);
  for (const char *at = choices; *at;) {
    size_t length = strcspn(at, "|");
    fprintf(out, "<xs:enumeration value=\"%.*s\"/>", (int)length, at);
    at += length + (at[length] == '|');
  }
  fputs("</xs:restriction></xs:simpleType>", out);
}

/* Numbers are expressions, so only words can be enumerated. `names`: entries a selector may name. */
static void put_attribute(FILE *out, const fw_param *param, bool optional, const char *const *names) {
  const char *type = param->kind == FW_PARAM_ID ? "name" : "text";
  bool enumerated = names || param->kind == FW_PARAM_CHOICE || param->kind == FW_PARAM_FLAG;
  fprintf(out, "<xs:attribute name=\"%s\"", param->name);
  if (!optional && !param->fallback) fputs(" use=\"required\"", out);
  if (!enumerated) fprintf(out, " type=\"%s\"", type);
  fputs(">\n", out);
  put_documentation(out, param->meaning);
  if (names)
    put_names(out, names);
  else if (param->kind == FW_PARAM_CHOICE)
    put_choices(out, param->choices);
  else if (param->kind == FW_PARAM_FLAG)
    put_choices(out, "no|yes");
  fputs("</xs:attribute>\n", out);
}

static bool is_in(const fw_param *params, const char *name) {
  for (; params && params->name; params++)
    if (strcmp(params->name, name) == 0) return true;
  return false;
}

/* True if an entry before `entry` in the tag's table has this parameter too. */
static bool is_earlier(const fw_tag *tag, const fw_entry *entry, const char *name) {
  for (const fw_entry *const *other = tag->table->entries; *other && *other != entry; other++)
    if (fw_tag_admits(tag, *other) && is_in((*other)->params, name)) return true;
  return false;
}

/* What a law, element ... may need depends on which it is, which XSD 1.0 cannot say: the union. A name that
 * stands for different kinds in different entries is plain text. */
static void put_selected(FILE *out, const fw_tag *tag) {
  for (const fw_entry *const *entry = tag->table->entries; *entry; entry++) {
    if (!fw_tag_admits(tag, *entry)) continue;
    for (const fw_param *param = (*entry)->params; param && param->name; param++) {
      if (is_in(tag->params, param->name) || is_earlier(tag, *entry, param->name)) continue;
      fw_param plain = *param;
      plain.kind = FW_PARAM_TEXT;
      put_attribute(out, &plain, true, NULL);
    }
  }
}

static void put_attributes(FILE *out, const fw_tag *tag, const fw_entry *entry) {
  const char **names = tag->selector ? fw_tag_entry_names(tag) : NULL;
  bool laws = tag->table == &fw_laws;
  for (const fw_param *param = tag->params; param && param->name; param++) {
    bool selects = names && strcmp(param->name, tag->selector) == 0;
    if (selects && laws)
      put_law_attribute(out, param, names);
    else
      put_attribute(out, param, false, selects ? names : NULL);
  }
  free(names);
  if (tag->selector) put_selected(out, tag);
  for (const fw_param *param = entry ? entry->params : NULL; param && param->name; param++)
    put_attribute(out, param, false, NULL);
  if (laws) fputs("<xs:anyAttribute namespace=\"##local\" processContents=\"skip\"/>\n", out); /* of a plug-in */
}

/* ---- elements ---------------------------------------------------------------------------- */

static void put_element(FILE *out, const fw_tag *tag, const fw_entry *entry, bool keys);

/* Children in any order; how often each may occur is the reader's business. */
static void put_children(FILE *out, const fw_tag *tag) {
  if (!tag->children) return;
  fputs("<xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n", out);
  for (const fw_child *child = tag->children; child->tag; child++) {
    if (child->tag->name) {
      put_element(out, child->tag, NULL, false);
      continue;
    }
    for (const fw_entry *const *entry = child->tag->table->entries; *entry; entry++)
      if (fw_tag_admits(child->tag, *entry)) put_element(out, child->tag, *entry, false);
  }
  fputs("</xs:choice>\n", out);
}

/* ---- keys -------------------------------------------------------------------------------- */

/* Every object of a kind stands as grandchild of the root (points: one deeper, and are left to the
 * reader, as their names hold that of their body). */
static void put_key(FILE *out, const fw_tag *section, const fw_tag *tag, const char *id) {
  fprintf(out, "<xs:key name=\"%s\"><xs:selector xpath=\"%s/%s\"/><xs:field xpath=\"@%s\"/></xs:key>\n", tag->kind,
          section->name, tag->name ? tag->name : "*", id);
}

/* Kinds that one tag alone defines have a key. */
static const fw_tag *sole_definer(const char *kind, const fw_tag **section) {
  const fw_tag *found = NULL;
  for (const fw_child *outer = fw_deck_tag.children; outer->tag; outer++)
    for (const fw_child *inner = outer->tag->children; inner && inner->tag; inner++) {
      if (!inner->tag->kind || strcmp(inner->tag->kind, kind) != 0) continue;
      if (found) return NULL;
      found = inner->tag;
      *section = outer->tag;
    }
  return found;
}

static void put_keyrefs(FILE *out, const fw_tag *tag, const char *path) {
  const fw_tag *section;
  for (const fw_param *param = tag->params; param && param->name; param++)
    if (param->kind == FW_PARAM_REF && sole_definer(param->choices, &section))
      fprintf(
          out,
          "<xs:keyref name=\"%s.%s\" refer=\"%s\"><xs:selector xpath=\"%s\"/><xs:field xpath=\"@%s\"/></xs:keyref>\n",
          tag->name ? tag->name : path, param->name, param->choices, path, param->name);
}

static void put_keys(FILE *out) {
  const fw_tag *section;
  for (const fw_child *outer = fw_deck_tag.children; outer->tag; outer++)
    for (const fw_child *inner = outer->tag->children; inner && inner->tag; inner++) {
      const fw_tag *tag = inner->tag;
      if (!tag->kind || sole_definer(tag->kind, &section) != tag) continue;
      for (const fw_param *param = tag->params; param->name; param++)
        if (param->kind == FW_PARAM_ID) put_key(out, outer->tag, tag, param->name);
    }
  for (const fw_child *outer = fw_deck_tag.children; outer->tag; outer++)
    for (const fw_child *inner = outer->tag->children; inner && inner->tag; inner++) {
      if (!inner->tag->name) continue;
      char path[128];
      snprintf(path, sizeof path, "%s/%s", outer->tag->name, inner->tag->name);
      put_keyrefs(out, inner->tag, path);
    }
}

static void put_element(FILE *out, const fw_tag *tag, const fw_entry *entry, bool keys) {
  fprintf(out, "<xs:element name=\"%s\">\n", entry ? entry->name : tag->name);
  put_documentation(out, entry ? entry->summary : tag->meaning);
  fprintf(out, "<xs:complexType%s>\n", tag->text ? " mixed=\"true\"" : "");
  put_children(out, tag);
  put_attributes(out, tag, entry);
  fputs("</xs:complexType>\n", out);
  if (keys) put_keys(out);
  fputs("</xs:element>\n", out);
}

char *fw_schema_text(void) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n", out);
  fputs(
      "<xs:simpleType name=\"text\"><xs:restriction base=\"xs:string\"><xs:minLength value=\"1\"/>"
      "</xs:restriction></xs:simpleType>\n",
      out);
  fputs(
      "<xs:simpleType name=\"name\"><xs:restriction base=\"xs:token\"><xs:pattern value=\"[A-Za-z_][A-Za-z0-9_\\-]*\"/>"
      "</xs:restriction></xs:simpleType>\n",
      out);
  put_element(out, &fw_deck_tag, NULL, true);
  fputs("</xs:schema>\n", out);
  bool bad = ferror(out) != 0;
  if (fclose(out) != 0 || bad) {
    free(text);
    return NULL;
  }
  return text;
}

/* ---- validation -------------------------------------------------------------------------- */

typedef struct listener {
  fw_context *ctx;
  fw_status status;
} listener;

static void on_error(void *data, xmlErrorPtr error) {
  listener *self = data;
  const xmlNode *node = error->node;
  if (node && node->type == XML_ATTRIBUTE_NODE) node = node->parent;
  fw_place place = node && node->type == XML_ELEMENT_NODE ? fw_source_place(node) : (fw_place){0};
  size_t length = error->message ? strcspn(error->message, "\n") : 0;
  self->status = fw_fail_at(self->ctx, FW_ERR_DECK, place, "schema: %.*s", (int)length, error->message);
}

static fw_status validate(fw_context *ctx, const fw_source *source, const char *text) {
  listener self = {ctx, FW_OK};
  xmlSchemaParserCtxt *parser = xmlSchemaNewMemParserCtxt(text, (int)strlen(text));
  if (parser) xmlSchemaSetParserStructuredErrors(parser, on_error, &self);
  xmlSchema *schema = parser ? xmlSchemaParse(parser) : NULL;
  xmlSchemaValidCtxt *validator = schema ? xmlSchemaNewValidCtxt(schema) : NULL;
  if (validator) {
    xmlSchemaSetValidStructuredErrors(validator, on_error, &self);
    if (xmlSchemaValidateDoc(validator, source->doc) != 0 && self.status == FW_OK)
      self.status = fw_fail(ctx, FW_ERR_LIBRARY, "the schema could not be applied");
  } else if (self.status == FW_OK) {
    self.status = fw_fail(ctx, FW_ERR_MEMORY, "out of memory for the schema");
  }
  xmlSchemaFreeValidCtxt(validator);
  xmlSchemaFree(schema);
  xmlSchemaFreeParserCtxt(parser);
  return self.status;
}

fw_status fw_schema_validate(fw_context *ctx, const fw_source *source) {
  char *text = fw_schema_text();
  if (!text) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory for the schema");
  fw_status status = validate(ctx, source, text);
  free(text);
  return status;
}
