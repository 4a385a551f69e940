/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/describe.h"

#include <float.h>
#include <string.h>

#include "contact/friction/friction.h"
#include "input/grammar.h"
#include "input/units.h"

/* ---- parameters -------------------------------------------------------------------------- */

static void put_range(FILE *out, const fw_param *param) {
  if (param->min == 0.0 && param->max == 0.0) return;
  if (param->min > 0.0 && param->min <= DBL_MIN && param->max >= DBL_MAX)
    fputs(", greater than 0", out);
  else if (param->max >= DBL_MAX)
    fprintf(out, ", at least %g", param->min);
  else
    fprintf(out, ", from %g to %g", param->min, param->max);
}

static void put_words(FILE *out, const char *choices) {
  for (const char *at = choices; *at;) {
    size_t length = strcspn(at, "|");
    fprintf(out, "%.*s%s", (int)length, at, at[length] ? " or " : "");
    at += length + (at[length] == '|');
  }
}

static void put_kind(FILE *out, const fw_param *param) {
  static const char *const kinds[] = {"number", "whole number", "numbers",  "",          "yes or no",
                                      "text",   "new name",     "name of ", "names of ", "formula of "};
  fputs(kinds[param->kind], out);
  if (!param->choices) return;
  if (param->kind == FW_PARAM_NUMBER || param->kind == FW_PARAM_INTEGER || param->kind == FW_PARAM_NUMBERS)
    fputs(" or ", out);
  put_words(out, param->choices);
}

static void put_limits(FILE *out, const fw_param *param) {
  put_kind(out, param);
  if (param->unit[0]) fprintf(out, " in %s", param->unit);
  put_range(out, param);
  if (!param->fallback)
    fputs(", required", out);
  else if (param->fallback[0])
    fprintf(out, ", default %s", param->fallback);
  else
    fputs(", optional", out);
}

/* ---- markdown ---------------------------------------------------------------------------- */

/* Text within a table cell or a sentence: '|' and '*' would be markup. */
static void put_plain(FILE *out, const char *text) {
  for (; *text; text++) {
    if (strchr("|*<_", *text)) fputc('\\', out);
    fputc(*text == '\n' ? ' ' : *text, out);
  }
}

static void put_params(FILE *out, const fw_param *params) {
  if (!params || !params->name) return;
  fputs("\n| attribute | meaning | value |\n|---|---|---|\n", out);
  for (; params->name; params++) {
    fprintf(out, "| `%s` | ", params->name);
    put_plain(out, params->meaning);
    fputs(" | ", out);
    put_limits(out, params);
    fputs(" |\n", out);
  }
}

/* Friction laws have a page of their own. */
static void put_law_names(FILE *out) {
  fputs("\nThe laws and their attributes are in [laws.md](laws.md): ", out);
  for (const fw_entry *const *at = fw_laws.entries; *at; at++)
    fprintf(out, "`%s`%s", (*at)->name, at[1] ? ", " : ".\n");
}

static void put_entries(FILE *out, const fw_tag *tag, const char *depth) {
  if (tag->table == &fw_laws) {
    put_law_names(out);
    return;
  }
  for (const fw_entry *const *at = tag->table->entries; *at; at++) {
    if (!fw_tag_admits(tag, *at)) continue;
    const fw_entry *entry = *at;
    fprintf(out, tag->selector ? "\n%s `%s=\"%s\"`\n\n" : "\n%s%.0s `<%s>`\n\n", depth,
            tag->selector ? tag->selector : "", entry->name);
    put_plain(out, entry->summary);
    fputs(".\n", out);
    if (entry->equation && entry->equation[0]) fprintf(out, "\n```text\n%s\n```\n", entry->equation);
    if (entry->source && entry->source[0]) fprintf(out, "\nAfter %s.\n", entry->source);
    put_params(out, entry->params);
  }
}

/* ---- elements ---------------------------------------------------------------------------- */

static void put_children_names(FILE *out, const fw_tag *tag) {
  if (!tag->children) return;
  fputs("\nContains ", out);
  for (const fw_child *child = tag->children; child->tag; child++) {
    const fw_tag *inner = child->tag;
    if (inner->name)
      fprintf(out, "`<%s>`", inner->name);
    else
      fprintf(out, "any of the %s", inner->table->name);
    if (child->min > 1)
      fprintf(out, " (at least %d)", child->min);
    else
      fputs(
          child->min ? (child->max == 1 ? " (once)" : " (at least once)") : (child->max == 1 ? " (at most once)" : ""),
          out);
    fputs(child[1].tag ? ", " : ".\n", out);
  }
}

static void put_tag(FILE *out, const fw_tag *tag, int level) {
  static const char hashes[] = "######";
  const char *depth = hashes + 6 - (level < 6 ? level : 6);
  if (tag->name)
    fprintf(out, "\n%s `<%s>`\n\n%s.\n", depth, tag->name, tag->meaning);
  else
    fprintf(out, "\n%s Common to all %s\n\n%s.\n", depth, tag->table->name, tag->meaning);
  put_children_names(out, tag);
  put_params(out, tag->params);
  if (tag->table) put_entries(out, tag, depth - (level < 6));
  for (const fw_child *child = tag->children; child && child->tag; child++) put_tag(out, child->tag, level + 1);
}

static void put_units(FILE *out) {
  fputs("\n## Units of parameters\n\n", out);
  for (const fw_unit *unit = fw_units; unit->name; unit++)
    fprintf(out, "%s`%s`", unit == fw_units ? "" : " ", unit->name);
  fputs(", their products, quotients and powers: `N/m`, `kg/m^3`, `N s/m`.\n", out);
}

static const char introduction[] =
    "# The deck\n"
    "\n"
    "<!-- Generated by `fretwork list deck`; a test compares it with the program. -->\n"
    "\n"
    "A deck is an XML file. `fretwork check DECK` tells all its errors at once, with file, line, element and "
    "attribute;\n"
    "`fretwork new` writes a starter; `fretwork list schema` prints the XML schema for editors.\n"
    "\n"
    "* Any number may be an expression of the deck's parameters: `+ - * / ^`, `sin cos tan asin acos atan atan2 sinh "
    "cosh\n"
    "  tanh exp ln log log2 log10 sqrt abs sign rint min max sum avg`, comparisons with `? :`, and `pi`. `log` is the\n"
    "  natural logarithm. Parameters may use each other in any order. `--set NAME=VALUE` replaces one; its value is in "
    "the\n"
    "  parameter's own unit.\n"
    "* Everything is in SI units, and phases in degrees, except a parameter with a `unit`, which is converted to SI "
    "(so an\n"
    "  angle in `deg` becomes radians).\n"
    "* Numbers in a list are separated by commas. A name begins with a letter; letters, digits, `-` and `_` follow. A "
    "point is\n"
    "  called `body.point`.\n"
    "* Supports, joints, masses, springs and followers put a node where they are; loads and sensors interpolate.\n"
    "* Analyses run in order. `start=\"ID\"` begins from the final state of an earlier one, with its loads still on; "
    "without\n"
    "  it the model is undeformed and unloaded.\n"
    "* Files are looked for beside the deck. `<xi:include href=\"part.xml\"/>` (with\n"
    "  `xmlns:xi=\"http://www.w3.org/2001/XInclude\"`) puts the root element of another file in its place; it must lie "
    "in or\n"
    "  below the deck's folder. A DOCTYPE, entities, files over 64 MB and expressions over 2000 characters are "
    "refused.\n";

void fw_describe_language(FILE *out) {
  fputs(introduction, out);
  put_units(out);
  put_tag(out, &fw_deck_tag, 2);
}
