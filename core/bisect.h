/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A place where something changes, by halving. */
#ifndef FW_CORE_BISECT_H
#define FW_CORE_BISECT_H

#include <stdbool.h>

/* True where x is on the far side. */
typedef bool (*fw_beyond)(void *user, double x);

/* Halves the interval between *near and *far until it is no wider than `width` times its farther end from 0, at most
 * `most` times. */
void fw_bisect(fw_beyond beyond, void *user, double width, int most, double *near, double *far);

#endif
