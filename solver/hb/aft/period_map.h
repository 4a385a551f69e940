/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear algebra of the map that takes a contact's states once round the period, map = d z_end / d z_begin. */
#ifndef FW_HB_AFT_PERIOD_MAP_H
#define FW_HB_AFT_PERIOD_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers of work space, `room` below, that a map of this many states takes. */
size_t fw_period_map_room(size_t states);

/* Where I - map is singular (the state comes back whatever it is): a singular value below 1e-7. */
bool fw_period_map_is_identity_somewhere(int states, bool uncoupled, const double *map, double *room);

/* Solves (I - map) X = rhs in place, rhs: states x columns row major, leaving out the directions in which the map
 * is the identity; in those X takes its part from `kept` (same shape; NULL: zero). map: states x states row
 * major, of which only the diagonal counts if uncoupled. */
void fw_period_map_solve(int states, bool uncoupled, const double *map, double *rhs, int columns, const double *kept,
                         double *room);

#endif
