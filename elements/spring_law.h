/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Force of a spring against its elongation (or moment against its angle):
 *
 *   F(e) = preload + k e + table(e),   energy(e) = int_0^e F,
 *
 * where table is piecewise linear and goes on with its end slopes. */
#ifndef FW_ELEMENTS_SPRING_LAW_H
#define FW_ELEMENTS_SPRING_LAW_H

#include "elements/element.h"

/* Deck parameters of a law, in the order fw_spring_law_pack() expects them. */
#define FW_SPRING_LAW_PARAMS(stiffness_unit, e, e_unit, F, F_unit)                                             \
  {"k", FW_PARAM_NUMBER, stiffness_unit, "0", 0, 1e30, NULL, "stiffness"},                                     \
      {"preload", FW_PARAM_NUMBER, F_unit, "0", 0, 0, NULL, F " at rest"},                                     \
      {e "s", FW_PARAM_NUMBERS, e_unit, "", 0, 0, NULL, "table: increasing " e "s, added to preload and k"}, { \
    F "s", FW_PARAM_NUMBERS, F_unit, "", 0, 0, NULL, "table: one " F " for each of the " e "s"                 \
  }
enum { FW_SPRING_LAW_GIVENS = 4 };

typedef struct fw_spring_law {
  double k, preload;
  int points, forces; /* equal in a sound law */
  const double *e, *F;
} fw_spring_law;

/* Packs four fw_given into constants and returns how many; c NULL: only count. */
int fw_spring_law_pack(const fw_given *given, double *c);
/* A view of packed constants. */
fw_spring_law fw_spring_law_view(const double *c);
/* NULL or what is wrong. */
const char *fw_spring_law_check(const fw_spring_law *law);
/* True if the slope changes; a preload alone, or a table of one segment, leaves the law linear. */
bool fw_spring_law_nonlinear(const fw_spring_law *law);

/* F(e); slope (may be NULL): dF/de. */
double fw_spring_law_force(const fw_spring_law *law, double e, double *slope);
double fw_spring_law_energy(const fw_spring_law *law, double e);

#endif
