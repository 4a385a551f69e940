/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A deck after checking: the same tree with every attribute evaluated. */
#ifndef FW_CORE_ITEM_H
#define FW_CORE_ITEM_H

#include "core/table.h"

typedef struct fw_item {
  const char *name;      /* deck element */
  fw_args args;          /* its attributes, evaluated */
  const fw_entry *entry; /* table entry it names (law, analysis, section ...), or NULL */
  fw_args entry_args;    /* attributes described by that entry */
  char *text;            /* of elements that carry text (title); else NULL */
  struct fw_item *children;
  int child_count;
} fw_item;

/* First child of that name, or NULL. */
const fw_item *fw_item_child(const fw_item *item, const char *name);

#endif
