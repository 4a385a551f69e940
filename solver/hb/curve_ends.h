/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A response through the ends of its curve: where forces jump, and where the curve turns back for good. */
#ifndef FW_HB_CURVE_ENDS_H
#define FW_HB_CURVE_ENDS_H

#include "solver/hb/response.h"

/* The first motion of the curve: at the first frequency of the range or, where none is found there, the first of some
 * others of the grid. y: from rest, overwritten. Positive status: none of them. */
fw_status fw_follow_begin(fw_context *ctx, fw_solver *solver, const fw_arc_length *sweep, double tolerance, double *y);

/* The curve from y on and, where it ends, those beyond. y: the first point, overwritten. out->status: how it ended. */
fw_status fw_curve_ends_follow(fw_context *ctx, fw_solver *solver, fw_arc_length *sweep, fw_response *out, double *y);

/* Says in out->note, unless there is one, why the range was not swept to its end, and where the curve had gaps. */
void fw_curve_ends_explain(fw_response *out, const fw_arc_length *sweep, const fw_balance *balance);

#endif
