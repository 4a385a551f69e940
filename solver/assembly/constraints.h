/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well joints and ties are closed, and states that close them. */
#ifndef FW_ASSEMBLY_CONSTRAINTS_H
#define FW_ASSEMBLY_CONSTRAINTS_H

#include "solver/assembly/system.h"

/* Of every constraint equation phi(q, t) = 0, [constraint_count] each; NULL: not wanted. */
typedef struct fw_constraints {
  double *phi;
  double *phi_t; /* partial time derivative: prescribed motion */
  double *rate;  /* phi' = G v + phi_t */
  double *bend;  /* v^T phi_qq v + phi_tt: phi'' = G a + bend */
} fw_constraints;

/* v may be NULL (at rest). */
void fw_constraints_find(const fw_model *model, const double *q, const double *v, double t, const fw_constraints *out);

/* The joint an equation belongs to, or NULL: a tie. */
const fw_joint *fw_constraints_joint(const fw_model *model, int equation);

/* Moves q, then changes v, as little as possible (measured by mass) until phi = 0 and phi' = 0 at state->time. Freedoms
 * whose value (held) or rate (held_rate) is held stay as they are; both [dof_count], NULL: none. Nothing is touched
 * where all is closed. FW_ERR_DECK, naming the joint, where it cannot be done. Overwrites the system's tangent. */
fw_status fw_constraints_reach(fw_context *ctx, fw_system *system, const bool *held, const bool *held_rate,
                               fw_state *state);

/* Size of the model, against which an open joint is judged (m): greatest distance of a node from the first, or arm. */
double fw_constraints_scale(const fw_model *model);

/* The largest of a list by magnitude, and where. */
double fw_constraints_worst(const double *values, int count, int *where);

/* Joint equations that others already imply: FW_ERR_DECK, naming the joints (rank of G at q, in the deck's order). */
fw_status fw_constraints_redundant(fw_context *ctx, const fw_model *model, const double *q, double t);

#endif
