/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stiff integration with events by SUNDIALS: variable-order BDF, IDAS on the full DAE or CVODES on its explicit form.
 */
#ifndef FW_TIME_IDA_IDA_H
#define FW_TIME_IDA_IDA_H

#include "solver/time/integrator.h"

typedef struct fw_ida fw_ida;

typedef struct fw_ida_options {
  double relative;     /* error tolerance */
  double displacement; /* absolute tolerance of displacements (m, rad) */
  double velocity;     /* and of velocities */
  double rate;         /* characteristic circular frequency (1/s) */
  int order;           /* of the BDF at most; only up to 2 is it stable for undamped high frequencies */
  double longest;      /* step; 0: no limit */
  bool explicit_form;  /* by CVODES: nothing may be a constraint */
} fw_ida_options;

enum { FW_IDA_ORDERS = 5 };

typedef struct fw_ida_statistics {
  long steps, residuals, jacobians, error_failures, newton_failures, events, restarts;
  long of_order[FW_IDA_ORDERS + 1]; /* steps of each order */
  double last_step;
  double violation; /* largest gap or slip of a held direction, m */
  double moved;     /* furthest that a freedom went from where it began, m or rad */
} fw_ida_statistics;

/* One change of a contact point. */
typedef enum fw_ida_change { FW_CLOSES = 1, FW_OPENS, FW_BOUNCES, FW_STICKS, FW_SLIPS, FW_TURNS } fw_ida_change;

/* Starts from `state` (copied); its loads act at drive frequency omega. */
fw_status fw_ida_create(fw_context *ctx, fw_system *system, const fw_state *state, double omega,
                        const fw_ida_options *options, fw_ida **ida);
void fw_ida_destroy(fw_ida **ida);

/* Integrates to time t; events in between are located and handled. */
fw_status fw_ida_advance(fw_context *ctx, fw_ida *ida, double t);

/* See fw_integrator_ops. */
fw_status fw_ida_reload(fw_context *ctx, fw_ida *ida, const double *factors);

/* Called for every change at an event, after it, with the contact point's number. */
typedef fw_status (*fw_ida_event)(void *user, fw_ida_change change, int point, const fw_state *state);
void fw_ida_on_event(fw_ida *ida, fw_ida_event fn, void *user);

/* See fw_integrator_ops. */
void fw_ida_watch(fw_ida *ida, fw_integrator_look look, void *user);

/* See fw_integrator_ops. A run that follows derivatives ends with a message where hard contact opens or closes. */
fw_status fw_ida_differentiate(fw_context *ctx, fw_ida *ida, const fw_neighbour *neighbours, int count);
void fw_ida_tangent(const fw_ida *ida, int neighbour, const double **s, const double **s_dot);
fw_status fw_ida_archive(fw_context *ctx, fw_ida *ida, fw_archive *archive);

const fw_state *fw_ida_state(const fw_ida *ida);
const fw_energy *fw_ida_energy(const fw_ida *ida);
fw_ida_statistics fw_ida_count(const fw_ida *ida);

#endif
