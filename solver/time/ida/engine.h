/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What carries the equations from event to event, and with them derivatives by parameters. */
#ifndef FW_TIME_IDA_ENGINE_H
#define FW_TIME_IDA_ENGINE_H

#include "solver/time/ida/dae.h"
#include "solver/time/ida/ida.h"
#include "solver/time/integrator.h"

/* ---- sensitivity ----------------------------------------------------------------------------------------- */

/* Derivatives s = dy/dp of the motion by parameters, F_y s + F_y' s' + F_p = 0. The parameter may stand anywhere in the
 * deck, so that F is known at its value only through models: the left side is the central difference
 * [F(y + d s, y' + d s'; p + d) - F(y - d s, y' - d s'; p - d)]/(2 d) of the DAEs of two neighbouring models. */

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
void fw_sensitivity_commit(fw_ida_sensitivity *sensitivity, const fw_state *base);

/* ---- engine ---------------------------------------------------------------------------------------------- */

/* What carries the equations from event to event: IDAS on the whole DAE, or CVODES on q, v, z where no contact and no
 * joint is a constraint. The driver (ida.c) commits steps and handles events; an engine only steps. */

/* Powers whose integrals the energy balance needs; STORED: of inertia and inner forces. */
enum {
  FW_POWER_LOADS,
  FW_POWER_DAMPING,
  FW_POWER_FILM,
  FW_POWER_FLOW,
  FW_POWER_FRICTION,
  FW_POWER_CONTACT,
  FW_POWER_STORED,
  FW_POWERS
};
enum { FW_COUNT_STEPS, FW_COUNT_RESIDUALS, FW_COUNT_JACOBIANS, FW_COUNT_ERRORS, FW_COUNT_NEWTON, FW_COUNTS };

typedef struct fw_engine_ops {
  const char *name; /* for messages */
  /* Begins at time t with y, y' [dae->size]; dae and options are lent. */
  fw_status (*create)(fw_context *ctx, fw_dae *dae, const fw_ida_options *options, double t, const double *y,
                      const double *y_dot, void **self);
  void (*destroy)(void *self);
  /* One step, not beyond `stop`: *t, y, y' and the integrals of the powers since the last restart. *event: an event
   * function fell through zero at *t. FW_ERR_ANALYSIS with a message if it cannot go on. */
  fw_status (*step)(fw_context *ctx, void *self, double stop, double *t, double *y, double *y_dot, double *powers,
                    bool *event);
  /* Which functions did: [FW_DAE_ROOTS x contact points]. */
  fw_status (*roots)(fw_context *ctx, void *self, int *found);
  fw_status (*restart)(fw_context *ctx, void *self, double t, const double *y, const double *y_dot);
  /* Before the first step: from now on each step also leaves s and s' in `sensitivity`, lent and kept. */
  fw_status (*differentiate)(fw_context *ctx, void *self, fw_ida_sensitivity *sensitivity);
  /* Since the last restart; order and length of the last step. */
  void (*count)(const void *self, long counts[FW_COUNTS], int *order, double *last_step);
} fw_engine_ops;

extern const fw_engine_ops fw_engine_idas, fw_engine_cvodes;

/* Both engines: rates of the powers at y, y'; absolute tolerances [dae->size] (kind: 1 if in the error test; may be
 * NULL); a library's return flag as a status. */
fw_status fw_engine_powers(fw_context *ctx, fw_dae *dae, double t, const double *y, const double *y_dot, double *power);
void fw_engine_tolerances(const fw_dae *dae, const fw_ida_options *options, double *tolerance, double *kind);
fw_status fw_engine_check(fw_context *ctx, int flag);
/* The message where a solver cannot go on; too_short: however short its steps. */
fw_status fw_engine_stopped(fw_context *ctx, const char *solver, double t, bool too_short, int flag);

#endif
