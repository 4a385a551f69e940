/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where results come from: marks that change with all that numbers depend on, and the record of it that a result folder
 * keeps, so that a run is continued only by itself.
 *
 * Left out, because no number depends on it: title, studies (their journals have marks of their own), data and
 * comparisons, parameters that nothing uses, names of files (their contents count). */
#ifndef FW_INPUT_ORIGIN_H
#define FW_INPUT_ORIGIN_H

#include <stdint.h>

#include "core/record.h"
#include "input/deck.h"

/* Of an evaluated element and all below it: names, numbers, words, formulas. */
uint64_t fw_item_mark(const fw_item *item);

/* Of the deck as it would run now: every element, the contents of the files it names (meshes, tables, plug-ins) and the
 * version of fretwork. */
fw_status fw_deck_mark(fw_context *ctx, const fw_deck *deck, uint64_t *mark);

/* The origin of a run: version, deck, parameters with their values, files with the marks of their contents, the mark of
 * the built model, and the mark of all of it, which is *mark too. */
fw_status fw_origin_create(fw_context *ctx, const fw_deck *deck, const fw_built *built, fw_record **origin,
                           uint64_t *mark);

/* FW_ERR_ARGUMENT with what differs if the results in `folder` have another origin. A folder that tells of none is the
 * business of whoever opens it. */
fw_status fw_origin_check(fw_context *ctx, const fw_deck *deck, const fw_record *origin, const char *folder);

#endif
