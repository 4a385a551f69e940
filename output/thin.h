/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves out points of a line that nobody can see. */
#ifndef FW_OUTPUT_THIN_H
#define FW_OUTPUT_THIN_H

/* Keeps the first and the last of n points, and of those between as many as the line needs to stay within about
 * (near_x, near_y) of all of them; returns how many are left, in place. */
int fw_thin(int n, double *x, double *y, double near_x, double near_y);

#endif
