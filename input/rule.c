/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking things up in the grammar. */
#include <stdlib.h>
#include <string.h>

#include "input/grammar.h"

bool fw_rule_admits(const fw_rule *rule, const fw_entry *entry) { return !rule->admits || rule->admits(entry); }

const fw_rule *fw_rule_find(const fw_rule *parent, const char *name, const fw_entry **entry) {
  *entry = NULL;
  for (const fw_child *child = parent->children; child && child->rule; child++) {
    const fw_rule *rule = child->rule;
    if (rule->name && strcmp(rule->name, name) == 0) return rule;
    if (rule->name) continue;
    const fw_entry *found = fw_table_find(rule->table, name);
    if (found && fw_rule_admits(rule, found)) {
      *entry = found;
      return rule;
    }
  }
  return NULL;
}

static size_t table_size(const fw_table *table) {
  size_t n = 0;
  while (table && table->entries[n]) n++;
  return n;
}

/* Appends the admitted entries of a rule's table to a list; returns the new length. */
static size_t append_entries(const fw_rule *rule, const char **names, size_t count) {
  for (const fw_entry *const *entry = rule->table->entries; *entry; entry++)
    if (fw_rule_admits(rule, *entry)) names[count++] = (*entry)->name;
  return count;
}

const char **fw_rule_entry_names(const fw_rule *rule) {
  const char **names = calloc(table_size(rule->table) + 1, sizeof *names);
  if (names) append_entries(rule, names, 0);
  return names;
}

const char **fw_rule_child_names(const fw_rule *parent) {
  size_t room = 1;
  for (const fw_child *child = parent->children; child && child->rule; child++)
    room += child->rule->name ? 1 : table_size(child->rule->table);
  const char **names = calloc(room, sizeof *names);
  size_t count = 0;
  for (const fw_child *child = parent->children; names && child && child->rule; child++) {
    if (child->rule->name)
      names[count++] = child->rule->name;
    else
      count = append_entries(child->rule, names, count);
  }
  return names;
}
