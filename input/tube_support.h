/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <tube-support>: a support plane at an arc length of a tube (two, at the faces of a plate with a thickness), with the
 * surfaces of a usual support and one pair for each of its sides. Built in three places: the tube gives it points, the
 * support planes rings, contact surfaces and pairs. */
#ifndef FW_INPUT_TUBE_SUPPORT_H
#define FW_INPUT_TUBE_SUPPORT_H

#include "core/item.h"

enum { FW_TUBE_SUPPORT_FACES = 2 };
enum { FW_TUBE_SUPPORT_DRILLED, FW_TUBE_SUPPORT_FLAT, FW_TUBE_SUPPORT_BROACHED }; /* attribute 'kind' */

/* 1, or 2 with a thickness. */
static inline int fw_tube_support_faces(const fw_item *item) {
  return fw_args_number(&item->args, "thickness") > 0.0 ? 2 : 1;
}

/* Arc length of a face. */
static inline double fw_tube_support_place(const fw_item *item, int face) {
  double half = 0.5 * fw_args_number(&item->args, "thickness");
  return fw_args_number(&item->args, "at") + (face ? half : -half);
}

/* Names of what stands at a face: its point on the tube, and its ring. */
static inline const char *fw_tube_support_point(int face) { return face ? "face-2" : "face"; }
static inline const char *fw_tube_support_ring(int face) { return face ? "ring-2" : "ring"; }

#endif
