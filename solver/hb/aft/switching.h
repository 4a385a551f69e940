/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fourier coefficients of the forces of rigid stick and of hard contact that opens with exact switching times. Both
 * depend on the moment alone, and are smooth but for corners where a contact begins or ends to slide, opens or closes.
 * These are found between the samples, and each arc between two of them is integrated by Gauss's rule: what samples
 * alone leave out, of second order in their distance, is not there. The forces are continuous, so that the derivatives
 * are integrals over the same arcs. */
#ifndef FW_HB_AFT_SWITCHING_H
#define FW_HB_AFT_SWITCHING_H

#include "solver/hb/aft/aft.h"

/* Numbers of work space that it takes for series of this size. */
size_t fw_switching_room(int size);

/* Replaces the coefficients, and if wanted the derivatives, of T (rigid stick) and N (FW_AFT_OPENING) that the
 * samples of the cycle gave, as long as there is a corner. */
void fw_switching_project(fw_aft *aft, const fw_aft_point *point, const fw_aft_in *in, bool derivatives);

#endif
