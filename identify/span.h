/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A straight beam that sensors watch across its axis, held at its far end while the other rubs. Shapes over its axis are
 * put into the freedoms of the model, so that mass, stiffness, loads and contact stay the deck's own. */
#ifndef FW_IDENTIFY_SPAN_H
#define FW_IDENTIFY_SPAN_H

#include "contact/pair.h"
#include "identify/harmonics.h"

typedef struct fw_span {
  int count;        /* nodes, from the far end to the one that rubs */
  int places;       /* nodes, then sensors */
  double *x;        /* [places] distance from the far end (m) */
  int *node;        /* [count] of the model */
  double axis[2];   /* from the far end to the one that rubs */
  double across[2]; /* axis turned by +90 degrees: positive y */
  bool clamped;     /* the far end does not turn */
  int sensors;      /* as in the data */
  int *station;     /* [sensors] place of the span */
  double *gain;     /* [sensors] reading of y = 1 */
  const fw_model *model;
} fw_span;

/* The beam that all sensors of the data sit on, whose end carries the contact point. What does not suit (a sensor
 * elsewhere or along the axis, a bent beam, a contact that is not at an end) is refused by name. */
fw_status fw_span_find(fw_context *ctx, const fw_model *model, const fw_harmonics *data, const fw_kinematic *contact,
                       fw_span *span);
void fw_span_clear(fw_span *span);

/* A shape is y at every place, then its slope at every place: 2 places numbers. q[dof_count], overwritten: the freedoms that
 * y(x) across and z(x) along the axis (NULL: none) make. */
void fw_span_freedoms(const fw_span *span, const double *shape, const double *along, double *q);

/* The integral of y_a' y_b' over the beam. */
double fw_span_slopes(const fw_span *span, const double *a, const double *b);

#endif
