/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other values for an attribute of a deck than the one it has: numbers nearby and far away, other words of a choice, other
 * names of the deck. */
#ifndef FW_TESTS_OTHER_VALUES_H
#define FW_TESTS_OTHER_VALUES_H

#include <libxml/tree.h>

#include "input/grammar.h"

enum { CANDIDATES = 120, CANDIDATE = 600 };

typedef struct candidates {
  char text[CANDIDATES][CANDIDATE];
  int count;
} candidates;

/* entry: whose parameter it is, NULL: the tag's own. root: of the deck; current: what it is now, NULL: not known. */
void offer_values(candidates *c, const fw_tag *tag, const fw_entry *entry, const fw_param *param, const xmlNode *root,
                  const char *current);

#endif
