/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps and slips of contact points as linear combinations of coordinates that are independent of each other and of the
 * joints. Most points have coordinates of their own; feet of one rigid body, stops on either side of a point or several
 * points on one element have more gaps and slips than freedoms. */
#ifndef FW_HB_REDUCTION_COORDINATES_H
#define FW_HB_REDUCTION_COORDINATES_H

#include "contact/pair.h"
#include "solver/hb/balance.h"
#include "solver/linalg/sparse.h"

/* The gap or slip that defines a coordinate: its value is the coordinate. */
typedef struct fw_definer {
  int contact;
  bool slip; /* else the gap */
} fw_definer;

/* The terms of all combinations lie in two arrays, one after the other. Clear is safe on a zeroed struct. */
typedef struct fw_coordinates {
  int count;
  fw_definer *definers;
  int *at;
  double *factor;
} fw_coordinates;

/* Sets gap and slip of every contact. kin: of each contact; K: tangent of the model with the joints' gradients
 * bordering it. A gap that joints hold makes N constant. Hard gaps that touch and rigid sticks under load, each of
 * which needs a force of its own, are coordinates themselves; FW_ERR_ANALYSIS, with the names of the pairs, if they
 * depend on each other or are held by joints: their forces are not determined. */
fw_status fw_coordinates_find(fw_context *ctx, const fw_model *model, const fw_sparse *K, const fw_kinematic *kin,
                              fw_balance_contact *contacts, int contact_count, fw_coordinates *coordinates);
void fw_coordinates_clear(fw_coordinates *coordinates);

#endif
