/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking things up in the grammar. */
#include <stdlib.h>
#include <string.h>

#include "input/grammar.h"

bool fw_tag_admits(const fw_tag *tag, const fw_entry *entry) { return !tag->admits || tag->admits(entry); }

const fw_tag *fw_tag_find(const fw_tag *parent, const char *name, const fw_entry **entry) {
  *entry = NULL;
  for (const fw_child *child = parent->children; child && child->tag; child++) {
    const fw_tag *tag = child->tag;
    if (tag->name && strcmp(tag->name, name) == 0) return tag;
    if (tag->name) continue;
    const fw_entry *found = fw_table_find(tag->table, name);
    if (found && fw_tag_admits(tag, found)) {
      *entry = found;
      return tag;
    }
  }
  return NULL;
}

static size_t table_size(const fw_table *table) {
  size_t n = 0;
  while (table && table->entries[n]) n++;
  return n;
}

/* Appends the admitted entries of a tag's table to a list; returns the new length. */
static size_t append_entries(const fw_tag *tag, const char **names, size_t count) {
  for (const fw_entry *const *entry = tag->table->entries; *entry; entry++)
    if (fw_tag_admits(tag, *entry)) names[count++] = (*entry)->name;
  return count;
}

const char **fw_tag_entry_names(const fw_tag *tag) {
  const char **names = calloc(table_size(tag->table) + 1, sizeof *names);
  if (names) append_entries(tag, names, 0);
  return names;
}

const char **fw_tag_child_names(const fw_tag *parent) {
  size_t room = 1;
  for (const fw_child *child = parent->children; child && child->tag; child++)
    room += child->tag->name ? 1 : table_size(child->tag->table);
  const char **names = calloc(room, sizeof *names);
  size_t count = 0;
  for (const fw_child *child = parent->children; names && child && child->tag; child++) {
    if (child->tag->name)
      names[count++] = child->tag->name;
    else
      count = append_entries(child->tag, names, count);
  }
  return names;
}
