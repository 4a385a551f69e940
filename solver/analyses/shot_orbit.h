/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Motions found by shooting, with the figures that harmonic balance gives of its orbits. */
#ifndef FW_ANALYSES_SHOT_ORBIT_H
#define FW_ANALYSES_SHOT_ORBIT_H

#include "solver/analyses/time_orbit.h"
#include "solver/shooting/shooting.h"

/* Figures of the motion that begins with y, whose other parameter is set in the map; options->frequency is set. */
fw_status fw_shot_orbit_measure(const fw_job *job, fw_shooting *shooting, fw_time_orbit_options *options,
                                const double *y, fw_orbit *orbit);

/* Its multipliers: the orbit's, and rows of the table below `first`; sheet NULL: no rows. */
fw_status fw_shot_orbit_judge(fw_shooting *shooting, const double *y, fw_sheet *sheet, double first, fw_orbit *orbit);

#endif
