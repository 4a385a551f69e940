/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A deck and what is built from it. A deck keeps its expressions, so that setting a parameter and
 * building again costs no reading. Building does not change the deck. */
#ifndef FW_INPUT_DECK_H
#define FW_INPUT_DECK_H

#include "core/item.h"
#include "core/model.h"
#include "input/parameters.h"

/* All that a run needs. The lists are elements of the deck with their children (analyses, outputs ...) or
 * NULL where the deck has none; they point into `root`. Places and names are lent by the deck, which must
 * outlive this. */
typedef struct fw_built {
  fw_item root;
  fw_model *model;
  const fw_item *analyses, *outputs, *studies, *data, *identification;
} fw_built;

/* Evaluates, checks and builds; every error of the deck is reported. *built is NULL on failure. Destroy is
 * NULL-safe. */
fw_status fw_deck_build(fw_context *ctx, const fw_deck *deck, fw_built **built);
/* The same with tubes as they are drawn, whatever they are reduced to (attribute `modes`). */
fw_status fw_deck_build_whole(fw_context *ctx, const fw_deck *deck, fw_built **built);
void fw_built_destroy(fw_built **built);

/* The deck's own file name as given, and its parameters as they are set. Lent. */
const char *fw_deck_path(const fw_deck *deck);
const fw_parameters *fw_deck_parameters(const fw_deck *deck);

/* A deck of its own to set parameters in. It shares what was read with `deck`, which must outlive it. */
fw_status fw_deck_copy(fw_context *ctx, const fw_deck *deck, fw_deck **copy);

/* The deck as it would run now, every attribute evaluated and every name checked; all errors are reported. To be
 * cleared with fw_item_clear, also after a failure. */
fw_status fw_deck_evaluate(fw_context *ctx, const fw_deck *deck, fw_item *root);

/* Writes the deck as it would run now: parts included, parameters as set, files by their full paths, so that it can be
 * read from any folder. */
fw_status fw_deck_write(fw_context *ctx, const fw_deck *deck, const char *path);

#endif
