/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the tree of a deck to items: every attribute checked against the grammar and evaluated. */
#ifndef FW_INPUT_EVALUATE_H
#define FW_INPUT_EVALUATE_H

#include "core/item.h"
#include "input/grammar.h"
#include "input/parameters.h"
#include "input/source.h"

/* Fills *root from <fretwork> down. All errors are reported; *root is filled as far as it went and
 * is to be cleared in any case. Places and names are lent by the source. */
fw_status fw_evaluate(fw_context *ctx, const fw_source *source, const fw_parameters *parameters, fw_item *root);

/* Frees what hangs on an item (not the item itself). */
void fw_item_clear(fw_item *item);

/* Every name defined once, every reference to something of the right kind. */
fw_status fw_names_check(fw_context *ctx, const fw_item *root);

#endif
