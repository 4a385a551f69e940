/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of joints and ties in the DAE: phi'' + 2 k phi' + k^2 phi = 0. */
#ifndef FW_TIME_IDA_CONSTRAINTS_H
#define FW_TIME_IDA_CONSTRAINTS_H

#include "solver/time/ida/dae.h"

void fw_constraints_residual(fw_dae *dae, double t, const double *y, const double *y_dot, double *F);

/* Adds to dae->jacobian: by v (c + 2 k) G + 2 H v, by q k^2 G + H (a + 2 k v); third derivatives are left out. */
void fw_constraints_jacobian(fw_dae *dae, double t, double c, const double *y, const double *y_dot);

#endif
