/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonics of signals over time. The drive's frequency is the one whose sine leaves least of the force; coefficients
 * come by least squares (constant and all harmonics at once) over windows of whole periods; phases count from the force: of
 * harmonic r, r times that of its first harmonic is taken off, so that a shift of the clock changes nothing. */
#ifndef FW_IDENTIFY_SPECTRUM_H
#define FW_IDENTIFY_SPECTRUM_H

#include "identify/harmonics.h"

/* Of all sensors of acceleration in <signals>, which need a column `force`. Means over the windows, and their spread. */
fw_status fw_spectrum_read(const fw_identify_job *job, const fw_item *data, int orders, int windows,
                           fw_harmonics *harmonics);

#endif
