/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of monodromy.h share. */
#ifndef FW_HB_MONODROMY_PARTS_H
#define FW_HB_MONODROMY_PARTS_H

#include "solver/hb/monodromy.h"

/* last: it defines I */
#include <cblas.h>

static inline double *fw_monodromy_row(double *rows, const fw_monodromy *x, int row) {
  return rows + (size_t)row * (size_t)x->states;
}

/* to += factor from, row by row of the disturbances. */
static inline void fw_monodromy_add(const fw_monodromy *x, double factor, const double *from, double *to) {
  if (factor != 0) cblas_daxpy(x->states, factor, from, 1, to, 1);
}

/* to += factor times the gap or slip whose coordinates have their rows from row `first` on. */
static inline void fw_monodromy_along(const fw_monodromy *x, double factor, const fw_combination *of, double *rows,
                                      int first, double *to) {
  for (int k = 0; factor != 0 && k < of->count; k++)
    fw_monodromy_add(x, factor * of->factor[k], fw_monodromy_row(rows, x, first + of->at[k]), to);
}

/* -1, 1: slides that way; 0: sticks rigidly. */
static inline int fw_monodromy_direction(const fw_monodromy *x, int contact, int sample) {
  return x->directions[contact * x->balance->fourier.samples + sample];
}

/* A hard contact that holds its gap there. */
static inline bool fw_monodromy_closed(const fw_monodromy *x, int contact, int sample) {
  return x->closed[contact * x->balance->fourier.samples + sample];
}

/* True if the coordinate does not move at a sample: a gap kept closed, a contact that sticks rigidly. */
bool fw_monodromy_held(const fw_monodromy *x, int coordinate, int sample);

/* monodromy_phases.c: fills directions, closed, slopes and impacts from the samples of the motion. */
fw_status fw_monodromy_phases(fw_monodromy *x);

/* monodromy_jumps.c: the disturbances pass what happens between samples i and j, before the step is taken. */
fw_status fw_monodromy_jumps(fw_monodromy *x, int i, int j);

/* The mass matrix at a sample, coordinates that are held left out, factored in x->matrix; and its answer to a force
 * given at all n coordinates, in place. FW_RECOVER_DIVERGED if it is singular. */
fw_status fw_monodromy_mass(fw_monodromy *x, int sample);
void fw_monodromy_accelerate(const fw_monodromy *x, int sample, double *force);

/* monodromy_step.c: accelerations and normal forces of the disturbances here and now, at sample i, as what holds at
 * sample j has them. */
fw_status fw_monodromy_settle(fw_monodromy *x, int i, int j);

#endif
