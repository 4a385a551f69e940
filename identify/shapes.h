/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes over a beam from what its sensors read: y(x) = sum_k c_k shape_k(x), c_k = sum_j weight_kj y_j.
 *
 *   modes   of a uniform beam, clamped and pinned (tan beta_k L = tanh beta_k L); least squares
 *   spline  cubic, through all sensors; y = 0 at both ends, y' = 0 where the far end does not turn, y'' = 0 at the contact
 *   series  sum of a_1k sin + a_2k sinh + a_3k cos + a_4k cosh of beta_k x, k <= 3, by least squares through the spline,
 *           with the same conditions at the ends */
#ifndef FW_IDENTIFY_SHAPES_H
#define FW_IDENTIFY_SHAPES_H

#include "identify/span.h"

typedef enum fw_shape_rule { FW_SHAPES_MODES, FW_SHAPES_SPLINE, FW_SHAPES_SERIES } fw_shape_rule;

typedef struct fw_shape_options {
  fw_shape_rule rule;
  int modes;   /* how many */
  int without; /* sensor that has no part; -1: none */
} fw_shape_options;

typedef struct fw_shape_space {
  int size;
  double *shapes;  /* [size * 2 places] */
  double *weights; /* [size * sensors] */
} fw_shape_space;

fw_status fw_shape_space_create(fw_context *ctx, const fw_span *span, const fw_shape_options *options,
                                fw_shape_space *space);
void fw_shape_space_clear(fw_shape_space *space);

/* shape[2 places] = the one that readings y[sensors] make. */
void fw_shape_space_fit(const fw_span *span, const fw_shape_space *space, const double *y, double *shape);

#endif
