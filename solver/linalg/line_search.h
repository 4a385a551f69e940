/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line search: how far to go along a Newton step. */
#ifndef FW_LINALG_LINE_SEARCH_H
#define FW_LINALG_LINE_SEARCH_H

#include "core/context.h"

/* Goes to a fraction of the step and gives the residual along it, step . r: the fall of the potential energy.
 * Recoverable: the model has no answer there (an element turned inside out), it is too far. */
typedef fw_status (*fw_line_slope)(void *user, double fraction, double *slope);

/* Leaves the model at a fraction in 0..1 where |slope| is at most 0.8 of |first|, the slope at 0, found by regula
 * falsi; a whole step that does not pass the minimum is taken as it is. After a few trials the last one stands. */
fw_status fw_line_search(fw_line_slope slope_at, void *user, double first);

#endif
