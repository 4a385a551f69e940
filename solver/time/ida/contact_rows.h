/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of one contact point in the DAE: its forces in the momentum rows, its states, N and T. */
#ifndef FW_TIME_IDA_CONTACT_ROWS_H
#define FW_TIME_IDA_CONTACT_ROWS_H

#include "solver/time/ida/dae.h"

/* Adds the point's forces to the momentum rows of F and fills its own rows. */
fw_status fw_contact_residual(fw_dae *dae, int point, double t, const double *y, const double *y_dot, double *F);

/* Adds its derivatives to dae->jacobian. */
fw_status fw_contact_jacobian(fw_dae *dae, int point, double t, double c, const double *y, const double *y_dot);

/* What y says of the point: its touch and its states z (those of step laws advanced to t). */
fw_status fw_contact_unpack(fw_dae *dae, int point, double t, const double *y, fw_touch *touch, double *z);

/* What the accelerations of a point's gap and slip are beside those of the freedoms along their directions: curvature
 * times velocities v [dof_count], and the stabilisation of held directions. */
void fw_contact_drift(const fw_dae *dae, int point, const double *v, double *gap, double *slip);

#endif
