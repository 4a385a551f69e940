/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the cross-sections share. */
#ifndef FW_ELEMENTS_SECTIONS_SECTION_H
#define FW_ELEMENTS_SECTIONS_SECTION_H

#include "elements/element.h"

/* The parameters every shape has after its dimensions. */
#define FW_SECTION_KAPPA \
  { "kappa", FW_PARAM_NUMBER, "", "0", 0, 10, NULL, "shear factor; 0: Cowper's for this shape and Poisson's ratio" }
#define FW_SECTION_ADDED_MASS                                       \
  {                                                                 \
    "mass-per-length", FW_PARAM_NUMBER, "kg/m", "0", 0, 1e12, NULL, \
        "mass per length besides the material's "                   \
        "(fluid, coating); moves, does not turn"                    \
  }

#define FW_COWPER "Cowper, The shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33, 1966"

#endif
