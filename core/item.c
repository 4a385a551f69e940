/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/item.h"

#include <string.h>

const fw_item *fw_item_child(const fw_item *item, const char *name) {
  for (int i = 0; i < item->child_count; i++)
    if (strcmp(item->children[i].name, name) == 0) return &item->children[i];
  return NULL;
}
