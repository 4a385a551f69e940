/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line of action of a spring or damper between two nodes, a and b (freedoms xa ya xb yb).
 *
 * n is the given direction, else it points from b to a; e is the displacement of a relative to b along n
 * (without a given direction: the elongation). With small displacements n is fixed, with co-rotational
 * kinematics it follows the nodes and e = l - l0. A link to the ground has a node b that is held. */
#ifndef FW_ELEMENTS_LINK_H
#define FW_ELEMENTS_LINK_H

#include "elements/element.h"

enum { FW_LINK_DOFS = 4, FW_LINK_SIZE = FW_LINK_DOFS * FW_LINK_DOFS };

/* Deck parameters of a link, first in the list, and their constants. */
#define FW_LINK_PARAMS                                                               \
  {"direction", FW_PARAM_NUMBERS,                                                    \
   "",          "",                                                                  \
   0,           0,                                                                   \
   NULL,        "x, y (tubes: z) of the line of action; absent: through both ends"}, \
  {                                                                                  \
    "kinematics", FW_PARAM_CHOICE, "", "linear", 0, 0, "linear|co-rotational",       \
        "co-rotational: the line of action follows the ends through large rotations" \
  }
enum { FW_LINK_GIVENS = 2 };
enum { FW_LINK_NUMBERS, FW_LINK_DX, FW_LINK_DY, FW_LINK_DZ, FW_LINK_FOLLOWS, FW_LINK_CONSTANTS };

/* Packs the two fw_given; c NULL: only count. */
int fw_link_pack(const fw_given *given, double *c);
const char *fw_link_check(const double *c, const double *X);
static inline bool fw_link_follows(const fw_properties *props) { return props->constants[FW_LINK_FOLLOWS] != 0; }

typedef struct fw_link {
  double n[2], t[2]; /* direction and its normal (n turned by +90 degrees) */
  double turning;    /* d n = turning * t (t . d(xa - xb)): 1/l, or 0 if the direction is fixed */
  double e, rate;    /* elongation and its velocity */
  double across;     /* relative velocity along t */
} fw_link;

/* v may be NULL. FW_RECOVER_ELEMENT if the ends of a following link meet. */
fw_status fw_link_make(const double *c, const double *X, const double *q, const double *v, fw_link *link);

/* Element force of F n on a and -F n on b, with tangents from F_e = dF/de and F_rate; K and C may be NULL. */
void fw_link_force(const fw_link *link, double F, double F_e, double F_rate, double *f, double *K, double *C);

/* Spring and damper: parameters, pack, and their twins in space (elements/space/links.c). */
extern const fw_param fw_spring_params[], fw_damper_params[];
int fw_spring_pack(const fw_given *given, double *c);
int fw_damper_pack(const fw_given *given, double *c);
extern const fw_element_ops fw_space_spring, fw_space_damper;

#endif
