/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure a mean over time is: by the means over windows. */
#ifndef FW_ANALYSES_BATCHES_H
#define FW_ANALYSES_BATCHES_H

typedef struct fw_batches {
  double mean;
  double error;       /* standard error, s/sqrt(n), if windows are independent: */
  double correlation; /* of neighbouring windows; 0 where nothing varies */
} fw_batches;

fw_batches fw_batches_of(const double *values, int count);

#endif
