/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives s = dy/dp of the motion by parameters, F_y s + F_y' s' + F_p = 0. The parameter may stand anywhere in the
 * deck, so that F is known at its value only through models: the left side is the central difference
 * [F(y + d s, y' + d s'; p + d) - F(y - d s, y' - d s'; p - d)]/(2 d) of the DAEs of two neighbouring models. */
#ifndef FW_TIME_IDA_SENSITIVITY_H
#define FW_TIME_IDA_SENSITIVITY_H

#include "solver/time/ida/dae.h"
#include "solver/time/integrator.h"

typedef struct fw_tangent {
  double step, scale; /* d; size of the parameter */
  fw_dae *dae[2];     /* at p - d, p + d */
  fw_state *state[2]; /* where they begin; later the base's place for detection */
  double *y, *y_dot;  /* [dae->size] s and s' */
} fw_tangent;

typedef struct fw_ida_sensitivity {
  int count;
  fw_tangent *of;
  double *y, *y_dot, *F; /* scratch [dae->size] */
} fw_ida_sensitivity;

/* s, s' at the beginning: differences of the neighbours' consistent beginnings. FW_ERR_ANALYSIS if the neighbours
 * differ from the base in their freedoms or in what contact does. */
fw_status fw_sensitivity_create(fw_context *ctx, const fw_dae *base, const fw_neighbour *neighbours, int count,
                                fw_ida_sensitivity **sensitivity);
void fw_sensitivity_destroy(fw_ida_sensitivity **sensitivity);

/* The left side for one parameter at y, y', s, s'. by_laws: N and T follow from the laws, not from y and s. */
fw_status fw_sensitivity_residual(fw_context *ctx, fw_ida_sensitivity *sensitivity, int i, double t, const double *y,
                                  const double *y_dot, const double *s, const double *s_dot, bool by_laws, double *out);

/* The neighbours look for contact from where the base is. */
void fw_sensitivity_follow(fw_ida_sensitivity *sensitivity, const fw_state *base);

#endif
