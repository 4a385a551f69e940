/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions of varied parameters: from the unit interval to values and back. */
#ifndef FW_STUDY_DISTRIBUTION_H
#define FW_STUDY_DISTRIBUTION_H

#include "core/table.h"

typedef enum fw_distribution_kind { FW_UNIFORM, FW_NORMAL, FW_LOG_UNIFORM, FW_LOG_NORMAL } fw_distribution_kind;

/* uniform, log-uniform: a and b are the least and greatest value (of the logarithm).
 * normal, log-normal: a and b are mean and deviation (of the logarithm); p_low and p_high the probabilities at which it
 * is cut. */
typedef struct fw_distribution {
  fw_distribution_kind kind;
  double a, b, p_low, p_high;
} fw_distribution;

/* From the attributes of <vary>. A normal or log-normal one is cut at min and max where given; with `corners`, where a
 * sampling uses the ends of the range, at 3 standard deviations otherwise. */
fw_status fw_distribution_read(fw_context *ctx, const fw_args *vary, bool corners, fw_distribution *distribution);

/* Value at u in [0, 1], and where a value lies, cut to [0, 1]. */
double fw_distribution_value(const fw_distribution *distribution, double u);
double fw_distribution_place(const fw_distribution *distribution, double value);

/* Correlation of the varied parameters by a Gaussian copula: `coefficients` [d*d] of the normal scores, symmetric with
 * unit diagonal, becomes its Cholesky factor (lower triangle, rest 0). False if it is not positive definite. */
bool fw_copula_factor(int d, double *coefficients);
/* Correlates one point of the open unit cube in place. */
void fw_copula_apply(int d, const double *factor, double *u);

#endif
