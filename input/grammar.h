/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deck language, described once: every element with its attributes, its children and the table
 * it draws further attributes from. The reader, the schema, `fretwork list`, `fretwork new` and
 * docs/deck.md are all derived from this description.
 *
 * Attribute descriptions are fw_param lists. Two conventions beyond fretwork_law.h:
 *   - a NUMBER, INTEGER or NUMBERS with `choices` also accepts one of those words ("fixed", "auto"); the
 *     value then has no numbers (count 0) and the word as its text;
 *   - a TEXT called "file" or "...-file" is a file that must be there; the value's text is its path, seen from
 *     the working directory;
 *   - a REF or REFS names objects of the kinds in `choices`: material, section, body, point, surface,
 *     pair, load, sensor, data, analysis, parameter, joint, study,
 *     identification, set. A point is "body.point", a set of a plane
 *     body's mesh "body.set". */
#ifndef FW_INPUT_GRAMMAR_H
#define FW_INPUT_GRAMMAR_H

#include "core/table.h"

struct fw_tag;

/* How often a child may occur; max 0: as often as wanted. */
typedef struct fw_child {
  const struct fw_tag *tag;
  int min, max;
} fw_child;

typedef struct fw_tag {
  const char *name;                      /* deck element; NULL: a family, one element per entry of `table` */
  const char *meaning;                   /* one line for people */
  const fw_param *params;                /* own attributes; ends with a NULL name; NULL: none */
  const char *kind;                      /* kind of object its `id` defines, or NULL */
  const fw_table *table;                 /* where further attributes come from, or NULL */
  const char *selector;                  /* attribute that names the table entry; NULL for a family */
  const char *fallback;                  /* entry when the selector is absent; NULL: the selector is required */
  bool (*admits)(const fw_entry *entry); /* which entries of the table may stand here; NULL: all */
  const fw_child *children;              /* ends with a NULL tag; NULL: none */
  bool text;                             /* carries text instead of children */
} fw_tag;

/* <fretwork>, the root of every deck. */
extern const fw_tag fw_deck_tag;

/* The child tag an element of that name falls under, or NULL; *entry is its table entry when the
 * tag is a family. */
const fw_tag *fw_tag_find(const fw_tag *parent, const char *name, const fw_entry **entry);

/* True if `entry` may stand at this tag. */
bool fw_tag_admits(const fw_tag *tag, const fw_entry *entry);

/* Names of the elements allowed under a tag, or of the entries a selector may name: a
 * NULL-terminated list to be freed with free(); NULL without memory. */
const char **fw_tag_child_names(const fw_tag *parent);
const char **fw_tag_entry_names(const fw_tag *tag);

#endif
