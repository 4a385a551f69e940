/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two disturbances of a free motion belong to it: one moves it in time and has the multiplier 1, the other moves it
 * along its family, to a larger amplitude. Neither says anything of what leaves the mode. In a conservative system both
 * have the multiplier 1, and rounding would part them by its square root: the first is taken out of the matrix. */
#ifndef FW_HB_FREE_MOTION_H
#define FW_HB_FREE_MOTION_H

#include "solver/hb/variation.h"

/* Takes the disturbance along the motion, whose multiplier becomes 0, out of X. `along`: change of the unknowns y
 * (omega the last) along the family; on return a state, as a column of X, without its part along the motion. room: two
 * columns. */
void fw_free_motion_reduce(fw_variation *variation, const double *y, const double *along, double *room);

/* Which of the real eigenvectors (columns of `vectors`; parts of the eigenvalues given) moves as the state that
 * fw_free_motion_reduce left in `room`; -1: none does. */
int fw_free_motion_find(const fw_variation *variation, const double *vectors, const double *real,
                        const double *imaginary, const double *room);

#endif
