/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the volume that is worn off a tube to the depth of the scar and back. Cross-section removed at the depth d, tube of
 * radius r:
 *
 *   flat bar            A = r^2 acos(1 - d/r) - (r - d) sqrt(2 r d - d^2)
 *   hole of radius R    A = r^2 a - R^2 b + r e sin a,  e = R - r + d,  cos a = (R^2 - r^2 - e^2)/(2 r e),
 *                                                       cos b = (R^2 - r^2 + e^2)/(2 R e)
 *   land of width w     as of the hole until the chord 2 sqrt(2 R_e d), 1/R_e = 1/r - 1/R, is w; then A grows by w dd
 *
 * Along the width B the volume is B A; of a tube that leans by the angle t it is (1/t) int A(h) dh, h from max(0, d - t B)
 * to d; worn evenly all round it is 2 pi r B d.
 *
 * If the support wears too, V_o beside the tube's V_t, that is the whole volume V_t + V_o over the whole approach d, of which
 * each has its share: the tube is worn to d V_t/(V_t + V_o). */
#ifndef FW_CONTACT_SCAR_H
#define FW_CONTACT_SCAR_H

#include "core/model.h"

/* At most how deep, as all of these describe it: an approach to the middle of the tube. */
static inline double fw_scar_deepest(const fw_scar *scar) { return scar->r / (1 + scar->other); }

double fw_scar_area(const fw_scar *scar, double approach);
/* Worn off the tube where all of its scars are that deep. */
double fw_scar_volume(const fw_scar *scar, double depth);
/* Unknown (core/unknown.h) if it would be deeper than fw_scar_deepest. */
double fw_scar_depth(const fw_scar *scar, double volume);

#endif
