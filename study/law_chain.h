/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which numbers of friction laws a parameter of a deck moves, where it moves nothing else: then derivatives with respect
 * to it follow from those with respect to the numbers,
 *
 *   d figure / d parameter = sum over numbers  d figure / d number  d number / d parameter. */
#ifndef FW_STUDY_LAW_CHAIN_H
#define FW_STUDY_LAW_CHAIN_H

#include "contact/friction/vary.h"
#include "input/deck.h"

typedef struct fw_law_chain {
  int parameter; /* the caller's number of it */
  fw_law_place place;
  double rate; /* d number / d parameter, this in its own unit */
} fw_law_chain;

typedef struct fw_law_chains {
  fw_law_chain *list;
  int count, room;
} fw_law_chains;

/* Adds the chains of a parameter: decks differ in nothing but its value, low and high, which `deck` (set to the latter
 * afterwards) may have. *only: nothing but numbers of friction laws differs; if not, no chain is added. FW_ERR_DECK where
 * the deck has no meaning. */
fw_status fw_law_chains_find(fw_context *ctx, fw_deck *deck, const char *name, int parameter, double low, double high,
                             fw_law_chains *chains, bool *only);
void fw_law_chains_clear(fw_law_chains *chains);

#endif
