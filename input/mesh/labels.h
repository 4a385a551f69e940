/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the numbers a file uses to ours. */
#ifndef FW_INPUT_MESH_LABELS_H
#define FW_INPUT_MESH_LABELS_H

#include "core/context.h"

typedef struct fw_label {
  int label, index;
} fw_label;

typedef struct fw_labels {
  int count;
  fw_label *list; /* sorted by label */
} fw_labels;

/* `labels` with a stride of `stride` bytes. `what` ("node") names it in the message if one occurs twice. */
fw_status fw_labels_create(fw_context *ctx, const char *file, const char *what, const int *labels, size_t stride,
                           int count, fw_labels *map);
void fw_labels_clear(fw_labels *map);
/* Our number, or -1. */
int fw_labels_find(const fw_labels *map, int label);

#endif
