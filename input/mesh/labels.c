/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/mesh/labels.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
  const fw_label *x = a, *y = b;
  return (x->label > y->label) - (x->label < y->label);
}

fw_status fw_labels_create(fw_context *ctx, const char *file, const char *what, const int *labels, size_t stride,
                           int count, fw_labels *map) {
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *map->list, &map->list));
  map->count = count;
  for (int i = 0; i < count; i++)
    map->list[i] = (fw_label){*(const int *)(const void *)((const char *)labels + (size_t)i * stride), i};
  qsort(map->list, (size_t)count, sizeof *map->list, compare);
  for (int i = 1; i < count; i++)
    if (map->list[i].label == map->list[i - 1].label)
      return fw_fail_at(ctx, FW_ERR_DECK, (fw_place){.file = file}, "%s %d is defined twice", what, map->list[i].label);
  return FW_OK;
}

void fw_labels_clear(fw_labels *map) {
  free(map->list);
  *map = (fw_labels){0};
}

int fw_labels_find(const fw_labels *map, int label) {
  const fw_label wanted = {.label = label}, *found = NULL;
  if (map->count > 0) found = bsearch(&wanted, map->list, (size_t)map->count, sizeof wanted, compare);
  return found != NULL ? found->index : -1;
}
