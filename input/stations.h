/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the nodes of a beam or tube stand along its axis. A place that needs a node gets one exactly there: the nearest
 * free station of the even (or graded) division moves to it, so that no sliver arises. */
#ifndef FW_INPUT_STATIONS_H
#define FW_INPUT_STATIONS_H

#include "core/context.h"

typedef struct fw_station {
  double s;
  bool taken; /* an end, a corner or a point stands here: it may not move */
} fw_station;

typedef struct fw_stations {
  double length;
  fw_station *list;
  int count;
} fw_stations;

/* Divides the length into elements that grow by a constant ratio, the last `grading` times the first, with room for
 * `more` stations. list is to be freed. */
fw_status fw_stations_divide(fw_context *ctx, fw_stations *self, int divisions, double grading, int more);
/* Puts a station at s. */
void fw_stations_require(fw_stations *self, double s);
/* Index of the last station at or before s. */
int fw_stations_before(const fw_stations *self, double s);
/* Index of the station at s, or -1 with the element that holds s and its natural coordinate there. */
int fw_stations_find(const fw_stations *self, double s, int *element, double *xi);
/* Places closer than this are one. */
double fw_stations_tolerance(const fw_stations *self);

#endif
