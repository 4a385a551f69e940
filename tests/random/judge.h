/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FW_TESTS_RANDOM_JUDGE_H
#define FW_TESTS_RANDOM_JUDGE_H

#include "deck.h"
#include "fretwork.h"

typedef enum verdict {
  REFUSED, /* by check, with a message: no deck of its kind */
  FAILED,  /* the analysis gave up, with a message: allowed, counted */
  SOUND,
  BROKEN /* something that must hold does not */
} verdict;

enum { WHY = 600 };

/* Checks the deck in a file. */
verdict judge_check(const char *path, char why[WHY]);

/* Runs it and looks at all it leaves; it was SOUND to judge_check. */
verdict judge_run(const char *path, const features *f, const choice *c, char why[WHY]);

/* Whether the deck tells the same however its model lies: where one way of a few, chosen by the seed, does not, BROKEN. */
verdict judge_turned(const char *path, const features *f, const choice *c, char why[WHY]);

#endif
