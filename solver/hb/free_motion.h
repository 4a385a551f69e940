/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two disturbances of a free motion belong to it: one moves it in time and has the multiplier 1, the other moves it
 * along its family, to a larger amplitude. Neither says anything of what leaves the mode. In a conservative system both
 * have the multiplier 1, and rounding parts them by its square root. */
#ifndef FW_HB_FREE_MOTION_H
#define FW_HB_FREE_MOTION_H

#include "solver/hb/monodromy.h"

/* Both disturbances, as states; clear is safe on a zeroed struct. */
typedef struct fw_free_motion {
  double *motion, *family; /* at right angles, of length 1 (omega^2 q^T M q + v^T M v) */
  double along;            /* the multiplier of the second; NaN: no disturbance moves so */
} fw_free_motion;

/* `along`: change of the unknowns y (omega the last) along the family. The multiplier is found where the first
 * disturbance is taken out of the monodromy matrix X, which stays as it is; `next` is overwritten. */
fw_status fw_free_motion_find(fw_context *ctx, fw_monodromy *variation, const double *y, const double *along,
                              fw_free_motion *motion);
void fw_free_motion_clear(fw_free_motion *motion);

/* Part of eigenvector k (a column of `vectors`, two if it is complex) that lies in the plane of both. */
double fw_free_motion_share(const fw_monodromy *variation, const fw_free_motion *motion, const double *vectors, int k,
                            bool complex_pair);

#endif
