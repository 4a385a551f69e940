/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A contact that opens or closes between the samples of a period. `pressed` (> 0 closed) is taken as straight from
 * sample to sample; then the part of a step that is spent in contact, the weight of a sample's friction and what
 * friction remembers are continuous, however a moment of opening passes from one sample to the next. Without that
 * forces would jump, and a curve of solutions would end wherever a point only just opens. */
#ifndef FW_HB_AFT_TOUCHING_H
#define FW_HB_AFT_TOUCHING_H

#include <stdbool.h>

typedef struct fw_touching {
  bool whole;   /* closed at the sample and on both sides of it: all are 1 */
  double part;  /* of the step to the sample that is closed: what is slipped while open stretches nothing */
  double share; /* of the half steps around the sample that is closed */
  double keep; /* of the friction states after the sample: 1 where it is closed; an opening that lasts as long as a step
                  makes a fresh contact, a shorter one in proportion */
  double part_p[3], share_p[3], keep_p[3]; /* derivatives with respect to `pressed` before, at and after the sample */
} fw_touching;

fw_touching fw_touching_at(double before, double at, double after);

#endif
