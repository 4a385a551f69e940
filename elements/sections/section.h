/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the cross-sections share. */
#ifndef FW_ELEMENTS_SECTIONS_SECTION_H
#define FW_ELEMENTS_SECTIONS_SECTION_H

#include "elements/element.h"

/* The parameter every shape has after its dimensions. */
#define FW_SECTION_KAPPA \
  { "kappa", FW_PARAM_NUMBER, "", "0", 0, 10, NULL, "shear factor; 0: Cowper's for this shape and Poisson's ratio" }

/* What a round section has besides: the same in every direction, J = 2 I. */
static inline void fw_section_round(fw_properties *props) {
  props->round = true;
  props->I_out = props->I;
  props->kappa_out = props->kappa;
  props->J = 2 * props->I;
}

#define FW_COWPER "Cowper, The shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33, 1966"

#endif
