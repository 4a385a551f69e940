/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FW_TESTS_RANDOM_DECK_H
#define FW_TESTS_RANDOM_DECK_H

#include <stdio.h>

#include "features.h"

/* How the model of a deck lies: mirrored across the line of its body (side -1), then turned, then moved. */
typedef struct placement {
  double angle; /* deg */
  int side;
  double dx, dy;
} placement;
extern const placement as_drawn;

/* Whether mirroring changes nothing: the diagonals of triangles, the bristles' chance and the sense of a rack do not
 * follow. */
bool deck_can_mirror(const features *f, const choice *c);

/* Writes the deck of a choice. Points of its body b: root, mid, tip; the sensor is x, a static state s under the load p
 * comes first, and `a` is the analysis of the choice, a transient with that time step. The sensor is that of the
 * model's own axis where that lies along an axis. */
void deck_write(FILE *file, const features *f, const choice *c, const char *step, const placement *at);

/* Largest |T|/N of its law, or 0 where it has none (or none that holds always). */
double deck_friction_limit(const features *f, const choice *c);

/* Transient in which nothing is irregular by nature: another solver has to find the same motion. */
bool deck_is_regular(const features *f, const choice *c);

#endif
