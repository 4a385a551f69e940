/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a contact point, or friction in a joint, is to small vibrations about a state: the one place that says so, for
 * linear modes and for what harmonic balance linearises. With gap g, slip s, normal force N(g, g') and friction force
 * T(s, s', N) its force on the freedoms is N g_q - T s_q, and it adds to the structure's
 *
 *   K = k_n (g_q - T_N s_q) g_q^T + k_t s_q s_q^T - N g_qq + T s_qq,   k_n = -dN/dg, k_t = dT/ds, T_N = dT/dN,
 *   C = c_n (g_q - T_N s_q) g_q^T + c_t s_q s_q^T,                     c_n = -dN/dg', c_t = dT/ds'.
 *
 * The terms with N and T are those of forces that turn with the surface, or with the body that carries the point.
 *
 * At rest only friction that carries a force has a T_N. Linear modes want symmetric matrices there, and (g_q - T_N s_q/2)
 * in both places gives the same frequency and damping to the first order in T_N: so it is, also for a gap that is held.
 * In steady sliding T_N is the coefficient of friction and K is not symmetric; c_t, below 0 where friction falls with the
 * velocity, acts on s' = s_q . v, which changes with the place too where the surface is curved or the body turns. Friction
 * states that follow by rates of their own are unknowns then (contact/friction/steady.h). */
#ifndef FW_ASSEMBLY_LINEAR_CONTACT_H
#define FW_ASSEMBLY_LINEAR_CONTACT_H

#include "contact/friction/steady.h"
#include "contact/pair.h"

/* What closed contact points do in the linear model. As is: what the state says; what is pressed without a history, as
 * friction in a joint before any analysis, rests and sticks. Constraints: as the state says, for accelerations instead
 * of vibrations; what holds a gap does not change friction. Slide: closed points slide at the velocities of the state,
 * steadily; those that have none stick. */
typedef enum fw_contact_view {
  FW_VIEW_STICK,
  FW_VIEW_SLIP,
  FW_VIEW_OPEN,
  FW_VIEW_AS_IS,
  FW_VIEW_SLIDE,
  FW_VIEW_CONSTRAINTS
} fw_contact_view;

typedef struct fw_linear_contact {
  fw_kinematic kin;
  bool placed;                /* it has a place on its target; else there is nothing more to say */
  bool closed;                /* it counts as closed; else nothing below holds or resists */
  bool holds_gap, holds_slip; /* rigidly */
  double N, T;
  double k_n, c_n, k_t, c_t; /* 0 in directions that are held */
  double T_N;
  double slides;     /* velocity of steady sliding; 0: it does not */
  fw_steady *steady; /* its friction then, if states follow by rates; else NULL */
} fw_linear_contact;

/* Point i of a pair. Clear frees what steady sliding has. */
fw_status fw_linear_contact_find(fw_context *ctx, const fw_model *model, const fw_state *state, fw_contact_view view,
                                 const fw_pair *pair, int i, fw_linear_contact *contact);
void fw_linear_contact_clear(fw_linear_contact *contact);

/* A point counts as closed if the state says so, or, without a history, if it touches in place. */
bool fw_linear_contact_closed(const fw_touch *touch, const fw_kinematic *kin);

/* The direction in which a change of N acts, and the one along which motion changes N: g_q - T_N s_q/2 both at rest, g_q -
 * T_N s_q and g_q in steady sliding. */
void fw_linear_contact_directions(const fw_linear_contact *contact, double acts[FW_CONTACT_DOFS],
                                  double feels[FW_CONTACT_DOFS]);
/* How the velocity of steady sliding changes with the place, v^T s_qq: zeros where nothing turns. */
void fw_linear_contact_turned(const fw_linear_contact *contact, const double *v, double slope[FW_CONTACT_DOFS]);

/* K += -N g_qq + T s_qq over the point's own freedoms, row major. */
void fw_linear_contact_turning(const fw_kinematic *kin, double N, double T, double *K);

#endif
