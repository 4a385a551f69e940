/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constant response: the first harmonic of a displacement is held at an amplitude, and the level of the drives becomes
 * the last unknown before omega. */
#ifndef FW_HB_CONSTANT_RESPONSE_H
#define FW_HB_CONSTANT_RESPONSE_H

#include "solver/hb/balance.h"

/* Once, after fw_balance_init. direction: lent. rate: 0 holds the displacement, 1 the velocity, 2 the acceleration. */
void fw_constant_response_set(fw_balance *balance, const fw_projected *direction, double amplitude, int rate);

/* omega^rate |X_1| / amplitude - 1 into r, its derivatives and those with respect to the level into J (may be NULL). */
fw_status fw_constant_response_equation(fw_balance *balance, const fw_dynamic *dynamic, const double *y, double *r,
                                        fw_jacobian *J);

/* Stretches y, the motion at some level, as if all were linear, until the response is as wished. */
void fw_constant_response_stretch(const fw_balance *balance, double *y);

#endif
