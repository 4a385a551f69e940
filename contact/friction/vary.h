/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers a deck gave a law, one by one, and the same law with one of them changed: for derivatives with respect to
 * them. */
#ifndef FW_CONTACT_VARY_H
#define FW_CONTACT_VARY_H

#include "contact/friction/friction.h"

enum { FW_LAW_NUMBER_NAME = 64 };

typedef struct fw_law_number {
  char name[FW_LAW_NUMBER_NAME]; /* as in the deck; NAME[i] of a list */
  const char *unit;
  double value, min, max; /* no range: min = max = 0 */
} fw_law_number;

/* Which number of which law of which pair of a model. */
typedef struct fw_law_place {
  int pair, law, number;
} fw_law_place;

/* How many there are: single numbers and members of lists that have a value, and the elastic slip where stick is
 * elastic. 0 if the law was made without a deck. */
int fw_law_number_count(const fw_friction *friction);
void fw_law_number_get(const fw_friction *friction, int i, fw_law_number *number);

/* The law with number i set to `value`; cleared by the caller. FW_ERR_DECK if the law has no meaning there. */
fw_status fw_law_vary(fw_context *ctx, const fw_friction *friction, int i, double value, fw_friction *varied);

/* A pair's friction with number i of its law `law` set to `value`. Laws beside it are lent: cleared by
 * fw_friction_unvary alone. */
fw_status fw_friction_vary(fw_context *ctx, const fw_friction *friction, int law, int i, double value,
                           fw_friction *varied);
void fw_friction_unvary(fw_friction *varied, int law);

#endif
