/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The features that decks are put together from. Laws, elements, joints, loads and analyses are those of the tables: a
 * new entry is among them without a word here. */
#ifndef FW_TESTS_RANDOM_FEATURES_H
#define FW_TESTS_RANDOM_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum feature {
  BODY,       /* block, disc, beam and plane elements */
  KINEMATICS, /* linear, moderate, large */
  LAW,
  STICK, /* of laws whose stick is a constraint */
  NORMAL,
  SURFACE,
  JOINT,
  POINT_ELEMENT,
  LOAD,
  DAMPING,
  ANALYSIS,
  SOLVER,
  FEATURES
} feature;

enum { KINDS = 40 };

/* The kinds of each feature: names[feature][0 ... counts[feature] - 1]. */
typedef struct features {
  const char *names[FEATURES][KINDS];
  int counts[FEATURES];
} features;

void features_list(features *f);
const char *feature_word(feature f);

/* A kind of each feature, and the seed of the deck's numbers. */
typedef struct choice {
  int kind[FEATURES];
  uint64_t seed;
} choice;

const char *chosen(const features *f, const choice *c, feature which);
bool chose(const features *f, const choice *c, feature which, const char *name);

/* Pairs that no deck can have: refused for a reason that docs/deck.md or the message of `check` gives. */
bool features_fit(const features *f, feature a, int i, feature b, int j);

/* Random numbers, the same everywhere. */
uint64_t random_bits(uint64_t *seed);
int random_below(uint64_t *seed, int n);
double random_between(uint64_t *seed, double from, double to);

#endif
