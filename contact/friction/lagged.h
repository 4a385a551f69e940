/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A law that looks back in time. In steps it keeps the velocities of before among its states. In a periodic motion that
 * is known as a whole these are known too: there one state, the velocity then, stands for all of them, and is not found
 * by steps but set. */
#ifndef FW_CONTACT_FRICTION_LAGGED_H
#define FW_CONTACT_FRICTION_LAGGED_H

#include "contact/friction/friction.h"

typedef struct fw_lagged {
  const fw_friction_ops *ops;      /* the same law, of the same constants, with the velocity given */
  int state;                       /* where it is given, among the states of `ops`; those before are common to both */
  double (*lag)(const double *c);  /* how long ago it was (s) */
  int ages, speeds, history;       /* states of the law in steps: ages and velocities, and how many of each, */
  double (*pace)(const double *c); /* kept so far apart (s) */
} fw_lagged;

/* NULL: the law does not look back. */
const fw_lagged *fw_friction_lagged(const fw_friction *law);

#endif
